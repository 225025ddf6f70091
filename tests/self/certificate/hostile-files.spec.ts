import { createPrivateKey, createPublicKey } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { HeadRecord } from '../../../fixtures/evidence/log.ts';
import { writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope, Unusable } from '../../../reports/certificate/signed/envelope.ts';
import { makeStatement } from '../../../reports/certificate/issue.ts';
import { findLacking } from '../../../reports/certificate/shortcomings.ts';
import { rememberList } from '../../../bin/certificate/issuer.ts';
import { takeOnce } from '../../../bin/certificate/used.ts';
import { Mistake } from '../../../bin/certificate/certificate-files.ts';
import { NO_OPTIONS, readConfiguration } from '../../../bin/run/configuration.ts';
import { readLastReport } from '../../../bin/vendors/vendor-outcome.ts';
import { readTargets } from '../../../bin/vendors/targets-file.ts';
import { makeProfileLock } from '../../../reports/shown/comparison/profile-lock.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import {
  recheckEvidence,
  readEvidence,
  type EvidenceRecheck,
  type RecheckPlan,
} from '../../../reports/certificate/recheck-evidence.ts';
import { REVOCATIONS, revoke } from '../../../reports/certificate/signed/revocation.ts';
import { readKeyList, listOneKey, addSuccessor } from '../../../reports/certificate/signed/key-list.ts';
import { readPosedWith } from '../../../reports/certificate/signed/signed-challenge.ts';
import { CHALLENGE_TYPE, readPosedChallenge, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { verify } from '../../../reports/certificate/verify-certificate.ts';
import { compare } from '../../../reports/shown/comparison/comparison.ts';
import { renderComparisonText } from '../../../reports/shown/comparison/comparison-text.ts';
import { readReport } from '../../../reports/document/report-schema.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { readFootprint } from '../../../reports/document/footprint-file.ts';
import { escapeTerminal } from '../../../reports/shown/words/escape.ts';
import { renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { makeMatrix } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { command } from '../samples/command.ts';
import { CONFORMING, exchange, report } from '../samples/sample-reports.ts';
import { hostileFiles } from './hostile-files.ts';

// a short run meets fewer of each kind
const COUNT = process.env.SELF_TESTS === 'all' ? 320 : 120;
const NOW = Date.parse('2026-11-22T12:00:00Z');
const pem = makeKeys();
const KEY = { privateKey: createPrivateKey(pem.privateKey), publicKey: createPublicKey(pem.publicKey) };

const WHOLE = report(
  { 'list-pets.limit': { verdict: 'fail', expected: '5', received: '6', pointer: '/0', evidence: ['x1'] } },
  { exchanges: [exchange('x1')] },
);
/** Few of each kind, so that changes meet all kinds. */
const REPORT = {
  ...WHOLE,
  requirements: WHOLE.requirements.filter(({ id }, index) => index < 4 || id === 'list-pets.limit'),
  observations: WHOLE.observations.slice(0, 2),
};
const CHALLENGE: Challenge = {
  version: 1,
  nonce: 'a'.repeat(64),
  subject: 'Rex',
  runBy: 'vendor',
  issuedAt: '2026-11-20T00:00:00.000Z',
  notAfter: '2026-11-25T00:00:00.000Z',
};
const POSED = sealEnvelope(CHALLENGE_TYPE, writeCanonicalJson(CHALLENGE), KEY.privateKey);
const HEAD: HeadRecord = {
  kind: 'head',
  version: 2,
  suite: '0.1.0',
  target: { baseUrl: 'https://rex.example/v1', embedded: false, environment: null },
  challenge: POSED,
  mark: 'r1',
  window: 15_000,
  clock: Date.parse(CONFORMING.run.startedAt),
  claimed: [],
  key: { length: 29, hasLetters: true, caseMayNotMatter: false, singleCase: true },
  settings: {
    profile: 'certification',
    mode: 'full',
    strict: false,
    incognito: false,
    markedNamesOnly: false,
    seed: 1,
    seeds: [1, 2],
    propertyRuns: 200,
    categoryIds: null,
    requestTimeout: 10_000,
    maxAnimals: null,
    maxRequests: null,
    maxWrongKeys: 60,
    maxInFlight: 8,
    maxRps: null,
  },
};
const ANSWER = {
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'application/json']],
  body: { text: '[]' },
  undecodable: null,
  rawContentLength: null,
};
const LINES = [
  HEAD,
  {
    kind: 'exchange',
    id: 'x1',
    begin: 1,
    end: 2,
    at: HEAD.clock,
    ask: {
      operation: 'listPets',
      method: 'GET',
      path: '/pets?limit=5',
      credential: 'key',
      headers: [['Accept', '*/*']],
      body: null,
    },
    response: ANSWER,
    error: null,
  },
  {
    kind: 'exchange',
    id: 'x2',
    begin: 2,
    end: 3,
    at: HEAD.clock + 1,
    ask: {
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      credential: { scheme: 'Bearer', edits: [{ edit: 'keep', from: 0, to: 0.5 }] },
      body: { text: '{"name":"r1"}' },
    },
    response: {
      ...ANSWER,
      status: 401,
      body: { bytes: 70_000, sha256: 'a'.repeat(64), head: '{', tail: '}' },
    },
    error: null,
  },
  {
    kind: 'exchange',
    id: 'x3',
    begin: 3,
    end: 4,
    at: HEAD.clock + 2,
    ask: { operation: 'getPet', method: 'GET', path: '/pets/1', credential: 'none', body: null },
    response: null,
    error: { kind: 'timeout', message: 'none', arrived: false },
  },
  {
    kind: 'demands',
    test: 1,
    asked: ['x1'],
    demands: [
      { of: 'x1', answers: [[200, 'Pets']], owner: 'list-pets.limit' },
      { of: 'x1', at: '', owner: 'list-pets.limit', atMost: 5 },
    ],
  },
  {
    kind: 'judgement',
    by: 'test',
    rule: 'asks',
    requirement: 'list-pets.limit',
    verdict: 'pass',
    case: null,
    exchanges: ['x1'],
    test: 1,
  },
  {
    kind: 'judgement',
    by: 'rule',
    rule: 'a rule',
    requirement: 'list-pets.limit',
    verdict: 'fail',
    case: { expected: '5', received: '6', pointer: null },
    exchanges: ['x1'],
  },
  {
    kind: 'end',
    last: 2,
    reason: {
      kind: 'silent',
      error: 'none',
      since: { method: 'GET', path: '/pets', id: 'x1', at: 1 },
      isLarge: false,
    },
  },
];
const asLines = (records: unknown) =>
  Array.isArray(records)
    ? records.map((each) => `${writeCanonicalJson(each ?? null)}\n`).join('')
    : `${JSON.stringify(records)}\n`;
