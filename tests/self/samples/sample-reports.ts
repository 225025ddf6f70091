import type { Answer, Evidence, Exchange, Header } from '../../../fixtures/exchange/exchange.ts';
import { REQUIREMENTS, SILENCES, type Requirement } from '../../../fixtures/interface/requirements.ts';
import type { Report, RequirementResult } from '../../../reports/document/report-document.ts';
import { countVerdicts, judgeRun } from '../../../reports/document/verdicts.ts';
import type { VendorRun } from '../../../reports/shown/vendors/vendor-matrix.ts';

/** Everything that means something to a page, an XML reader, a terminal, a job page or a CI runner, in one text. */
export const HOSTILE_TEXT = [
  '</code></pre><script>window.hostile = 1</script><img src="https://evil.example/x.png" onerror="window.hostile = 1">',
  '\x1b[31mred\x1b[0m \x00\x08\x9b \ud800 ]]> <![CDATA[ &amp; &#x1b; \u202etxt.exe\u202c',
  '::error::owned',
  '##[error]owned ##vso[task.setvariable]owned',
  '| pipe | `tick` ``` fence ~~~ **bold** [link](https://evil.example) ![image](https://evil.example/x.png) @everyone #1 <b>',
].join('\n');

/** A result that passes unless told otherwise. */
function result(id: string, change: Partial<RequirementResult> = {}): RequirementResult {
  const nowhere: Requirement = { section: 'Nowhere', operation: 'none', level: 'must', statement: id };
  const { section, operation, level, statement, excused } = REQUIREMENTS[id] ?? nowhere;
  const [stem] = id.split('.');
  return {
    ...{ id, level, section, operation, statement },
    verdict: excused === undefined ? 'pass' : 'excused',
    reason: excused ?? null,
    tests: [{ title: `asks for ${id}`, file: `tests/${stem}.spec.ts` }],
    ...{ cause: null, expected: null, received: null, pointer: null },
    ...{ evidence: [], partial: null, replay: null, waiver: null },
    ...change,
  };
}

/** Undecided because of these broken promises, and maybe of something else. */
export function blockedBy(first: string, ...also: string[]): Partial<RequirementResult> {
  return {
    verdict: 'inconclusive',
    reason: [first, ...also].map((id) => `blocked by ${id}`).join('; '),
    cause: { kind: 'blocked-by', requirement: first, ...(also.length > 0 && { also }) },
  };
}

/** One exchange; `change` replaces what differs. */
export function exchange(id: string, change: Partial<Evidence> = {}): Evidence {
  return {
    id,
    operation: 'listPets',
    startedAt: '2026-11-20T10:00:01.000Z',
    durationMs: 12.4,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    request: {
      method: 'GET',
      path: '/pets?status=sold&limit=5',
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', 'Bearer [key]'],
        ['User-Agent', 'animal-store-conformance/0.1.0 (run r1)'],
      ],
      body: null,
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [['Content-Type', 'application/json']],
      body: '[]',
      bytes: 2,
    },
    error: null,
    ...change,
  };
}

const TARGET = {
  baseUrl: 'https://staging.example:8080/v1',
  embedded: false,
  environment: 'staging',
  subject: null,
};

/** A whole report in which the named results differ; verdict and counts follow from them. */
export function report(
  changes: Record<string, Partial<RequirementResult>> = {},
  rest: Partial<Omit<Report, 'run'>> & { run?: Partial<Report['run']> } = {},
): Report {
  const requirements = Object.keys(REQUIREMENTS).map((id) => result(id, changes[id]));
  const run = {
    id: 'r1',
    startedAt: '2026-11-20T10:00:00.000Z',
    ...{ durationMs: 8_420, requests: 1_204, animalsCreated: 3, lagMs: 40, seed: 20261120 },
    ...{ mode: 'full' as const, strict: false, only: [], complete: true, stopped: null },
    limits: { animals: 150, requests: 3_000, inFlight: 8, rps: null, wrongKeys: 60 },
    putOff: { answers: 0, waitedMs: 0 },
    lastAsked: 'GET /pets?limit=100',
    progress: { ended: 399, all: 399 },
    variables: {
      BASE_URL: 'https://staging.example:8080/v1',
      TARGET_ENV: 'staging',
      CATEGORY_IDS: '7',
      SEED: '20261120',
    },
    ...rest.run,
  };
  return {
    schemaVersion: 6,
    suite: { name: 'animal-store-conformance', version: '0.1.0', command: 'npm run conformance --' },
    specification: { version: '1.0.0' },
    target: TARGET,
    ...judgeRun(requirements, run),
    counts: { must: countVerdicts(requirements, 'must'), should: countVerdicts(requirements, 'should') },
    requirements,
    observations: Object.entries(SILENCES).map(([id, { section, question }]) => {
      return {
        id,
        section,
        question,
        observed: id === 'errors.codes' ? 'INVALID, NOT_FOUND' : 'ignores',
        evidence: [],
      };
    }),
    exchanges: [],
    timings: { listPets: { count: 400, p50: 3.1, p95: 9.8 }, createPet: { count: 120, p50: 4.2, p95: 12 } },
    footprint: ['9007199254740993', '102', '103'].map((id) => ({ id, name: `conformance r1 ${id}` })),
    ...rest,
    run,
  };
}

/** All promises kept. */
export const CONFORMING = report();

