#!/usr/bin/env node
/**
 * `npm run samples`: writes sample reports: of the reference service, of five services with a permitted oddity (freedoms), and of five
 * services with a broken promise (faults). Then it writes a page that compares all of them. `-- --prism URL` also judges Prism's mock of
 * schemas/openapi.json, which must run there. `--into reports/images` writes a picture of the matrix for the documentation.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../fixtures/implementations/freedoms/index.ts';
import { drawKey } from '../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../fixtures/reference/reference-service.ts';
import { serve } from '../fixtures/reference/serve.ts';
import type { Report } from '../reports/document/report-document.ts';
import { renderMatrixPage } from '../reports/shown/vendors/matrix-page.ts';
import { makeMatrix, type VendorRun } from '../reports/shown/vendors/vendor-matrix.ts';
import { makeCommand } from './command-line/make-command.ts';
import { replaceFile } from './command-line/files/own-file.ts';
import { printText } from './command-line/output/print.ts';

/** Ids of faults that testers often meet: one each in a default limit, a category, an Error, a status and a key. */
const BROKEN = [
  'list-pets.default-21',
  'create-pet.category-echoed-not-stored',
  'errors.list-401-problem',
  'create-pet.status-dropped-beside-another',
  'authentication.session-cookie',
];
/** Ids of freedoms: behaviour that is permitted and looks odd. */
const ODD = [
  'list-pets.limit-clamped',
  'authentication.malformed-400',
  'get-pet.ids-random',
  'stores.lists-lag',
  'stores.capped-at-10',
];

const { prism, into } = makeCommand(
  'samples',
  'Writes sample reports of the reference, of freedoms and of faulty services, and a matrix of them.',
)
  .option('--prism <url>', "judge Prism's mock of schemas/openapi.json, which runs there, too")
  .option('--into <folder>', 'write a picture of the matrix there')
  .parse()
  .opts<{ prism?: string; into?: string }>();
const folder = resolve(process.env.REPORT_DIR ?? 'reports/out', 'samples');
const vendors: VendorRun[] = [];

await judge('reference', 'the reference', {});
for (const id of ODD) {
  const freedom = FREEDOMS.find((each) => each.id === id);
  await judgeVariant(`freedom ${id}`, freedom);
}
for (const id of BROKEN) {
  const fault = FAULTS.find((each) => each.id === id);
  await judgeVariant(`fault of ${fault?.breaks ?? id}`, fault);
}
if (prism !== undefined) await judge('prism', 'Prism', { BASE_URL: prism, API_KEY: drawKey() });

const page = renderMatrixPage(makeMatrix(vendors, new Date().toISOString()));
replaceFile(join(folder, 'matrix.html'), page);
printText(`${join(folder, 'matrix.html')}\n`);
if (into !== undefined) {
  mkdirSync(into, { recursive: true });
  const paths = [join(folder, 'matrix.html'), resolve(into, 'matrix.png')];
  process.exitCode = await run('../tests/self/samples/matrix-picture.js', paths, {});
}

/** Serves a variant of the reference and judges it. */
async function judgeVariant(name: string, variant: { id: string; vary: Vary } | undefined): Promise<void> {
  if (variant === undefined) throw new Error(`${name} is not there any more`);
  const key = drawKey();
  const { baseUrl, close } = await serve({ key, Service: variant.vary(Reference) });
  await judge(variant.id, name, { BASE_URL: baseUrl, API_KEY: key, TARGET_ENV: 'sample' });
  await close();
}

/** Judges one service, and adds it to the page of all. */
async function judge(id: string, name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const own = join(folder, id);
  const exitCode = await run('./conformance.js', [], { ...env, REPORT_DIR: own });
  printText(`${name}: exit ${exitCode}, ${own}\n`);
  const report = JSON.parse(readFileSync(join(own, 'report.json'), 'utf8')) as Report;
  vendors.push({ name, report, page: null });
}

/** Runs a script of this project; returns its exit code. */
async function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    // A BASE_URL of the user would be judged in the place of the reference.
    env: { ...process.env, BASE_URL: undefined, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done) => child.on('close', (code) => done(code ?? 3)));
}
