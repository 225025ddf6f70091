/** Two reports are compared: what is better or worse, what a pinned profile (PROFILE_LOCK) finds changed, and the exit code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { renderComparison, compare, type Comparison } from '../../../reports/shown/comparison/comparison.ts';
import { applyProfileLock, findProfileChanges } from '../../../reports/shown/comparison/profile-lock.ts';
import { makeProfileLock, readProfileLock } from '../../../reports/shown/comparison/profile-lock.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { makeFolder, shellIn } from '../samples/command.ts';
import { blockedBy, CONFORMING, failureWith, report } from '../samples/sample-reports.ts';
import { HOSTILE_TEXT } from '../samples/hostile-report.ts';

const FAILS = report({ 'list-pets.limit': { verdict: 'fail' } });

test.describe('profile lock and comparison', () => {
  /** Answers that a later run observed, by the question. */
  const answers: Record<string, string> = {
    'list-pets.limit-zero': HOSTILE_TEXT,
    'errors.codes': 'INVALID, GONE',
  };
  /** A later run: one promise is broken, and two open questions have other answers. */
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
    expect(changes).toMatchObject([
      { id: 'list-pets.limit-zero', before: 'ignores', after: HOSTILE_TEXT },
      { id: 'errors.codes', before: 'INVALID, NOT_FOUND', after: 'INVALID, GONE' },
    ]);
    expect(applyProfileLock(CONFORMING, changes, { enforce: true }).exitCode).toBe(1);
    const unenforced = applyProfileLock(CONFORMING, changes, { enforce: false });
    expect(unenforced.exitCode).toBe(0);
    expect(unenforced.reason).toContain('profile has changed');
    expect(readProfileLock('{"a":1}')).toEqual({ mistakes: ['/a must be a text'] });
  });
  test('a question that a run did not ask is no change', () => {
    const unasked = CONFORMING.observations.map((each) => ({ ...each, observed: 'not-observed' }));
    for (const partial of [
      report({}, { observations: [], run: { only: ['list-pets'] } }),
      report({}, { observations: unasked }),
    ])
      expect(findProfileChanges(makeProfileLock(CONFORMING), partial)).toEqual([]);
  });
  test('changes, added and removed requirements are named', () => {
    const fewer = { ...changed, requirements: changed.requirements.filter(({ id }) => id !== 'errors.json') };
    const comparison = compare(CONFORMING, fewer);
    expect(comparison.verdicts).toMatchObject([
      { id: 'list-pets.limit', before: 'pass', after: 'fail' },
      { id: 'errors.json', before: 'pass', after: null },
    ]);
    expect(comparison.profile.map(({ id }) => id)).toEqual(['list-pets.limit-zero', 'errors.codes']);
    expect(renderComparison(comparison, 'text')).toContain('list-pets.limit pass → fail');
    expect(renderComparison(comparison, 'text')).not.toMatch(/^\s*::|##\[|##vso/m);
    expect(renderComparison(comparison, 'markdown')).toContain('## Fails now');
  });

  test('a change is equal, better, worse, or different if it cannot be ranked', () => {
    const undecided = report({ 'list-pets.limit': { verdict: 'inconclusive' } });
    const warns = report({ 'list-pets.limit': { verdict: 'warn' } });
    const rows: [Report, Report, Comparison['change']][] = [
      [CONFORMING, CONFORMING, 'equal'],
      [FAILS, CONFORMING, 'better'],
      [CONFORMING, FAILS, 'worse'],
      [CONFORMING, warns, 'worse'],
      [undecided, CONFORMING, 'better'],
      [CONFORMING, undecided, 'worse'],
      [undecided, FAILS, 'worse'],
      // Nobody knows if the failure was mended
      [FAILS, undecided, 'different'],
      [CONFORMING, { ...CONFORMING, observations: changed.observations }, 'different'],
      // A promise that failed, and was then left out or asked only in part, is not better
      [
        report({ 'list-pets.limit': { verdict: 'fail' }, 'errors.json': { verdict: 'fail' } }),
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
      expect(renderComparison(comparison, 'text')).toContain(word);
      expect(renderComparison(comparison, 'text')).not.toMatch(/nothing is better[^]*Better than before/);
    }
  });

  test('reports of versions that may judge differently say so, and only these', () => {
    const compareVersions = (...versions: string[]) => {
      const [before, after] = versions.map((version) => ({
        ...CONFORMING,
        suite: { ...CONFORMING.suite, version },
      }));
      const comparison = compare(before!, after!);
      for (const text of [renderComparison(comparison, 'text'), renderComparison(comparison, 'markdown')])
        expect(text.includes('promises may be new or stricter')).toBe(comparison.note !== null);
      return comparison.note;
    };
    for (const pair of ['0.1.0, 0.2.0', '0.9.0, 1.0.0', '1.4.2, 2.0.0'])
      expect(compareVersions(...pair.split(', '))).toContain(pair);
    for (const pair of ['0.1.0, 0.1.9', '1.4.2, 1.5.0', '2.0.0, 2.0.0'])
      expect(compareVersions(...pair.split(', '))).toBeNull();
  });
});

/** A folder with each report as `<name>.json`. */
function folderWith(reports: Record<string, Report>): string {
  const folder = makeFolder();
  for (const [name, content] of Object.entries(reports))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  return folder;
}

test('the exit code is 1 for worse, and with --lock for different too', async () => {
  // It has one answer less: that is different.
  const answered = { ...CONFORMING, observations: CONFORMING.observations.slice(1) };
  const folder = folderWith({ good: CONFORMING, fails: FAILS, answered });
  for (const [words, exitCode] of Object.entries({
    'good.json good.json --lock': 0,
    'fails.json good.json': 0,
    'fails.json good.json --lock': 0,
    'good.json fails.json': 1,
    'good.json answered.json': 0,
    'good.json answered.json --lock': 1,
    'fails.json good.json good.json': 2,
    'fails.json --baseline good.json': 1,
  }))
    await shellIn(folder)(`compare ${words}`, exitCode);
});

test('a run is compared with a baseline; a folder is its report', async () => {
  const later = report(
    {
      'list-pets.status': failureWith(),
      'list-pets.status-missing': blockedBy('list-pets.status'),
      'create-pet.answers-201': failureWith(),
    },
    { run: { startedAt: '2026-11-22T10:00:00.000Z' } },
  );
  const folder = folderWith({ release: CONFORMING, report: later });
  const shell = shellIn(folder);
  await shell(
    'compare --baseline release.json .',
    1,
    /Fails now[^]*create-pet\.answers-201[^]*list-pets\.status pass[^]*Undecided because of what fails[^]*1: list-pets\.status-missing/,
  );
  const oneReport = 'There is only one report. Name two, or one and --baseline FILE.\n';
  await shell('compare release.json', 2, oneReport);
});
