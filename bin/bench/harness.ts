/** Measures the CPU of one exchange in the harness: transport, judging, evidence and redaction, without tests. */
import { Engine } from '../../fixtures/session/engine.ts';
import { drawMark } from '../../fixtures/store/run-mark.ts';
import { SETTINGS } from '../../fixtures/implementations/judge-variant.ts';
import { openWire } from '../../fixtures/transport/transport.ts';
import { replayRequests, type Plain } from './raw-client.ts';
import type { BenchTarget } from './bench-target.ts';

const TOGETHER = 8;

/**
 * Returns the CPU of one exchange of the engine, and of a raw client, in milliseconds.
 * @param count exchanges of each
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
  const ours = async (asks: number) => {
    const before = process.cpuUsage();
    let sent = 0;
    const lane = async () => {
      for (let index = sent++; index < asks; index = sent++) {
        const path = paths[index % paths.length] ?? '/pets';
        await engine.send({
          operation: path.startsWith('/pets/') ? 'getPet' : 'listPets',
          method: 'GET',
          path,
          credential: 'key',
        });
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, lane));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / asks;
  };
  // Both run once before they are measured, so that their code is compiled.
  await ours(count);
  await replayRequests(plain, target, TOGETHER);
  const measured = await ours(count);
  const { cpu } = await replayRequests(plain, target, TOGETHER);
  wire.close();
  return { ours: measured, raw: (cpu * 1_000) / count };
}
