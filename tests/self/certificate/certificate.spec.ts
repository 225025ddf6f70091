import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { plannedCases } from '../../../bin/certificate/plan.ts';
import type { HeadRecord, JudgementRecord } from '../../../fixtures/evidence/log.ts';
import { recordsIn } from '../../../fixtures/evidence/rejudge.ts';
import { evidenceMistakes, type Case } from '../../../fixtures/evidence/completeness.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import type { Vary } from '../../../fixtures/reference/reference.ts';
import type { Report } from '../../../reports/document/report.ts';
import { canonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { keyId, seal } from '../../../reports/certificate/signed/envelope.ts';
import { missing, statementOf } from '../../../reports/certificate/issue.ts';
import { newKeys } from '../../../reports/certificate/signed/keys.ts';
import { renderedFiles } from '../../../reports/certificate/page.ts';
import type { VendorCertificate } from '../../../reports/vendors/certificate.ts';
import { revoke } from '../../../reports/certificate/signed/revocation.ts';
import { recheckEvidence, type EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import { EXTENSION, PAYLOAD_TYPE, type Statement } from '../../../reports/certificate/statement.ts';
import { thisSuite } from '../../../reports/certificate/suite.ts';
import { verify, type Verification } from '../../../reports/certificate/verify.ts';
import { runDifferences } from '../../../reports/certificate/run-differences.ts';
import { shortcomings } from '../../../reports/certificate/certification-profile.ts';
import { countVerdicts } from '../../../reports/document/verdicts.ts';
import { certifiedRun } from './certified-run.ts';
import { command } from '../samples/command.ts';
import { FORGERIES, lines } from './forgeries.ts';

// one run is certified once, and everything is tried on it
test.describe.configure({ mode: 'default' });

interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}
const DAY = 86_400_000;
const pair = (): Keys => {
  const keys = newKeys();
  return { privateKey: createPrivateKey(keys.privateKey), publicKey: createPublicKey(keys.publicKey) };
};
const ISSUER = pair();

let plan: readonly Case[];
/** Each pair of files is judged again once. */
const looks = new WeakMap<Report, { evidence: string; look: EvidenceRecheck }>();
function lookAt(report: Report, evidence: string): EvidenceRecheck {
  const known = looks.get(report);
  if (known?.evidence === evidence) return known.look;
  const look = recheckEvidence(report, evidence, plan);
  looks.set(report, { evidence, look });
  return look;
}

/** A run, its statement and its signed envelope; the files of its folder by name. */
interface Certified {
  report: Report;
  evidence: string;
  statement: Statement;
  files: Map<string, Buffer>;
}

function certified(
  { report, evidence }: { report: Report; evidence: string },
  { now = Date.now(), validDays = 90, keys = ISSUER } = {},
): Certified {
  const made = { report: Buffer.from(`${JSON.stringify(report)}\n`), evidence: Buffer.from(evidence) };
  const look = lookAt(report, evidence);
  const statement = statementOf({
    report,
    look,
    files: made,
    suite: thisSuite(),
    subject: { name: 'Rex Pets 2.3', sha256: 'a'.repeat(64) },
    now,
    validDays,
  });
  return { report, evidence, statement, files: folderOf(statement, made, keys) };
}

function folderOf(
  statement: Statement,
  made: { report: Buffer; evidence: Buffer },
  keys = ISSUER,
): Map<string, Buffer> {
  const attestation = Buffer.from(seal(PAYLOAD_TYPE, canonicalJson(statement), keys.privateKey));
  const pages = Object.entries(renderedFiles(statement, attestation)).map(
    ([name, text]): [string, Buffer] => [name, Buffer.from(text)],
  );
  return new Map([
    ['attestation.json', attestation],
    ['report.json', made.report],
    ['evidence.jsonl', made.evidence],
    ...pages,
  ]);
}

function verified(
  files: ReadonlyMap<string, Buffer>,
  { at = new Date(Date.now() + 1_000), keys = ISSUER, revoked = null as Buffer | null, folder = true } = {},
): Verification {
  return verify({
    attestation: files.get('attestation.json') ?? Buffer.alloc(0),
    publicKey: keys.publicKey,
    files: folder ? files : null,
    rendered: renderedFiles,
    at,
    revoked,
    suite: thisSuite(),
    plan,
  });
}

const failedChecks = ({ checks }: Verification) => checks.filter(({ held }) => !held).map(({ name }) => name);

let run: { report: Report; evidence: string };
let good: Certified;
test.beforeAll(async () => {
  plan = await plannedCases();
  run = await certifiedRun();
  good = certified(run);
});

test.describe('a certificate of the reference', () => {
  test('lacks nothing, and verifies', () => {
    expect(
      missing({
        report: run.report,
        look: lookAt(run.report, run.evidence),
        suite: thisSuite(),
        now: Date.now(),
      }),
    ).toEqual([]);
    const verification = verified(good.files);
    expect(verification.checks.filter(({ held }) => !held)).toEqual([]);
    expect(verification.verdict).toBe('valid');
    expect(good.statement.predicate.result).toBe('PASSED');
  });
  test('says what is attested, and holds no key', () => {
    const { attested } = good.statement.predicate[EXTENSION];
    expect(Object.keys(attested)).toContain('authentication.truncated-key');
    expect(Object.keys(attested).length).toBeLessThan(40);
    expect([...good.files.values()].every((file) => !file.includes('PRIVATE KEY'))).toBe(true);
  });
  test('without its folder only what it says by itself is checked, and that is told', () => {
    const { verdict, unchecked } = verify({
      attestation: good.files.get('attestation.json') ?? Buffer.alloc(0),
      publicKey: ISSUER.publicKey,
      files: null,
      rendered: renderedFiles,
      at: new Date(),
      revoked: null,
      suite: thisSuite(),
      plan,
    });
    expect({ verdict, unchecked: unchecked.length }).toEqual({ verdict: 'valid', unchecked: 2 });
  });
  test('is refused before its time, after it, and once it is revoked', () => {
    expect(failedChecks(verified(good.files, { at: new Date(Date.now() - DAY), folder: false }))).toEqual([
      'validity',
    ]);
    expect(
      failedChecks(verified(good.files, { at: new Date(Date.now() + 90 * DAY + 1_000), folder: false })),
    ).toEqual(['validity']);
    const attestation = good.files.get('attestation.json') ?? Buffer.alloc(0);
    const list = (keys: Keys, revoked: Buffer) =>
      Buffer.from(
        revoke(null, { attestation: revoked, reason: 'the key was lost', now: new Date() }, keys.privateKey),
      );
    expect(failedChecks(verified(good.files, { revoked: list(ISSUER, attestation), folder: false }))).toEqual(
      ['revocation'],
    );
    expect(
      verified(good.files, { revoked: list(ISSUER, Buffer.from('another')), folder: false }).verdict,
    ).toBe('valid');
    expect(
      failedChecks(verified(good.files, { revoked: list(pair(), Buffer.from('another')), folder: false })),
    ).toEqual(['revocation']);
  });
  test('of another catalogue is unusable, and names the version that can tell', () => {
    const suite = { ...thisSuite(), catalogue: 'b'.repeat(64), version: '9.9.9' };
    const { verdict, checks } = verify({
      attestation: good.files.get('attestation.json') ?? Buffer.alloc(0),
      publicKey: ISSUER.publicKey,
      files: good.files,
      rendered: renderedFiles,
      at: new Date(),
      revoked: null,
      suite,
      plan,
    });
    expect(verdict).toBe('unusable');
    expect(checks.at(-1)?.found).toContain(`npx animal-store-conformance@${thisSuite().version} verify`);
  });
});

test.describe('other tools', () => {
  test('an independent DSSE verifier takes the envelope', () => {
    const {
      payload,
      payloadType,
      signatures: [signature],
    } = JSON.parse(String(good.files.get('attestation.json')));
    const bundle = {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        content: { $case: 'publicKey', publicKey: { hint: signature.keyid } },
        tlogEntries: [],
        timestampVerificationData: undefined,
      },
      content: {
        $case: 'dsseEnvelope',
        dsseEnvelope: {
          payload: Buffer.from(payload, 'base64'),
          payloadType,
          signatures: [{ keyid: signature.keyid, sig: Buffer.from(signature.sig, 'base64') }],
        },
      },
    };
    const trust = (publicKey: KeyObject) => ({
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: () => ({ publicKey, validFor: () => true }),
    });
    const check = (publicKey: KeyObject) =>
      new Verifier(trust(publicKey), { tlogThreshold: 0, ctlogThreshold: 0, tsaThreshold: 0 }).verify(
        toSignedEntity(bundle as never),
      );
    expect(check(ISSUER.publicKey).key).toBeDefined();
    expect(() => check(pair().publicKey)).toThrow('signature verification failed');
  });
  test('the openssl commands of CERTIFICATION.md check the same signature', () => {
    test.skip(
      !existsSync('/usr/bin/openssl') && !existsSync('/usr/local/bin/openssl'),
      'there is no openssl here',
    );
    const text = readFileSync(
      fileURLToPath(new URL('../../../../CERTIFICATION.md', import.meta.url)),
      'utf8',
    );
    const script = /```sh openssl\n([^]*?)```/.exec(text)?.[1] ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    writeFileSync(join(folder, 'attestation.json'), good.files.get('attestation.json') ?? '');
    writeFileSync(join(folder, 'issuer.pub.pem'), ISSUER.publicKey.export({ type: 'spki', format: 'pem' }));
    expect(execFileSync('sh', ['-euc', script], { cwd: folder, encoding: 'utf8' })).toContain(
      'Signature Verified Successfully',
    );
    writeFileSync(join(folder, 'issuer.pub.pem'), pair().publicKey.export({ type: 'spki', format: 'pem' }));
    expect(() =>
      execFileSync('sh', ['-euc', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }),
    ).toThrow();
  });
});

