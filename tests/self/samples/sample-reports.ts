/** Complete reports for tests. Example: `report({ 'list-pets.limit': failureWith() })` has one failure, and all else passes. */
import type { Evidence, Header } from '../../../fixtures/exchange/exchange.ts';
import { REQUIREMENTS, SILENCES, type Requirement } from '../../../fixtures/interface/requirements.ts';
import type { Report, RequirementResult } from '../../../reports/document/report-document.ts';
import { countVerdicts, judgeRun } from '../../../reports/document/verdicts.ts';

/** A result that passes. `change` replaces what differs. An id that the catalogue lacks belongs to the section `Nowhere`. */
function makeResult(id: string, change: Partial<RequirementResult> = {}): RequirementResult {
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

/** Undecided because these broken promises block it. */
export function blockedBy(first: string, ...also: string[]): Partial<RequirementResult> {
  return {
    verdict: 'inconclusive',
    reason: [first, ...also].map((id) => `blocked by ${id}`).join('; '),
    cause: { kind: 'blocked-by', requirement: first, ...(also.length > 0 && { also }) },
  };
}

/** A failure: `this` was expected and `that` came. `change` replaces what differs. */
export const failureWith = (change: Partial<RequirementResult> = {}): Partial<RequirementResult> => ({
  verdict: 'fail',
  expected: 'this',
  received: 'that',
  ...change,
});

const KEY: Header = ['Authorization', 'Bearer [key]'];

/** One exchange of a report; `change` replaces what differs. */
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
        KEY,
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

/** A request of a report: GET /pets, or a POST of the body `sent`. `said`: the body of its answer. */
export function requestWith(
  id: string,
  { sent = null, path = '/pets', status = 200, said = '{}' }: RequestTraits = {},
): Evidence {
  return exchange(id, {
    operation: sent === null ? 'listPets' : 'createPet',
    request: { method: sent === null ? 'GET' : 'POST', path, headers: [KEY], body: sent },
    response: { status, statusText: '', headers: [], body: said, bytes: said.length },
  });
}
interface RequestTraits {
  sent?: string | null;
  path?: string;
  status?: number;
  said?: string;
}

const TARGET = {
  baseUrl: 'https://staging.example:8080/v1',
  embedded: false,
  environment: 'staging',
  subject: null,
};

/** A report in which the results with these ids differ. Verdict and counts follow from all results. `rest`: other members. */
export function report(
  changes: Record<string, Partial<RequirementResult>> = {},
  rest: Partial<Omit<Report, 'run'>> & { run?: Partial<Report['run']> } = {},
): Report {
  const requirements = Object.keys(REQUIREMENTS).map((id) => makeResult(id, changes[id]));
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

export const CONFORMING = report();
