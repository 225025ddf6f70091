/** Documents that our commands read from others: a report, evidence, a challenge, a signed statement. `makeActing` makes them hostile. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { HeadRecord } from '../../../fixtures/evidence/log.ts';
import { CHALLENGE_TYPE, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { makeStatement } from '../../../reports/certificate/issue.ts';
import type { EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import { writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import type { Revocations } from '../../../reports/certificate/signed/revocation.ts';
import { PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { exchange, failureWith, report } from '../samples/sample-reports.ts';

/** The issuer's pair of keys: as texts in PEM, and below as objects. */
export const PEM = makeKeys();
export const KEY = {
  privateKey: createPrivateKey(PEM.privateKey),
  publicKey: createPublicKey(PEM.publicKey),
};
const DIGEST = 'a'.repeat(64);

/** A report with a verdict of each kind: failed, undecided, warned and passed. */
export const MIXED_REPORT = report(
  {
    'list-pets.limit': failureWith({
      expected: '5',
      received: '6',
      pointer: '/0',
      evidence: ['x1'],
      replay: 't',
    }),
    'errors.json': { verdict: 'inconclusive', reason: 'x' },
    'errors.code': { verdict: 'warn', expected: '5', received: '6' },
  },
  {
    run: { stopped: 'x', complete: false, only: ['x'] },
    exchanges: [exchange('x1')],
    footprint: [{ id: '1', name: 'Rex', categoryId: '1' }],
  },
);
export const CHALLENGE: Challenge = {
  version: 1,
  nonce: DIGEST,
  subject: 'Rex',
  runBy: 'vendor',
  issuedAt: '2026-11-20T00:00:00.000Z',
  notAfter: '2099-11-25T00:00:00.000Z',
};
/** Signs a document of this type as the issuer. */
export const seal = (type: string, value: unknown) =>
  sealEnvelope(type, typeof value === 'string' ? value : writeCanonicalJson(value), KEY.privateKey);
export const POSED = seal(CHALLENGE_TYPE, CHALLENGE);
/** A list of revocations before it is signed. Its one entry revokes a run by the digest of its evidence. */
export const REVOCATION_LIST: Revocations = {
  version: 3,
  number: 3,
  keys: null,
  issuedAt: '2026-11-20T10:00:00.000Z',
  notAfter: '2099-12-20T10:00:00.000Z',
  revoked: [{ evidence: DIGEST, reason: 'lost', since: '2026-11-20T10:00:00.000Z' }],
};
export const HEAD: HeadRecord = {
  kind: 'head',
  version: 2,
  suite: '0.1.0',
  target: { baseUrl: 'https://rex.example/v1', embedded: false, environment: null },
  challenge: POSED,
  mark: 'r1',
  window: 15_000,
  clock: Date.parse(MIXED_REPORT.run.startedAt),
  claimed: [],
  key: { length: 29, hasLetters: true, caseMayNotMatter: false, singleCase: true },
  settings: {
    ...{ profile: 'certification', mode: 'full', strict: false, incognito: false, markedNamesOnly: false },
    seed: 1,
    ...{ seeds: [1, 2], propertyRuns: 200, categoryIds: null, requestTimeout: 10_000, maxAnimals: null },
    ...{ maxRequests: null, maxWrongKeys: 60, maxInFlight: 8, maxRps: null },
  },
};
/** Returns the record of the nth exchange, without an answer. `more`: other members of the request. */
const exchangeRecord = (nth: number, operation: string, [method, path]: [string, string], more: object) => ({
  ...{ kind: 'exchange', id: `x${nth}`, begin: nth, end: nth + 1, at: HEAD.clock + nth - 1 },
  ask: { operation, method, path, credential: 'key', body: null, ...more },
  response: null as unknown,
  error: null as unknown,
});
const ANSWER = {
  ...{ status: 200, statusText: 'OK', headers: [['Content-Type', 'application/json']] },
  ...{ body: { text: '[]' }, undecodable: null, rawContentLength: null },
};
const judgementRecord = (by: string, verdict: string, more: object) => ({
  ...{ kind: 'judgement', by, rule: 'asks', requirement: 'list-pets.limit', verdict, exchanges: ['x1'] },
  ...more,
});
/** The evidence of a run, with a record of most kinds. */
export const RECORDS = [
  HEAD,
  {
    ...exchangeRecord(1, 'listPets', ['GET', '/pets?limit=5'], { headers: [['Accept', '*/*']] }),
    response: ANSWER,
  },
  {
    ...exchangeRecord(2, 'createPet', ['POST', '/pets'], {
      credential: { scheme: 'Bearer', edits: [{ edit: 'keep', from: 0, to: 0.5 }] },
      body: { text: '{"name":"r1"}' },
    }),
    response: { ...ANSWER, status: 401, body: { bytes: 70_000, sha256: DIGEST, head: '{', tail: '}' } },
  },
  {
    ...exchangeRecord(3, 'getPet', ['GET', '/pets/1'], { credential: 'none' }),
    error: { kind: 'timeout', message: 'none', arrived: false },
  },
  { kind: 'demands', test: 1, asked: ['x1'] },
  judgementRecord('test', 'pass', { case: null, test: 1 }),
  judgementRecord('rule', 'fail', { case: { expected: '5', received: '6', pointer: null } }),
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
/** The result of judging this evidence again. */
export const RECHECK: EvidenceRecheck = {
  head: HEAD,
  report: MIXED_REPORT,
  contradictions: [],
  gaps: [],
  unannounced: { asked: 40, refused: 0 },
  clockApart: null,
};

/** Writes records as evidence.jsonl. A changed document may be no list: then it becomes one line. */
export const writeLines = (records: unknown) =>
  (Array.isArray(records) ? [...records] : [records])
    .map((each) => `${writeCanonicalJson(each ?? null)}\n`)
    .join('');
export const makeStatementOf = (
  evidence: Uint8Array,
  recheck: EvidenceRecheck,
  challenge = CHALLENGE,
  now = Date.now(),
) => makeStatement({ recheck, evidence, challenge, sha256: null, now, validDays: 90 });
export const sign = (statement: unknown) => Buffer.from(seal(PAYLOAD_TYPE, statement));

/** A text that a terminal, a CI system or a reader's eye would obey. */
export const ACTING =
  '\x1b[2J\x1b]0;owned\x07\x9b31m\x85\x7f\r\u202e\u2066\u200b\u2028\n::error::forged\n  ::add-mask::forged\n##[error]forged ##vso[task.setvariable]forged\nforged';
/** Members that may have any text, so that a command may print it. */
const FREE_TEXTS =
  /^(?:name|version|section|question|observed|expected|received|pointer|replay|statement|reason|stopped|lastAsked|method|path|statusText|baseUrl|environment|suite|mark|profile|rule|subject|since)$/;
/** Returns the document with the acting text in each member that may have any text. */
export const makeActing = <Document>(document: Document): Document =>
  JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    FREE_TEXTS.test(name) && typeof value === 'string' ? ACTING : value,
  );

/** Options of commands that read such documents: the key that `verify` trusts, and the key that `certify` signs with. */
export const [PUBLIC_KEY, ISSUER_KEY] = [
  ['--public-key', 'key.pem.pub'],
  ['--issuer-key', 'key.pem'],
];
export const CERTIFY = 'certify --report . --used used';
