/** The end of a report says what to do next: which page to open, and which command asks again, certifies or compares. */
import { expect, test } from '@playwright/test';
import { TESTED } from '../../../fixtures/interface/requirements.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { listNextSteps } from '../../../reports/shown/words/next-steps.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { CONFORMING, failureWith, report } from '../samples/sample-reports.ts';

test('the end of a log says what broke, and which page to open', () => {
  const broken = { 'list-pets.limit': failureWith({ evidence: ['x1'] }), 'get-pet.same-id': failureWith() };
  const end = (judged: Report) => renderPlain(judged, 120).trim().split('\n').slice(-2);
  expect(end(report(broken))).toEqual([
    '✗ Nonconforming: A list has more animals than its limit, and 1 more failure',
    '  reports/out/conformance.html',
  ]);
  expect(end(CONFORMING)).toEqual(['Open', '  reports/out/conformance.html']);
  // With a single failure, the step does not say `Run what failed again:`
  const [again] = listNextSteps(report({ 'list-pets.limit': failureWith() }));
  expect(again).toMatchObject({ what: 'Run it again:' });
});

test('the next steps depend on the verdict', () => {
  const commands = (judged: Report) =>
    listNextSteps(judged)
      .flatMap(({ command: each }) => each ?? [])
      .join('\n');
  expect(commands(CONFORMING)).toContain('compare -- --baseline');
  const profile = { name: 'certification', version: 1 };
  expect(commands(report({}, { run: { profile } }))).toContain('npm run certify -- --report reports/out');
  const broken = commands(report({ 'list-pets.limit': failureWith() }));
  expect(broken).toContain('npm run conformance -- --failed');
  const part = report({ 'list-pets.limit': failureWith() }, { run: { only: ['list-pets'] } });
  expect(commands(part)).toContain('--only list-pets.limit');
  expect(listNextSteps(report({ 'list-pets.limit': failureWith() })).at(-1)?.what).toContain('set WAIVERS');
  expect(listNextSteps(report({}, { run: { complete: false } }))).toEqual([]);
  const waiver = { owner: 'a', ticket: 'b', expires: '2027-01-01', reason: 'c' };
  expect(JSON.stringify(listNextSteps(report({ 'list-pets.limit': failureWith({ waiver }) })))).not.toContain(
    'WAIVERS',
  );
});

test('the report of a part says in one line what was asked', () => {
  const part = report({}, { run: { only: TESTED.slice(0, 20) } });
  expect(renderPlain(part)).toMatch(
    /Only a part of the suite was asked for: [\w.-]+, [\w.-]+, [\w.-]+ and 17 more\./,
  );
  // A rule has found another promise broken in the same answers. The line is only about the asked promise.
  const otherFails = report({ 'list-pets.status': failureWith() }, { run: { only: ['list-pets.limit'] } });
  expect(renderPlain(otherFails)).toMatch(/^ {2}asked {5}list-pets\.limit passes$/m);
});