const PLAN: RecheckPlan = {
  cases: [{ title: 'asks', requirement: 'list-pets.limit', file: 'tests/list-pets.spec.ts' }],
  asks: [],
};
const LOOK: EvidenceRecheck = {
  head: HEAD,
  report: REPORT,
  contradictions: [],
  gaps: [],
  attested: {},
  unannounced: { asked: 40, refused: 0 },
  clockApart: null,
};
const statementFor = ({ evidence }: { evidence: Uint8Array }) =>
  makeStatement({
    recheck: LOOK,
    evidence,
    challenge: CHALLENGE,
    sha256: null,
    now: NOW,
    validDays: 90,
  });
const RIGHT = { report: Buffer.from(JSON.stringify(REPORT)), evidence: Buffer.from(asLines(LINES)) };
const signed = (statement: unknown) =>
  Buffer.from(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), KEY.privateKey));
const verified = (
  attestation: Buffer,
  files: Map<string, Uint8Array> | null,
  revoked: Uint8Array | null = null,
) =>
  verify({
    attestation,
    issuer: listOneKey(KEY.publicKey),
    keys: null,
    files,
    at: new Date(NOW + 1_000),
    revoked,
    seen: null,
    plan: PLAN,
  });
const overFiles = (files: typeof RIGHT) =>
  verified(
    signed(statementFor(files)),
    new Map([
      ['report.json', files.report],
      ['evidence.jsonl', files.evidence],
    ]),
  );
