/** Failures that one change would mend are one cause. A report shows each cause once, as one card. */
import { expect, test } from '@playwright/test';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { Decision } from '../../../fixtures/judgement/experiment.ts';
import { describeCause, findExamples, findFailures, findWarnings } from '../../../reports/document/causes.ts';
import type { Report, RequirementResult } from '../../../reports/document/report-document.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderTexts } from '../samples/rendered-reports.ts';
import { exchange, failureWith, report, requestWith } from '../samples/sample-reports.ts';

/** A failure by a wrong status: `promised` is documented, `came` was received. */
const wrongStatus = (promised: number, came: number, ...evidence: string[]) =>
  failureWith({ expected: `${promised}`, received: `${came}`, statuses: { promised, came }, evidence });

/** Returns each cause as its title and the ids of its promises. */
const groupCauses = (judged: Report) =>
  findFailures(judged).map((cause) => [describeCause(judged, cause), ...cause.map(({ id }) => id).sort()]);

/** A judged run, and the causes that it has. */
interface BrokenRun {
  /** The broken promises by their ids. */
  broken: Readonly<Record<string, Partial<RequirementResult>>>;
  /** Exchanges of the report. An exchange that only `evidence` names is missing from the report. */
  exchanges: Evidence[];
  /** `title; id; id`: the title of the cause and the ids of its promises. `id; id`: any title. */
  causes: readonly string[];
}

/** A createPet with the body `sent`, and its answer: status and body. Without `sent` it has no body. `get` makes a `GET /pets`. */
const post = (id: string, status: number, sent = '', said?: string) =>
  requestWith(id, { sent, status, said });
const get = (id: string, status: number, said?: string) => requestWith(id, { status, said });

const makeReport = ({ broken, exchanges }: BrokenRun) => report(broken, { exchanges });

/** Lists that get an Error as a framework writes it, with other members than the document says. */
const LISTS_WITH_OWN_ERROR = ['x3', 'x4'].map((id) => get(id, 404, '{"error":"no","statusCode":404}'));
const CRASHES = ['x3', 'x4'].map((id) => post(id, 500, '', 'crash'));
const RUNS = {
  'a wrong status of one operation, and a wrong refusal by all operations, are two causes': {
    broken: {
      'create-pet.name-type': wrongStatus(400, 422, 'x1'),
      'create-pet.body-missing': wrongStatus(400, 422, 'x2'),
      'authentication.list-pets-missing-key': wrongStatus(401, 403, 'x3'),
      'authentication.create-pet-wrong-key': wrongStatus(401, 403, 'x4'),
    },
    exchanges: [post('x1', 422, '{"name":1}'), post('x2', 422)],
    causes: [
      'The service answers 403 in place of 401; authentication.create-pet-wrong-key; authentication.list-pets-missing-key',
      'createPet answers 422 in place of 400; create-pet.body-missing; create-pet.name-type',
    ],
  },
  'a server error in place of 401 is one cause; a wrong refusal explains no wrong animal': {
    broken: {
      'authentication.list-pets-missing-key': wrongStatus(401, 500, 'x3'),
      'authentication.get-pet-missing-key': wrongStatus(401, 500, 'x4'),
      'create-pet.status-values': wrongStatus(400, 422, 'x1'),
      'representation.pet-status': failureWith({ pointer: '/status', received: 'null', evidence: ['x5'] }),
    },
    exchanges: [post('x1', 422, '{"status":"no"}'), ...CRASHES, post('x5', 201, '{}', '{"status":null}')],
    causes: [
      'authentication.get-pet-missing-key; authentication.list-pets-missing-key',
      'create-pet.status-values',
      'representation.pet-status',
    ],
  },
  'missing checks of one member are one cause, those of two members are two': {
    broken: {
      'create-pet.name-missing': wrongStatus(400, 201, 'x1'),
      'create-pet.name-type': wrongStatus(400, 201, 'x2'),
      'create-pet.status-values': wrongStatus(400, 201, 'x3'),
    },
    exchanges: [],
    causes: [
      'createPet does not check name as it must; create-pet.name-missing; create-pet.name-type',
      'A status that does not exist gets 201 in place of 400; create-pet.status-values',
    ],
  },
  'a warning of the same server error is one with the failure, and Errors of one form are one': {
    broken: {
      'create-pet.body-malformed': wrongStatus(400, 500, 'x1'),
      'errors.no-server-error': { ...wrongStatus(400, 500, 'x2'), verdict: 'warn' },
      'errors.status': failureWith({ pointer: '/status', received: 'nothing', evidence: ['x3'] }),
      'errors.code': failureWith({ pointer: '/code', received: 'nothing', evidence: ['x4'] }),
    },
    exchanges: [post('x1', 500, '{', 'no'), post('x2', 500, '{}', 'no'), ...LISTS_WITH_OWN_ERROR],
    causes: [
      'A body that is not JSON gets 500 in place of 400; create-pet.body-malformed; errors.no-server-error',
      'The code in an Error is missing or not a string; errors.code; errors.status',
    ],
  },
  'a read that needs no key, in other spellings and as HEAD too, is one cause': {
    broken: {
      'authentication.get-pet-missing-key': wrongStatus(401, 200, 'x1'),
      'authentication.other-spelling': wrongStatus(401, 200, 'x2'),
      'authentication.head': { ...wrongStatus(401, 200, 'x3'), verdict: 'warn' },
    },
    exchanges: [],
    causes: [
      'getPet without a key gets 200 in place of 401; authentication.get-pet-missing-key; authentication.head; authentication.other-spelling',
    ],
  },
  'a member of another type is one cause, wherever it is shown': {
    broken: {
      'representation.pet-id': failureWith({ pointer: '/id', received: '"7"', evidence: ['x1', 'x2'] }),
      'list-pets.agrees-with-create': failureWith({ pointer: '/0/id', received: '"7"', evidence: ['x2'] }),
    },
    exchanges: [post('x1', 201, '{"name":"a","categoryId":1}', '{"id":"7"}'), get('x2', 200, '[{"id":"7"}]')],
    causes: ['id of a Pet is a string; list-pets.agrees-with-create; representation.pet-id'],
  },
  'a refusal explains no other refusal': {
    broken: {
      'list-pets.answers-200': wrongStatus(200, 404, 'x1'),
      'list-pets.limit-accepted': wrongStatus(200, 400, 'x2'),
    },
    exchanges: [get('x1', 404), get('x2', 400)],
    causes: ['list-pets.answers-200', 'list-pets.limit-accepted'],
  },
} satisfies Record<string, BrokenRun>;

