/** Judges one vendor of `targets run` in a process of its own, with its own key, folder and time limit. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NEED_TARGET } from '../../fixtures/settings/target.ts';
import { findVariable } from '../../fixtures/settings/variables.ts';
import { writeOrRefuse } from '../certificate/certificate-files.ts';
import { makeOwnFolder, replaceFile } from '../command-line/files/own-file.ts';
import { Unwritable } from '../command-line/files/unwritable.ts';
import { filterEnvironment } from '../command-line/passed-on.ts';
import { readReportSince, explainEnd, writeOutcome, type VendorOutcome } from './vendor-outcome.ts';
import type { VendorTarget } from './targets-file.ts';

/**
 * A run of one target gets these variables only with the values of its own target, because some are secrets of a gateway. NEED_TARGET adds
 * API_KEY, SUBJECT and others.
 */
const OF_ONE_TARGET = new Set([
  'BASE_URL',
  ...NEED_TARGET,
  'REPORT_DIR',
  'WAIVERS',
  'PROFILE_LOCK',
  'ALLURE_HISTORY',
  'CHALLENGE',
  'HEADERS_FILE',
  'CLIENT_CERT_FILE',
  'CLIENT_KEY_FILE',
  'CLIENT_KEY_PASSPHRASE_FILE',
]);
/** At most this many characters of the output of a vendor's run are kept. */
const MOST_OUTPUT = 20_000;
/** A run that its time limit has asked to end has this many milliseconds to write its report. */
const GRACE = 30_000;

/** Returns the environment of one vendor's run: its own key only, and no variable of another target. */
function makeEnvironment(target: VendorTarget, folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // True for variables of the suite that apply to all vendors, e.g. MAX_RPS. `findVariable` spells `https_proxy` as HTTPS_PROXY.
  const isCommon = (name: string) => {
    const usualName = findVariable(name);
    return usualName !== undefined && !OF_ONE_TARGET.has(usualName);
  };
  const { baseUrl, apiKeyVariable, apiKeyFile, categoryIds, subject, subjectCommit, subjectUrl } = target;
  const own: Record<string, string | undefined> = {
    BASE_URL: baseUrl,
    API_KEY: apiKeyVariable === undefined ? undefined : (env[apiKeyVariable] ?? ''),
    API_KEY_FILE: apiKeyFile,
    CATEGORY_IDS: categoryIds?.join(','),
    SUBJECT: subject,
    SUBJECT_COMMIT: subjectCommit,
    SUBJECT_URL: subjectUrl,
    REPORT_DIR: folder,
    // The run has a working directory of its own, so the path is made absolute.
    CA_FILE: env.CA_FILE ? resolve(env.CA_FILE) : undefined,
  };
  return {
    ...filterEnvironment(env), // what a program needs to run, e.g. PATH
    ...Object.fromEntries(Object.entries(env).filter(([name]) => isCommon(name))),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
  };
}

/** The order to judge a vendor. */
interface JudgingOrder {
  target: VendorTarget;
  folder: string;
  /** The longest time of the run, in milliseconds. */
  limit: number;
  /** Aborted if the user stops the command. */
  signal: AbortSignal;
  /** For `judgeOne`, the environment of the command. For `runAlone`, the environment of the vendor's run. */
  env: NodeJS.ProcessEnv;
}

/**
 * Judges one vendor, and writes its outcome to its folder. It does not throw for a problem of the vendor, so other vendors are
 * judged all the same.
 * @param judge makes the run; a self-test replaces it
 */
export async function judgeOne(
  { target, folder, limit, signal, env }: JudgingOrder,
  judge = runAlone,
): Promise<VendorOutcome> {
  const start = Date.now();
  const begun = new Date(start).toISOString();
  const makeOutcome = (exitCode: number | null, reason: string): VendorOutcome => ({
    target: target.name,
    exitCode,
    seconds: Math.round((Date.now() - start) / 1_000),
    begun,
    reason,
  });
  try {
    writeOrRefuse(folder, () => makeOwnFolder(folder));
    // `judge` ends the run at the limit too, but its result does not say that the run was late.
    let isLate = false;
    const late = setTimeout(() => (isLate = true), limit);
    const { exitCode, output, complaint } = await judge({
      target,
      folder,
      limit,
      signal,
      env: makeEnvironment(target, folder, env),
    }).finally(() => clearTimeout(late));
    const report = readReportSince(folder, begun);
    // Exit code 1 without a report: Node itself broke, and the vendor has not failed.
    const isBroken = exitCode === 1 && typeof report === 'string';
    const outcome = isLate
      ? makeOutcome(null, `it was cut off by its time limit (${limit / 1_000} s)`)
      : makeOutcome(isBroken ? 3 : exitCode, explainEnd(report, complaint));
    writeOrRefuse(folder, () => {
      replaceFile(join(folder, 'output.txt'), output.slice(-MOST_OUTPUT));
      if (!signal.aborted) writeOutcome(folder, outcome);
    });
    return outcome;
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    // Nothing can be written to the folder of this vendor.
    return makeOutcome(2, error.message);
  }
}

/**
 * Starts the command `run` for a vendor, with its own environment. At the limit, or if the user stops, it is asked to end; later it
 * is killed.
 * @returns `output`: the end of its output; `complaint`: the beginning of its output on standard error
 */
async function runAlone({ folder, limit, signal, env }: JudgingOrder) {
  // The working directory is the vendor's folder, so no other .env is read.
  const command = fileURLToPath(new URL('../animal-store-conformance.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'run'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The process has a group of its own, so Ctrl-C does not reach it: `askToEnd` ends it.
    detached: process.platform !== 'win32',
  });
  let [output, complaint] = ['', ''];
  const keepEnd = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-MOST_OUTPUT));
  const keepStart = (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, MOST_OUTPUT));
  child.stdout.on('data', keepEnd);
  child.stderr.on('data', keepEnd);
  child.stderr.on('data', keepStart);
  const askToEnd = () => void child.kill('SIGTERM');
  const timers = [setTimeout(askToEnd, limit), setTimeout(() => void child.kill('SIGKILL'), limit + GRACE)];
  signal.addEventListener('abort', askToEnd);
  if (signal.aborted) askToEnd();
  const exitCode = await new Promise<number | null>((done) =>
    child.on('close', done).on('error', () => done(3)),
  );
  for (const timer of timers) clearTimeout(timer);
  signal.removeEventListener('abort', askToEnd);
  return { exitCode, output, complaint };
}
