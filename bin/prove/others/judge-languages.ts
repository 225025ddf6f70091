/**
 * Judges services in other languages, e.g. Python. Each is judged twice: with its defects (`defects.json` lists them), and
 * with all defects mended by a patch.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, waitForAnswer } from '../../../fixtures/implementations/others/free-port.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { describeCause, findFailures } from '../../../reports/document/causes.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { runAt } from './run-on-service.ts';

/** The commands that build and start a service (`start.json`). The service reads its port and key from PORT and API_KEY. */
interface Start {
  command: [string, ...string[]];
  build: [string, ...string[]] | null;
}

/** The result of one service. */
interface JudgedLanguage {
  /** The number of known defects. */
  defects: number;
  /** The failures in the report on the service with its defects. */
  cards: string[];
  exitCode: number;
  /** The exit code of the run after the patch. */
  mendedExitCode: number;
}

const LANGUAGES = fileURLToPath(
  new URL('../../../../fixtures/implementations/others/languages', import.meta.url),
);
/** The patch that mends all defects. A service without defects has none. */
const MEND = 'mend.diff';

/**
 * Judges each service whose name contains `part`, if its language is installed, and prints a line for each.
 * @returns the number of judged services, and those with a wrong exit code
 */
export async function judgeLanguages(
  part: string,
  out: (text: string) => void,
): Promise<{ others: number; failed: string[] }> {
  const failed: string[] = [];
  let others = 0;
  for (const name of readdirSync(LANGUAGES).filter((each) => each.includes(part))) {
    const { command, build } = readStart(name);
    const missing = [command[0], build?.[0]].find((tool) => tool !== undefined && !isInstalled(tool));
    if (missing !== undefined) {
      out(`left out ${name}: ${missing} is not installed`);
      continue;
    }
    others += 1;
    const judged = await judgeLanguage(name);
    const isRight = judged.mendedExitCode === 0 && judged.exitCode === (judged.defects === 0 ? 0 : 1);
    if (!isRight) failed.push(name);
    out(
      [
        `${isRight ? 'ok' : 'FAILS'} ${name} (${command[0]}): ${judged.defects} defects, ${judged.cards.length} cards, exit ${judged.exitCode}, mended exit ${judged.mendedExitCode}`,
        ...judged.cards.map((card) => `    ${card}`),
      ].join('\n'),
    );
  }
  return { others, failed };
}

async function judgeLanguage(name: string): Promise<JudgedLanguage> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-language-'));
  try {
    cpSync(join(LANGUAGES, name), folder, { recursive: true });
    const report = await runOn(name, folder);
    const { exitCode } = report;
    if (existsSync(join(folder, MEND)))
      spawnSync('patch', ['-p0', '-i', MEND], { cwd: folder, stdio: 'ignore' });
    const mended = existsSync(join(folder, MEND)) ? await runOn(name, folder) : report;
    return {
      defects: (JSON.parse(readFileSync(join(folder, 'defects.json'), 'utf8')) as unknown[]).length,
      cards: findFailures(report).map((cause) => describeCause(report, cause)),
      exitCode,
      mendedExitCode: mended.exitCode,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds and starts the service in the folder, and runs the command on it. */
async function runOn(name: string, folder: string): Promise<Report> {
  const { command, build } = readStart(name);
  if (build !== null) spawnSync(build[0], build.slice(1), { cwd: folder, stdio: 'ignore' });
  const [port, key] = [await findFreePort(), drawKey()];
  const child = spawn(command[0], command.slice(1), {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), API_KEY: key },
    stdio: 'ignore',
    detached: true,
  });
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    await waitForAnswer(baseUrl);
    return await runAt(baseUrl, key);
  } finally {
    stopGroup(child);
  }
}

function readStart(name: string): Start {
  return JSON.parse(readFileSync(join(LANGUAGES, name, 'start.json'), 'utf8')) as Start;
}

function isInstalled(tool: string): boolean {
  return tool.startsWith('./') || spawnSync('which', [tool], { stdio: 'ignore' }).status === 0;
}

/** Stops the process group: the service and its child processes. */
function stopGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid);
}