test.describe('failures that one change would mend are one cause', () => {
  for (const [title, run] of Object.entries(RUNS))
    test(title, () => {
      const found = groupCauses(makeReport(run));
      expect(found).toHaveLength(run.causes.length);
      for (const cause of run.causes) expect(found).toContainEqual(expect.arrayContaining(cause.split('; ')));
    });

  test('server errors are one cause if they say the same', () => {
    const both = {
      'create-pet.body-not-object': wrongStatus(400, 500, 'x1'),
      'create-pet.body-malformed': wrongStatus(400, 500, 'x2'),
    };
    const countCauses = (first: string, second: string, broken: Parameters<typeof report>[0] = both) =>
      groupCauses(
        report(broken, {
          exchanges: [
            requestWith('x1', { sent: '[]', status: 500, said: first }),
            requestWith('x2', { sent: '{', status: 500, said: second }),
          ],
        }),
      ).length;
    expect(countCauses('no', 'no')).toBe(1);
    expect(countCauses('trace 17', 'trace 18')).toBe(1);
    expect(countCauses('null has no name', 'bad JSON')).toBe(2);
    // A request that fails by chance has no trait that decides: any request may get its error, also x2. If x1 fails each time (`always`),
    // something in x1 may be the reason: then x2 has another cause, although its error is equal.
    const decided = (kind: Decision['kind']) => ({
      'create-pet.name-type': { ...wrongStatus(400, 500, 'x1'), decision: { kind, experiments: [] } },
      'create-pet.answers-201': wrongStatus(201, 500, 'x2'),
    });
    expect(countCauses('no', 'no', decided('chance'))).toBe(1);
    expect(countCauses('no', 'no', decided('always'))).toBe(2);
  });

  test('a card has all that one change mends: the received values, and an example of each kind of answer', () => {
    const judged = makeReport(
      RUNS['a warning of the same server error is one with the failure, and Errors of one form are one'],
    );
    expect(findWarnings(judged)).toEqual([]);
    expect(renderConformancePage(judged)).toMatch(
      /<code>errors\.status<\/code>[^]{0,200}received nothing \(at \/status\)/,
    );
    const typed = makeReport(RUNS['a member of another type is one cause, wherever it is shown']);
    const examples = findExamples(typed, findFailures(typed)[0]!).map(({ id }) => id);
    expect(examples.sort()).toEqual(['x1', 'x2']);
  });

  test('a list that fails for a stored animal comes after the createPet that stored it', () => {
    const broken = { statuses: { promised: 200, came: 500 }, evidence: ['x1'] };
    const findFirst = (exchanges: Evidence[]) =>
      findFailures(
        report(
          {
            'list-pets.answers-200': failureWith(broken),
            'create-pet.category-id-range': failureWith({ evidence: ['x3'] }),
          },
          { exchanges },
        ),
      )[0]?.[0].id;
    expect(findFirst([requestWith('x1', { status: 500 }), requestWith('x2')])).toBe(
      'create-pet.category-id-range',
    );
    // If no list was ever served, the failing list is not a consequence of createPet
    expect(findFirst([requestWith('x1', { status: 500 })])).toBe('list-pets.answers-200');
  });
});

