/** How fast a run asks, where the target says that it asks too much. */
import { expect, test } from '@playwright/test';
import type { Answer, Header } from '../../../fixtures/exchange/exchange.ts';
import { waitFor } from '../../../fixtures/exchange/retry-after.ts';
import { freedoms } from '../../../fixtures/implementations/freedoms/http-pace.ts';
import { against, command } from '../samples/command.ts';

function tooMany(...headers: Header[]): Answer {
  const body = new Uint8Array();
  return { status: 429, statusText: '', headers, body, undecodable: null, rawContentLength: null };
}

const NOW = Date.UTC(2026, 10, 25, 12);
const after = (seconds: number) => new Date(NOW + seconds * 1_000).toUTCString();

for (const ahead of [0, 90, -90]) {
  test(`a date in Retry-After is counted by the clock of the target, ${ahead} s ahead of ours`, () => {
    const answer = tooMany(['Date', after(ahead)], ['Retry-After', after(ahead + 5)]);
    expect(waitFor(answer, 1, NOW)).toBe(5_000);
  });
}

test('a date in Retry-After is counted by our clock if the answer has no date', () => {
  expect(waitFor(tooMany(['Retry-After', after(5)]), 1, NOW)).toBe(5_000);
});

test('where the third request at a time is put off, the run soon sends two', async () => {
  const { vary } = freedoms.find(({ id }) => id === 'http.429-above-two-at-once') ?? never();
  await against(vary, async (target) => {
    const { report } = await command('conformance', ['--only', 'list-pets'], { ...target });
    expect(report?.run.stopped).toBeNull();
    expect(report?.run.putOff?.answers).toBeGreaterThan(0);
    expect(report?.run.putOff?.answers).toBeLessThan(20);
  });
});

function never(): never {
  throw new Error('there is no such freedom');
}
