/** Runs the real command once, with default settings, on a service that others wrote. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOther } from '../../../fixtures/implementations/others/service.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import type { Report } from '../../../reports/document/report-document.ts';

/** How the service is started. */
interface Place {
  /** The folder with the programs of all services. */
  folder: string;
  /** Names of the defects that are switched off. */
  mended: readonly string[];
  /** True if the store holds three animals of others before the run. */
  isShared: boolean;
}

/** Animals that are in the store before the run. Their names have no mark of a run, so they look like animals of others. */
const OF_OTHERS = [
  { name: 'Bella', categoryId: 1, status: 'available' },
  { name: 'Rocky', categoryId: 1, status: 'sold' },
  { name: 'Molly', categoryId: 2 },
];

/** Starts the service, runs the command once, and returns its report. */
export async function runOnService(name: string, { folder, mended, isShared }: Place): Promise<Report> {
  const key = drawKey();
  const { baseUrl, close } = await startOther(name, { key, mended, folder });
  try {
    if (isShared) for (const animal of OF_OTHERS) await add(animal, baseUrl, key);
    return await runAt(baseUrl, key);
  } finally {
    await close();
  }
}

/**
 * Runs the command once at an address, and returns its report.
 * @throws Error if the run left no report
 */
async function runAt(baseUrl: string, key: string): Promise<Report> {
  const cwd = mkdtempSync(join(tmpdir(), 'conformance-others-'));
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../conformance.js', import.meta.url))], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, REPORT_DIR: join(cwd, 'out'), BASE_URL: baseUrl, API_KEY: key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  const path = join(cwd, 'out', 'report.json');
  if (!existsSync(path)) throw new Error(`the run at ${baseUrl} left no report: ${errors.trim()}`);
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  rmSync(cwd, { recursive: true, force: true });
  return report;
}

async function add(animal: object, baseUrl: string, key: string): Promise<void> {
  await fetch(`${baseUrl}/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(animal),
  });
}
