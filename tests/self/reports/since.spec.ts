/** A run in a folder with an earlier report says what became of its failures. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readEarlierRuns } from '../../../bin/command-line/output/earlier-runs.ts';
import { findBrokenSince, compareWithLast } from '../../../reports/document/since.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import type { EarlierRun, RequirementResult } from '../../../reports/document/report-document.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderSummary, renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { CONFORMING, report } from '../samples/sample-reports.ts';

const FAILS: Partial<RequirementResult> = { verdict: 'fail', expected: 'this', received: 'that' };
const at = (day: number, broken?: string[]): EarlierRun => ({
  startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  verdict: 'nonconforming',
  ...(broken && { broken }),
});
const after = (earlier: EarlierRun[], ...failing: string[]) =>
  report(Object.fromEntries(failing.map((id) => [id, FAILS])), { run: { earlier } });

test('what is mended, new and left is said first: in the terminal, the summary and the page', () => {
  const told = after(
    [at(10, ['list-pets.limit', 'list-pets.empty', 'get-pet.same-id'])],
    'list-pets.empty',
    'create-pet.name',
  );
  const line =
    'Since the run of 2026-11-10 10:00 UTC: mended 2 (list-pets.limit, get-pet.same-id); new 1 (create-pet.name); still failing 1';
  const words = (text: string) => text.replaceAll(/\\|<!-- -->/g, '').replaceAll(/\s+/g, ' ');
  const terminal = words(renderTerminal(told, { colour: false, width: 400 }));
  const [page, job] = [words(renderConformancePage(told)), words(renderSummary(told))];
  for (const text of [terminal, page, job]) {
    expect(text).toContain(line);
    expect(text.indexOf(line)).toBeLessThan(text.indexOf(told.reason));
  }
  expect(reportMistakes(told)).toEqual([]);
});

test('what is not decided, or in part, is not mended; a run that did not ask all is nothing to compare with', () => {
  const before = [at(10, ['list-pets.limit', 'list-pets.empty'])];
  const told = report(
    {
      'list-pets.limit': { verdict: 'inconclusive', reason: 'no answer' },
      'list-pets.empty': { partial: { reason: 'one case', needs: null } },
    },
    { run: { earlier: before } },
  );
  expect(compareWithLast(told)).toMatchObject({ mended: [], added: [], left: [] });
  expect(compareWithLast(told)?.open).toHaveLength(2);
  expect(compareWithLast(after([at(10)], 'list-pets.limit'))).toBeNull();
  expect(compareWithLast(after([], 'list-pets.limit'))).toBeNull();
  expect(compareWithLast(after([at(10, [])]))).toBeNull();
  const folder = mkdtempSync(join(tmpdir(), 'conformance-since-'));
  const write = (complete: boolean) =>
    writeFileSync(
      join(folder, 'report.json'),
      JSON.stringify(report({ 'list-pets.limit': FAILS }, { run: { complete } })),
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

test('since when a promise is broken is on its card', () => {
  const id = 'list-pets.limit';
  const told = after([at(7, [id]), at(8, []), at(9, [id]), at(10, [id])], id);
  expect(findBrokenSince(told, { id })).toMatchObject({ first: at(9, [id]), runs: 3 });
  expect(findBrokenSince(after([at(9)], id), { id })).toBeNull();
  expect(renderTerminal(told, { colour: false, width: 200 })).toContain(
    'broken since 2026-11-09 10:00 UTC, 3 runs',
  );
  expect(renderConformancePage(told)).toContain('Broken since 2026-11-09 10:00 UTC, 3 runs');
});
