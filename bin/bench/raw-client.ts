/**
 * A client on `node:http` that keeps connections open, reads the answers and ignores them. `npm run bench` measures with it
 * the least time and CPU for the requests of a run.
 */
import { Agent, request } from 'node:http';
import type { ExchangeRecord } from '../../fixtures/evidence/record.ts';
import type { BenchTarget } from './bench-target.ts';

/** One request as it is sent. */
export interface Plain {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the requests of a run, from the lines of its evidence. The evidence holds no key, so each request with any credential
 * gets the right key.
 */
export function readRequests(evidence: readonly string[], { baseUrl, key }: BenchTarget): Plain[] {
  const basePath = new URL(baseUrl).pathname;
  return evidence.flatMap((line) => {
    const record = JSON.parse(line) as ExchangeRecord | { kind: 'head' | 'judgement' | 'end' };
    if (record.kind !== 'exchange') return [];
    const { method, path, credential, body } = record.ask;
    const text = body !== null && 'text' in body ? body.text : '';
    return [
      {
        method,
        path: basePath + path,
        headers: {
          Accept: 'application/json',
          ...(credential === 'none' ? {} : { Authorization: `Bearer ${key}` }),
          ...(text === ''
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
        },
        body: text,
      },
    ];
  });
}

/**
 * Sends requests, `together` of them in flight.
 * @returns seconds that this took, and seconds of CPU of this process
 */
export async function replayRequests(
  requests: readonly Plain[],
  { baseUrl }: BenchTarget,
  together: number,
): Promise<{ seconds: number; cpu: number }> {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: together });
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const queue = [...requests];
  const send = ({ method, path, headers, body }: Plain) =>
    new Promise<void>((resolve) => {
      const sent = request({ hostname, port, agent, method, path, headers }, (answer) =>
        answer
          .resume()
          .on('end', resolve)
          .on('error', () => resolve()),
      );
      sent.on('error', () => resolve()).end(body);
    });
  const lane = async () => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) await send(each);
  };
  await Promise.all(Array.from({ length: together }, lane));
  const { user, system } = process.cpuUsage(before);
  agent.destroy();
  return { seconds: (performance.now() - begun) / 1_000, cpu: (user + system) / 1e6 };
}
