/** A machine makes odd files of a file that is right. Seeds are fixed. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { HeadRecord } from '../../../fixtures/evidence/log.ts';
import { Draws } from '../../../fixtures/implementations/drawn.ts';
import { CHALLENGE_TYPE, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { makeStatement } from '../../../reports/certificate/issue.ts';
import type { EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import { writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import { PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { exchange, report } from '../samples/sample-reports.ts';
import { placesIn, withPlace } from './forgeries.ts';

const NAMES = 'constructor|__proto__|toString|hasOwnProperty|valueOf|'.split('|');
const MOMENTS =
  '2026-11-20T23:59:60Z|2026-02-31T10:00:00Z|2026-11-20T24:00:01Z|0000-00-00T00:00:00Z|2026-11-20 10:00:00Z|+275760-09-13T00:00:00Z|soon';
/** Odd values for a member of a file: dates that are none, names that every object has, numbers beyond reckoning. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, [], {}, [[]], [null], [{}], { constructor: 1 }, { length: 1e9 }],
  ...NAMES,
  ...MOMENTS.split('|'),
  ...['x1', 'x0', 'xNaN', '\x1b[2J\n::error::forged\u202e\ud800', 'x'.repeat(70_000)],
  ...[-1, 0, 0.5, 2 ** 53, 1e21, 1e308, -1e308, 8.64e15 + 1],
];

/** Texts that are no file of ours, whatever is expected. */
const NO_FILES: readonly Buffer<ArrayBuffer>[] = [
  ...['', ' ', '\n', '\ufeff', 'null', 'true', '0', '-', '1e999', '"text"', '[]', '{}', '[', '{', '[null]'],
  ...[
    '{"__proto__":null}',
    '{"constructor":{"prototype":1}}',
    '{"kind":"head"}',
    `{"a":1${'0'.repeat(400)}}`,
  ],
  ...['['.repeat(100_000), '{"a":'.repeat(100_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ...['9'.repeat(100_000), '\0'.repeat(64), `[${'[],'.repeat(50_000)}[]]`],
  '{"payload":"","payloadType":"","signatures":[{"keyid":"","sig":""}]}',
]
  .map((text) => Buffer.from(text))
  .concat(['fffe7b00', '7b22c328223a317d', 'eda080'].map((bytes) => Buffer.from(bytes, 'hex')));

/** A copy with one thing in it that is odd. */
function odd(value: unknown, draws: Draws): unknown {
  const { pointer, value: old } = draws.one(placesIn(value)) ?? { pointer: '/x', value: null };
  const kind = draws.between(0, 7);
  if (kind === 0) return withPlace(value, pointer, undefined);
  if (kind === 1) {
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    return withPlace(value, `${above}/${draws.one(NAMES)}`, draws.one(ODD_VALUES));
  }
  if (kind === 2 && Array.isArray(old)) return withPlace(value, pointer, [...old, ...old]);
  return withPlace(value, pointer, draws.one(ODD_VALUES));
}

/** Deep JSON in the place of a value, a member that stands twice, bytes that are no text, or half of the file. */
function oddText(text: string, draws: Draws): Buffer<ArrayBuffer> {
  const at = draws.between(0, text.length - 1);
  const member = /"[\w.-]+":/g;
  member.lastIndex = at;
  const place = member.exec(text)?.index ?? 0;
  const [name = '""'] = text.slice(place).split(':');
  const kind = draws.between(0, 4);
  if (kind === 0) return Buffer.from(text.slice(0, at));
  if (kind === 1)
    return Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from(text.slice(at)),
    ]);
  if (kind === 2)
    return Buffer.from(
      `${text.slice(0, place)}${name}:${'['.repeat(5_000)}${']'.repeat(5_000)},${text.slice(place)}`,
    );
  if (kind === 3)
    return Buffer.from(
      `${text.slice(0, place)}${name}:1${'0'.repeat(draws.between(0, 599))},${text.slice(place)}`,
    );
  return Buffer.from(`${text.slice(0, at)}\u0000${text.slice(at)}`);
}

/** Files of that number. `value`: one that is right; `spell`: as a text. */
export function hostileFiles<T>(
  value: T,
  count: number,
  seed: number,
  spell: (value: unknown) => string = (each) => JSON.stringify(each),
): Buffer<ArrayBuffer>[] {
  const draws = new Draws(seed);
  const right = spell(value);
  return [
    ...NO_FILES,
    ...Array.from({ length: Math.max(0, count - NO_FILES.length) }, () =>
      draws.between(0, 3) === 0 ? oddText(right, draws) : Buffer.from(spell(odd(value, draws))),
    ),
  ];
}

// Readers of foreign files take a report, evidence, a challenge and a signed statement, which may be forged.

export const PEM = makeKeys();
export const KEY = {
  privateKey: createPrivateKey(PEM.privateKey),
  publicKey: createPublicKey(PEM.publicKey),
};
const DIGEST = 'a'.repeat(64);

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
const asked = (nth: number, operation: string, [method, path]: [string, string], more: object) => ({
  kind: 'exchange',
  id: `x${nth}`,
  begin: nth,
  end: nth + 1,
  at: HEAD.clock + nth - 1,
  ask: { operation, method, path, credential: 'key', body: null, ...more },
  response: null as unknown,
  error: null as unknown,
});
const ANSWER = {
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'application/json']],
  body: { text: '[]' },
  undecodable: null,
  rawContentLength: null,
};
const judged = (by: string, verdict: string, more: object) => ({
  ...{ kind: 'judgement', by, rule: 'asks', requirement: 'list-pets.limit', verdict, exchanges: ['x1'] },
  ...more,
});
/** The evidence of a run, a record each line. */
export const LINES = [
  HEAD,
  { ...asked(1, 'listPets', ['GET', '/pets?limit=5'], { headers: [['Accept', '*/*']] }), response: ANSWER },
  {
    ...asked(2, 'createPet', ['POST', '/pets'], {
      credential: { scheme: 'Bearer', edits: [{ edit: 'keep', from: 0, to: 0.5 }] },
      body: { text: '{"name":"r1"}' },
    }),
    response: { ...ANSWER, status: 401, body: { bytes: 70_000, sha256: DIGEST, head: '{', tail: '}' } },
  },
  {
    ...asked(3, 'getPet', ['GET', '/pets/1'], { credential: 'none' }),
    error: { kind: 'timeout', message: 'none', arrived: false },
  },
  { kind: 'demands', test: 1, asked: ['x1'] },
  judged('test', 'pass', { case: null, test: 1 }),
  judged('rule', 'fail', { case: { expected: '5', received: '6', pointer: null } }),
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
export const LOOK: EvidenceRecheck = {
  head: HEAD,
  report: WHOLE,
  contradictions: [],
  gaps: [],
  unannounced: { asked: 40, refused: 0 },
  clockApart: null,
};

/** Records as a file; what is no list of records is one line. */
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

/** Texts that a terminal, a CI system or a reader's eye would obey. */
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
