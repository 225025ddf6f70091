/** Charts: squares, bars and lines, with the same in words. */
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { assemble } from '../../../reports/document/assemble.ts';
import { computeTiming } from '../../../reports/document/latency.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { makeTimeline } from '../../../reports/document/timeline.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderPlainStrip } from '../../../reports/shown/page/strip.ts';
import { exchangeWith, CONFORMING, report } from '../samples/sample-reports.ts';

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
  expect(strip).toContain('<a class="fail" href="#req-list-pets.limit" title="list-pets.limit: fail"></a>');
  for (const [, id] of strip.matchAll(/href="#([^"]+)"/g)) expect(page, id).toContain(`id="${id}"`);
  // the keyboard passes what was kept
  expect(strip.match(/<a (?![^>]*tabindex)/g)).toHaveLength(1);
  for (const kind of ['pass', 'fail', 'warn', 'inconclusive', 'not-applicable', 'excused'])
    expect(page).toMatch(new RegExp(`\\.strip \\.${kind}::before \\{ content: '`));
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
  expect(renderConformancePage(told)).toContain(
    'listPets 4, 1 of them in failures; put off or not answered 2;',
  );
});

test('the timeline marks failures, and no warning', () => {
  const find = (requirement: 'list-pets.limit' | 'authentication.challenge', ...evidence: string[]) => ({
    ...{ requirement, verdict: 'fail' as const, reason: null, evidence, replay: null },
    flaw: { requirement, expected: 'a', received: 'b', pointer: null, evidence },
    test: { title: 'asks', file: 'tests/a.spec.ts', line: 1 },
  });
  const { timeline } = assemble({
    ...{ ...CONFORMING, only: [], sightings: [], durations: {} },
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
  const told = report({
    'get-pet.same-id': { reason },
    'get-pet.finds-listed': { reason },
    'list-pets.limit': { partial: { reason: '3 cases left out', needs: 60 }, asked: 103 },
  });
  const page = renderConformancePage(told);
  const [fold = ''] = /<summary>3 passes in part, or with a remark[^]*?<\/details>/.exec(page) ?? [];
  expect(fold.match(/<li>/g)).toHaveLength(2);
  expect(fold).toContain('href="#req-get-pet.finds-listed"');
  // the row has a word in sight, and the sentence behind it
  expect(page).toMatch(/list-pets\.limit<\/code> <span class="level">in part<\/span><\/span><\/summary>/);
  expect(reportMistakes(told)).toEqual([]);
});

test('the certificate has squares that lead nowhere, each with its words', () => {
  const { text } = renderPlainStrip([
    ['list-pets.limit', 'pass'],
    ['errors.allow', 'warn'],
  ]);
  expect(text.match(/role="img"/g)).toHaveLength(2);
  expect(text).toContain(
    'class="warn" role="img" title="errors.allow: warning" aria-label="errors.allow: warning"',
  );
  expect(text).not.toContain('href');
});