const PETS = Array.from({ length: 30 }, (_, id) =>
  JSON.stringify({ id, name: `Rex ${id}`, categoryId: 1, status: id === 17 ? 'Sold' : 'sold' }),
);
const JSON_TYPE: Header = ['Content-Type', 'application/json'];
const KEY: Header = ['Authorization', 'Bearer [key]'];
const fails = (
  expected: string,
  received: string,
  evidence: string,
  more: Partial<RequirementResult> = {},
): Partial<RequirementResult> => ({ verdict: 'fail', expected, received, evidence: [evidence], ...more });
const SOLD = fails('sold', '"Sold"', 'x1', { pointer: '/17/status' });
const request = (method: string, path: string, headers: Header[], body: string | null = null) => ({
  request: { method, path, headers, body },
});
const response = (status: number, statusText: string, headers: Header[], body: string) => ({
  response: { status, statusText, headers, body, bytes: 900 },
});
const ALL = HOSTILE_TEXT;
const SILENT = { kind: 'timeout', message: 'no answer within 10 s' } as const;

/** Broken in several ways, once by a target that tries to break the reports as well. */
export const HOSTILE_REPORT = report(
  {
    'list-pets.status': { ...SOLD, replay: 'v1:42:0:1' },
    'representation.pet-status': SOLD,
    'create-pet.name': fails('the name that was sent', ALL, 'x2', { pointer: '/name' }),
    'authentication.truncated-key': fails('401 with an Error', '200 OK', 'x3'),
    'get-pet.not-found': fails('404 with an Error', '500 Internal Server Error', 'x4'),
    'authentication.challenge': fails('a WWW-Authenticate header', 'none', 'x3', { verdict: 'warn' }),
    'list-pets.limit': {
      verdict: 'inconclusive',
      reason: `The store holds 3 animals and none may be added. ${ALL} Judge a store with 21 animals to decide it.`,
    },
    'errors.json': fails(ALL, ALL, 'x2', {
      ...{ statement: ALL, section: ALL, operation: ALL, reason: ALL, pointer: `/${ALL}`, replay: ALL },
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
    target: { ...TARGET, environment: ALL, subject: { name: ALL, version: ALL, commit: ALL, url: ALL } },
    exchanges: [
      exchange('x1', response(200, 'OK', [JSON_TYPE], `[${PETS.join()}]`)),
      exchange('x2', {
        operation: 'createPet',
        ...request('POST', '/pets', [KEY, JSON_TYPE], '{"name":"Rex","categoryId":9007199254740993}'),
        ...response(201, ALL, [['X-Hostile', ALL]], JSON.stringify({ id: 1, name: ALL })),
      }),
      exchange(
        'x3',
        request('GET', '/pets', [['Authorization', 'Bearer [the part of the key from 0 % to 75 %]']]),
      ),
      exchange('x4', {
        operation: 'getPet',
        ...request('GET', '/pets/9223372036854775807', [KEY]),
        ...response(500, 'Internal Server Error', [['Content-Type', 'text/html']], `<html><body>${ALL}`),
      }),
    ],
    observations: [
      {
        ...{ id: 'errors.codes', section: 'Errors', question: 'Which values of code appear?' },
        ...{ observed: ALL, evidence: ['x2'] },
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
  { exchanges: [exchange('x1', { operation: 'getPet', response: null, error: SILENT })] },
);

/** An answer with no animals, with changes. */
export const answerWith = (more: Partial<Answer>): Answer => {
  const body = Buffer.from('[]');
  return {
    status: 200,
    statusText: '',
    headers: [],
    body,
    undecodable: null,
    rawContentLength: null,
    ...more,
  };
};

/** An exchange with changes. `answer`: the changes of its answer; null if none came. */
export const exchangeWith = (answer: Partial<Answer> | null, more: Partial<Exchange>): Exchange => ({
  ...{ id: 'x1', startedAt: 0, begun: 0, durationMs: 1, error: null },
  ask: { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' },
  response: answer && answerWith(answer),
  ...more,
});

// Vendors that nobody has judged: reports made up from the catalogue, each a little different.

const TESTED = Object.keys(REQUIREMENTS).filter((id) => REQUIREMENTS[id]?.excused === undefined);

/** One made-up report. Every fifth conforms; the others fail up to twelve requirements, all in one exchange. */
export function vendorReport(index: number): Report {
  const pets = Array.from({ length: 12 }, (_, id) => ({
    id,
    name: `Rex ${id}`,
    categoryId: 1,
    status: 'Sold',
  }));
  const body = index === 1 ? HOSTILE_TEXT : JSON.stringify(pets);
  const failed = {
    ...{
      expected: 'what the document says',
      received: index === 1 ? HOSTILE_TEXT : `something else, ${index}`,
    },
    ...{ pointer: '/0/status', evidence: ['x1'] },
  };
  const count = index % 5 === 0 ? 0 : 1 + ((index * 7) % 12);
  const ids = Array.from(
    { length: count },
    (_, each) => TESTED[(index * 31 + each * 17) % TESTED.length] ?? '',
  );
  const verdictOf = (id: string) => (REQUIREMENTS[id]?.level === 'must' ? 'fail' : 'warn');
  return report(Object.fromEntries(ids.map((id) => [id, { verdict: verdictOf(id), ...failed }])), {
    target: { baseUrl: `https://vendor-${index}.example/v1`, embedded: false, environment: 'staging' },
    exchanges: [
      exchange('x1', { response: { status: 200, statusText: 'OK', headers: [], body, bytes: body.length } }),
    ],
    observations: CONFORMING.observations.map((each, question) => ({
      ...each,
      observed: (index + question) % 3 === 0 ? 'rejects-400' : each.observed,
    })),
  });
}

/** That many vendors. */
export function vendors(count: number): VendorRun[] {
  return Array.from({ length: count }, (_, index) => ({
    name:
      index === 1 ? `Hostile <b> & ${HOSTILE_TEXT.slice(0, 60)}` : `Vendor ${String(index).padStart(3, '0')}`,
    report: vendorReport(index),
    page: index % 2 === 0 ? `vendor-${index}/conformance.html` : null,
  }));
}