const isOneLine = (text: string) =>
  text !== '' &&
  !text.includes('\n') &&
  !/Cannot read|is not a function|undefined \(reading|Invalid time|not iterable/.test(text);
/** One line says what is wrong with a file, and nothing of our program. */
const tells = (mistakes: readonly string[]) =>
  expect(mistakes.filter((each) => !isOneLine(each))).toEqual([]);

/** Everything that a run reads before it asks, with one file of these bytes. */
const runWith = (name: string, path: string) => () => {
  const env = { BASE_URL: 'https://rex.example/v1', API_KEY: 'a-key-of-many-letters', [name]: path };
  if (name === 'API_KEY_FILE') delete (env as NodeJS.ProcessEnv).API_KEY;
  const read = readConfiguration(NO_OPTIONS, { env, cwd: dirname(path) });
  if ('mistakes' in read) tells(read.mistakes);
};

/** Only the one line of a mistake may be thrown. */
const refuses = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Mistake || error instanceof Unusable)) throw error;
    tells(error.message.split('\n'));
  }
};

test.describe('no file of somebody else breaks a reader', () => {
  test('reports, with all that is made of them', () => {
    let taken = 0;
    for (const file of hostileFiles(REPORT, COUNT, 1)) {
      const read = readReport(file);
      if ('mistakes' in read) tells(read.mistakes);
      else {
        taken += 1;
        const { value } = read;
        renderComparisonText(compare(CONFORMING, value));
        makeMatrix(
          [{ name: 'rex', report: value, page: null, certificate: null }],
          new Date(NOW).toISOString(),
        );
        renderTerminal(value, { colour: false, width: 100 });
        renderConformancePage(value);
        findLacking({ ...LOOK, report: value }, NOW);
      }
    }
    // some changes are of texts, which may be anything
    expect(taken).toBeGreaterThan(COUNT / 15);
    expect(taken).toBeLessThan(COUNT / 2);
  });
  test('evidence: none is judged again that was not written by a run', () => {
    expect(recheckEvidence(readEvidence(RIGHT.evidence), PLAN, CHALLENGE).head.mark).toBe('r1');
    const unforeseen: string[] = [];
    for (const file of hostileFiles(LINES, COUNT, 2, asLines)) {
      const { verdict, checks } = overFiles({ report: RIGHT.report, evidence: file });
      expect(verdict).toBe('invalid');
      tells(checks.map(({ found }) => escapeTerminal(found)));
      try {
        recheckEvidence(readEvidence(file), PLAN, CHALLENGE);
      } catch (error) {
        if (!(error instanceof Unusable))
          unforeseen.push(`${String(error)} ${file.toString('utf8').slice(0, 3_000)}`);
      }
    }
    expect(unforeseen).toEqual([]);
  });
  test('reports that were signed', () => {
    for (const file of hostileFiles(REPORT, COUNT, 3)) {
      const { verdict, checks } = overFiles({ report: file, evidence: RIGHT.evidence });
      expect(verdict).toBe('invalid');
      tells(checks.map(({ found }) => escapeTerminal(found)));
    }
  });
  test('attestations, signed and not', () => {
    const statement = statementFor(RIGHT);
    const unsigned = hostileFiles(JSON.parse(String(signed(statement))), COUNT / 2, 4);
    const sealed = hostileFiles(statement, COUNT, 5).map((payload) =>
      Buffer.from(sealEnvelope(PAYLOAD_TYPE, payload.toString('utf8'), KEY.privateKey)),
    );
    const spelled = hostileFiles(statement, COUNT, 6, (each) => writeCanonicalJson(each)).map((payload) =>
      Buffer.from(sealEnvelope(PAYLOAD_TYPE, payload.toString('utf8'), KEY.privateKey)),
    );
    for (const file of [...unsigned, ...sealed, ...spelled])
      tells(
        verified(
          file,
          new Map(Object.entries({ 'report.json': RIGHT.report, 'evidence.jsonl': RIGHT.evidence })),
        ).checks.map(({ found }) => escapeTerminal(found)),
      );
  });
  test('lists of revocations: one that cannot be read revokes', () => {
    const list = {
      version: 2,
      number: 3,
      issuedAt: '2026-11-20T10:00:00.000Z',
      notAfter: '2026-12-20T10:00:00.000Z',
      revoked: [{ attestation: 'a'.repeat(64), reason: 'lost', since: '2026-11-20T10:00:00.000Z' }],
    };
    const attestation = signed(statementFor(RIGHT));
    for (const payload of hostileFiles(list, COUNT, 7)) {
      const { checks } = verified(
        attestation,
        null,
        Buffer.from(sealEnvelope(REVOCATIONS.payloadType, payload.toString('utf8'), KEY.privateKey)),
      );
      tells(checks.map(({ found }) => escapeTerminal(found)));
    }
  });
  test('challenges, and lists of keys', () => {
    const { text } = { text: POSED };
    const endless = JSON.stringify({ ...JSON.parse(text), payload: { length: 1e9 } });
    expect(readPosedChallenge(endless, NOW)).toEqual({ problem: 'holds no challenge' });
    for (const file of hostileFiles(JSON.parse(text), COUNT, 10)) {
      const posed = readPosedChallenge(file.toString('utf8'), NOW);
      if ('problem' in posed) tells([posed.problem]);
    }
    for (const payload of hostileFiles(CHALLENGE, COUNT, 11)) {
      const text = sealEnvelope(CHALLENGE_TYPE, payload.toString('utf8'), KEY.privateKey);
      refuses(() => readPosedWith(text, KEY.publicKey));
    }
    const keys = JSON.parse(
      addSuccessor([], KEY.privateKey, new Date(NOW), {
        key: KEY.publicKey,
        issued: [],
        compromisedSince: null,
      }),
    );
    const list = JSON.parse(Buffer.from(keys.payload, 'base64').toString('utf8'));
    for (const payload of hostileFiles(list, COUNT, 12)) {
      const file = Buffer.from(sealEnvelope(keys.payloadType, payload.toString('utf8'), KEY.privateKey));
      refuses(() => readKeyList(file, KEY.publicKey));
    }
  });
  test('footprints', () => {
    for (const file of hostileFiles(
      {
        run: 'r1',
        target: 'https://rex.example/v1',
        embedded: false,
        at: '2026-11-20T10:00:00.000Z',
        animals: [{ id: '1', name: 'Rex', categoryId: '1', status: null }],
      },
      COUNT,
      8,
    )) {
      const read = readFootprint(file);
      if ('mistakes' in read) tells(read.mistakes);
    }
  });
  test('waivers, targets, pinned profiles, outcomes, headers, histories and records of challenges', () => {
    test.setTimeout(600_000);
    const folder = mkdtempSync(join(tmpdir(), 'conformance-fuzz-'));
    const path = join(folder, 'target.json');
    const day = {
      requirement: 'list-pets.limit',
      reason: 'a',
      owner: 'b',
      ticket: 'c',
      expires: '2030-01-31',
    };
    const target = {
      name: 'rex',
      baseUrl: 'https://rex.example/v1',
      apiKeyVariable: 'KEY',
      categoryIds: ['1'],
    };
    const outcome = { target: 'rex', exitCode: 2, seconds: 1, begun: '', reason: 'it was refused' };
    const renewing = { run: null, keys: null, reason: '', now: new Date(NOW), validDays: 1 };
    const revoked = Buffer.from(revoke(null, renewing, KEY.privateKey));
    const trust = { issuer: listOneKey(KEY.publicKey), keys: null, revoked, seen: null };
    const readers: [value: unknown, read: () => void][] = [
      [[day, { ...day, expected: '5' }], runWith('WAIVERS', path)],
      [makeProfileLock(REPORT), runWith('PROFILE_LOCK', path)],
      [{ 'X-Gateway': 'a', Cookie: 'b' }, runWith('HEADERS_FILE', path)],
      [JSON.parse(POSED), runWith('CHALLENGE', path)],
      [{ key: 'a-key' }, runWith('API_KEY_FILE', path)],
      [{ pem: pem.publicKey }, runWith('CA_FILE', path)],
      [[target, { ...target, name: 'felix' }], () => refuses(() => readTargets(path, { KEY: 'secret' }))],
      [{ outcome, baseUrl: '' }, () => expect(typeof readLastReport(folder)).toBe('string')],
      [
        { nonce: 'a'.repeat(64), at: '', by: 'x' },
        () => refuses(() => takeOnce(path, CHALLENGE, new Date(NOW))),
      ],
      [
        { ['a'.repeat(64)]: { number: 1, sha256: 'b'.repeat(64) } },
        () => refuses(() => rememberList(path, trust)),
      ],
    ];
    for (const [index, [value, read]] of readers.entries())
      for (const file of hostileFiles(value, COUNT, 20 + index)) {
        writeFileSync(path, file);
        read();
      }
  });
  test('a member that stands twice, a leap second and a day that is none are refused by name', () => {
    const text = JSON.stringify(REPORT);
    const mistakeOf = (changed: string) => readReport(Buffer.from(changed));
    expect(
      mistakeOf(
        text.replace('"verdict":"nonconforming"', '"verdict":"nonconforming","verdict":"conforming"'),
      ),
    ).toEqual({ mistakes: ['/verdict is there twice'] });
    for (const time of ['2026-11-20T23:59:60Z', '2026-02-31T10:00:00Z'])
      expect(mistakeOf(text.replace(REPORT.run.startedAt, time))).toEqual({
        mistakes: [expect.stringContaining('/run/startedAt')],
      });
    expect(mistakeOf(text.replace('"durationMs":8420', '"durationMs":1e999'))).toEqual({
      mistakes: [expect.stringContaining('/run/durationMs')],
    });
  });
  test('a file called as what every object has is covered by no digest', () => {
    const files = new Map<string, Uint8Array>([
      ['report.json', RIGHT.report],
      ['evidence.jsonl', RIGHT.evidence],
      ...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map((name): [string, Uint8Array] => [
        name,
        Buffer.from('x'),
      ]),
    ]);
    const { checks } = verified(signed(statementFor(RIGHT)), files);
    expect(checks.find(({ name }) => name === 'files')?.found).toContain(
      'constructor is covered by no digest; __proto__ is covered by no digest; toString is covered by no digest',
    );
  });
});

