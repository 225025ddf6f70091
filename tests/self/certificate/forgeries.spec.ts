/** Forgeries are refused: of evidence, challenges, statements and reports, made by hand and by a machine. */
import { expect, test } from '@playwright/test';
import { findEvidenceMistakes } from '../../../fixtures/evidence/completeness.ts';
import { writeCanonically, type EvidenceRecord, type HeadRecord } from '../../../fixtures/evidence/log.ts';
import { CHALLENGE_TYPE, isChallenge } from '../../../fixtures/settings/challenge.ts';
import { findShortcomings } from '../../../reports/certificate/shortcomings.ts';
import { readHead, readRecord, recheckEvidence } from '../../../reports/certificate/recheck-evidence.ts';
import type { RecheckPlan } from '../../../reports/certificate/recheck-evidence.ts';
import { hashBytes, writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { readSignedChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { Rejected, sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { EXTENSION, PAYLOAD_TYPE, type Statement } from '../../../reports/certificate/statement.ts';
import { planRecheck } from '../../../bin/certificate/plan-recheck.ts';
import { readRecords } from '../samples/read-records.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';
import { ISSUER, NOW, judgeUnderProfile } from './certifiable-runs.ts';
import { certify, listFailedChecks, issueFiles, verifyFiles, type Certified, fileOf } from './certified.ts';
import { FORGERIES, SPELLINGS, writeEvidence } from './forgeries.ts';
import { changeEveryPlace, takeEvenly } from './document-changes.ts';

test.describe.configure({ mode: 'default' });

const DAY = 86_400_000;
let good: Certified;
let records: readonly EvidenceRecord[];
test.beforeAll(async () => {
  good = await certify(await judgeUnderProfile());
  records = readRecords(good.run.evidence);
});

/** Returns the plan of evidence. It follows from the head, which most forgeries do not change. */
const planFor = async (evidence: Buffer): Promise<RecheckPlan> =>
  evidence.subarray(0, evidence.indexOf(10)).toString() === good.run.evidence.split('\n', 1)[0]
    ? good.plan
    : planRecheck(evidence);

/** Returns the sentences with which `certify` refuses this evidence. None: it is signed. */
async function listLacking(file: string): Promise<string[]> {
  const evidence = Buffer.from(file);
  try {
    const posed = readSignedChallenge(readHead(evidence).challenge, ISSUER.publicKey);
    const recheck = recheckEvidence(evidence, await planFor(evidence), posed);
    return findShortcomings(recheck, NOW).map(({ what }) => what);
  } catch (error) {
    if (error instanceof Rejected) return [error.message];
    throw error;
  }
}

test.describe('by hand', () => {
  for (const [index, { found, change }] of FORGERIES.entries())
    // Usual runs try every twentieth forgery, `npm run test:full` all.
    test(`refused, ${index}: ${found.source}`, { tag: index % 20 === 0 ? [] : '@long' }, async () => {
      expect((await listLacking(writeEvidence(change(records)))).join('\n')).toMatch(found);
    });
  test('another spelling of the file is refused', async () => {
    // The first lines are enough: a line that cannot be read ends the reading
    const begin = `${good.run.evidence.split('\n').slice(0, 300).join('\n')}\n`;
    for (const { found, change } of SPELLINGS)
      expect((await listLacking(change(begin))).join('\n')).toMatch(found);
  });
});

test.describe('a statement that was signed with the right key', () => {
  /** Returns the checks that refuse a changed statement beside the evidence of the run. */
  const findRefusals = (change: (statement: Statement) => void) => {
    const statement = structuredClone(good.statement);
    change(statement);
    const evidence = fileOf(good, 'evidence.jsonl');
    const files = issueFiles(statement, { recheck: good.recheck, evidence });
    return listFailedChecks(verifyFiles({ files, plan: good.plan }));
  };
  /** Changes the part of the statement that only this suite defines. */
  const changeOwnPart =
    (change: (own: Statement['predicate'][typeof EXTENSION]) => void) => (each: Statement) =>
      change(each.predicate[EXTENSION]);
  const changeSettings = (change: (own: Record<string, unknown>) => void) => (each: Statement) => {
    const own = each.predicate.configuration.at(-1);
    const value = JSON.parse(Buffer.from(own?.content ?? '', 'base64').toString('utf8'));
    change(value);
    const text = writeCanonicalJson(value);
    Object.assign(own ?? {}, {
      content: Buffer.from(text).toString('base64'),
      digest: { sha256: hashBytes(text) },
    });
  };
  const startedAt = (by: number) =>
    new Date(Date.parse(good.recheck.report.run.startedAt) + by).toISOString();

  /**
   * Contradictions, under the names of the checks that refuse them: `validity profile` are two checks. Of a statement, `subject` names the
   * report, the evidence and the judged build; `words` are claims that no file proves, each by the vendor or the issuer.
   */
  const CONTRADICTIONS: Readonly<Record<string, Readonly<Record<string, (statement: Statement) => void>>>> = {
    verdicts: {
      'something is warned of that should not be': (each) =>
        each.predicate.warnedTests.push(...each.predicate.passedTests.splice(0, 1)),
      'a path as the name of the build': (each) => {
        each.subject[2]!.name = '../x';
        each.predicate[EXTENSION].subject = '../x';
      },
      'words by the issuer, though the vendor ran the suite': changeOwnPart((own) =>
        own.words.forEach((word) => (word.by = 'issuer')),
      ),
      'the address is a script': changeOwnPart((own) => (own.claims.address = 'javascript:alert(1)')),
      'a run before its challenge': changeOwnPart((own) => (own.claims.startedAt = startedAt(-5 * DAY))),
      'what passes is excused': (each) => {
        each.predicate[EXTENSION].excused.push(...each.predicate.passedTests.splice(0, 1));
      },
      'seeds of the vendor': changeSettings((own) => (own.seeds = [1, 2])),
      'the settings named twice': (each) =>
        each.predicate.configuration.push(each.predicate.configuration.at(-1)!),
    },
    statement: { failed: (each) => (each.predicate.result = 'FAILED' as 'PASSED') },
    files: {
      'three things of one digest': (each) =>
        each.subject.forEach((one) => (one.digest = { sha256: 'a'.repeat(64) })),
    },
    profile: { 'signed before the run': changeOwnPart((own) => (own.validity.notBefore = startedAt(-DAY))) },
    'validity profile': {
      'signed 40 days after the run': changeOwnPart((own) => {
        own.validity = { notBefore: startedAt(40 * DAY), notAfter: startedAt(50 * DAY) };
      }),
    },
    validity: {
      'it holds for years': changeOwnPart((own) => (own.validity.notAfter = startedAt(1_000 * DAY))),
    },
    suite: {
      'another suite by its address': (each) =>
        (each.predicate.configuration[0]!.uri = 'pkg:npm/other@1.0.0'),
    },
  };
  test('is refused if it contradicts itself or the evidence', () => {
    for (const [checks, changes] of Object.entries(CONTRADICTIONS))
      for (const [what, change] of Object.entries(changes))
        expect(findRefusals(change), what).toEqual(checks.split(' '));
  });
});

/** True for kinds of lines that usual runs of the self-tests change too. The others are changed at night only. */
const isUsual = (kind: string) => kind === 'head' || kind === 'done';
/** The number of forgeries: all at night, few in the usual run. */
const count = (all: number, usual: number) => (IS_FULL_TEST ? all : usual);
/** Changes that nothing in the evidence contradicts: they are accepted. Example: `head /clock more` moves the clock of the run. */
const ACCEPTED_CHANGES = [
  // Target, time, traits of the key, versions, claimed categories, and settings of the pace
  /^head \/(target\/(baseUrl |environment |subject[ /])|clock (more|less)$|key\/|runtime[ /]|claimed|settings\/(requestTimeout|maxInFlight|maxRps|categoryIds) )/,
  // The answer, its time and its connection
  /^exchange \/(at|begin|end|connection|error|response)/,
  // Members of a request that do not follow from the plan or from a seed
  /^exchange \/(traceId|ask\/(path|body|headers|without|contentType|purpose|connection|client|credential|creates|onlyShould|alone|raw)|ask\/unannounced left out$)/,
  // The exchanges that tests were given
  /^demands \/asked/,
  /^judgement \/exchanges/,
  // Answers to open questions
  /^sighting \/(observed|evidence)/,
  // The longest lag between a write and a read
  /^done \/lagMs/,
];

test.describe('by machine', () => {
  /** True if `certify` would sign the run with one line changed. Cheap checks come first. */
  function isSigned(index: number, value: EvidenceRecord): boolean {
    try {
      const forged = records.with(index, readRecord(writeCanonically(value), 'it'));
      const head = forged[0] as HeadRecord;
      const posed = readSignedChallenge(head.challenge, ISSUER.publicKey);
      if (head.kind !== 'head') return false;
      if (findEvidenceMistakes(forged, good.plan.cases).length > 0) return false;
      const recheck = recheckEvidence(Buffer.from(writeEvidence(forged)), good.plan, posed);
      return findShortcomings(recheck, NOW).length === 0;
    } catch (error) {
      if (error instanceof Rejected) return false;
      throw error;
    }
  }

  const KINDS = ['head', 'exchange', 'demands', 'judgement', 'sighting', 'done'] as const;
  for (const kind of KINDS)
    test(
      `evidence: every member of lines of the kind ${kind}`,
      { tag: isUsual(kind) ? [] : '@long' },
      async () => {
        test.setTimeout(3_600_000);
        // Takes some records of the kind, makes every change of them, and takes some of the changes
        const own = records.flatMap((each, index) => (each.kind === kind ? [{ each, index }] : []));
        const all = takeEvenly(own, kind === 'exchange' ? 40 : 14).flatMap(({ each, index }) =>
          [...changeEveryPlace(each)].map((forged) => ({ forged, index })),
        );
        const chosen = takeEvenly(all, count(kind === 'exchange' ? 700 : 150, 3));
        const accepted: string[] = [];
        for (const { forged, index } of chosen)
          if (isSigned(index, forged.make())) accepted.push(`${kind} ${forged.pointer} ${forged.what}`);
        expect(accepted.filter((each) => !ACCEPTED_CHANGES.some((one) => one.test(each)))).toEqual([]);
      },
    );

  test('a changed challenge is refused, whoever has signed it', () => {
    const { challenge } = readHead(Buffer.from(good.run.evidence));
    const envelope = JSON.parse(challenge ?? '');
    const payload = JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8'));
    const texts = [
      ...[...changeEveryPlace(envelope)].map(({ make }) => `${writeCanonicalJson(make())}\n`),
      ...[...changeEveryPlace(payload)].map(
        ({ make }) =>
          `${writeCanonicalJson({ ...envelope, payload: Buffer.from(writeCanonicalJson(make())).toString('base64') })}\n`,
      ),
    ];
    for (const text of texts)
      expect(() => readSignedChallenge(text, ISSUER.publicKey), text).toThrow('is not one of this issuer');
    // A wrong challenge is refused even if it is signed with the right key
    const signed = [...changeEveryPlace(payload)].filter(({ make }) => !isChallenge(make()));
    expect(signed.length).toBeGreaterThan(20);
    for (const { make } of signed)
      expect(() =>
        readSignedChallenge(
          sealEnvelope(CHALLENGE_TYPE, writeCanonicalJson(make()), ISSUER.privateKey),
          ISSUER.publicKey,
        ),
      ).toThrow('it is not a challenge');
  });

  test('statements, signed with the right key: no member may differ, except those that only the issuer chooses', () => {
    test.setTimeout(1_200_000);
    const chosen = takeEvenly([...changeEveryPlace(good.statement)], count(2_400, 60));
    const report = fileOf(good, 'report.json');
    const evidence = fileOf(good, 'evidence.jsonl');
    const accepted = chosen.flatMap(({ pointer, what, make }) => {
      const text = sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(make()), ISSUER.privateKey);
      const files = new Map([
        ['attestation.json', Buffer.from(text)],
        ['report.json', report],
        ['evidence.jsonl', evidence],
      ]);
      return verifyFiles({ files, plan: good.plan }).verdict === 'valid' ? [`${pointer} ${what}`] : [];
    });
    // Only the issuer knows the judged build, and chooses how long the certificate is valid
    const CHOSEN_BY_ISSUER = /^\/subject\/2( left out$|\/digest\/sha256 )|^\/predicate\/\w+\/validity\//;
    expect(accepted.filter((each) => !CHOSEN_BY_ISSUER.test(each))).toEqual([]);
  });

  test('only the report that follows from the evidence is taken', () => {
    test.setTimeout(1_200_000);
    const report = JSON.parse(String(fileOf(good, 'report.json')));
    const all = [...changeEveryPlace(report)];
    const chosen = takeEvenly(all, count(2_300, 6));
    const evidence = fileOf(good, 'evidence.jsonl');
    const accepted: string[] = [];
    for (const { pointer, what, make } of chosen) {
      const forged = Buffer.from(`${JSON.stringify(make())}\n`);
      const statement = structuredClone(good.statement);
      statement.subject[0]!.digest.sha256 = hashBytes(forged);
      const files = issueFiles(statement, { recheck: good.recheck, evidence }).set('report.json', forged);
      const verification = verifyFiles({ files, plan: good.plan });
      if (!listFailedChecks(verification).includes('verdicts')) accepted.push(`${pointer} ${what}`);
    }
    expect(accepted).toEqual([]);
  });
});