test.describe('signed anew with the right key', () => {
  let faulty: Certified;
  test.beforeAll(async () => {
    faulty = certified(
      await certifiedRun({
        vary: FAULTS.find(({ breaks }) => breaks === 'create-pet.status-values')!.vary,
        propertyRuns: 10,
      }),
    );
  });
  /** The report as if all had passed. */
  const embellished = (report: Report): Report => {
    const requirements = report.requirements.map((each) =>
      ['fail', 'inconclusive', 'warn'].includes(each.verdict)
        ? { ...each, verdict: 'pass' as const, reason: null, expected: null, received: null, pointer: null }
        : each,
    );
    return {
      ...report,
      requirements,
      verdict: 'conforming',
      exitCode: 0,
      reason: 'every promise that applies here is kept',
      counts: { must: countVerdicts(requirements, 'must'), should: countVerdicts(requirements, 'should') },
    };
  };
  /** The statement with the lists of a clean run, over these files. */
  const signed = (report: Report, evidence: string) => {
    const made = { report: Buffer.from(JSON.stringify(report)), evidence: Buffer.from(evidence) };
    const look = { ...lookAt(report, evidence), results: report.requirements };
    return folderOf(
      statementOf({
        report,
        look,
        files: made,
        suite: thisSuite(),
        subject: { name: 'Forged', sha256: null },
        now: Date.now(),
        validDays: 90,
      }),
      made,
    );
  };

  test('a run that fails gets no certificate, and one list says why', () => {
    const lacking = missing({
      report: faulty.report,
      look: lookAt(faulty.report, faulty.evidence),
      suite: thisSuite(),
      now: Date.now(),
    });
    expect(lacking.map(({ what }) => what).join()).toContain('create-pet.status-values fails');
  });
  test('a report whose verdict was edited is found', () => {
    const verification = verified(signed(embellished(faulty.report), faulty.evidence));
    expect(verification.verdict).toBe('invalid');
    expect(failedChecks(verification)).toContain('verdicts');
    expect(verification.checks.find(({ name }) => name === 'verdicts')?.found).toContain(
      'create-pet.status-values: the report says pass, the evidence gives fail',
    );
  });
  test('a report and evidence whose judgements were edited are found', () => {
    const records = recordsIn(faulty.evidence).map((each) =>
      each.kind === 'judgement' && ['fail', 'inconclusive'].includes(each.verdict)
        ? ({ ...each, verdict: 'pass' as const, case: null } satisfies JudgementRecord)
        : each,
    );
    const verification = verified(
      signed(embellished(faulty.report), `${records.map((each) => JSON.stringify(each)).join('\n')}\n`),
    );
    expect(failedChecks(verification)).toContain('evidence');
  });
  for (const { what, check, found, forge } of FORGERIES) {
    test(`${what}: found`, { tag: '@long' }, () => {
      const forged = forge({ report: run.report, records: recordsIn(run.evidence) });
      const verification = verified(signed(forged.report, lines(forged.records)));
      expect(verification.verdict).toBe('invalid');
      expect(verification.checks.find(({ name, held }) => name === check && !held)?.found).toMatch(found);
    });
  }
  test('each forgery is found where it is looked for', () => {
    for (const { what, check, found, forge } of FORGERIES) {
      const { report, records } = forge({ report: run.report, records: recordsIn(run.evidence) });
      const head = records.find((each): each is HeadRecord => each.kind === 'head')!;
      // what needs all rules over all answers takes a second each
      const told = {
        plan: () => evidenceMistakes(records, plan),
        verdicts: () => runDifferences(report, head, records),
        profile: () => shortcomings(report).map((each) => each.what),
        evidence: null,
      }[check];
      if (told !== null) expect(told().join('\n'), what).toMatch(found);
    }
    const records = recordsIn(run.evidence);
    expect([
      ...evidenceMistakes(records, plan),
      ...runDifferences(run.report, records[0] as HeadRecord, records),
    ]).toEqual([]);
  });
  test('a statement that lists, dates or sets what does not follow is refused', { tag: '@long' }, () => {
    const forged = (change: (statement: Statement) => void) => {
      const statement = structuredClone(good.statement);
      change(statement);
      return failedChecks(
        verified(
          folderOf(statement, {
            report: Buffer.from(good.files.get('report.json') ?? ''),
            evidence: Buffer.from(good.files.get('evidence.jsonl') ?? ''),
          }),
          { at: new Date(statement.predicate[EXTENSION].validity.notBefore) },
        ),
      );
    };
    expect(forged(({ predicate }) => (predicate[EXTENSION].attested = {}))).toEqual(['lists']);
    expect(
      forged(({ predicate }) =>
        Object.assign(predicate[EXTENSION].validity, {
          notBefore: new Date(Date.now() - 3 * DAY).toISOString(),
        }),
      ),
    ).toEqual(['profile']);
    expect(
      forged(({ predicate }) =>
        Object.assign(predicate[EXTENSION].validity, {
          notBefore: new Date(Date.now() + 40 * DAY).toISOString(),
        }),
      ),
    ).toEqual(['profile']);
    const settings = forged(({ predicate }) =>
      Object.assign(predicate.configuration.find(({ name }) => name === 'settings') ?? {}, {
        digest: { sha256: 'd'.repeat(64) },
      }),
    );
    expect(settings).toEqual(['settings', 'lists']);
    expect(
      forged(({ predicate }) =>
        Object.assign(predicate.configuration.find(({ name }) => name === 'catalogue') ?? {}, {
          digest: { sha256: 'd'.repeat(64) },
        }),
      ),
    ).toEqual(['suite']);
  });
  test('a certificate that claims to hold for years is refused', () => {
    expect(failedChecks(verified(certified(run, { validDays: 1_000 }).files, { folder: false }))).toEqual([
      'validity',
    ]);
  });
});

