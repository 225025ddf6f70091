/**
 * Measures the CPU that one exchange costs in the suite without its tests: transport, judging, evidence and redaction.
 * `npm run bench` compares it with a raw client.
 */
import { findOperation } from '../../fixtures/interface/operations.ts';
import { Engine } from '../../fixtures/session/engine.ts';
import { drawMark } from '../../fixtures/judgement/store/run-mark.ts';
import { SETTINGS } from '../../fixtures/implementations/judge-variant.ts';
import { openWire } from '../../fixtures/session/transport/transport.ts';
import { replayRequests, type Plain } from './raw-client.ts';
import type { BenchTarget } from './bench-target.ts';

/** Requests in flight. */
const IN_FLIGHT = 8;

/**
 * Sends the same requests through the suite and through a raw client. Returns the CPU of one exchange, in milliseconds.
 * @param count the number of exchanges of each
 */
export async function measureCpuOfExchanges(
  target: BenchTarget,
  count: number,
): Promise<{ ours: number; raw: number }> {
  const { baseUrl, key } = target;
  const wire = openWire({ origin: new URL(baseUrl), timeout: 10_000, network: SETTINGS.network });
  const engine = new Engine({ ...SETTINGS, baseUrl, key, seed: 1, maxRequests: 1_000_000 }, wire, drawMark());
  engine.keepEvidence(() => undefined);
  const paths = ['/pets', '/pets?limit=20', '/pets/1', '/pets?limit=5&status=sold'];
  const plain = Array.from({ length: count }, (_, index): Plain => ({
    method: 'GET',
    path: `${new URL(baseUrl).pathname}${paths[index % paths.length]}`,
    headers: { Accept: 'application/json', Authorization: `Bearer ${key}` },
    body: '',
  }));
  /** Sends requests through the suite; returns milliseconds of CPU for each. */
  const measureOurs = async (asks: number) => {
    const before = process.cpuUsage();
    let sent = 0;
    const lane = async () => {
      for (let index = sent++; index < asks; index = sent++) {
        const path = paths[index % paths.length] ?? '/pets';
        await engine.send({
          operation: findOperation('GET', path),
          method: 'GET',
          path,
          credential: 'key',
        });
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / asks;
  };
  // Each client runs once before it is measured: then the machine code is compiled.
  await measureOurs(count);
  await replayRequests(plain, target, IN_FLIGHT);
  const measured = await measureOurs(count);
  const { cpu } = await replayRequests(plain, target, IN_FLIGHT);
  wire.close();
  return { ours: measured, raw: (cpu * 1_000) / count };
}