test('a promise that two causes break joins neither to the other', () => {
  const served = { statuses: { promised: 401, came: 200 } };
  // Each row has the causes, and each cause its promises. A promise joins the one cause that `explainedBy` (requirements.json) names; if that
  // names two, it joins none.
  for (const causes of [
    ['list-pets.limit', 'list-pets.status list-pets.status-missing', 'list-pets.limit-and-status'],
    ['list-pets.limit list-pets.limit-and-status'],
    ['create-pet.kept list-pets.shows-added list-pets.shows-added-by-status'],
    // listPets and getPet each lack a check of the key. That listPets takes a wrong key is a consequence of its missing check.
    [
      'authentication.list-pets-missing-key authentication.list-pets-wrong-key',
      'authentication.get-pet-wrong-key',
    ],
    ['authentication.list-pets-wrong-key authentication.get-pet-wrong-key'],
  ]) {
    const broken = causes.join(' ').split(' ');
    const results = Object.fromEntries(
      broken.map((id, nth) => [id, failureWith({ evidence: [`x${nth}`], ...(/key$/.test(id) && served) })]),
    );
    const found = findFailures(report(results)).map((cause) => cause.map(({ id }) => id).join(' '));
    expect(found.sort()).toEqual(causes.sort());
  }
});

test('errors that come with status 200 are one cause, and said so', () => {
  const error = (id: string, status: number) =>
    requestWith(id, { said: JSON.stringify({ code: 'refused', message: 'no', status }) });
  const judged = report(
    {
      'representation.pet-status': failureWith({ received: '404', pointer: '/status', evidence: ['x1'] }),
      'get-pet.not-found': failureWith({ received: '200 OK', evidence: ['x2'] }),
      'authentication.list-pets-missing-key': failureWith({ received: '200 OK', evidence: ['x3'] }),
      'list-pets.limit': failureWith({ received: '30 animals', evidence: ['x4'] }),
    },
    { exchanges: [error('x1', 404), error('x2', 404), error('x3', 401), exchange('x4')] },
  );
  const causes = findFailures(judged);
  expect(causes.map((cause) => cause.map(({ id }) => id))).toEqual([
    ['authentication.list-pets-missing-key', 'representation.pet-status', 'get-pet.not-found'],
    ['list-pets.limit'],
  ]);
  expect(causes.map((cause) => describeCause(judged, cause))).toEqual([
    'Errors come with status 200',
    'A list has more animals than its limit',
  ]);
  for (const text of Object.values(renderTexts(judged)))
    expect(text).toContain('Errors come with status 200');
});

test('one wrong value at one place is one cause, whatever was expected of it', () => {
  const at = (pointer: string | null, expected: string) =>
    failureWith({ evidence: ['x1'], pointer, expected, received: '"7"' });
  const causesAt = (pointer: string | null) =>
    findFailures(
      report(
        { 'representation.pet-id': at(pointer, 'an integer'), 'get-pet.same-id': at(pointer, '7') },
        { exchanges: [exchange('x1')] },
      ),
    ).length;
  // The pointer '' is about the whole body. A body may be wrong in two ways, so '' joins no more than null does.
  expect([causesAt('/id'), causesAt(''), causesAt(null)]).toEqual([1, 2, 2]);
});