test('no freedom is refused a certificate because its evidence looks odd', { tag: '@long' }, async () => {
  const odd = FREEDOMS.filter(
    ({ settings, basePath, key }, index) =>
      index % 16 === 5 && settings === undefined && basePath === undefined && key === undefined,
  );
  expect(odd.length).toBeGreaterThan(15);
  for (const { id, vary } of odd) {
    // few animals, the default on a store that holds those of others, set generated input aside
    const { report, evidence } = await certifiedRun({ vary, maxAnimals: 150 });
    if (!report.run.complete || shortcomings(report).length > 0) continue;
    const { gaps: missed, contradictions, differences } = lookAt(report, evidence);
    expect([...missed, ...contradictions, ...differences], id).toEqual([]);
  }
});

/** Its clock shows that day. */
const dated =
  (clock: Date, vary: Vary): Vary =>
  (Base) =>
    class extends vary(Base) {
      override now(): Date {
        return clock;
      }
    };
const serving: Vary = (Base) => Base;
const removed: Vary = (Base) =>
  class extends Base {
    override async getPet(call: Call): Promise<Reply> {
      return this.error(410, 'removed', 'list animals instead', call);
    }
  };
/** Real runs on both sides of the day of removal, and on it: verdicts, then result, end and whether getPet is left out; null: no certificate. */
const SIDES: readonly (readonly [
  string,
  string,
  Vary,
  Readonly<Record<string, string>>,
  readonly [string, string, boolean] | null,
])[] = [
  [
    '2030-12-01',
    'a target that serves getPet is certified until its day',
    serving,
    {
      'get-pet.answers-200': 'pass',
      'deprecation.still-served': 'pass',
      'deprecation.removed': 'not-applicable',
    },
    ['PASSED', '2030-12-04', false],
  ],
  ['2030-12-05', 'nobody is certified', serving, { 'deprecation.removed': 'not-applicable' }, null],
  [
    '2030-12-08',
    'a target that no longer serves getPet is certified',
    removed,
    { 'get-pet.answers-200': 'not-applicable', 'deprecation.removed': 'pass' },
    ['PASSED', '2031-03-08', true],
  ],
  [
    '2030-12-08',
    'a target that still serves getPet is certified with a warning',
    serving,
    { 'get-pet.answers-200': 'not-applicable', 'deprecation.removed': 'warn' },
    ['WARNED', '2031-03-08', true],
  ],
];
test.describe('the removal of getPet', () => {
  const noteOf = (at: string, validDays = 366) =>
    certified(run, { now: Date.parse(at), validDays }).statement.predicate[EXTENSION].validity.notAfter;
  test('ends certificates of the time before it, and none of the time after', () => {
    expect(noteOf('2030-11-01T00:00:00Z')).toBe('2030-12-04T10:00:00.000Z');
    expect(noteOf('2030-12-07T00:00:00Z', 90)).toBe('2031-03-07T00:00:00.000Z');
  });
  for (const [asOf, title, vary, verdicts, result] of SIDES) {
    test(`on ${asOf} ${title}`, { tag: '@long' }, async () => {
      const clock = new Date(`${asOf}T00:00:00Z`);
      const { report, evidence } = await certifiedRun({ vary: dated(clock, vary), asOf: clock });
      const told = Object.fromEntries(
        Object.keys(verdicts).map((id) => [id, report.requirements.find((each) => each.id === id)?.verdict]),
      );
      expect(told).toEqual(verdicts);
      const lacking = missing({
        report,
        look: lookAt(report, evidence),
        suite: thisSuite(),
        now: clock.getTime() + 60_000,
      }).map(({ what }) => what);
      expect(lacking).toEqual(
        result === null ? ['on the day of the removal of getPet nothing about it can be judged'] : [],
      );
      if (result === null) return;
      const { statement, files } = certified({ report, evidence }, { now: clock.getTime() + 60_000 });
      expect(failedChecks(verified(files, { at: new Date(clock.getTime() + 120_000) }))).toEqual([]);
      expect(failedChecks(verified(files, { at: new Date() }))).toEqual(['validity']);
      const { validity, notApplicable } = statement.predicate[EXTENSION];
      expect([
        statement.predicate.result,
        validity.notAfter.slice(0, 10),
        notApplicable.some(({ id }) => id === 'get-pet.answers-200'),
      ]).toEqual(result);
    });
  }
});