test.describe('what is no file is named, and nobody waits for it', () => {
  test.skip(process.platform === 'win32', 'there are no such files');

  /** Each reader with the name of the file that it reads. */
  const READERS: readonly (readonly [
    name: string,
    file: string,
    args: readonly string[],
    exitCode: number,
  ])[] = [
    [
      'verify',
      'certificate/report.json',
      ['attestation.json', '--public-key', 'key.pem.pub', '--evidence', 'certificate'],
      2,
    ],
    ['verify', 'key.pem.pub', ['attestation.json', '--public-key', 'key.pem.pub'], 2],
    ['certify', 'evidence.jsonl', ['--report', '.', '--issuer-key', 'key.pem', '--used', 'used'], 2],
    ['compare', 'other.json', ['report.json', 'other.json'], 2],
    ['matrix', 'vendors/rex/report.json', ['vendors'], 0],
    ['report', 'left/report.json', ['--report-dir', 'left'], 2],
  ];
  const KINDS: readonly (readonly [what: string, make: (path: string) => void])[] = [
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
  ];
  for (const [index, [name, file, args, exitCode]] of READERS.entries()) {
    const [what, make] = KINDS[index % KINDS.length]!;
    test(`${name}: ${file} is ${what}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'conformance-no-file-'));
      for (const each of ['certificate', 'vendors/rex', 'left/allure-results'])
        mkdirSync(join(folder, each), { recursive: true });
      writeFileSync(join(folder, 'key.pem'), pem.privateKey, { mode: 0o600 });
      for (const [path, bytes] of [
        ['key.pem.pub', pem.publicKey],
        ['attestation.json', signed(statementFor(RIGHT))],
        ['report.json', RIGHT.report],
      ] as const)
        if (path !== file) writeFileSync(join(folder, path), bytes);
      make(join(folder, file));
      const ended = await command(name, args, {}, folder);
      expect([ended.exitCode, ended.err], ended.out).toEqual([
        exitCode,
        expect.stringContaining(`is ${what}; a file is expected`),
      ]);
      expect(ended.err).not.toContain('broke');
    });
  }
  test('certify: evidence.jsonl is a socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-no-file-'));
    writeFileSync(join(folder, 'key.pem'), pem.privateKey, { mode: 0o600 });
    const server = createServer().listen(join(folder, 'evidence.jsonl'));
    const ended = await command(
      'certify',
      ['--report', '.', '--issuer-key', 'key.pem', '--used', 'used'],
      {},
      folder,
    );
    server.close();
    expect([ended.exitCode, ended.err]).toEqual([
      2,
      expect.stringMatching(/evidence\.jsonl .*socket; a file is expected/),
    ]);
  });
});
