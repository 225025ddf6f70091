/** A target that is killed during a run, and started again on its port with an empty store. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { command } from '../samples/command.ts';
import { FEW_INPUTS } from '../samples/run-on.ts';

/** Animals that the run has added when the target is killed. */
const ADDED = 15;
/** Seconds: what is gone is looked for so long. */
const WINDOW = '1';

const key = drawKey();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Services that a test has started. A test that fails leaves none behind. */
const started: ChildProcess[] = [];
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

/** The reference service as a process of its own, when it listens. */
async function start(port: number): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../../../bin/reference.js', import.meta.url));
  const child = spawn(process.execPath, [script, '--port', String(port)], {
    env: { PATH: process.env.PATH, API_KEY: key },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function animalsAt(baseUrl: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/pets?limit=100`, { headers: { Authorization: `Bearer ${key}` } });
  return ((await answer.json()) as unknown[]).length;
}

test('a target that starts again with an empty store is undecided, and told as one', async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const target = await start(port);
  const run = command('conformance', [], {
    BASE_URL: baseUrl,
    API_KEY: key,
    CONSISTENCY_WINDOW: WINDOW,
    PROPERTY_RUNS: String(FEW_INPUTS),
  });
  await expect
    .poll(() => animalsAt(baseUrl), { intervals: [10], timeout: 60_000 })
    .toBeGreaterThanOrEqual(ADDED);
  target.kill('SIGKILL');
  await once(target, 'exit');
  await start(port);
  const { exitCode, report } = await run;
  const kept = report?.requirements.find(({ id }) => id === 'create-pet.kept');
  expect({ exitCode, verdict: report?.verdict, kind: kept?.cause?.kind }).toEqual({
    exitCode: 3,
    verdict: 'inconclusive',
    kind: 'restart',
  });
  expect(kept?.reason).toMatch(
    /^all \d+ animals of the run were gone from one moment on, as after a restart/,
  );
  expect(report?.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report?.explanations).toEqual([]);
});
