import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
import { command } from '../samples/command.ts';
import type { RequirementResult } from '../../../reports/document/report-document.ts';
import { CONFORMING, HOSTILE_TEXT, report } from '../samples/sample-reports.ts';

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
  test('a run of one requirement changes nothing that it did not ask', () => {
    const part = report({}, { observations: [], run: { only: ['list-pets'] } });
    expect(findProfileChanges(makeProfileLock(CONFORMING), part)).toEqual([]);
  });
  test('what failed and was not asked again, or in part, is not better for it', () => {
    const before = report({ 'list-pets.limit': { verdict: 'fail' } });
    const after = (result: Partial<RequirementResult>) => report({ 'list-pets.limit': result });
    expect(compare(before, after({ verdict: 'pass' })).change).toBe('better');
    const partial = { reason: '1 case left out', needs: null };
    const unasked = [
      after({ verdict: 'pass', partial }),
      after({ verdict: 'not-applicable', cause: { kind: 'tact' } }),
    ];
    for (const each of unasked) {
      const comparison = compare(before, each);
      expect(comparison.change).toBe('different');
      expect(renderComparisonText(comparison)).not.toContain('Better than before');
    }
  });
  test('what a whole run did not ask, for tact or a budget, is no change', () => {
    const unasked = report(
      {},
      { observations: CONFORMING.observations.map((each) => ({ ...each, observed: 'not-observed' })) },
    );
    expect(findProfileChanges(makeProfileLock(CONFORMING), unasked)).toEqual([]);
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
    const fails = report({ 'list-pets.limit': { verdict: 'fail' } }, { verdict: 'nonconforming' });
    const undecided = report({ 'list-pets.limit': { verdict: 'inconclusive' } }, { verdict: 'inconclusive' });
    const warns = report({ 'list-pets.limit': { verdict: 'warn' } });
    const answered = { ...CONFORMING, observations: changed.observations };
    const rows: [Report, Report, Comparison['change']][] = [
      [CONFORMING, CONFORMING, 'equal'],
      [fails, CONFORMING, 'better'],
      [CONFORMING, fails, 'worse'],
      [CONFORMING, warns, 'worse'],
      [undecided, CONFORMING, 'better'],
      [CONFORMING, undecided, 'worse'],
      [undecided, fails, 'worse'],
      // nobody knows whether it was mended
      [fails, undecided, 'different'],
      [CONFORMING, answered, 'different'],
    ];
    for (const [before, after, change] of rows) {
      const comparison = compare(before, after);
      expect({ of: [before.verdict, after.verdict], change: comparison.change }).toMatchObject({ change });
      const word = change.replace(/^./, (letter) => letter.toUpperCase());
      expect(renderComparisonText(comparison)).toContain(word);
    }
  });

  test('reports of versions that may judge differently say so, and only these', () => {
    const of = (version: string, verdict: 'pass' | 'fail' = 'pass') => ({
      ...report({ 'list-pets.limit': { verdict } }),
      suite: { ...CONFORMING.suite, version },
    });
    for (const [earlier, later] of [
      ['0.1.0', '0.2.0'],
      ['0.9.0', '1.0.0'],
      ['1.4.2', '2.0.0'],
    ] as const) {
      const comparison = compare(of(earlier), of(later, 'fail'));
      expect(comparison.note).toContain(`${earlier}, ${later}`);
      for (const text of [renderComparisonText(comparison), renderComparisonMarkdown(comparison)])
        expect(text).toContain('promises may be new or stricter');
    }
    for (const [earlier, later] of [
      ['0.1.0', '0.1.9'],
      ['1.4.2', '1.5.0'],
      ['2.0.0', '2.0.0'],
    ] as const)
      expect(compare(of(earlier), of(later)).note).toBeNull();
  });
});

test('a report knows the last verdicts on its target', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-earlier-'));
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

test('the exit code is 1 for worse alone, and with --lock for different', { tag: '@long' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-compare-'));
  const fails = report({ 'list-pets.limit': { verdict: 'fail' } }, { verdict: 'nonconforming' });
  const answered = { ...CONFORMING, observations: CONFORMING.observations.slice(1) };
  for (const [name, content] of Object.entries({ good: CONFORMING, fails, answered }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  for (const [words, exitCode] of [
    [['good.json', 'good.json', '--lock'], 0],
    [['fails.json', 'good.json'], 0],
    [['fails.json', 'good.json', '--lock'], 0],
    [['good.json', 'fails.json'], 1],
    [['good.json', 'answered.json'], 0],
    [['good.json', 'answered.json', '--lock'], 1],
    [['fails.json', 'good.json', 'good.json'], 2],
    [['fails.json', 'fails.json', '--baseline', 'good.json'], 1],
  ] as const)
    expect({ words, exitCode: (await command('compare', words, {}, folder)).exitCode }).toEqual({
      words,
      exitCode,
    });
});

test('what is left of an earlier run may be anything: it is no history then, and no run is lost', () => {
  const { target } = CONFORMING;
  const odd = [null, 7, 'x', [], {}, [null], [{}], [{ startedAt: 7, verdict: 'conforming' }], { length: 3 }];
  const folder = mkdtempSync(join(tmpdir(), 'conformance-odd-'));
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
