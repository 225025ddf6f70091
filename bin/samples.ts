#!/usr/bin/env node
/** `npm run samples`: sample reports of the reference and of three faulty services; `-- --prism URL` adds a mock of the OpenAPI file. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { randomKey } from '../fixtures/implementations/random-key.ts';
import { Reference } from '../fixtures/implementations/reference.ts';
import { serve } from '../fixtures/implementations/serve.ts';
import { command } from './command.ts';

/** A limit, a number and an error: what QA meets most often. */
const SAMPLED = ['list-pets.default-limit', 'get-pet.category-id-exact', 'errors.media-type'];

const { prism } = command('samples', 'Writes sample reports of the reference and of three faulty services.').option('--prism <url>', 'address of a running Prism mock of schemas/openapi.json').parse().opts<{ prism?: string }>();
const folder = resolve(process.env.REPORT_DIR ?? 'reports/out', 'samples');

await judge('reference', {});
for (const requirement of SAMPLED) {
  const fault = FAULTS.find(({ breaks }) => breaks === requirement);
  if (fault === undefined) continue;
  const key = randomKey();
  const served = await serve({ key, Service: fault.vary(Reference) });
  await judge(fault.id, { BASE_URL: served.baseUrl, API_KEY: key, TARGET_ENV: 'sample' });
  await served.close();
}
if (prism !== undefined) await judge('prism', { BASE_URL: prism, API_KEY: randomKey() });

async function judge(name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./conformance.js', import.meta.url))], { env: { ...process.env, ...env, REPORT_DIR: join(folder, name) }, stdio: 'ignore' });
  const exitCode = await new Promise((done) => child.on('close', done));
  process.stdout.write(`${name}: exit ${String(exitCode)}, ${join(folder, name)}\n`);
}
