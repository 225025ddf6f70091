/** A run waits for a target that is not ready yet (WAIT). Its reports say if the target never answered, or has started again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { findFreePort } from '../../../fixtures/implementations/others/free-port.ts';
import { answerInstead } from '../../../fixtures/implementations/operators.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import { ProgressLine } from '../../../bin/command-line/output/progress-line.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { runOnReference } from '../samples/varied-reference.ts';
import { runCommand, startCommand } from '../samples/command.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { FEW_INPUTS } from '../samples/run-on.ts';
import { filesBelow } from '../samples/installed.ts';

/** Milliseconds until a target that starts late answers. */
const START_DELAY = 20_000;

test('a target that starts later is waited for, and judged @simulated', async () => {
  const [key, port] = [drawKey(), await findFreePort()];
  const served = new Promise<Awaited<ReturnType<typeof serve>>>((resolve) =>
    setTimeout(() => resolve(serve({ key, Service: Reference, port })), START_DELAY),
  );
  const { exitCode, out, report } = await runCommand('conformance', ['--wait', '60', '--quick'], {
    BASE_URL: `http://127.0.0.1:${port}/v1`,
    API_KEY: key,
  });
  await (await served).close();
  expect(exitCode).toBe(0);
  expect(out).toMatch(/Waiting \d.*: the target is not ready \(no connection \(ECONNREFUSED\)\)/);
  expect(report?.run.durationMs).toBeGreaterThan(1_000);
  expect(report?.exchanges.filter(({ error }) => error !== null)).toEqual([]);
});

test('a target behind a proxy that starts first is waited for too, and RUN_TIMEOUT begins behind the wait @simulated', async () => {
  const started = performance.now() + START_DELAY;
  const starting = answerInstead(
    'answer',
    () => performance.now() <= started,
    (call, service) =>
      call.count % 2 === 0
        ? service.error(503, 'starting', 'no upstream', call)
        : service.error(404, 'no-route', 'no such route', call),
  );
  const env = { WAIT: '60', RUN_TIMEOUT: '4.5' };
  const { report } = await runOnReference(starting, ['--only', 'get-pet.not-found'], env);
  expect(report?.run.stopped).toBeNull();
  expect(report?.counts.must.pass).toBe(1);
});

/** Variables of a target at a port where nobody listens. */
const findNobody = async () => ({
  BASE_URL: `http://127.0.0.1:${await findFreePort()}/v1`,
  API_KEY: drawKey(),
});

test('a target that never starts ends with 3 when the time is over, and one line says why @simulated', async () => {
  const begun = performance.now();
  const env = { ...(await findNobody()), WAIT: '3' };
  const { exitCode, out, report } = await runCommand('conformance', [], env);
  expect(exitCode).toBe(3);
  expect(performance.now() - begun).toBeGreaterThan(3_000);
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('(ECONNREFUSED). The run waited 3 s for it (WAIT).');
  expect(report?.run.requests).toBeLessThan(5);
});

test('a run on a target that nobody can reach writes every report, and each says why', async () => {
  const { folder, report } = await startCommand('conformance', [], await findNobody());
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  expect(checkReport(report)).toEqual([]);
  const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');
  const why = 'no test of it ran: the target gave no answer: no connection (ECONNREFUSED)';
  expect(read('junit.xml')).toContain(why);
  expect(read('summary.md').replaceAll('\\', '')).toContain(
    'The target gave no answer: no connection (ECONNREFUSED).',
  );
  for (const name of ['junit.xml', 'summary.md', 'report.json'])
    expect(read(name)).not.toContain('run the whole suite');
  expect(read(join('allure-report', 'index.html')).length).toBeGreaterThan(10_000);
  const results = filesBelow(join(folder, 'out', 'allure-results')).map((path) => readFileSync(path, 'utf8'));
  expect(results.join()).toContain('(ECONNREFUSED)');
});

test('a terminal that says it has no columns gets lines of the usual width', async () => {
  Object.defineProperty(process.stdout, 'columns', { value: 0, configurable: true });
  const { out } = await runCommand('conformance', [], await findNobody());
  Reflect.deleteProperty(process.stdout, 'columns');
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeGreaterThan(80);
});

test('a refused key is not waited for @simulated', async () => {
  const begun = performance.now();
  const { exitCode } = await runOnReference((Base) => Base, ['--wait', '60'], { API_KEY: drawKey() });
  expect(exitCode).toBe(2);
  expect(performance.now() - begun).toBeLessThan(30_000);
});

test('without a terminal, lines about waiting are few', () => {
  const lines: string[] = [];
  const plain = new ProgressLine(false, (text) => lines.push(text));
  for (const left of [60_000, 59_000, 58_000]) plain.wait('the target is not ready', left);
  expect(lines).toEqual(['Waiting 1 min 0 s: the target is not ready.\n']);
});

/** Animals that the run has added when the target is killed. */
const ADDED = 15;

test('a target that starts again with an empty store is undecided, and the reason names the restart @simulated', async () => {
  // When it has added 15 animals (ADDED), the service is closed, and an empty one starts at the same port.
  const key = drawKey();
  let added = 0;
  const restarts: Promise<Served>[] = [];
  class Killed extends Reference {
    override async createPet(call: Call): Promise<Reply> {
      const reply = await super.createPet(call);
      if (reply.status === 201 && (added += 1) === ADDED)
        restarts.push(served.close().then(() => serve({ key, Service: Reference, port })));
      return reply;
    }
  }
  const served = await serve({ key, Service: Killed });
  const port = Number(new URL(served.baseUrl).port);
  const { exitCode, report } = await runCommand('conformance', ['--only', 'create-pet'], {
    BASE_URL: served.baseUrl,
    API_KEY: key,
    CONSISTENCY_WINDOW: '1',
    PROPERTY_RUNS: String(FEW_INPUTS),
  });
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
  for (const each of restarts) await (await each).close();
});
