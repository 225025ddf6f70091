/** A card can be copied as a bug report in Markdown. Developers of the service need nothing else to see the failure. */
import { expect, test } from '@playwright/test';
import { findFailures } from '../../../reports/document/causes.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { writeBugReport } from '../../../reports/shown/text/run-text.ts';
import { HOSTILE_REPORT } from '../samples/hostile-report.ts';
import { exchange, failureWith, report } from '../samples/sample-reports.ts';

const exchanges = Array.from({ length: 9 }, (_, index) => exchange(`x${index + 1}`));
const evidence = exchanges.map(({ id }) => id);
const FAILING = report(
  { 'list-pets.limit': failureWith({ expected: 'at most 5 animals', received: '7 animals', evidence }) },
  { exchanges },
);
const writeFirst = (judged: Report) => writeBugReport(judged, findFailures(judged)[0]!);

test('it has what was judged, the promise, both values, the request, its answer and the commands', () => {
  const text = writeFirst(FAILING);
  for (const part of [
    '# A list has more animals than its limit',
    '- service: `https://staging.example:8080/v1`',
    '- seen: `2026-11-20 10:00 UTC, run r1, interface 1.0.0',
    '(must, section Limits)',
    '- expected: `at most 5 animals`',
    '- received: `7 animals`',
    '- request: `GET /pets?status=sold&limit=5`',
    '- trace: `4bf92f3577b34da6a3ce929d0e0e4736`',
    '200 OK after 12 ms\nContent-Type: application/json\n\n[]',
    'curl -i',
    '$API_KEY',
    '--only list-pets.limit',
  ])
    expect(text).toContain(part);
});

test('of a long list it shows the animal that is wrong', () => {
  const rows = Array.from({ length: 90 }, (_, id) => ({ id, name: id === 70 ? 7 : 'a name of an animal' }));
  const wrong = exchange('x1', {});
  const failing = report(
    { 'representation.pet-name': failureWith({ evidence: ['x1'], received: '7', pointer: '/70/name' }) },
    { exchanges: [{ ...wrong, response: { ...wrong.response!, body: JSON.stringify(rows) } }] },
  );
  const text = writeFirst(failing);
  expect(text).toContain('{"id":70,"name":7}');
  expect(text).toContain('lines left out');
});

test('texts of a target end no block and begin no markup', () => {
  for (const cause of findFailures(HOSTILE_REPORT)) {
    const text = writeBugReport(HOSTILE_REPORT, cause);
    // Without its blocks and spans of code, the report has nothing of the target that Markdown takes for markup
    const prose = text.replaceAll(/^(`{3,})\w*\n[^]*?\n\1$/gm, '').replaceAll(/(`+)[^`].*?\1/g, '');
    expect(prose).not.toMatch(/(?<!\\)<script|(?<!\\)\]\(|@everyone|^::/m);
  }
});

test('the card has it, and five of the exchanges that are like the first', () => {
  const page = renderConformancePage(FAILING);
  const [, sentence] =
    /section <cite>Limits<\/cite>, <a href="#(sentence-limits-\d+)">sentence/.exec(page) ?? [];
  expect(page).toContain(`<li id="${sentence}">`);
  expect(page).toContain('<summary>As a bug report</summary>');
  expect(page).toContain('<summary>8 more like this</summary>');
  expect(page.match(/<figcaption>Exchange \d/g)).toHaveLength(6);
  expect(page).toContain('3 more exchanges in report.json: 7, 8, 9');
});
