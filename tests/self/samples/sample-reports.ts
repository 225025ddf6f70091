import type { Evidence, Header } from '../../../fixtures/exchange/exchange.ts';
import { REQUIREMENTS, SILENCES, type Requirement } from '../../../fixtures/interface/requirements.ts';
import type { Report, RequirementResult } from '../../../reports/document/report-document.ts';
import { countVerdicts, judgeRun } from '../../../reports/document/verdicts.ts';

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
    id,
    level,
    section,
    operation,
    statement,
    verdict: excused === undefined ? 'pass' : 'excused',
    reason: excused ?? null,
    cause: null,
    expected: null,
    received: null,
    pointer: null,
    tests: [{ title: `asks for ${id}`, file: `tests/${stem}.spec.ts` }],
    evidence: [],
    partial: null,
    replay: null,
    waiver: null,
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
    durationMs: 8_420,
    mode: 'full' as const,
    strict: false,
    seed: 20261120,
    only: [],
    complete: true,
    stopped: null,
    requests: 1_204,
    animalsCreated: 3,
    limits: { animals: 150, requests: 3_000, inFlight: 8, rps: null, wrongKeys: 60 },
    lagMs: 40,
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
const SOLD = { expected: 'sold', received: '"Sold"', pointer: '/17/status', evidence: ['x1'] };

/** Broken in several ways, once by a target that tries to break the reports as well. */
export const HOSTILE_REPORT = report(
  {
    'list-pets.status': { verdict: 'fail', ...SOLD, replay: 'v1:42:0:1' },
    'representation.pet-status': { verdict: 'fail', ...SOLD },
    'create-pet.name': {
      verdict: 'fail',
      expected: 'the name that was sent',
      received: HOSTILE_TEXT,
      pointer: '/name',
      evidence: ['x2'],
    },
    'authentication.truncated-key': {
      verdict: 'fail',
      expected: '401 with an Error',
      received: '200 OK',
      evidence: ['x3'],
    },
    'get-pet.not-found': {
      verdict: 'fail',
      expected: '404 with an Error',
      received: '500 Internal Server Error',
      evidence: ['x4'],
    },
    'authentication.challenge': {
      verdict: 'warn',
      expected: 'a WWW-Authenticate header',
      received: 'none',
      evidence: ['x3'],
    },
    'list-pets.limit': {
      verdict: 'inconclusive',
      reason: `The store holds 3 animals and none may be added. ${HOSTILE_TEXT} Judge a store with 21 animals to decide it.`,
    },
    'errors.json': {
      verdict: 'fail',
      statement: HOSTILE_TEXT,
      section: HOSTILE_TEXT,
      operation: HOSTILE_TEXT,
      reason: HOSTILE_TEXT,
      expected: HOSTILE_TEXT,
      received: HOSTILE_TEXT,
      pointer: `/${HOSTILE_TEXT}`,
      replay: HOSTILE_TEXT,
      tests: [{ title: HOSTILE_TEXT, file: HOSTILE_TEXT }],
      evidence: ['x2'],
      waiver: { owner: HOSTILE_TEXT, ticket: HOSTILE_TEXT, expires: '2026-12-31', reason: HOSTILE_TEXT },
    },
    'list-pets.empty': {
      verdict: 'not-applicable',
      reason: 'Every status has animals here; judge a fresh store to decide it.',
    },
  },
  {
    reason: `6 promises broken; ${HOSTILE_TEXT}`,
    target: {
      baseUrl: 'https://staging.example:8080/v1',
      embedded: false,
      environment: HOSTILE_TEXT,
      subject: { name: HOSTILE_TEXT, version: HOSTILE_TEXT, commit: HOSTILE_TEXT, url: HOSTILE_TEXT },
    },
    exchanges: [
      exchange('x1', {
        response: {
          status: 200,
          statusText: 'OK',
          headers: [JSON_TYPE],
          body: `[${PETS.join()}]`,
          bytes: 1_740,
        },
      }),
      exchange('x2', {
        operation: 'createPet',
        request: {
          method: 'POST',
          path: '/pets',
          headers: [KEY, JSON_TYPE],
          body: '{"name":"Rex","categoryId":9007199254740993}',
        },
        response: {
          status: 201,
          statusText: HOSTILE_TEXT,
          headers: [['X-Hostile', HOSTILE_TEXT]],
          body: JSON.stringify({ id: 1, name: HOSTILE_TEXT }),
          bytes: 900,
        },
      }),
      exchange('x3', {
        request: {
          method: 'GET',
          path: '/pets',
          headers: [['Authorization', 'Bearer [the part of the key from 0 % to 75 %]']],
          body: null,
        },
      }),
      exchange('x4', {
        operation: 'getPet',
        request: { method: 'GET', path: '/pets/9223372036854775807', headers: [KEY], body: null },
        response: {
          status: 500,
          statusText: 'Internal Server Error',
          headers: [['Content-Type', 'text/html']],
          body: `<html><body>${HOSTILE_TEXT}`,
          bytes: 700,
        },
      }),
    ],
    observations: [
      {
        id: 'errors.codes',
        section: 'Errors',
        question: 'Which values of code appear?',
        observed: HOSTILE_TEXT,
        evidence: ['x2'],
      },
    ],
    footprint: [{ id: '1', name: HOSTILE_TEXT }],
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
  {
    exchanges: [
      exchange('x1', {
        operation: 'getPet',
        response: null,
        error: { kind: 'timeout', message: 'no answer within 10 s' },
      }),
    ],
  },
);
