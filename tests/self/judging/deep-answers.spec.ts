/** Answers that are nested 1,000,000 deep do not stay in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@playwright/test';
import { SETTINGS, serveVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { changeReplies } from '../../../fixtures/implementations/operators.ts';
import { readJson } from '../../../fixtures/exchange/json.ts';
import { Engine } from '../../../fixtures/session/engine.ts';
import { RunEvents } from '../../../fixtures/judgement/store/events.ts';
import { drawMark } from '../../../fixtures/judgement/store/run-mark.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import { exchangeWith } from '../samples/sample-exchanges.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** Measures the megabytes that are in use after a garbage collection. */
function measureMemory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

test('neither an event nor an error of reading keeps the text of an answer that is nested 1,000,000 deep', () => {
  const before = measureMemory();
  const events = new RunEvents();
  const errors: unknown[] = [];
  for (let index = 0; index < 100; index += 1) {
    const status = index % 2 === 0 ? 200 : 404;
    events.learn(
      exchangeWith({ status, body: Buffer.alloc(2_000_000, '[') }, { id: `x${index}`, connection: index }),
    );
    // Each text is a new one, and `slice` writes it out: it takes a megabyte for as long as an error keeps it.
    try {
      readJson(`${index} ${'['.repeat(1_000_000)}`.slice(String(index).length));
    } catch (error) {
      errors.push(error);
    }
  }
  expect(measureMemory() - before).toBeLessThan(30);
  // `events` and `errors` are used again, so that they exist while memory is measured. Each exchange had a connection of its own.
  expect([errors.length, events.findRefusedBefore('x1')]).toEqual([100, undefined]);
});

test('a run keeps only the beginnings of such answers', async () => {
  const key = drawKey();
  const body = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
  const served = await serveVariant({
    key,
    vary: changeReplies(
      () => true,
      () => ({ body }),
    ),
  });
  const wire = openWire({ origin: new URL(served.baseUrl), timeout: 60_000, network: SETTINGS.network });
  const engine = new Engine({ ...SETTINGS, baseUrl: served.baseUrl, key, seed: 1 }, wire, drawMark());
  const exchanges = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((limit) =>
      engine.send({ operation: 'listPets', method: 'GET', path: `/pets?limit=${limit}`, credential: 'key' }),
    ),
  );
  wire.close();
  await served.close();
  const sizes = exchanges.map(({ response }) => response?.body.buffer.byteLength ?? 0);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
  expect(exchanges.map(({ response }) => response?.status)).toEqual(exchanges.map(() => 200));
});
