/** A target says that it gets too many requests, with 429 or 503: the run waits, sends less at a time, and reports that. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Header } from '../../../fixtures/exchange/exchange.ts';
import { computeWait } from '../../../fixtures/exchange/retry-after.ts';
import { findFault, findFreedom } from '../samples/named-variants.ts';
import { answerInstead, combineVaries, replaceStep } from '../../../fixtures/implementations/operators.ts';
import { idsWith } from '../samples/command.ts';
import { runOnReference } from '../samples/varied-reference.ts';
import { answerWith } from '../samples/sample-exchanges.ts';
import { simulatedTest as test } from '../samples/simulated.ts';

const tooMany = (...headers: Header[]) => answerWith({ status: 429, headers });
const NOW = Date.UTC(2026, 10, 25, 12);
const FIRST_ATTEMPT = 1;
/** Returns the date that is this time after NOW, e.g. `Wed, 25 Nov 2026 12:00:05 GMT` for 5. */
const after = (seconds: number) => new Date(NOW + seconds * 1_000).toUTCString();

for (const ahead of [0, 90, -90]) {
  test(`a date in Retry-After is counted by the clock of the target, ${ahead} s ahead of ours`, () => {
    const answer = tooMany(['Date', after(ahead)], ['Retry-After', after(ahead + 5)]);
    expect(computeWait(answer, FIRST_ATTEMPT, NOW)).toBe(5_000);
  });
}

test('a date in Retry-After is counted by our clock if the answer has no date', () => {
  expect(computeWait(tooMany(['Retry-After', after(5)]), FIRST_ATTEMPT, NOW)).toBe(5_000);
});

test('if the third request at a time is put off, the run soon sends only two at a time @simulated', async () => {
  const { vary } = findFreedom('http.429-above-two-at-once');
  const { report } = await runOnReference(vary, ['--only', 'list-pets.limit']);
  expect(report?.run.stopped).toBeNull();
  expect(report?.run.putOff?.answers).toBeGreaterThan(0);
  expect(report?.run.putOff?.answers).toBeLessThan(20);
});

test('a limiter that answers 503 without Retry-After breaks no promise, and the run names MAX_RPS @long @simulated', async () => {
  const { vary } = findFreedom('http.503-above-twenty-a-second');
  const { out, report } = await runOnReference(vary, ['--only', 'get-pet.not-found']);
  expect(idsWith(report, 'fail', 'warn', 'inconclusive')).toEqual([]);
  expect(report?.run.putOff?.limited).toBeGreaterThan(0);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(/got 503 without Retry-After.+MAX_RPS=\d+/);
});

test('a report counts five seconds of 503 as out of service, a lost connection as one request sent again, and no wait twice @simulated', async () => {
  // From request 20 on the service answers 503 for five seconds. The first GET after request 60 loses its connection.
  const away = replaceStep('answer', (usual, service) => {
    let [awayUntil, hasLost] = [Infinity, false];
    return async (call) => {
      const mustLose = !hasLost && call.count > 60 && call.method === 'GET';
      hasLost ||= mustLose;
      if (mustLose) call.incoming.socket.destroy();
      if (call.count === 20) awayUntil = Date.now() + 5_000;
      const isAway = call.count >= 20 && Date.now() < awayUntil;
      return isAway ? service.error(503, 'away', 'back soon', call) : usual(call);
    };
  });
  const { out, report } = await runOnReference(away, ['--only', 'get-pet']);
  expect(idsWith(report, 'fail')).toEqual([]);
  expect(report?.run.putOff).toMatchObject({ resent: 1, limited: 0, mostRps: null });
  expect(report?.run.putOff?.waitedMs).toBeLessThan(report?.run.durationMs ?? 0);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /1 connection ended without an answer, and what was asked was asked again; .+; out of service for 5\.\d s: 503 each time/,
  );
});

test('a handler that crashes at one kind of body is named behind a limiter with 503 too @long @simulated', async () => {
  const limited = findFreedom('http.503-above-twenty-a-second');
  const crashes = findFault('create-pet.status-values-answers-503');
  const only = ['--only', 'create-pet.status-values'];
  const { report } = await runOnReference(combineVaries(crashes.vary, limited.vary), only);
  expect(idsWith(report, 'fail')).toEqual(['create-pet.status-values']);
});

test('an operation that is 503 to everybody is out of service: undecided @simulated', async () => {
  const outOfService = answerInstead(
    'createPet',
    () => true,
    (call, service) => service.error(503, 'out-of-service', 'nothing is added today', call),
  );
  const { exitCode, report } = await runOnReference(outOfService, ['--only', 'create-pet.name-type']);
  expect(idsWith(report, 'fail')).toEqual([]);
  expect(exitCode).toBe(3);
});

test('a connection that ends at every malformed body breaks the promise of 400, and curl shows it', async () => {
  const closing = replaceStep('createPet', (usual) => async (call) => {
    try {
      // A request without a body is served as usual: a refusal of it would break another promise.
      JSON.parse(Buffer.from(call.bytes).toString() || '{}');
    } catch {
      call.incoming.socket.resetAndDestroy();
    }
    return usual(call);
  });
  const only = ['--only', 'create-pet.body-malformed'];
  const { exitCode, folder, out, report } = await runOnReference(closing, only);
  expect(idsWith(report, 'fail')).toEqual(['create-pet.body-malformed']);
  expect(exitCode).toBe(1);
  expect(out).toContain('three times of three');
  expect(readFileSync(join(folder, 'out', 'partial', 'summary.md'), 'utf8')).toContain('curl ');
});
