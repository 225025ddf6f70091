/** Documents that our commands read from others: a report, evidence, a challenge, a signed statement. `forge` makes them hostile. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { HeadRecord } from '../../../fixtures/evidence/log.ts';
import { CHALLENGE_TYPE, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { makeStatement } from '../../../reports/certificate/issue.ts';
import type { EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import { writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import { PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { exchange, report } from '../samples/sample-reports.ts';

/** The issuer's pair of keys, as PEM and as keys. */
export const PEM = makeKeys();
export const KEY = {
  privateKey: createPrivateKey(PEM.privateKey),
  publicKey: createPublicKey(PEM.publicKey),
};
const DIGEST = 'a'.repeat(64);

/** A report with a verdict of each kind. */
export const WHOLE = report(
  {
    'list-pets.limit': {
      ...{ verdict: 'fail', expected: '5', received: '6', pointer: '/0', evidence: ['x1'], replay: 't' },
    },
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
export const REVOCATION_LIST = {
  version: 2,
  number: 3,
  issuedAt: '2026-11-20T10:00:00.000Z',
  notAfter: '2099-12-20T10:00:00.000Z',
  revoked: [{ attestation: DIGEST, reason: 'lost', since: '2026-11-20T10:00:00.000Z' }],
};
export const HEAD: HeadRecord = {
  kind: 'head',
  version: 2,
  suite: '0.1.0',
  target: { baseUrl: 'https://rex.example/v1', embedded: false, environment: null },
  challenge: POSED,
  mark: 'r1',
  window: 15_000,
  clock: Date.parse(WHOLE.run.startedAt),
  claimed: [],
  key: { length: 29, hasLetters: true, caseMayNotMatter: false, singleCase: true },
  settings: {
    ...{ profile: 'certification', mode: 'full', strict: false, incognito: false, markedNamesOnly: false },
    ...{ seed: 1 },
    ...{ seeds: [1, 2], propertyRuns: 200, categoryIds: null, requestTimeout: 10_000, maxAnimals: null },
    ...{ maxRequests: null, maxWrongKeys: 60, maxInFlight: 8, maxRps: null },
  },
};
/** A record of the nth exchange. */
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
/** The evidence of a run, a record each line. */
export const LINES = [
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
  report: WHOLE,
  contradictions: [],
  gaps: [],
  unannounced: { asked: 40, refused: 0 },
  clockApart: null,
};

/** Writes records as a file. A value that is no list becomes one line. */
export const writeLines = (records: unknown) =>
  (Array.isArray(records) ? [...records] : [records])
    .map((each) => `${writeCanonicalJson(each ?? null)}\n`)
    .join('');
/** Makes the statement of a certificate for this evidence. */
export const makeStatementOf = (
  evidence: Uint8Array,
  recheck: EvidenceRecheck,
  challenge = CHALLENGE,
  now = Date.now(),
) => makeStatement({ recheck, evidence, challenge, sha256: null, now, validDays: 90 });
export const sign = (statement: unknown) => Buffer.from(seal(PAYLOAD_TYPE, statement));

/** A text that a terminal, a CI system or a reader's eye would obey. */
export const FORGED =
  '\x1b[2J\x1b]0;owned\x07\x9b31m\x85\x7f\r\u202e\u2066\u200b\u2028\n::error::forged\n  ::add-mask::forged\n##[error]forged ##vso[task.setvariable]forged\nforged';
/** Members whose text is free, so that a reader shows it. */
const FREE =
  /^(?:name|version|section|question|observed|expected|received|pointer|replay|statement|reason|stopped|lastAsked|method|path|statusText|baseUrl|environment|suite|mark|profile|rule|subject|since)$/;
/** Returns the document with the forged text wherever a reader takes any text. */
export const forge = <Document>(document: Document): Document =>
  JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    FREE.test(name) && typeof value === 'string' ? FORGED : value,
  );

/** Words of commands that read such documents: whose key they trust, and with which they sign. */
export const [PUBLIC, SIGNING] = [
  ['--public-key', 'key.pem.pub'],
  ['--issuer-key', 'key.pem'],
];
export const CERTIFY = 'certify --report . --used used';
