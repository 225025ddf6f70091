/** Charts: squares, bars and lines, with the same in words. */
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { computeTiming } from '../../../reports/document/latency.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { makeTimeline } from '../../../reports/document/timeline.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderPlainStrip } from '../../../reports/shown/page/strip.ts';
import { renderSummary } from '../../../reports/shown/text/summary.ts';
import { SYMBOLS } from '../../../reports/shown/words/verdict-words.ts';
import { CONFORMING, report } from '../samples/sample-reports.ts';

const asked = (index: number, begun: number, status: number | null): Exchange => ({
  id: `x${index}`,
  startedAt: begun,
  begun,
  durationMs: 5,
  ask: { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' },
  response:
    status === null
      ? null
      : {
          status,
          statusText: '',
          headers: [],
          body: Buffer.from('[]'),
          undecodable: null,
          rawContentLength: null,
        },
  error: null,
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

test('the summary has the same squares as signs', () => {
  const told = report({ 'list-pets.limit': { verdict: 'fail', expected: 'a', received: 'b' } });
  const [, signs = ''] =
    /Every promise in one look<\/summary>\n\n```\n([^]*?)\n```/.exec(renderSummary(told)) ?? [];
  const all = [...signs].filter((sign) => Object.values(SYMBOLS).includes(sign));
  expect(all.filter((sign) => sign === '✗')).toHaveLength(1);
  expect(all.length).toBeGreaterThanOrEqual(told.requirements.length);
});

test('the timeline marks where nothing was sent for a second or longer', () => {
  const drawn = (exchanges: Exchange[]) => {
    const timeline = makeTimeline(exchanges, () => false);
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
  const timeline = makeTimeline(exchanges, (id) => id === 'x4');
  const { requests = [], failures = [] } = timeline?.operations.listPets ?? {};
  const filled = (counts: number[] = []) => counts.filter((count) => count > 0);
  expect([filled(requests), filled(failures), filled(timeline?.refused)]).toEqual([[2, 2], [1], [1, 1]]);
  expect(requests[0]).toBe(2);
  expect(requests.length).toBeLessThanOrEqual(80);
  expect(makeTimeline([], () => false)).toBeNull();
  const told = { ...CONFORMING, ...(timeline && { timeline }) };
  expect(reportMistakes(told)).toEqual([]);
  expect(renderConformancePage(told)).toContain(
    'listPets 4, 1 of them in failures; put off or not answered 2;',
  );
});

test('latency has three percentiles and a bar for each group of answers', () => {
  const timing = computeTiming([...Array.from({ length: 98 }, () => 3), 70, 9_000]);
  expect(timing).toMatchObject({ count: 100, p50: 3, p95: 3, p99: 9_000 });
  expect(timing.histogram).toEqual([0, 0, 98, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  const page = renderConformancePage({ ...CONFORMING, timings: { listPets: timing } });
  expect(page).toContain('98 up to 5 ms, 1 up to 100 ms, 1 longer');
  const requirements = CONFORMING.requirements.map((each) => ({
    ...each,
    tests: each.tests.map((test) => ({ ...test, line: 12 })),
  }));
  const older = { schemaVersion: 5, requirements, coverage: { listPets: {} }, coverageMap: { listPets: [] } };
  expect(reportMistakes({ ...CONFORMING, ...older, run: { ...CONFORMING.run, shards: [{}] } })).toEqual([]);
  // reports before version 5 have no bars
  expect(renderConformancePage(CONFORMING)).not.toContain('up to 5 ms,');
});

test('the last runs make lines of failures, requests and latency', () => {
  const earlier = [
    { startedAt: '2026-11-10T10:00:00.000Z', verdict: 'nonconforming' as const },
    {
      startedAt: '2026-11-11T10:00:00.000Z',
      verdict: 'nonconforming' as const,
      broken: ['list-pets.limit', 'list-pets.empty'],
      requests: 1_500,
      p95: 80,
    },
  ];
  const page = renderConformancePage(report({}, { run: { earlier } }));
  expect(page).toContain('Since 2026-11-11 10:00 UTC');
  expect(page).toContain('aria-label="failing requirements: 2, 0"');
  expect(page).toContain('aria-label="requests: 1500, 1204"');
  expect(renderConformancePage(CONFORMING)).not.toContain('class="history"');
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
