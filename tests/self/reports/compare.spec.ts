import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { readEarlierRuns } from '../../../bin/command-line/output/earlier-runs.ts';
import { renderComparison } from '../../../reports/shown/comparison/comparison.ts';
import { applyProfileLock, findProfileChanges } from '../../../reports/shown/comparison/profile-lock.ts';
import { makeProfileLock, readProfileLock } from '../../../reports/shown/comparison/profile-lock.ts';
import { compare, type Comparison } from '../../../reports/shown/comparison/comparison.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { assemble } from '../../../reports/document/assemble.ts';
import { computeTiming } from '../../../reports/document/latency.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { makeTimeline } from '../../../reports/document/timeline.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { makeFolder, shellIn } from '../samples/command.ts';
import { CONFORMING, HOSTILE_TEXT, exchange, exchangeWith, report } from '../samples/sample-reports.ts';

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
    expect(changes).toMatchObject([
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
    expect(comparison.verdicts).toMatchObject([
      { id: 'list-pets.limit', before: 'pass', after: 'fail' },
      { id: 'errors.json', before: 'pass', after: null },
    ]);
    expect(comparison.profile.map(({ id }) => id)).toEqual(['list-pets.limit-zero', 'errors.codes']);
    expect(renderComparison(comparison, 'text')).toContain('list-pets.limit pass → fail');
    expect(renderComparison(comparison, 'text')).not.toMatch(/^\s*::|##\[|##vso/m);
    expect(renderComparison(comparison, 'markdown')).toContain('## Fails now');
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
    const noteOf = (...versions: string[]) => {
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
    'fails.json --baseline good.json': 1,
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

// Charts: squares, bars and lines, with the same in words.

const asked = (index: number, begun: number, status: number | null): Exchange =>
  exchangeWith(status === null ? null : { status }, {
    id: `x${index}`,
    startedAt: begun,
    begun,
    durationMs: 5,
  });

test('a square for each promise in the order of the document leads to it; shape and words say the verdict too', () => {
  const told = report({ 'list-pets.limit': { verdict: 'fail', expected: 'a', received: 'b' } });
  const page = renderConformancePage(told);
  const [strip = ''] = /<ol class="strip"[^]*?<\/ol>/.exec(page) ?? [];
  expect(strip.match(/<li>/g)).toHaveLength(told.requirements.length);
  expect(strip).toContain(
    '<a class="fail" href="#req-list-pets.limit" title="list-pets.limit: fail"><span aria-hidden="true">✗</span>',
  );
  for (const [, id] of strip.matchAll(/href="#([^"]+)"/g)) expect(page, id).toContain(`id="${id}"`);
  // the keyboard passes what was kept
  expect(strip.match(/<a (?![^>]*tabindex)/g)).toHaveLength(1);
});

test('the timeline marks where nothing was sent for a second or longer', () => {
  const drawn = (exchanges: Exchange[]) => {
    const timeline = makeTimeline(exchanges, new Set());
    return renderConformancePage({ ...CONFORMING, ...(timeline && { timeline }) });
  };
  const waiting = drawn([asked(1, 1_000, 200), asked(2, 4_000, 200)]);
  expect(waiting.match(/class="wait"/g)).toHaveLength(1);
  expect(waiting).toMatch(/nothing sent for [23]\.\d s/);
  expect(waiting).toContain('Grey: the run sent nothing');
  const busy = drawn([asked(1, 1_000, 200), asked(2, 1_900, 200)]);
  expect(busy).not.toContain('class="wait"');
});

test('requests are counted in steps of equal length; failures, refusals and missing answers by themselves', () => {
  const exchanges = [asked(1, 1_000, 200), asked(2, 1_000, 429), asked(3, 9_000, null), asked(4, 9_010, 200)];
  const timeline = makeTimeline(exchanges, new Set(['x4']));
  const { requests = [], failures = [] } = timeline?.operations.listPets ?? {};
  const filled = (counts: number[] = []) => counts.filter((count) => count > 0);
  expect([filled(requests), filled(failures), filled(timeline?.refused)]).toEqual([[2, 2], [1], [1, 1]]);
  expect(requests[0]).toBe(2);
  expect(requests.length).toBeLessThanOrEqual(80);
  expect(makeTimeline([], new Set())).toBeNull();
  const told = { ...CONFORMING, ...(timeline && { timeline }) };
  expect(reportMistakes(told)).toEqual([]);
  const page = renderConformancePage(told);
  expect(page).toContain('listPets 4, 1 of them in failures; put off or not answered 2;');
  // The cross of the failure has its middle in the last step with a request.
  const [, left] = /class="marks" d="M([\d.]+)/.exec(page) ?? [];
  expect(Math.floor(((Number(left) + 3) * requests.length) / 800)).toBe(
    requests.findLastIndex((count) => count > 0),
  );
});

test('the timeline marks failures, and no warning', () => {
  const find = (requirement: 'list-pets.limit' | 'authentication.challenge', ...evidence: string[]) => ({
    ...{ requirement, verdict: 'fail' as const, reason: null, evidence, replay: null },
    flaw: { requirement, expected: 'a', received: 'b', pointer: null, evidence },
    test: { title: 'asks', file: 'tests/a.spec.ts', line: 1 },
  });
  const { timeline } = assemble({
    ...{ ...CONFORMING, only: [], sightings: [], timings: {} },
    findings: [find('authentication.challenge', 'x1'), find('list-pets.limit', 'x2')],
    redact: (text) => text,
    evidence: () => [],
    all: () => [asked(1, 1_000, 401), asked(2, 1_050, 200)],
  });
  const { failures = [] } = timeline?.operations.listPets ?? {};
  expect(failures.flatMap((count, at) => (count > 0 ? [at] : []))).toEqual([50]);
});

test('durations have two percentiles, and older reports stay readable', () => {
  expect(computeTiming([...Array.from({ length: 98 }, () => 3), 70, 9_000])).toEqual({
    count: 100,
    p50: 3,
    p95: 3,
  });
  const requirements = CONFORMING.requirements.map((each) => ({
    ...each,
    tests: each.tests.map((test) => ({ ...test, line: 12 })),
  }));
  const older = {
    schemaVersion: 5,
    requirements,
    timings: { listPets: { count: 1, p50: 3, p95: 3, p99: 3, histogram: [0, 0, 1] } },
    coverage: { listPets: {} },
    coverageMap: { listPets: [] },
  };
  expect(reportMistakes({ ...CONFORMING, ...older, run: { ...CONFORMING.run, shards: [{}] } })).toEqual([]);
});

test('what limits passes is said once, with all promises that it limits; a pass says how many exchanges show it', () => {
  const reason = 'some cases do not apply here: lists show no animals of others';
  const of = { evidence: ['x1'] };
  const told = report(
    {
      'get-pet.same-id': { reason, ...of },
      'get-pet.finds-listed': { reason },
      'list-pets.limit': { partial: { reason: '3 cases left out', needs: 60 }, asked: 103, ...of },
    },
    { exchanges: [exchange('x1')] },
  );
  const page = renderConformancePage(told);
  expect(page).toContain('3 cases left out; MAX_ANIMALS=60 would judge it in full');
  expect(page).toContain('103 exchanges show it kept, 1 of them in report.json; the smallest');
  expect(page).toContain('The exchange that shows it kept');
  const [fold = ''] = /<summary>3 passes in part, or with a remark[^]*?<\/details>/.exec(page) ?? [];
  expect(fold.match(/<li>/g)).toHaveLength(2);
  expect(fold).toContain('href="#req-get-pet.finds-listed"');
  // the row has a word in sight, and the sentence behind it
  expect(page).toMatch(/list-pets\.limit<\/code> <span class="level">in part<\/span><\/span><\/summary>/);
  expect(reportMistakes(told)).toEqual([]);
});
