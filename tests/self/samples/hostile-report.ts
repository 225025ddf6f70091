/** A report of a target that tries to break the reports themselves: all that it sends is hostile. */
import type { Header } from '../../../fixtures/exchange/exchange.ts';
import { CONFORMING, exchange, failureWith, report } from './sample-reports.ts';

/** Everything that means something to a page, an XML reader, a terminal, a job page or a CI runner. */
export const HOSTILE_TEXT = [
  '</code></pre><script>window.hostile = 1</script><img src="https://evil.example/x.png" onerror="window.hostile = 1">',
  '\x1b[31mred\x1b[0m \x00\x08\x9b \ud800 ]]> <![CDATA[ &amp; &#x1b; \u202etxt.exe\u202c',
  '::error::owned',
  '##[error]owned ##vso[task.setvariable]owned',
  '| pipe | `tick` ``` fence ~~~ **bold** [link](https://evil.example) ![image](https://evil.example/x.png) @everyone #1 <b>',
].join('\n');

/** A character that a reader cannot see, and a line that a CI system obeys, such as `::error::`. No report may have one. */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
export const CI_COMMAND = /^\s*::|##\[|##vso/m;

const PETS = Array.from({ length: 30 }, (_, id) =>
  JSON.stringify({ id, name: `Rex ${id}`, categoryId: 1, status: id === 17 ? 'Sold' : 'sold' }),
);
const JSON_TYPE: Header = ['Content-Type', 'application/json'];
const KEY: Header = ['Authorization', 'Bearer [key]'];
/** The failure of two promises: one Pet shows the status `Sold`, which does not exist. */
const SOLD = failureWith({ received: '"Sold"', expected: 'sold', pointer: '/17/status', evidence: ['x1'] });
/** Members of an exchange that differ from those of `exchange()`. */
const request = (method: string, path: string, headers: Header[], body: string | null = null) => ({
  request: { method, path, headers, body },
});
const response = (status: number, statusText: string, headers: Header[], body: string) => ({
  response: { status, statusText, headers, body, bytes: 900 },
});
/** A short name for the rows below: every text of them that a target or a file can choose is hostile. */
const ALL = HOSTILE_TEXT;
const HOSTILE_TEXTS = Object.fromEntries(
  ['expected', 'received', 'statement', 'section', 'operation', 'reason', 'replay'].map((each) => [
    each,
    ALL,
  ]),
);
const TIMED_OUT = { kind: 'timeout', message: 'no answer within 10 s' } as const;

/** A report with several failures. The texts of one failure try to break the reports too. */
export const HOSTILE_REPORT = report(
  {
    'list-pets.status': { ...SOLD, replay: 'v1:42:0:1' },
    'representation.pet-status': SOLD,
    'create-pet.name': failureWith({
      expected: 'the name that was sent',
      received: ALL,
      pointer: '/name',
      evidence: ['x2'],
    }),
    'authentication.truncated-key': failureWith({
      expected: '401 with an Error',
      received: '200 OK',
      evidence: ['x3'],
    }),
    'get-pet.not-found': failureWith({
      expected: '404 with an Error',
      received: '500 Internal Server Error',
      evidence: ['x4'],
    }),
    'authentication.challenge': failureWith({
      expected: 'a WWW-Authenticate header',
      received: 'none',
      verdict: 'warn',
      evidence: ['x3'],
    }),
    'list-pets.limit': {
      verdict: 'inconclusive',
      reason: `The store holds 3 animals and none may be added. ${ALL} Judge a store with 21 animals to decide it.`,
    },
    'errors.json': failureWith({
      ...HOSTILE_TEXTS,
      evidence: ['x2'],
      pointer: `/${ALL}`,
      tests: [{ title: ALL, file: ALL }],
      waiver: { owner: ALL, ticket: ALL, expires: '2026-12-31', reason: ALL },
    }),
    'list-pets.empty': {
      verdict: 'not-applicable',
      reason: 'Every status has animals here; judge a fresh store to decide it.',
    },
  },
  {
    reason: `6 promises broken; ${ALL}`,
    target: {
      ...CONFORMING.target,
      environment: ALL,
      subject: { name: ALL, version: ALL, commit: ALL, url: ALL },
    },
    exchanges: [
      exchange('x1', response(200, 'OK', [JSON_TYPE], `[${PETS.join()}]`)),
      exchange('x2', {
        operation: 'createPet',
        ...request('POST', '/pets', [KEY, JSON_TYPE], '{"name":"Rex","categoryId":9007199254740993}'),
        ...response(201, ALL, [['X-Hostile', ALL]], JSON.stringify({ id: 1, name: ALL })),
      }),
      exchange('x3', request('GET', '/pets', [['Authorization', 'Bearer [the first 75 % of the key]']])),
      exchange('x4', {
        operation: 'getPet',
        ...request('GET', '/pets/9223372036854775807', [KEY]),
        ...response(500, 'Internal Server Error', [['Content-Type', 'text/html']], `<html><body>${ALL}`),
      }),
    ],
    observations: [
      {
        id: 'errors.codes',
        section: 'Errors',
        question: 'Which values of code appear?',
        observed: ALL,
        evidence: ['x2'],
      },
    ],
    footprint: [{ id: '1', name: ALL }],
  },
);

/** Nothing broken, something undecided. */
export const INCONCLUSIVE = report(
  {
    'get-pet.not-found': {
      verdict: 'inconclusive',
      reason: 'no answer within 10 s; to decide, run again when the target answers',
      evidence: ['x1'],
    },
  },
  { exchanges: [exchange('x1', { operation: 'getPet', response: null, error: TIMED_OUT })] },
);
