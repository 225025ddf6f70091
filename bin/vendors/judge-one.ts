/**
 * Judges one vendor of `targets run` with its own key, folder and time limit. Usually a process that several vendors share
 * judges it (shared-processes.ts); if that process dies, the vendor gets a process of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findVariable } from '../../fixtures/settings/variables.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { Mistake, writeOrRefuse } from '../certificate/certificate-files.ts';
import { makeOwnFolder, replaceFile } from '../command-line/files/own-file.ts';
import { filterEnvironment } from '../run/passed-on.ts';
import { readReportOf, explainEnd, writeOutcome, type VendorOutcome } from './vendor-outcome.ts';
import type { VendorTarget } from './targets-file.ts';

/** Variables that belong to one target. A run gets only the values of its own target: some are secrets of a gateway. */
const OF_ONE_TARGET = new Set([
  'BASE_URL',
  'API_KEY',
  'API_KEY_FILE',
  'TARGET_ENV',
  'CATEGORY_IDS',
  'SUBJECT',
  'SUBJECT_COMMIT',
  'SUBJECT_URL',
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

/** Returns the environment of one vendor's run: its own key only, and no variable of another target. */
export function makeEnvironment(
  target: VendorTarget,
  folder: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const isCommon = (name: string) => {
    const known = findVariable(name);
    return known !== undefined && !OF_ONE_TARGET.has(known);
  };
  const common = Object.entries(env).filter(([name]) => isCommon(name));
  const { baseUrl, apiKeyVariable, apiKeyFile, categoryIds, subject, subjectCommit, subjectUrl } = target;
  return {
    ...filterEnvironment(env),
    ...Object.fromEntries(common),
    // The run has a working directory of its own, so the path is made absolute.
    ...(env.CA_FILE ? { CA_FILE: resolve(env.CA_FILE) } : {}),
    BASE_URL: baseUrl,
    ...(apiKeyVariable === undefined ? {} : { API_KEY: env[apiKeyVariable] ?? '' }),
    ...(apiKeyFile === undefined ? {} : { API_KEY_FILE: apiKeyFile }),
    ...(categoryIds === undefined ? {} : { CATEGORY_IDS: categoryIds.join(',') }),
    ...(subject === undefined ? {} : { SUBJECT: subject }),
    ...(subjectCommit === undefined ? {} : { SUBJECT_COMMIT: subjectCommit }),
    ...(subjectUrl === undefined ? {} : { SUBJECT_URL: subjectUrl }),
    REPORT_DIR: folder,
  };
}

/** The result of a run. `words`: its output. `complaint`: the part of its output on standard error. */
export interface EndedJudging {
  exitCode: number | null;
  words: string;
  complaint: string;
}

/** The order to judge a vendor. `limit`: its longest time in milliseconds. `signal`: aborted if the user stops the command. */
export interface JudgingOrder {
  target: VendorTarget;
  folder: string;
  limit: number;
  signal: AbortSignal;
}

/**
 * Judges one vendor, and writes its outcome to its folder. It does not throw for a problem of the vendor, so other vendors are
 * judged all the same.
 * @param judge makes the run, in a shared process or in one of its own
 */
export async function judgeOne(
  order: JudgingOrder,
  judge: (order: JudgingOrder) => Promise<EndedJudging>,
): Promise<VendorOutcome> {
  const begun = new Date();
  try {
    return await judgeInto(order, begun, judge);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    // Nothing can be written to the folder of this vendor.
    return {
      target: order.target.name,
      exitCode: 2,
      seconds: 0,
      begun: begun.toISOString(),
      reason: error.message,
    };
  }
}

/** @throws Mistake if its folder accepts no file */
async function judgeInto(
  order: JudgingOrder,
  begun: Date,
  judge: (order: JudgingOrder) => Promise<EndedJudging>,
): Promise<VendorOutcome> {
  const { target, folder, limit, signal } = order;
  writeOrRefuse(folder, () => makeOwnFolder(folder));
  const start = performance.now();
  let isLate = false;
  const late = setTimeout(() => (isLate = true), limit);
  const { exitCode, words, complaint } = await judge(order);
  clearTimeout(late);
  const report = readReportOf(folder, begun.toISOString());
  const reason = isLate
    ? `it was cut off by its time limit (${limit / 1_000} s)`
    : explainEnd(report, complaint);
  const outcome: VendorOutcome = {
    target: target.name,
    exitCode: isLate ? null : correctExitCode(report, exitCode),
    seconds: Math.round((performance.now() - start) / 1_000),
    begun: begun.toISOString(),
    reason,
  };
  writeOrRefuse(folder, () => {
    replaceFile(join(folder, 'output.txt'), words.slice(-MOST_OUTPUT));
    if (!signal.aborted) writeOutcome(folder, outcome);
  });
  return outcome;
}

/** Returns 3 for an exit code 1 without a report: Node itself ends with 1 when it breaks, and then the vendor has not failed. */
function correctExitCode(report: Report | string, exitCode: number | null): number | null {
  return exitCode === 1 && typeof report === 'string' ? 3 : exitCode;
}

/** Judges a vendor in a process of its own, after a shared process has died. */
export async function judgeAlone({ target, folder, limit, signal }: JudgingOrder): Promise<EndedJudging> {
  // The working directory is the vendor's folder, so no other .env is read.
  const command = fileURLToPath(new URL('../animal-store-conformance.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'run'], {
    cwd: folder,
    env: makeEnvironment(target, folder, process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let [words, complaint] = ['', ''];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-MOST_OUTPUT)));
  child.stderr.on(
    'data',
    (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, MOST_OUTPUT)),
  );
  const end = () => void child.kill('SIGTERM');
  const forget = scheduleEnd({ limit, signal }, end, () => killGroup(child));
  const exitCode = await new Promise<number | null>((done) =>
    child.on('close', done).on('error', () => done(3)),
  );
  forget();
  return { exitCode, words, complaint };
}

/**
 * Ends a run that takes longer than its limit, or that the user stops. `end` asks the run to write its report and end. 30 s
 * after the limit, `kill` kills the process.
 * @returns a function that cancels both
 */
export function scheduleEnd(
  { limit, signal }: Pick<JudgingOrder, 'limit' | 'signal'>,
  end: () => void,
  kill: () => void,
): () => void {
  const timers = [setTimeout(end, limit), setTimeout(kill, limit + 30_000)];
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return () => {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', end);
  };
}

/** Kills a process and all its children. */
export function killGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
