/** The card of a failure, in each report: the request that shows it, where the values differ, and each kind that failed. */
import { expect, test } from '@playwright/test';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { findDifference } from '../../../fixtures/judgement/difference.ts';
import type { Decision } from '../../../fixtures/judgement/experiment.ts';
import { assemble } from '../../../reports/document/assemble.ts';
import { findTogether } from '../../../reports/document/shown-exchange.ts';
import { renderTexts } from '../samples/rendered-reports.ts';
import { findingWith } from '../samples/sample-exchanges.ts';
import { blockedBy, CONFORMING, exchange, failureWith, report } from '../samples/sample-reports.ts';
import { requestWith } from '../samples/sample-reports.ts';

test('the place where two long texts differ is marked, and its number is said', () => {
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
  const results = { 'get-pet.name-exact': failureWith({ expected: same, difference: difference! }) };
  const { terminal, summary: job, page } = renderTexts(report(results));
  for (const text of [terminal, job])
    expect(text).toMatch(/from character 301 on, behind "a+": "ssb" \(U\+0073\)/);
  for (const text of [terminal, job, page]) expect(text).not.toContain('a'.repeat(61));
  expect(page).toContain('from character 301 on (U+00DF):</span> <code><bdi>aaaaaaaaaaaaaaaa<mark>ß</mark>b');
  expect(page).toContain('<mark>s</mark>sb');
});

test('a line for each cause comes before the first card', () => {
  const judged = report({
    'list-pets.limit': failureWith({ evidence: ['x1'] }),
    'get-pet.same-id': failureWith({ evidence: ['x2'] }),
    'get-pet.name-exact': blockedBy('get-pet.same-id'),
  });
  const { terminal, summary: job, page, annotations: lines } = renderTexts(judged);
  expect(terminal).toMatch(
    /2 failures\n {3}1 {2}getPet answers with another identifier than the one asked for; 1 undecided because of it\n {3}2 {2}A list has more animals than its limit\n\n✗ getPet/,
  );
  expect(job).toMatch(/^1\. getPet answers[^]*^1\. A list has more[^]*<details open/m);
  expect(page.indexOf('<ol class="causes">')).toBeLessThan(page.indexOf('<details class="card'));
  expect(lines.split('\n')[0]).toMatch(/^::error title=1 of 2%3A getPet answers with another identifier/);
});

test('a card says if no key was sent, and has a line for the class of the generated input', () => {
  const judged = report(
    {
      'authentication.list-pets-missing-key': failureWith({
        evidence: ['x1'],
        input: { text: '{"limit":3} (a limit)', isSmallest: true },
        replay: 'token-1',
      }),
      // The values of a generator say nothing to a reader, and one counterexample is enough.
      'list-pets.limit': failureWith({
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
  const { terminal, summary: job, page } = renderTexts(judged);
  for (const text of [terminal, job, page]) expect(text).toContain('Authorization: (none sent)');
  expect(terminal).toMatch(/^ {2}generated +a limit$/m);
  for (const text of [terminal, job, page]) expect(text).not.toContain('isEncoded');
});

test('the received value is from the answer to the shown request', () => {
  // The result has the evidence of two findings. Pointer and received value are from x1; x2 is smaller, and wrong at the same place.
  const exchanges = [
    requestWith('x1', {
      said: '[{"status":"available"},{"status":"pending"}]',
      path: '/pets?status=available',
    }),
    requestWith('x2', { said: '[{"status":"sold"},{"status":"pending"}]', path: '/pets?status=sold' }),
  ];
  const wrong = {
    expected: '"available"',
    received: '"pending"',
    pointer: '/1/status',
    evidence: ['x1', 'x2'],
  };
  const { terminal } = renderTexts(report({ 'list-pets.status': failureWith(wrong) }, { exchanges }));
  // The request of x1 is shown, once.
  expect(terminal.split('GET /pets?status=available')).toHaveLength(2);
});

test('requests are shown together only if one alone does not show the failure', () => {
  const sentAt = (id: string, second: string) => ({
    ...requestWith(id, { sent: '{}', status: 409 }),
    startedAt: `2026-11-20T10:00:${second}.000Z`,
  });
  const creations = [sentAt('x1', '01'), sentAt('x2', '01'), sentAt('x6', '40')];
  const findGroup = (kind: Decision['kind']) => {
    const result = { id: 'create-pet.answers-201', decision: { kind, experiments: [] } };
    return findTogether(creations[0] as Evidence, creations, result).map(({ id }) => id);
  };
  expect([findGroup('concurrency'), findGroup('always')]).toEqual([['x1', 'x2'], []]);
});

test('each kind that failed is in the card, by its smallest request', () => {
  const bodies = ['[1,2,3]', '[1,2]', 'null', '[]', '"text"'];
  const exchanges = bodies.map((body, index) => requestWith(`x${index + 1}`, { sent: body, status: 500 }));
  // x6 has another status, which may have another cause, so it comes first.
  exchanges.push(requestWith('x6', { sent: '123456789', status: 422 }));
  const failure = failureWith({
    received: '500',
    statuses: { promised: 400, came: 500 },
    evidence: exchanges.map(({ id }) => id),
  });
  const judged = report({ 'create-pet.body-not-object': failure }, { exchanges });
  const { terminal, summary: job, page } = renderTexts(judged);
  expect(terminal).toMatch(/^ {2}also {6}POST \/pets 123456789: 422$/m);
  for (const text of [terminal, job]) {
    for (const line of ['POST /pets []: 500', 'POST /pets null: 500', 'POST /pets "text": 500'])
      expect(text).toContain(line);
    expect(text).not.toContain('POST /pets [1,2]: 500');
  }
  expect(page).toContain('The same fails for 4 more kinds of request');
});

test('a report keeps evidence of every kind, even if many tests found the first kind', () => {
  const requirement = 'create-pet.body-not-object' as const;
  const many = Array.from({ length: 30 }, (_, index) =>
    requestWith(`x${index + 1}`, { sent: '[]', status: 500 }),
  );
  // x31 has the fewest headers. So the report shows x31, and the value that x31 received.
  const plain = requestWith('x31', { sent: 'null', status: 500 });
  const all = [...many, { ...plain, request: { ...plain.request, headers: [] } }];
  const flaw = { requirement, expected: '400 with an Error', pointer: null, status: 500, promised: 400 };
  const { requirements, causes } = assemble({
    ...CONFORMING,
    ...{ only: [], sightings: [], timings: {}, redact: (text) => text },
    findings: all.map(({ id }) => {
      const evidence = [id];
      return findingWith(requirement, 'fail', {
        evidence,
        flaw: { ...flaw, received: `answer of ${id}`, evidence },
      });
    }),
    evidence: (ids) => all.filter(({ id }) => ids.includes(id)),
  });
  const { evidence: kept, received } = requirements.find(({ id }) => id === requirement) ?? {};
  expect(kept).toHaveLength(12); // the most exchanges that a report keeps for one promise
  expect(kept).toContain('x1');
  expect(received).toBe('answer of x31');
  expect(causes?.[0]).toMatchObject({ id: requirement, promises: [requirement], examples: ['x31', 'x1'] });
});