test.describe('changes', () => {
  /** A small generator with a fixed seed: the same changes each time. */
  const drawing = (seed: number) => (below: number) => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((seed ^ (seed >>> 13)) >>> 0) % below;
  };
  const flipped = (file: Buffer, draw: (below: number) => number) => {
    const copy = Buffer.from(file);
    const at = draw(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << draw(8));
    return copy;
  };
  const NAMES = [
    'attestation.json',
    'report.json',
    'evidence.jsonl',
    'certificate.html',
    'badge.json',
    'badge.svg',
  ] as const;
  const other = pair();

  /** A copy of the folder, one of its files, and what decides how it is changed. */
  interface Copy {
    files: Map<string, Buffer>;
    name: string;
    draw: (below: number) => number;
  }
  const fileOf = (name: string) => good.files.get(name) ?? Buffer.alloc(0);
  const attestation = () => JSON.parse(String(fileOf('attestation.json')));
  const line = (value: unknown) => Buffer.from(`${canonicalJson(value)}\n`);

  /** All ways to change the folder, each up to its number in twenty. */
  const CHANGES: readonly (readonly [below: number, change: (copy: Copy) => void])[] = [
    [8, ({ files, draw }) => files.set('attestation.json', flipped(fileOf('attestation.json'), draw))],
    [14, ({ files, name, draw }) => files.set(name, flipped(fileOf(name), draw))],
    [
      15,
      ({ files, draw }) => files.delete(['report.json', 'evidence.jsonl', 'attestation.json'][draw(3)] ?? ''),
    ],
    [16, ({ files, draw }) => files.set(`extra-${draw(1_000)}.json`, Buffer.from('{}'))],
    [17, swapTwo],
    [18, rename],
    [19, prolong],
    [20, signAgain],
  ];

  function swapTwo({ files, draw }: Copy): void {
    const [one, two] = [NAMES[draw(3)] ?? '', NAMES[3 + draw(3)] ?? ''];
    files.set(one, fileOf(two)).set(two, fileOf(one));
  }

  function rename({ files, name, draw }: Copy): void {
    files.delete(name);
    files.set(`${name}.${draw(1_000)}`, fileOf(name));
  }

  /** A longer validity, under the signature as it was or under that of another key. */
  function prolong({ files, draw }: Copy): void {
    const statement: Statement = structuredClone(good.statement);
    const notAfter = new Date(Date.now() + (91 + draw(200)) * DAY);
    statement.predicate[EXTENSION].validity.notAfter = notAfter.toISOString();
    const own = JSON.parse(seal(PAYLOAD_TYPE, canonicalJson(statement), other.privateKey));
    files.set('attestation.json', line(draw(2) === 0 ? { ...attestation(), payload: own.payload } : own));
  }

  /** Two signatures, none, an unknown member, or another way to write the same. */
  function signAgain({ files, draw }: Copy): void {
    const envelope = attestation();
    const { privateKey } = draw(2) === 0 ? other : ISSUER;
    const [second] = JSON.parse(seal(PAYLOAD_TYPE, canonicalJson(good.statement), privateKey)).signatures;
    const spellings = [
      { ...envelope, signatures: [...envelope.signatures, second] },
      { ...envelope, signatures: [second, ...envelope.signatures] },
      { ...envelope, signatures: [] },
      { ...envelope, more: draw(1_000) },
    ];
    const spelt =
      draw(5) === 4
        ? Buffer.from(`${JSON.stringify(envelope, null, 1 + draw(8))}\n`)
        : line(spellings[draw(4)]);
    files.set('attestation.json', spelt);
  }

  /** One change of the folder, whatever it is: never valid afterwards. */
  function changed(draw: (below: number) => number): { what: string; files: Map<string, Buffer> } {
    const files = new Map(good.files);
    const kind = draw(20);
    const name = NAMES[draw(kind < 12 ? 2 : NAMES.length)] ?? 'report.json';
    CHANGES.find(([below]) => kind < below)?.[1]({ files, name, draw });
    return { what: `${kind} ${name}`, files };
  }

  for (const [count, tag] of [
    [300, []],
    [12_000, ['@long']],
  ] as [number, string[]][]) {
    test(
      `${count.toLocaleString('en-US')} changes of what is signed or digested: none is accepted`,
      { tag },
      () => {
        const draw = drawing(count);
        const accepted: string[] = [];
        for (let index = 0; index < count; index += 1) {
          const { what, files } = changed(draw);
          if (verified(files).verdict === 'valid') accepted.push(what);
        }
        expect(accepted).toEqual([]);
      },
    );
  }
  test('another key is refused by name', () => {
    expect(failedChecks(verified(good.files, { keys: other }))).toEqual(['key']);
    const own = certified(run, { keys: other }).files;
    expect(failedChecks(verified(own))).toEqual(['key']);
  });
});

