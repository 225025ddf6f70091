import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { readEarlierRuns } from '../../../bin/command-line/output/earlier-runs.ts';
import {
  renderComparisonMarkdown,
  renderComparisonText,
} from '../../../reports/shown/comparison/comparison-text.ts';
import {
  applyProfileLock,
  findProfileChanges,
  makeProfileLock,
  readProfileLock,
} from '../../../reports/shown/comparison/profile-lock.ts';
import { compare, type Comparison } from '../../../reports/shown/comparison/comparison.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { shellIn, makeFolder } from '../samples/command.ts';
import { CONFORMING, HOSTILE_TEXT, report } from '../samples/sample-reports.ts';

const FAILS = report({ 'list-pets.limit': { verdict: 'fail' } }, { verdict: 'nonconforming' });

test.describe('profile lock and comparison', () => {
  const answers: Record<string, string> = {
    'list-pets.limit-zero': HOSTILE_TEXT,
    'errors.codes': 'INVALID, GONE',
  };
  const changed = report(
    { 'list-pets.limit': { verdict: 'fail' } },
    {
      observations: CONFORMING.observations.map((each) => ({
        ...each,
        observed: answers[each.id] ?? each.observed,
      })),
    },
  );

  test('a lock read back finds no change in its own run, and every change in another', () => {
    const read = readProfileLock(JSON.stringify(makeProfileLock(CONFORMING)));
    if ('mistakes' in read) throw new Error(read.mistakes.join());
    expect(findProfileChanges(read.lock, CONFORMING)).toEqual([]);
    const changes = findProfileChanges(read.lock, changed);
    expect(changes).toEqual([
      { id: 'list-pets.limit-zero', before: 'ignores', after: HOSTILE_TEXT },
      { id: 'errors.codes', before: 'INVALID, NOT_FOUND', after: 'INVALID, GONE' },
    ]);
    expect(applyProfileLock(CONFORMING, changes, { enforce: true }).exitCode).toBe(1);
    const told = applyProfileLock(CONFORMING, changes, { enforce: false });
    expect(told.exitCode).toBe(0);
    expect(told.reason).toContain('profile has changed');
    expect(readProfileLock('{"a":1}')).toEqual({ mistakes: ['/a must be a text'] });
  });
  test('what a run did not ask, or a whole one for tact or a budget, is no change', () => {
    const unasked = CONFORMING.observations.map((each) => ({ ...each, observed: 'not-observed' }));
    for (const told of [
      report({}, { observations: [], run: { only: ['list-pets'] } }),
      report({}, { observations: unasked }),
    ])
      expect(findProfileChanges(makeProfileLock(CONFORMING), told)).toEqual([]);
  });
  test('changes, added and removed requirements are named', () => {
    const fewer = { ...changed, requirements: changed.requirements.filter(({ id }) => id !== 'errors.json') };
    const comparison = compare(CONFORMING, fewer);
    expect(comparison).toMatchObject({ equal: false, codes: { gone: ['NOT_FOUND'], added: ['GONE'] } });
    expect(comparison.verdicts).toMatchObject([
      { id: 'list-pets.limit', before: 'pass', after: 'fail' },
      { id: 'errors.json', before: 'pass', after: null },
    ]);
    expect(comparison.profile.map(({ id }) => id)).toEqual(['list-pets.limit-zero', 'errors.codes']);
    expect(renderComparisonText(comparison)).toContain('list-pets.limit pass → fail');
    expect(renderComparisonText(comparison)).not.toMatch(/^\s*::|##\[|##vso/m);
    expect(renderComparisonMarkdown(comparison)).toContain('## Fails now');
  });

  test('better is not worse, and what cannot be ranked is different', () => {
    const undecided = report({ 'list-pets.limit': { verdict: 'inconclusive' } }, { verdict: 'inconclusive' });
    const warns = report({ 'list-pets.limit': { verdict: 'warn' } });
    const rows: [Report, Report, Comparison['change']][] = [
      [CONFORMING, CONFORMING, 'equal'],
      [FAILS, CONFORMING, 'better'],
      [CONFORMING, FAILS, 'worse'],
      [CONFORMING, warns, 'worse'],
      [undecided, CONFORMING, 'better'],
      [CONFORMING, undecided, 'worse'],
      [undecided, FAILS, 'worse'],
      // nobody knows whether it was mended
      [FAILS, undecided, 'different'],
      [CONFORMING, { ...CONFORMING, observations: changed.observations }, 'different'],
      // what failed and was not asked again, or in part, is not better for it
      [
        FAILS,
        report({ 'list-pets.limit': { partial: { reason: '1 case left out', needs: null } } }),
        'different',
      ],
      [
        FAILS,
        report({ 'list-pets.limit': { verdict: 'not-applicable', cause: { kind: 'tact' } } }),
        'different',
      ],
    ];
    for (const [before, after, change] of rows) {
      const comparison = compare(before, after);
      expect({ of: [before.verdict, after.verdict], change: comparison.change }).toMatchObject({ change });
      const word = change.replace(/^./, (letter) => letter.toUpperCase());
      expect(renderComparisonText(comparison)).toContain(word);
    }
  });

  test('reports of versions that may judge differently say so, and only these', () => {
    const noteOf = (...versions: string[]) => {
      const [before, after] = versions.map((version) => ({
        ...CONFORMING,
        suite: { ...CONFORMING.suite, version },
      }));
      const comparison = compare(before!, after!);
      for (const text of [renderComparisonText(comparison), renderComparisonMarkdown(comparison)])
        expect(text.includes('promises may be new or stricter')).toBe(comparison.note !== null);
      return comparison.note;
    };
    for (const pair of ['0.1.0, 0.2.0', '0.9.0, 1.0.0', '1.4.2, 2.0.0'])
      expect(noteOf(...pair.split(', '))).toContain(pair);
    for (const pair of ['0.1.0, 0.1.9', '1.4.2, 1.5.0', '2.0.0, 2.0.0'])
      expect(noteOf(...pair.split(', '))).toBeNull();
  });
});

test('a report knows the last verdicts on its target', () => {
  const folder = makeFolder();
  const { target } = CONFORMING;
  const at = (day: number) => ({
    startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
    verdict: day % 2 === 0 ? ('conforming' as const) : ('nonconforming' as const),
  });
  const days = Array.from({ length: 9 }, (_, index) => at(index + 1));
  expect(readEarlierRuns(folder, target)).toEqual([]);
  const before = report({}, { run: { startedAt: at(10).startedAt, earlier: days } });
  writeFileSync(join(folder, 'report.json'), JSON.stringify(before));
  const earlier = [...days.slice(1), { ...at(10), broken: [] }];
  expect(readEarlierRuns(folder, target)).toEqual(earlier);
  expect(readEarlierRuns(folder, { ...target, baseUrl: 'https://other.example/v1' })).toEqual([]);
});

test('the exit code is 1 for worse alone, and with --lock for different', async () => {
  const folder = makeFolder();
  const answered = { ...CONFORMING, observations: CONFORMING.observations.slice(1) };
  for (const [name, content] of Object.entries({ good: CONFORMING, fails: FAILS, answered }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  for (const [words, exitCode] of Object.entries({
    'good.json good.json --lock': 0,
    'fails.json good.json': 0,
    'fails.json good.json --lock': 0,
    'good.json fails.json': 1,
    'good.json answered.json': 0,
    'good.json answered.json --lock': 1,
    'fails.json good.json good.json': 2,
    'fails.json fails.json --baseline good.json': 1,
  }))
    await shellIn(folder)(`compare ${words}`, exitCode);
});

test('what is left of an earlier run may be anything: it is no history then, and no run is lost', () => {
  const { target } = CONFORMING;
  const odd = [null, 7, 'x', [], {}, [null], [{}], [{ startedAt: 7, verdict: 'conforming' }], { length: 3 }];
  const folder = makeFolder();
  const path = join(folder, 'report.json');
  for (const each of odd) {
    const whole = JSON.stringify(report({}, { run: { earlier: [] } })).replace(
      '"earlier":[]',
      `"earlier":${JSON.stringify(each)}`,
    );
    writeFileSync(path, whole);
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
  execFileSync('mkfifo', [path]);
  expect(readEarlierRuns(folder, target)).toEqual([]);
});
