/** Documents of others are changed, e.g. cut off. No change makes a reader throw another error than a sentence in one line. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findShortcomings } from '../../../reports/certificate/shortcomings.ts';
import { rememberList } from '../../../bin/certificate/issuer.ts';
import { recordFirstAnswer } from '../../../bin/certificate/answered-challenges.ts';
import { Mistake } from '../../../bin/certificate/certificate-files.ts';
import { NO_OPTIONS } from '../../../bin/command-line/options.ts';
import { readConfiguration } from '../../../bin/run/configuration.ts';
import { readLastReport } from '../../../bin/vendors/vendor-outcome.ts';
import { readTargets } from '../../../bin/vendors/targets-file.ts';
import { makeProfileLock } from '../../../reports/shown/comparison/profile-lock.ts';
import { recheckEvidence, type RecheckPlan } from '../../../reports/certificate/recheck-evidence.ts';
import { Rejected } from '../../../reports/certificate/signed/envelope.ts';
import { REVOCATIONS, revoke } from '../../../reports/certificate/signed/revocation.ts';
import { readKeyList, listOneKey, addSuccessor } from '../../../reports/certificate/signed/key-list.ts';
import { readSignedChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { CHALLENGE_TYPE, readPosedChallenge } from '../../../fixtures/settings/challenge.ts';
import { PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { verify } from '../../../reports/certificate/verify-certificate.ts';
import { compare, renderComparison } from '../../../reports/shown/comparison/comparison.ts';
import { readFootprint, readReport } from '../../../reports/document/report-schema.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { escapeTerminal } from '../../../reports/shown/words/escape.ts';
import { renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { makeMatrix } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { makeFolder } from '../samples/command.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';
import { CONFORMING } from '../samples/sample-reports.ts';
import { CHALLENGE, KEY, MIXED_REPORT, PEM, POSED, RECHECK, RECORDS } from './foreign-documents.ts';
import { makeStatementOf, REVOCATION_LIST, seal, sign, writeLines } from './foreign-documents.ts';
import { makeOddFiles } from './odd-files.ts';

/** Odd files for each reader: few in the usual run, many at night. */
const COUNT = IS_FULL_TEST ? 320 : 60;
const NOW = Date.parse('2026-11-22T12:00:00Z');
/** A report with few results of each kind, so that changes meet all kinds. */
const REPORT = {
  ...MIXED_REPORT,
  requirements: MIXED_REPORT.requirements.filter(({ id }, index) => index < 4 || id === 'list-pets.limit'),
  observations: MIXED_REPORT.observations.slice(0, 2),
};
const PLAN: RecheckPlan = {
  cases: [{ title: 'asks', requirement: 'list-pets.limit', file: 'tests/list-pets.spec.ts' }],
  asks: [],
};
/** The right files of a certificate. */
const RIGHT = { report: Buffer.from(JSON.stringify(REPORT)), evidence: Buffer.from(writeLines(RECORDS)) };
const nameFiles = ({ report, evidence }: typeof RIGHT) => ({
  'report.json': report,
  'evidence.jsonl': evidence,
});
const statementOf = (evidence: Uint8Array) =>
  makeStatementOf(evidence, { ...RECHECK, report: REPORT }, CHALLENGE, NOW);
const STATEMENT = statementOf(RIGHT.evidence);

const TRUST = { issuerKeys: listOneKey(KEY.publicKey), keyListFile: null, seen: null };

/** Verifies an attestation with its files, if there are any. Returns the verdict and a sentence for each check. */
function verifyAttestation(attestation: Buffer, entries: object | null, revoked: Uint8Array | null = null) {
  const files = entries && new Map<string, Uint8Array>(Object.entries(entries));
  const trust = { ...TRUST, at: new Date(NOW + 1_000), revoked };
  const { verdict, checks } = verify({ attestation, files, plan: PLAN, ...trust });
  return { verdict, found: checks.map(({ found }) => escapeTerminal(found)) };
}
/** Expects that a certificate with a changed report or evidence is refused. Returns the sentence of each check. */
const expectRefusal = (files: typeof RIGHT) => {
  const { verdict, found } = verifyAttestation(sign(statementOf(files.evidence)), nameFiles(files));
  expect(verdict).toBe('invalid');
  return found;
};

