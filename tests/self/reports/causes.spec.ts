/** The first cause is shown first, in plain words, in each report. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { findDifference } from '../../../fixtures/judgement/difference.ts';
import type { Decision } from '../../../fixtures/judgement/experiment.ts';
import { TESTED } from '../../../fixtures/interface/requirements.ts';
import { describeCause, findExamples, findFailures, findWarnings } from '../../../reports/document/causes.ts';
import { assemble } from '../../../reports/document/assemble.ts';
import type { RequirementResult } from '../../../reports/document/report-document.ts';
import { findShowing, findTogether } from '../../../reports/document/shown-exchange.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderAnnotations } from '../../../reports/shown/text/annotations.ts';
import { renderSummary, renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { listNextSteps } from '../../../reports/shown/words/next-steps.ts';
import { describeBroken } from '../../../reports/document/reasons/broken.ts';
import { shellIn } from '../samples/command.ts';
import { blockedBy, CONFORMING, exchange, report } from '../samples/sample-reports.ts';

const failed = (change: Partial<RequirementResult> = {}): Partial<RequirementResult> => ({
  verdict: 'fail',
  expected: 'this',
  received: 'that',
  ...change,
});
const tests = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `test ${index}`, file: 'tests/a.spec.ts', line: 1 }));
const texts = (told: ReturnType<typeof report>) => ({
  terminal: renderTerminal(told, { colour: false, width: 120, reportDir: 'reports/out' }),
  summary: renderSummary(told),
  page: renderConformancePage(told),
  annotations: renderAnnotations(told),
});

test('core promises come first, then what blocks most, then what most tests met; waived ones and warnings last', () => {
  const told = report(
    {
      'representation.pet-name': failed({ tests: tests(9) }),
      'list-pets.limit': failed({ tests: tests(2) }),
      'get-pet.same-id': failed(),
      'get-pet.agrees-with-list': blockedBy('get-pet.same-id'),
      'get-pet.answers-200': failed(),
      'list-pets.status': failed({
        tests: tests(40),
        waiver: { owner: 'a', ticket: 'b', expires: '2027-01-01', reason: 'c' },
      }),
      'errors.allow': { ...failed({ tests: tests(50) }), verdict: 'warn' },
    },
    { run: { strict: true } },
  );
  expect(findFailures(told).map(([{ id }]) => id)).toEqual([
    'get-pet.answers-200',
    'get-pet.same-id',
    'representation.pet-name',
    'list-pets.limit',
    'errors.allow',
    'list-pets.status',
  ]);
  expect(told.reason).toBe('getPet does not answer 200 for an animal that exists, and 5 more failures');
});

test('what is undecided by way of another undecided one is explained by the failure behind both', () => {
  const told = report({
    'get-pet.answers-200': failed(),
    'get-pet.not-found': blockedBy('get-pet.answers-200'),
    'errors.code': blockedBy('get-pet.not-found'),
    // a circle explains nothing
    'errors.message': blockedBy('errors.status'),
    'errors.status': blockedBy('errors.message'),
  });
  const { terminal } = texts(told);
  expect(terminal).toContain('2 requirements could not be decided because of this.');
  expect(terminal).toMatch(/2 undecided: |1 undecided: /);
});

test('what a plainer promise explains comes after it', () => {
  for (const [first, other, count] of [
    ['list-pets.agrees-with-create', 'list-pets.name-exact', 7],
    ['get-pet.repeatable', 'list-pets.agrees-with-create', 1],
    ['create-pet.status', 'create-pet.name-exact', 7],
    ['create-pet.unique-id-concurrent', 'list-pets.unique-ids', 7],
    ['list-pets.empty', 'list-pets.answers-200', 1],
  ] as const) {
    const told = report({ [other]: failed({ tests: tests(count) }), [first]: failed() });
    expect(findFailures(told)[0]?.[0].id).toBe(first);
  }
});

test('a promise that two causes break joins neither to the other', () => {
  const opened = { statuses: { promised: 401, came: 200 } };
  for (const [broken, causes] of [
    ['list-pets.limit list-pets.status list-pets.limit-and-status list-pets.status-missing', 3],
    ['list-pets.limit list-pets.limit-and-status', 1],
    ['create-pet.kept list-pets.shows-added list-pets.shows-added-by-status', 1],
    // Two checks of the key are missing, of one operation each: the wrong key of listPets is a consequence.
    [
      'authentication.list-pets-missing-key authentication.list-pets-wrong-key authentication.get-pet-wrong-key',
      2,
    ],
    ['authentication.list-pets-wrong-key authentication.get-pet-wrong-key', 1],
  ] as const) {
    const results = Object.fromEntries(
      broken
        .split(' ')
        .map((id, index) => [id, failed({ evidence: [`x${index}`], ...(/key$/.test(id) && opened) })]),
    );
    expect(findFailures(report(results)), broken).toHaveLength(causes);
  }
});

test('every requirement has words for its failure, short enough for a line', () => {
  for (const id of TESTED) {
    const words = describeBroken({ id, statement: '' });
    expect(words, id).not.toBe('');
    expect(words.length, id).toBeLessThan(100);
    expect(words, id).not.toMatch(/\.$| - /);
  }
  expect(describeBroken({ id: 'no.such', statement: 'as it says' })).toBe('as it says');
});

test('a title says what came, and to what', () => {
  const statuses = (promised: number, came: number) => ({ statuses: { promised, came } });
  const half = 'a name with half of a surrogate pair';
  for (const [id, more, words] of [
    ['create-pet.name-type', {}, 'A name that is not a string does not get 400'],
    ['create-pet.name-type', statuses(400, 201), 'A name that is not a string gets 201 in place of 400'],
    ['create-pet.any-name', {}, 'Some names get neither 201 nor 400'],
    [
      'get-pet.answers-200',
      statuses(200, 500),
      'getPet answers 500 in place of 200 for an animal that exists',
    ],
    [
      'create-pet.status-optional',
      statuses(201, 422),
      'createPet does not work without a status: 422 in place of 201',
    ],
    [
      'create-pet.broken-characters',
      { ...statuses(201, 500), sent: half },
      `createPet answers 500 to ${half}`,
    ],
  ] as const)
    expect(describeBroken({ id, statement: '', ...more })).toBe(words);
});

test('where long texts part is marked, by a number too', () => {
  const [same, other] = ['a'.repeat(300), 'b'];
  const difference = findDifference(same + 'ß' + other, same + 'ss' + other);
  expect(difference).toEqual({ character: 301, before: 'a'.repeat(16), expected: 'ßb', received: 'ssb' });
  expect(findDifference(same, 'a'.repeat(50))).toMatchObject({ character: 51, received: '' });
  for (const [one, two] of [
    ['short', 'texts'],
    [same, same],
    [same, 7],
    [undefined, same],
  ])
    expect(findDifference(one, two)).toBeNull();
  const {
    terminal,
    summary: job,
    page,
  } = texts(report({ 'get-pet.name-exact': failed({ expected: same, difference: difference! }) }));
  for (const text of [terminal, job])
    expect(text).toMatch(/from character 301 on, behind "a+": "ssb" \(U\+0073\)/);
  for (const text of [terminal, job, page]) expect(text).not.toContain('a'.repeat(61));
  expect(page).toContain('from character 301 on (U+00DF):</span> <code><bdi>aaaaaaaaaaaaaaaa<mark>ß</mark>b');
  expect(page).toContain('<mark>s</mark>sb');
});

test('errors that come with status 200 are one cause, and said so', () => {
  const error = (id: string, status: number) =>
    came(id, JSON.stringify({ code: 'refused', message: 'no', status }));
  const told = report(
    {
      'representation.pet-status': failed({ received: '404', pointer: '/status', evidence: ['x1'] }),
      'get-pet.not-found': failed({ received: '200 OK', evidence: ['x2'] }),
      'authentication.list-pets-missing-key': failed({ received: '200 OK', evidence: ['x3'] }),
      'list-pets.limit': failed({ received: '30 animals', evidence: ['x4'] }),
    },
    { exchanges: [error('x1', 404), error('x2', 404), error('x3', 401), exchange('x4')] },
  );
  const causes = findFailures(told);
  expect(causes.map((cause) => cause.map(({ id }) => id))).toEqual([
    ['authentication.list-pets-missing-key', 'representation.pet-status', 'get-pet.not-found'],
    ['list-pets.limit'],
  ]);
  expect(causes.map((cause) => describeCause(told, cause))).toEqual([
    'Errors come with status 200',
    'A list has more animals than its limit',
  ]);
  for (const text of Object.values(texts(told))) expect(text).toContain('Errors come with status 200');
});

test('a line for each cause stands before the first is told in full', () => {
  const told = report({
    'list-pets.limit': failed({ evidence: ['x1'] }),
    'get-pet.same-id': failed({ evidence: ['x2'] }),
    'get-pet.name-exact': blockedBy('get-pet.same-id'),
  });
  const { terminal, summary: job, page, annotations: lines } = texts(told);
  expect(terminal).toMatch(
    /2 failures\n {3}1 {2}getPet answers with another identifier than the one asked for; 1 undecided because of it\n {3}2 {2}A list has more animals than its limit\n\n✗ getPet/,
  );
  expect(job).toMatch(/^1\. getPet answers[^]*^1\. A list has more[^]*<details open/m);
  expect(page.indexOf('<ol class="causes">')).toBeLessThan(page.indexOf('<details class="card'));
  expect(lines.split('\n')[0]).toMatch(/^::error title=1 of 2%3A getPet answers with another identifier/);
});

test('a missing key is shown, and the smallest input stands by itself', () => {
  const told = report(
    {
      'authentication.list-pets-missing-key': failed({
        evidence: ['x1'],
        input: { text: 'GET /pets?limit=3 (a limit)', isSmallest: true },
        replay: 'token-1',
      }),
      // The values of a generator say nothing to a reader, and one counterexample is enough.
      'list-pets.limit': failed({
        evidence: ['x1'],
        input: { text: '{"isEncoded":true}', isSmallest: true },
        replay: 'token-2',
      }),
    },
    {
      exchanges: [
        exchange('x1', {
          request: { method: 'GET', path: '/pets', headers: [], body: null, credential: 'none' },
        }),
      ],
    },
  );
  const { terminal, summary: job, page } = texts(told);
  for (const text of [terminal, job, page]) expect(text).toContain('Authorization: (none sent)');
  expect(terminal).toMatch(/^ {2}smallest {2}GET \/pets\?limit=3 \(a limit\)$/m);
  for (const text of [terminal, job, page]) expect(text).not.toContain('isEncoded');
  expect(page).toMatch(/Generated input<\/p><pre><code><bdi>GET \/pets\?limit=3/);
});

const sent = (id: string, body: string | null, path = '/pets') =>
  exchange(id, { request: { method: body === null ? 'GET' : 'POST', path, headers: [], body } });
const came = (id: string, body: string, path = '/pets') =>
  exchange(id, {
    request: { method: 'GET', path, headers: [], body: null },
    response: { status: 200, statusText: 'OK', headers: [], body, bytes: body.length },
  });

test('the request that is told as the input is the one that is shown', () => {
  const shown = (exchanges: Evidence[], text: string) =>
    findShowing(exchanges, { pointer: null, received: '200 OK', input: { text, isSmallest: true } })?.id;
  const bodies = [sent('x1', '{}'), sent('x2', '{"name":null}')];
  expect(shown(bodies, 'POST /pets {"name":null} (null)')).toBe('x2');
  // the key is said before the body, and is no other request
  expect(shown(bodies, 'POST /pets with Authorization: none {"name":null}')).toBe('x2');
  // a shorter path is another request
  const reads = [sent('x3', null), sent('x4', null, '/pets?limit=9')];
  expect(shown(reads, 'GET /pets?limit=9 (a limit)')).toBe('x4');
});

test('a member that was missing is shown by the answer that lacks it', () => {
  const exchanges = [came('x1', '{"status":"sold"}'), came('x2', '{}')];
  expect(findShowing(exchanges, { pointer: '/status', received: 'absent' })?.id).toBe('x2');
});

test('what was received is of the request that is shown, and its input is said once', () => {
  // the second is of another finding: smaller, and wrong at the same place
  const exchanges = [
    came('x1', '[{"status":"available"},{"status":"pending"}]', '/pets?status=available'),
    came('x2', '[{"status":"sold"},{"status":"pending"}]', '/pets?status=sold'),
  ];
  const wrong = {
    expected: '"available"',
    received: '"pending"',
    pointer: '/1/status',
    evidence: ['x1', 'x2'],
    input: { text: 'GET /pets?status=available (a filter)', isSmallest: true },
  };
  expect(findShowing(exchanges, wrong)?.id).toBe('x1');
  expect(findShowing(exchanges, { ...wrong, input: undefined })?.id).toBe('x1');
  const { terminal, page } = texts(report({ 'list-pets.status': failed(wrong) }, { exchanges }));
  expect(terminal.split('GET /pets?status=available')).toHaveLength(2);
  expect(page).toContain('Generated input: the request below<bdi> (a filter)</bdi>');
});

test('one wrong value at one place is one cause, whatever was expected of it', () => {
  const at = (pointer: string | null, expected: string) =>
    failed({ evidence: ['x1'], pointer, expected, received: '"7"' });
  const causesAt = (pointer: string | null) =>
    findFailures(
      report(
        { 'representation.pet-id': at(pointer, 'an integer'), 'get-pet.same-id': at(pointer, '7') },
        { exchanges: [exchange('x1')] },
      ),
    ).length;
  expect([causesAt('/id'), causesAt(''), causesAt(null)]).toEqual([1, 2, 2]);
});

test('the end of a log says what broke, and which page to open', () => {
  const broken = { 'list-pets.limit': failed({ evidence: ['x1'] }), 'get-pet.same-id': failed() };
  const end = (told: ReturnType<typeof report>) => texts(told).terminal.trim().split('\n').slice(-2);
  expect(end(report(broken))).toEqual([
    '✗ Nonconforming: A list has more animals than its limit, and 1 more failure',
    '  reports/out/conformance.html',
  ]);
  expect(end(CONFORMING)).toEqual(['Open', '  reports/out/conformance.html']);
  // one of them is not the first of several, and all that it broke is run again
  const [again] = listNextSteps(report({ 'list-pets.limit': failed() }));
  expect(again).toMatchObject({ what: 'Run it again:' });
});

test('a race is told only where a lone request does not show it', () => {
  const at = (id: string, second: number, status: number) =>
    exchange(id, {
      startedAt: `2026-11-20T10:00:${String(second).padStart(2, '0')}.000Z`,
      request: { method: 'POST', path: '/pets', headers: [], body: '{}' },
      response: { status, statusText: '', headers: [], body: '{}', bytes: 2 },
    });
  const pair = [at('x1', 1, 409), at('x2', 1, 409), at('x6', 40, 409)];
  const groupOf = (kind: Decision['kind']) => {
    const result = { id: 'create-pet.answers-201', decision: { kind, experiments: [] } };
    return findTogether(pair[0] as Evidence, pair, result).map(({ id }) => id);
  };
  expect([groupOf('concurrency'), groupOf('always')]).toEqual([['x1', 'x2'], []]);
});

test('what next, for each verdict', () => {
  const commands = (told: ReturnType<typeof report>) =>
    listNextSteps(told)
      .flatMap(({ command: each }) => each ?? [])
      .join('\n');
  expect(commands(CONFORMING)).toContain('compare -- --baseline');
  const profile = { name: 'certification', version: 1 };
  expect(commands(report({}, { run: { profile } }))).toContain('npm run certify -- --report reports/out');
  const broken = commands(report({ 'list-pets.limit': failed() }));
  expect(broken).toContain('npm run conformance -- --failed');
  const part = report({ 'list-pets.limit': failed() }, { run: { only: ['list-pets'] } });
  expect(commands(part)).toContain('--only list-pets.limit');
  expect(listNextSteps(report({ 'list-pets.limit': failed() })).at(-1)?.what).toContain('set WAIVERS');
  expect(listNextSteps(report({}, { run: { complete: false } }))).toEqual([]);
  const waiver = { owner: 'a', ticket: 'b', expires: '2027-01-01', reason: 'c' };
  expect(JSON.stringify(listNextSteps(report({ 'list-pets.limit': failed({ waiver }) })))).not.toContain(
    'WAIVERS',
  );
});

test('what was asked for in part is told in one line', () => {
  const told = report({}, { run: { only: TESTED.slice(0, 20) } });
  expect(renderTerminal(told, { colour: false, width: 400 })).toMatch(
    /Only a part of the suite was asked for: [\w.-]+, [\w.-]+, [\w.-]+ and 17 more\./,
  );
  const mended = report({ 'list-pets.status': failed() }, { run: { only: ['list-pets.limit'] } });
  expect(renderTerminal(mended, { colour: false, width: 400 })).toMatch(
    /^ {2}asked {5}list-pets\.limit passes$/m,
  );
});

test('a run is compared with a baseline; a folder is its report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
  const write = (name: string, told: ReturnType<typeof report>) =>
    writeFileSync(join(folder, name), JSON.stringify(told));
  write('release.json', CONFORMING);
  write(
    'report.json',
    report(
      {
        'list-pets.status': failed(),
        'list-pets.status-missing': blockedBy('list-pets.status'),
        'create-pet.answers-201': failed(),
      },
      { run: { startedAt: '2026-11-22T10:00:00.000Z' } },
    ),
  );
  const shell = shellIn(folder);
  await shell(
    'compare --baseline release.json .',
    1,
    /Fails now[^]*create-pet\.answers-201[^]*list-pets\.status pass[^]*Undecided because of what fails[^]*1: list-pets\.status-missing/,
  );
  const alone = 'There is only one report. Name two, or one and --baseline FILE.\n';
  await shell('compare release.json', 2, alone);
});

test.describe('what one change would mend is one cause', () => {
  const answered = (id: string, body: string | null, status: number, said = '{}') =>
    exchange(id, {
      operation: body === null ? 'listPets' : 'createPet',
      request: {
        method: body === null ? 'GET' : 'POST',
        path: '/pets',
        headers: [['Authorization', 'Bearer [key]']],
        body,
      },
      response: { status, statusText: '', headers: [], body: said, bytes: 2 },
    });
  const wrong = (promised: number, came: number, ...evidence: string[]) =>
    failed({
      expected: `${promised}`,
      received: `${came}`,
      pointer: null,
      statuses: { promised, came },
      evidence,
    });
  const shown = (pointer: string, received: string, ...evidence: string[]) =>
    failed({ pointer, received, evidence });
  const causes = (told: ReturnType<typeof report>) =>
    findFailures(told).map((cause) => [describeCause(told, cause), ...cause.map(({ id }) => id).sort()]);
  const FORM = '{"error":"no","statusCode":404}';
  /** A result: `create-pet.name 400 422 x1` has its statuses, `errors.code /code nothing x1` what was received there; `?`: it warns. */
  const readResult = (written: string): [id: string, result: Partial<RequirementResult>] => {
    const [id = '', one = '', other = '', ...evidence] = written.split(' ');
    const result = one.startsWith('/')
      ? shown(one, other, ...evidence)
      : wrong(Number(one), Number(other), ...evidence);
    return [id.replace('?', ''), { ...result, ...(id.endsWith('?') && { verdict: 'warn' as const }) }];
  };
  const readExchanges = (written: readonly string[]) =>
    written.map((each) => {
      const [id = '', status = '', sent = '', said = '{}'] = each.split(' ');
      return answered(id, sent === 'GET' ? null : sent, Number(status), said);
    });

  /** Each cause has all that it broke. An exchange: its id, its status, GET or the body that was sent, and the body of the answer. */
  const CAUSES: readonly (readonly [
    title: string,
    broken: readonly string[],
    exchanges: readonly string[],
    ...causes: string[],
  ])[] = [
    [
      'one wrong status of an operation, one wrong refusal of all of them',
      [
        'create-pet.name-type 400 422 x1',
        'create-pet.body-missing 400 422 x2',
        'authentication.list-pets-missing-key 401 403 x3',
        'authentication.create-pet-wrong-key 401 403 x4',
      ],
      ['x1 422 {"name":1}', 'x2 422'],
      'The service answers 403 in place of 401; authentication.create-pet-wrong-key; authentication.list-pets-missing-key',
      'createPet answers 422 in place of 400; create-pet.body-missing; create-pet.name-type',
    ],
    [
      'a server error in place of 401 is one for all operations; what was refused explains nothing that is shown',
      [
        'authentication.list-pets-missing-key 401 500 x3',
        'authentication.get-pet-missing-key 401 500 x4',
        'create-pet.status-values 400 422 x1',
        'representation.pet-status /status null x5',
      ],
      ['x1 422 {"status":"no"}', 'x3 500  crash', 'x4 500  crash', 'x5 201 {} {"status":null}'],
      'authentication.get-pet-missing-key; authentication.list-pets-missing-key',
      'create-pet.status-values',
      'representation.pet-status',
    ],
    [
      'checks that are missing are one if they are of one member',
      [
        'create-pet.name-missing 400 201 x1',
        'create-pet.name-type 400 201 x2',
        'create-pet.status-values 400 201 x3',
      ],
      [],
      'createPet does not check name as it must; create-pet.name-missing; create-pet.name-type',
      'A status that does not exist gets 201 in place of 400; create-pet.status-values',
    ],
    [
      'a warning of the same server error, and Errors of one form, are one with the failure',
      [
        'create-pet.body-malformed 400 500 x1',
        'errors.no-server-error? 400 500 x2',
        'errors.status /status nothing x3',
        'errors.code /code nothing x4',
      ],
      ['x1 500 { no', 'x2 500 {} no', `x3 404 GET ${FORM}`, `x4 404 GET ${FORM}`],
      'A body that is not JSON gets 500 in place of 400; create-pet.body-malformed; errors.no-server-error',
      'The code in an Error is missing or not a string; errors.code; errors.status',
    ],
    [
      'a read that is served without the key is one with its other spellings and HEAD',
      [
        'authentication.get-pet-missing-key 401 200 x1',
        'authentication.other-spelling 401 200 x2',
        'authentication.head? 401 200 x3',
      ],
      [],
      'getPet without a key gets 200 in place of 401; authentication.get-pet-missing-key; authentication.head; authentication.other-spelling',
    ],
    [
      'a member of another type is one wherever it is shown',
      ['representation.pet-id /id "7" x1 x2', 'list-pets.agrees-with-create /0/id "7" x2'],
      ['x1 201 {"name":"a","categoryId":1} {"id":"7"}', 'x2 200 GET [{"id":"7"}]'],
      'id of a Pet is a string; list-pets.agrees-with-create; representation.pet-id',
    ],
    [
      'a refusal explains no other refusal',
      ['list-pets.answers-200 200 404 x1', 'list-pets.limit-accepted 200 400 x2'],
      ['x1 404 GET', 'x2 400 GET'],
      'list-pets.answers-200',
      'list-pets.limit-accepted',
    ],
  ];
  const read = ([, broken, exchanges]: (typeof CAUSES)[number]) =>
    report(Object.fromEntries(broken.map(readResult)), { exchanges: readExchanges(exchanges) });
  const readRow = (title: string) => read(CAUSES.find(([each]) => each.startsWith(title))!);
  for (const row of CAUSES)
    test(row[0], () => {
      const found = causes(read(row));
      const named = row.slice(3) as string[];
      expect(found).toHaveLength(named.length);
      for (const cause of named) expect(found).toContainEqual(expect.arrayContaining(cause.split('; ')));
    });

  test('server errors are one cause if they say the same', () => {
    const both = {
      'create-pet.body-not-object': wrong(400, 500, 'x1'),
      'create-pet.body-malformed': wrong(400, 500, 'x2'),
    };
    const count = (first: string, second: string, broken: Parameters<typeof report>[0] = both) =>
      causes(
        report(broken, { exchanges: [answered('x1', '[]', 500, first), answered('x2', '{', 500, second)] }),
      ).length;
    expect([count('no', 'no'), count('trace 17', 'trace 18'), count('null has no name', 'bad JSON')]).toEqual(
      [1, 1, 2],
    );
    // A failure by chance explains one that no experiment decided. A failure of one kind of request explains no other kind.
    const decided = (kind: Decision['kind']) => ({
      'create-pet.name-type': { ...wrong(400, 500, 'x1'), decision: { kind, experiments: [] } },
      'create-pet.answers-201': wrong(201, 500, 'x2'),
    });
    expect([count('no', 'no', decided('chance')), count('no', 'no', decided('always'))]).toEqual([1, 2]);
  });

  test('what else a change has to mend is on the card with what came, each kind of answer as an example', () => {
    const told = readRow('a warning of the same server error');
    expect(findWarnings(told)).toEqual([]);
    expect(renderConformancePage(told)).toMatch(
      /<code>errors\.status<\/code>[^]{0,200}received nothing at \/status/,
    );
    const typed = readRow('a member of another type');
    expect(
      findExamples(typed, findFailures(typed)[0]!)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['x1', 'x2']);
  });

  test('reads that something stored breaks come behind what stored it', () => {
    const list = (id: string, status: number) => answered(id, null, status);
    const broken = { statuses: { promised: 200, came: 500 }, evidence: ['x1'] };
    const first = (exchanges: Evidence[]) =>
      findFailures(
        report(
          {
            'list-pets.answers-200': failed(broken),
            'create-pet.category-id-range': failed({ evidence: ['x3'] }),
          },
          { exchanges },
        ),
      )[0]?.[0].id;
    expect(first([list('x1', 500), list('x2', 200)])).toBe('create-pet.category-id-range');
    // if no list was ever served, it is no consequence
    expect(first([list('x1', 500)])).toBe('list-pets.answers-200');
  });

  test('each kind that failed is in the card, by its smallest request', () => {
    const bodies = ['[1,2,3]', '[1,2]', 'null', '[]', '"text"'];
    const exchanges = bodies.map((body, index) => answered(`x${index + 1}`, body, 500));
    // Another status may have a cause of its own, so it comes first.
    exchanges.push(answered('x6', '123456789', 422));
    const told = report(
      { 'create-pet.body-not-object': wrong(400, 500, ...exchanges.map(({ id }) => id)) },
      { exchanges },
    );
    const { terminal, summary: job, page } = texts(told);
    expect(terminal).toMatch(/^ {2}also {6}POST \/pets 123456789: 422$/m);
    for (const text of [terminal, job]) {
      for (const line of ['POST /pets []: 500', 'POST /pets null: 500', 'POST /pets "text": 500'])
        expect(text).toContain(line);
      expect(text).not.toContain('POST /pets [1,2]: 500');
    }
    expect(page).toContain('The same fails for 4 more kinds of request');
  });

  test('the evidence that a report keeps has every kind, however many tests found the first', () => {
    const requirement = 'create-pet.body-not-object' as const;
    const many = Array.from({ length: 30 }, (_, index) => answered(`x${index + 1}`, '[]', 500));
    // The plainest request shows the flaw: what was received is of this one.
    const plain = answered('x31', 'null', 500);
    const all = [...many, { ...plain, request: { ...plain.request, headers: [] } }];
    const flaw = { requirement, expected: '400 with an Error', pointer: null, status: 500, promised: 400 };
    const find = (evidence: string[]) => ({
      ...{ requirement, verdict: 'fail' as const, reason: null, evidence, replay: null },
      ...{ flaw: { ...flaw, received: `that of ${evidence.join()}`, evidence } },
      test: { title: 'asks', file: 'a.spec.ts', line: 1 },
    });
    const { requirements, causes: told } = assemble({
      ...{ ...CONFORMING, only: [], sightings: [], timings: {}, redact: (text) => text },
      findings: all.map(({ id }) => find([id])),
      evidence: (ids) => all.filter(({ id }) => ids.includes(id)),
    });
    const { evidence: kept, received } = requirements.find(({ id }) => id === requirement) ?? {};
    expect(kept).toHaveLength(12);
    expect(kept).toContain('x1');
    expect(received).toBe('that of x31');
    expect(told?.[0]).toMatchObject({ id: requirement, promises: [requirement], examples: ['x31', 'x1'] });
  });
});
