/** A run in a folder with an earlier report of its target says what became of the failures since. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { readEarlierRuns } from '../../../bin/command-line/output/earlier-runs.ts';
import type { EarlierRun } from '../../../reports/document/report-document.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderSummary } from '../../../reports/shown/text/run-text.ts';
import { compareWithLast, writeBrokenSince } from '../../../reports/shown/words/since-words.ts';
import { makeFolder } from '../samples/command.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { CONFORMING, failureWith, report } from '../samples/sample-reports.ts';

/** The run of a day in November. `broken`: the ids of its failures; absent: it did not ask all. */
const runOfDay = (day: number, broken?: string[]): EarlierRun => ({
  startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  verdict: 'nonconforming',
  ...(broken && { broken }),
});
/** The report of a run after these, with these failures. */
const reportAfter = (earlier: EarlierRun[], ...failing: string[]) =>
  report(Object.fromEntries(failing.map((id) => [id, failureWith()])), { run: { earlier } });

test('mended, new and remaining failures come first: in the terminal, the summary and the page', () => {
  const judged = reportAfter(
    [runOfDay(10, ['list-pets.limit', 'list-pets.empty', 'get-pet.same-id'])],
    'list-pets.empty',
    'create-pet.name',
  );
  const line =
    'Since the run of 2026-11-10 10:00 UTC: mended 2 (list-pets.limit, get-pet.same-id); new 1 (create-pet.name); still broken 1';
  const plainText = (text: string) => text.replaceAll(/\\|<!-- -->/g, '').replaceAll(/\s+/g, ' ');
  const terminal = plainText(renderPlain(judged));
  const [page, job] = [plainText(renderConformancePage(judged)), plainText(renderSummary(judged))];
  for (const text of [terminal, page, job]) {
    expect(text).toContain(line);
    // The page has the reason in its cards, which begin at `id="failures"`.
    expect(text.indexOf(line)).toBeLessThan(text.indexOf(text === page ? 'id="failures"' : judged.reason));
  }
  expect(checkReport(judged)).toEqual([]);
});

test('an undecided promise, or one decided in part, is not mended; a stopped run is not compared', () => {
  const before = [runOfDay(10, ['list-pets.limit', 'list-pets.empty'])];
  const judged = report(
    {
      'list-pets.limit': { verdict: 'inconclusive', reason: 'no answer' },
      'list-pets.empty': { partial: { reason: 'one case', needs: null } },
    },
    { run: { earlier: before } },
  );
  expect(compareWithLast(judged)).toMatchObject({ mended: [], newlyFailing: [], stillFailing: [] });
  expect(compareWithLast(judged)?.undecided).toHaveLength(2);
  expect(compareWithLast(reportAfter([runOfDay(10)], 'list-pets.limit'))).toBeNull();
  expect(compareWithLast(reportAfter([], 'list-pets.limit'))).toBeNull();
  expect(compareWithLast(reportAfter([runOfDay(10, [])]))).toBeNull();
  const folder = makeFolder();
  const write = (complete: boolean) =>
    writeFileSync(
      join(folder, 'report.json'),
      JSON.stringify(report({ 'list-pets.limit': failureWith() }, { run: { complete } })),
    );
  write(true);
  expect(readEarlierRuns(folder, CONFORMING.target)[0]?.broken).toEqual(['list-pets.limit']);
  // A quick run that found nothing is an earlier run too.
  const quick = { ...report({}), verdict: 'no-failure-found' };
  writeFileSync(join(folder, 'report.json'), JSON.stringify(quick));
  expect(readEarlierRuns(folder, CONFORMING.target)).toMatchObject([{ broken: [] }]);
  write(false);
  expect(readEarlierRuns(folder, CONFORMING.target)[0]).not.toHaveProperty('broken');
});

test('a card says since when its promise is broken', () => {
  const id = 'list-pets.limit';
  const judged = reportAfter([runOfDay(7, [id]), runOfDay(8, []), runOfDay(9, [id]), runOfDay(10, [id])], id);
  expect(writeBrokenSince(judged, { id })).toBe('broken since 2026-11-09 10:00 UTC, 3 runs');
  expect(writeBrokenSince(reportAfter([runOfDay(9)], id), { id })).toBeNull();
  expect(renderPlain(judged)).toContain('broken since 2026-11-09 10:00 UTC, 3 runs');
  expect(renderConformancePage(judged)).toContain('Broken since 2026-11-09 10:00 UTC, 3 runs');
});

test('a report knows the last verdicts on its target', () => {
  const folder = makeFolder();
  const { target } = CONFORMING;
  const runAlternating = (day: number) => ({
    ...runOfDay(day),
    verdict: day % 2 === 0 ? ('conforming' as const) : ('nonconforming' as const),
  });
  const days = Array.from({ length: 9 }, (_, index) => runAlternating(index + 1));
  expect(readEarlierRuns(folder, target)).toEqual([]);
  const before = report({}, { run: { startedAt: runAlternating(10).startedAt, earlier: days } });
  writeFileSync(join(folder, 'report.json'), JSON.stringify(before));
  const earlier = [...days.slice(1), { ...runAlternating(10), broken: [] }];
  expect(readEarlierRuns(folder, target)).toEqual(earlier);
  expect(readEarlierRuns(folder, { ...target, baseUrl: 'https://other.example/v1' })).toEqual([]);
});

test('the report.json of an earlier run may be anything: then there is no history, and the run goes on', () => {
  const { target } = CONFORMING;
  const odd = [null, 7, 'x', [], {}, [null], [{}], [{ startedAt: 7, verdict: 'conforming' }], { length: 3 }];
  const folder = makeFolder();
  const path = join(folder, 'report.json');
  for (const each of odd) {
    const withHistory = JSON.stringify(report({}, { run: { earlier: [] } })).replace(
      '"earlier":[]',
      `"earlier":${JSON.stringify(each)}`,
    );
    writeFileSync(path, withHistory);
    expect(readEarlierRuns(folder, target)).toHaveLength(isDeepStrictEqual(each, []) ? 1 : 0);
    writeFileSync(path, JSON.stringify(each));
    expect(readEarlierRuns(folder, target)).toEqual([]);
    writeFileSync(path, JSON.stringify({ target, run: each, verdict: each }));
    expect(readEarlierRuns(folder, target)).toEqual([]);
  }
  rmSync(path);
  mkdirSync(path);
  expect(readEarlierRuns(folder, target)).toEqual([]);
  rmSync(path, { recursive: true });
  execFileSync('mkfifo', [path]); // a pipe: somebody who reads it waits for ever
  expect(readEarlierRuns(folder, target)).toEqual([]);
});