// `readLastReport` reads the file of this name.
const PATH = join(makeFolder(), 'target.json');
const FOLDER = dirname(PATH);
/** Makes a reader of bytes from a reader of the file at PATH. */
const writeFirst = (read: () => unknown) => (bytes: Buffer) => {
  writeFileSync(PATH, bytes);
  return read();
};
/** Makes a reader: it reads the configuration of a run in which this variable names a file of the bytes. */
const readSetting = (name: string) =>
  writeFirst(() => {
    const env: NodeJS.ProcessEnv = {
      BASE_URL: 'https://rex.example/v1',
      API_KEY: 'a-key-of-many-letters',
      [name]: PATH,
    };
    if (name === 'API_KEY_FILE') delete env.API_KEY;
    return readConfiguration(NO_OPTIONS, { env, cwd: FOLDER });
  });
/** Makes a reader of bytes from a reader of a signed document of this type. */
const sealFirst = (type: string, read: (text: string) => unknown) => (bytes: Buffer) =>
  read(seal(type, bytes.toString('utf8')));
const NEW_LIST = { run: null, keys: null, reason: '', now: new Date(NOW), validDays: 1 };
const KEYS = JSON.parse(
  addSuccessor([], KEY.privateKey, new Date(NOW), { key: KEY.publicKey, issued: [], compromisedSince: null }),
);
const WAIVER = {
  requirement: 'list-pets.limit',
  reason: 'a',
  owner: 'b',
  ticket: 'c',
  expires: '2030-01-31',
};
const VENDOR = { name: 'rex', baseUrl: 'https://rex.example/v1', apiKeyVariable: 'KEY', categoryIds: ['1'] };
const ANIMAL = { id: '1', name: 'Rex', categoryId: '1', status: null };

/** Reads a report and makes all that our commands make of one. Returns the mistakes of the report, or null. */
function useReport(bytes: Buffer) {
  const read = readReport(bytes);
  if ('mistakes' in read) return read;
  const { value } = read;
  renderComparison(compare(CONFORMING, value), 'text');
  makeMatrix([{ name: 'rex', report: value, page: null }], new Date(NOW).toISOString());
  renderTerminal(value, { colour: false, width: 100 });
  renderConformancePage(value);
  findShortcomings({ ...RECHECK, report: value }, NOW);
  return null;
}

/** Each document with a right value and its reader. The reader returns or throws sentences about a wrong value. Without `spell`, the value is written as JSON. */
const READERS: readonly (readonly [
  what: string,
  right: unknown,
  read: (bytes: Buffer<ArrayBuffer>) => unknown,
  spell?: (value: unknown) => string,
])[] = [
  ['reports, with all that is made of them', REPORT, useReport],
  ['evidence', RECORDS, (evidence) => expectRefusal({ ...RIGHT, evidence }), writeLines],
  ['evidence that is judged again', RECORDS, (each) => recheckEvidence(each, PLAN, CHALLENGE), writeLines],
  ['reports that were signed', REPORT, (report) => expectRefusal({ ...RIGHT, report })],
  [
    'attestations',
    JSON.parse(String(sign(STATEMENT))),
    (bytes) => verifyAttestation(bytes, nameFiles(RIGHT)),
  ],
  [
    'statements',
    STATEMENT,
    sealFirst(PAYLOAD_TYPE, (text) => verifyAttestation(Buffer.from(text), nameFiles(RIGHT))),
  ],
  [
    'revocations',
    REVOCATION_LIST,
    sealFirst(REVOCATIONS.payloadType, (text) => verifyAttestation(sign(STATEMENT), null, Buffer.from(text))),
  ],
  ['posed challenges', JSON.parse(POSED), (bytes) => readPosedChallenge(bytes.toString('utf8'), NOW)],
  ['challenges', CHALLENGE, sealFirst(CHALLENGE_TYPE, (text) => readSignedChallenge(text, KEY.publicKey))],
  [
    'lists of keys',
    JSON.parse(Buffer.from(KEYS.payload, 'base64').toString('utf8')),
    sealFirst(KEYS.payloadType, (text) => readKeyList(Buffer.from(text), KEY.publicKey)),
  ],
  [
    'footprints',
    { run: 'r1', target: VENDOR.baseUrl, embedded: false, at: REVOCATION_LIST.issuedAt, animals: [ANIMAL] },
    readFootprint,
  ],
  ['waivers', [WAIVER, { ...WAIVER, expected: '5' }], readSetting('WAIVERS')],
  ['pinned profiles', makeProfileLock(REPORT), readSetting('PROFILE_LOCK')],
  ['headers', { 'X-Gateway': 'a', Cookie: 'b' }, readSetting('HEADERS_FILE')],
  ['challenges of a run', JSON.parse(POSED), readSetting('CHALLENGE')],
  ['keys', { key: 'a-key' }, readSetting('API_KEY_FILE')],
  ['authorities', { pem: PEM.publicKey }, readSetting('CA_FILE')],
  ['targets', [VENDOR, { ...VENDOR, name: 'felix' }], writeFirst(() => readTargets(PATH, { KEY: 'secret' }))],
  [
    'outcomes',
    { outcome: { target: 'rex', exitCode: 2, seconds: 1, begun: '', reason: 'it was refused' }, baseUrl: '' },
    writeFirst(() => expect(typeof readLastReport(FOLDER)).toBe('string')),
  ],
  [
    'records of challenges',
    { nonce: CHALLENGE.nonce, at: '', by: 'x' },
    writeFirst(() => recordFirstAnswer(PATH, CHALLENGE, new Date(NOW))),
  ],
  [
    'records of lists',
    { [CHALLENGE.nonce]: { number: 1, sha256: 'b'.repeat(64) } },
    writeFirst(() =>
      rememberList(PATH, { ...TRUST, revoked: Buffer.from(revoke(null, NEW_LIST, KEY.privateKey)) }),
    ),
  ],
];