test.describe('the commands', () => {
  test('certify, verify and revoke, as people use them', async () => {
    const { folder } = await command('keygen', ['issuer.pem']);
    const here = (name: string, ...args: string[]) => command(name, args, {}, folder);
    expect(statSync(join(folder, 'issuer.pem')).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'report.json'), JSON.stringify(run.report));
    writeFileSync(join(folder, 'evidence.jsonl'), run.evidence);
    const sign = ['--report', '.', '--key', 'issuer.pem', '--subject-name', 'Rex Pets 2.3'];
    const victim = mkdtempSync(join(tmpdir(), 'conformance-victim-'));
    symlinkSync(victim, join(folder, 'certificate'));
    expect(await here('certify', ...sign)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('certificate is a link, and nothing is written through one'),
    });
    expect(readdirSync(victim)).toEqual([]);
    rmSync(join(folder, 'certificate'));
    const certify = await here('certify', ...sign);
    expect(certify.err).toBe('');
    expect(certify.exitCode).toBe(0);

    const attestation = 'certificate/attestation.json';
    const publicKey = ['--public-key', 'issuer.pem.pub'];
    const check = [attestation, ...publicKey];
    const verifying = await here('verify', ...check, '--evidence', 'certificate', '--json');
    expect([verifying.exitCode, JSON.parse(verifying.out).verdict]).toEqual([0, 'valid']);
    const inMatrix = async (vendor: string, ...more: string[]) => {
      const { out } = await here('matrix', `${vendor}=.`, ...publicKey, '--json', ...more);
      return JSON.parse(out).vendors[0].certificate as VendorCertificate;
    };
    expect(await inMatrix('rex')).toMatchObject({ state: 'valid', names: null });

    symlinkSync(join(victim, 'list'), join(folder, 'revoked.json.new'));
    const revoking = ['--list', 'revoked.json', '--key', 'issuer.pem', '--reason', 'the key was lost'];
    expect((await here('revoke', attestation, ...revoking)).exitCode).toBe(0);
    const revoked = await here('verify', ...check, '--revoked', 'revoked.json', '--at', '2040-01-01');
    expect([revoked.exitCode, revoked.out]).toEqual([
      1,
      expect.stringContaining('✗ revocation    revoked since'),
    ]);
    expect(revoked.out).toContain('✗ validity      it expired');
    // the matrix knows the list as well, and tells a certificate of somebody else
    expect(await inMatrix('acme', '--revoked', 'revoked.json')).toMatchObject({
      state: 'revoked',
      why: expect.stringMatching(/^revoked since .*: the key was lost$/),
      names: 'Rex Pets 2.3',
    });
    expect(await here('matrix', '.', ...publicKey, '--revoked', 'report.json')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('report.json: the list of revocations is not usable'),
    });
    expect(readdirSync(victim)).toEqual([]);
    const withPrivateKey = await here('verify', attestation, '--public-key', 'issuer.pem');
    expect(withPrivateKey.err).toContain('holds a private key');
  });

  const report = ['--report', '.', '--subject-name', 'Rex'];
  const MISTAKES = [
    ['certify', [...report, '--key', 'open.pem'], 'open.pem can be read by others: chmod 600 open.pem'],
    ['certify', [...report, '--key', 'rsa.pem'], 'rsa.pem holds a key of the kind rsa'],
    ['certify', [...report, '--key', 'none.pem'], 'none.pem is no private key in PEM'],
    [
      'certify',
      [...report, '--key', 'encrypted.pem'],
      'encrypted.pem is encrypted: give the file of its passphrase',
    ],
    [
      'certify',
      [...report, '--key', 'encrypted.pem', '--passphrase-file', 'passphrase'],
      'encrypted.pem cannot be decrypted with this passphrase',
    ],
    ['certify', [...report, '--key', 'missing.pem'], 'missing.pem cannot be read (ENOENT)'],
    ['certify', [...report, '--key', 'issuer.pem'], 'report.json cannot be read (ENOENT)'],
    ['certify', [...report, '--key', 'issuer.pem', '--valid-days', '1000'], '--valid-days must be'],
    ['certify', [...report, '--key', 'issuer.pem', '--subject-digest', 'md5:1'], '--subject-digest must be'],
    ['certify', [...report, '--key', 'issuer.pem', '--what'], '--what is not known'],
    ['keygen', ['issuer.pem'], 'issuer.pem exists already'],
    ['verify', ['missing.json', '--public-key', 'issuer.pem.pub'], 'missing.json cannot be read'],
    ['verify', ['issuer.pem.pub', '--public-key', 'issuer.pem.pub', '--at', 'soon'], '--at must be a day'],
  ] as const;
  for (const [which, tag, share] of [
    ['every fourth', [], 4],
    ['every', ['@long'], 1],
  ] as const)
    test(
      `${which} mistake is one line, ends with 2 and shows nothing of a key`,
      { tag: [...tag] },
      async () => {
        const { folder } = await command('keygen', ['issuer.pem']);
        const encrypted = generateKeyPairSync('ed25519', {
          privateKeyEncoding: {
            type: 'pkcs8',
            format: 'pem',
            cipher: 'aes-256-cbc',
            passphrase: 'secret words',
          },
          publicKeyEncoding: { type: 'spki', format: 'pem' },
        });
        const rsa = generateKeyPairSync('rsa', {
          modulusLength: 2_048,
          privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
          publicKeyEncoding: { type: 'spki', format: 'pem' },
        });
        for (const [name, text] of [
          ['encrypted.pem', encrypted.privateKey],
          ['rsa.pem', rsa.privateKey],
          ['none.pem', 'no key'],
        ] as const)
          writeFileSync(join(folder, name), text, { mode: 0o600 });
        writeFileSync(join(folder, 'passphrase'), 'other words\n', { mode: 0o600 });
        const open = readFileSync(join(folder, 'issuer.pem'));
        writeFileSync(join(folder, 'open.pem'), open);
        chmodSync(join(folder, 'open.pem'), 0o644);
        for (const [name, args, mistake] of MISTAKES.filter((_, index) => index % share === 0)) {
          const { exitCode, err } = await command(name, args, {}, folder);
          expect([exitCode, err.split('\n').length], `${name} ${args.join(' ')}: ${err}`).toEqual([2, 2]);
          expect(err).toContain(mistake);
          expect(err).not.toContain(String(open).split('\n')[1]);
          expect(err).not.toContain('words');
        }
        expect(keyId(ISSUER.privateKey)).toBe(keyId(ISSUER.publicKey));
      },
    );
});
