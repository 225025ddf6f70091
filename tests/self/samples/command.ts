/** The real command, as a user starts it, in a folder of its own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import type { Report } from '../../../reports/document/report-document.ts';

/** The end of a command. `report` is null if it wrote none. */
export interface Ended {
  exitCode: number | null;
  out: string;
  err: string;
  folder: string;
  report: Report | null;
}

/** Runs a command of `bin/` to its end, in an empty folder and with only these variables besides the path. */
export async function command(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = mkdtempSync(join(tmpdir(), 'conformance-test-')),
): Promise<Ended> {
  const script = fileURLToPath(new URL(`../../../bin/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, REPORT_DIR: join(folder, 'out'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, out, err, folder, report: reportIn(folder) };
}

/** The report that a run left in a folder, whether it was asked for all or for a part; null where there is none. */
export function reportIn(folder: string): Report | null {
  const path = ['out', join('out', 'partial')]
    .map((each) => join(folder, each, 'report.json'))
    .find((each) => existsSync(each));
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as Report);
}

/** Serves the reference, varied, while the body runs; gives it the variables that name it as the target. */
export async function against<T>(
  vary: Vary,
  body: (target: { BASE_URL: string; API_KEY: string }, served: Served) => Promise<T>,
  basePath?: string,
): Promise<T> {
  const key = drawKey();
  const served = await serve({
    key,
    Service: vary(Reference),
    ...(basePath === undefined ? {} : { basePath }),
  });
  try {
    return await body({ BASE_URL: served.baseUrl, API_KEY: key }, served);
  } finally {
    await served.close();
  }
}

/** Ids of requirements with one of these verdicts. */
export function idsWith(
  report: Report | null,
  ...verdicts: Report['requirements'][number]['verdict'][]
): string[] {
  return (report?.requirements ?? []).filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
