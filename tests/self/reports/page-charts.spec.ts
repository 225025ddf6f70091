/** The page shows a run at a glance: a square for each promise, the timeline of requests, durations, passes in part. */
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { assemble } from '../../../reports/document/assemble.ts';
import { computeTiming } from '../../../reports/document/latency.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { makeTimeline } from '../../../reports/document/timeline.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { CONFORMING, exchange, failureWith, report } from '../samples/sample-reports.ts';
import { exchangeWith, findingWith } from '../samples/sample-exchanges.ts';

/** A GET /pets that was sent at this millisecond. `status` null: no answer came. */
const askedAt = (begun: number, id: string, status: number | null): Exchange =>
  exchangeWith(status === null ? null : { status }, { id, startedAt: begun, begun, durationMs: 5 });

test('each promise has a square that leads to it, whose shape and words say the verdict too', () => {
  const judged = report({ 'list-pets.limit': failureWith() });
  const page = renderConformancePage(judged);
  const [strip = ''] = /<ol class="strip"[^]*?<\/ol>/.exec(page) ?? [];
  expect(strip.match(/<li>/g)).toHaveLength(judged.requirements.length);
  expect(strip).toContain(
    '<a class="fail" href="#req-list-pets.limit" title="list-pets.limit: fail"><span aria-hidden="true">✗</span>',
  );
  for (const [, id] of strip.matchAll(/href="#([^"]+)"/g)) expect(page, id).toContain(`id="${id}"`);
  // The Tab key skips the squares of promises that pass
  expect(strip.match(/<a (?![^>]*tabindex)/g)).toHaveLength(1);
});

test('the timeline marks where nothing was sent for a second or longer', () => {
  const draw = (exchanges: Exchange[]) => {
    const timeline = makeTimeline(exchanges, new Set());
    return renderConformancePage({ ...CONFORMING, ...(timeline && { timeline }) });
  };
  const waiting = draw([askedAt(1_000, 'x1', 200), askedAt(4_000, 'x2', 200)]);
  expect(waiting.match(/class="wait"/g)).toHaveLength(1);
  expect(waiting).toMatch(/nothing sent for [23]\.\d s/);
  expect(waiting).toContain('Grey: the run sent nothing');
  const busy = draw([askedAt(1_000, 'x1', 200), askedAt(1_900, 'x2', 200)]);
  expect(busy).not.toContain('class="wait"');
});

test('each step of the timeline counts requests, failures, and answers that refuse or are missing', () => {
  const exchanges = [
    askedAt(1_000, 'x1', 200),
    askedAt(1_000, 'x2', 429),
    askedAt(9_000, 'x3', null),
    askedAt(9_010, 'x4', 200),
  ];
  const timeline = makeTimeline(exchanges, new Set(['x4']));
  // Each number is one step of time. x1 and x2 are in the first step, x3 and x4 together in a later step.
  const { requests = [], failures = [] } = timeline?.operations.listPets ?? {};
  const withoutZeros = (counts: number[] = []) => counts.filter((count) => count > 0);
  expect(withoutZeros(requests)).toEqual([2, 2]);
  expect(withoutZeros(failures)).toEqual([1]);
  expect(withoutZeros(timeline?.refused)).toEqual([1, 1]);
  expect(requests[0]).toBe(2);
  expect(requests.length).toBeLessThanOrEqual(80);
  expect(makeTimeline([], new Set())).toBeNull();
  const judged = { ...CONFORMING, ...(timeline && { timeline }) };
  expect(checkReport(judged)).toEqual([]);
  const page = renderConformancePage(judged);
  expect(page).toContain('listPets 4, 1 of them in failures; put off or not answered 2;');
  // The cross of the failure has its middle in the last step with a request. The cross is 6 wide, and the chart 800.
  const [, left] = /class="marks" d="M([\d.]+)/.exec(page) ?? [];
  expect(Math.floor(((Number(left) + 3) * requests.length) / 800)).toBe(
    requests.findLastIndex((count) => count > 0),
  );
});

test('the timeline marks failures, and no warning', () => {
  const find = (requirement: RequirementId, ...evidence: string[]) =>
    findingWith(requirement, 'fail', {
      flaw: { requirement, expected: 'a', received: 'b', pointer: null, evidence },
      evidence,
    });
  const { timeline } = assemble({
    ...CONFORMING,
    ...{ only: [], sightings: [], timings: {} },
    findings: [find('authentication.challenge', 'x1'), find('list-pets.limit', 'x2')],
    redact: (text) => text,
    evidence: () => [],
    all: () => [askedAt(1_000, 'x1', 401), askedAt(1_050, 'x2', 200)],
  });
  const { failures = [] } = timeline?.operations.listPets ?? {};
  // The requests begin within 51 ms. A step is 1 ms, so the failure 50 ms after the first request is in step 50.
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
  expect(checkReport({ ...CONFORMING, ...older, run: { ...CONFORMING.run, shards: [{}] } })).toEqual([]);
});

test('a remark about several passes is written once, with their promises; a pass says how many exchanges show it', () => {
  const reason = 'some cases do not apply here: lists show no animals of others';
  const shownBy = { evidence: ['x1'] };
  const judged = report(
    {
      'get-pet.same-id': { reason, ...shownBy },
      'get-pet.finds-listed': { reason },
      'list-pets.limit': { partial: { reason: '3 cases left out', needs: 60 }, asked: 103, ...shownBy },
    },
    { exchanges: [exchange('x1')] },
  );
  const page = renderConformancePage(judged);
  expect(page).toContain('3 cases left out; MAX_ANIMALS=60 would judge it in full');
  expect(page).toContain('103 exchanges showed it kept, e.g.');
  expect(page).toContain('1 exchange showed it kept, e.g.');
  const [fold = ''] = /<summary>3 passes in part, or with a remark[^]*?<\/details>/.exec(page) ?? [];
  expect(fold.match(/<li>/g)).toHaveLength(2);
  expect(fold).toContain('href="#req-get-pet.finds-listed"');
  // The row says only `in part`; the sentence shows when the row is opened
  expect(page).toMatch(/list-pets\.limit<\/code> <span class="level">in part<\/span><\/span><\/summary>/);
  expect(checkReport(judged)).toEqual([]);
});