/** Returns the sentences with which a reader refuses a file. A reader throws them, or returns a list or an object of them. */
function listSentences(read: () => unknown): readonly string[] {
  try {
    const said = read() as { mistakes?: string[]; found?: string[]; problem?: string } | string[] | null;
    const sentences = Array.isArray(said) ? said : (said?.mistakes ?? said?.found ?? [said?.problem]);
    return sentences.filter((each) => typeof each === 'string');
  } catch (error) {
    if (!(error instanceof Mistake || error instanceof Rejected)) throw error;
    return error.message.split('\n');
  }
}
/** True if the text is one line, and not an error message of JavaScript. */
const isOneLine = (text: string) =>
  text !== '' &&
  !text.includes('\n') &&
  !/Cannot read|is not a function|undefined \(reading|Invalid time|not iterable/.test(text);

test.describe('no file of somebody else breaks a reader, and one line says what is wrong', () => {
  for (const [seed, [what, right, read, spell]] of READERS.entries())
    test(what, () => {
      test.setTimeout(600_000);
      for (const file of makeOddFiles(right, COUNT, seed + 1, spell)) {
        const wrong = listSentences(() => read(file)).filter((each) => !isOneLine(each));
        expect(wrong, file.toString('utf8').slice(0, 3_000)).toEqual([]);
      }
    });

  test('readers take some changed reports and right evidence, and refuse a payload that is an object', () => {
    const taken = makeOddFiles(REPORT, COUNT, 6).filter((file) => useReport(file) === null).length;
    expect(taken).toBeGreaterThan(COUNT / 15);
    expect(taken).toBeLessThan(COUNT / 2);
    expect(recheckEvidence(RIGHT.evidence, PLAN, CHALLENGE).head.mark).toBe('r1');
    const endless = JSON.stringify({ ...JSON.parse(POSED), payload: { length: 1e9 } });
    expect(readPosedChallenge(endless, NOW)).toEqual({ problem: 'holds no challenge' });
  });
  test('of a double member, a wrong time or an infinite number, the mistake names the place', () => {
    const text = JSON.stringify(REPORT);
    const verdict = `"verdict":"${REPORT.verdict}"`;
    const rows: [part: string, by: string, mistake: string][] = [
      [verdict, `${verdict},"verdict":"conforming"`, '/verdict is there twice'],
      [REPORT.run.startedAt, '2026-11-20T23:59:60Z', '/run/startedAt'],
      [REPORT.run.startedAt, '2026-02-31T10:00:00Z', '/run/startedAt'],
      ['"durationMs":8420', '"durationMs":1e999', '/run/durationMs'],
    ];
    for (const [part, by, mistake] of rows)
      expect(readReport(Buffer.from(text.replace(part, by)))).toEqual({
        mistakes: [expect.stringContaining(mistake)],
      });
  });
  test('a file named like a member of every object, e.g. toString, is covered by no digest', () => {
    const odd = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    const files = nameFiles(RIGHT);
    for (const name of odd) Object.defineProperty(files, name, { value: Buffer.from('x'), enumerable: true });
    const { found } = verifyAttestation(sign(STATEMENT), files);
    expect(found.join('\n')).toContain(odd.map((name) => `${name} is covered by no digest`).join('; '));
  });
});
