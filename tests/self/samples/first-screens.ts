/** Synthetic reports for the first screens that people meet: what the pictures of the README and the browser tests show. */
import type { Header } from '../../../fixtures/exchange/exchange.ts';
import { REQUIREMENTS, TESTED } from '../../../fixtures/interface/requirements.ts';
import type { RequirementResult } from '../../../reports/document/report-document.ts';
import { blockedBy, CONFORMING, exchange, report } from './sample-reports.ts';

const JSON_TYPE: Header = ['Content-Type', 'application/json'];

/** Returns the JSON of a list with this number of animals. */
const writePets = (count: number) =>
  `[${Array.from({ length: count }, (_, index) => JSON.stringify({ id: 100 + index, name: `Rex ${index}`, categoryId: 7, status: 'available' })).join()}]`;
/** A GET with the key that got this list. */
const listExchange = (id: string, path: string, body: string) =>
  exchange(id, {
    request: {
      method: 'GET',
      path,
      headers: [['Authorization', 'Bearer [key]']],
      body: null,
      credential: 'key',
    },
    response: { status: 200, statusText: 'OK', headers: [JSON_TYPE], body, bytes: body.length },
  });

const createPetOf = (id: string, name: string) =>
  exchange(id, {
    operation: 'createPet',
    request: { ...exchange('').request, method: 'POST', path: '/pets', body: JSON.stringify({ name }) },
  });
/** A name of 255 characters, of which the service loses the last 50: the received name ends before character 206. */
const LONG = 'long '.repeat(51);
const CUT_NAME: Partial<RequirementResult> = {
  ...{ verdict: 'fail', expected: LONG, received: LONG.slice(0, 205), evidence: ['x4'] },
  difference: { character: 206, before: LONG.slice(0, 16), expected: LONG.slice(0, 16), received: '' },
};

const TOO_MANY: Partial<RequirementResult> = {
  verdict: 'fail',
  expected: 'at most 20 animals',
  received: '21 animals',
  pointer: '',
  evidence: ['x1', 'x2', 'x3'],
};

/** `count` requirements of TESTED from this index on, undecided because the requirement `by` is broken. */
const blocked = (from: number, count: number, by: string): Record<string, Partial<RequirementResult>> =>
  Object.fromEntries(TESTED.slice(from, from + count).map((id) => [id, blockedBy(by)]));

/** All requirements of TESTED from this index on, undecided for one reason. */
const undecided = (from: number, reason: string): Record<string, Partial<RequirementResult>> =>
  Object.fromEntries(TESTED.slice(from).map((id) => [id, { verdict: 'inconclusive', reason }]));

const exchanges = [
  listExchange('x1', '/pets', writePets(21)),
  listExchange('x2', '/pets?status=available', writePets(30)),
  listExchange('x3', '/pets?limit=100', writePets(60)),
];

/** Reasons why a run stopped: the target gives no more answers, a person ended the run, or the target never answered. */
const SILENT =
  'the target has given no answer since GET /pets?limit=37; the last: connect ECONNREFUSED 10.0.0.7:8080';
const SIGINT = 'the run was interrupted (SIGINT)';
const TARGET_DOWN = 'The target gave no answer: connect ECONNREFUSED 10.0.0.7:8080.';

/** The run stopped when 204 of 399 tests had ended. */
const MIDWAY = { complete: false, lastAsked: 'GET /pets?limit=38', progress: { ended: 204, all: 399 } };

export const FIRST_SCREENS = {
  conforming: CONFORMING,
  'one-cause': report(
    { ...blocked(40, 3, 'list-pets.default-limit'), 'list-pets.default-limit': TOO_MANY },
    { exchanges },
  ),
  'eleven-causes': report(
    Object.fromEntries(
      TESTED.filter((id) => REQUIREMENTS[id]?.level === 'must')
        .slice(20, 40) // reports join these twenty promises to 11 causes
        .map((id, index) => {
          const expected = `the answer that the document promises (${index + 1})`;
          return [id, { ...TOO_MANY, expected, received: '500 Internal Server Error', pointer: null }];
        }),
    ),
    { exchanges },
  ),
  'long-cause': report({ 'create-pet.name-exact': CUT_NAME }, { exchanges: [createPetOf('x4', LONG)] }),
  'together-cause': report(
    { 'create-pet.unique-id-concurrent': TOO_MANY },
    { exchanges: ['x1', 'x2', 'x3'].map((id) => createPetOf(id, 'Rex')) },
  ),
  'target-down': report(undecided(0, TARGET_DOWN), {
    footprint: [],
    timings: {},
    observations: [],
    run: {
      ...{ complete: false, stopped: TARGET_DOWN, stoppedBy: 'obstacle', lastAsked: 'GET /pets' },
      ...{ requests: 1, animalsCreated: 0, durationMs: 640, progress: { ended: 0, all: 0 } },
      remedy: {
        told: 'Nobody listens there: is the target up, and is the port of BASE_URL right? WAIT=60 waits a minute for one that is starting.',
      },
    },
  }),
  'died-midway': report(
    { ...undecided(60, SILENT), 'list-pets.default-limit': TOO_MANY },
    { exchanges, run: { ...MIDWAY, stopped: SILENT, stoppedBy: 'silent' } },
  ),
  interrupted: report(undecided(60, SIGINT), {
    run: { ...MIDWAY, stopped: SIGINT, stoppedBy: 'interrupted' },
  }),
  'in-part': report({}, { run: { only: ['list-pets'] } }),
};
