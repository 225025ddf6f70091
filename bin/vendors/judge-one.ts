/** Judges one vendor with its own key, folder and time limit; also in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findVariable } from '../../fixtures/settings/variables.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { Mistake, writeOrRefuse } from '../certificate/certificate-files.ts';
import { hasOlderReports } from '../output/older-reports.ts';
import { replaceFile } from '../files/own-file.ts';
import { filterEnvironment } from '../run/passed-on.ts';
import { readOutcome, readReportOf, explainEnd, writeOutcome, type VendorOutcome } from './vendor-outcome.ts';
import type { VendorTarget } from './targets-file.ts';

/** Variables that belong to one target, among them secrets of gateways. Other targets do not get them. */
const OWN = new Set([
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
/** The most characters of output that are kept for one vendor. */
const KEPT = 20_000;

/** Returns the environment of one vendor's run: its own key only, and no variable of another target. */
export function makeEnvironment(
  target: VendorTarget,
  folder: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const isCommon = (name: string) => {
    const known = findVariable(name);
    return known !== undefined && !OWN.has(known);
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

/** Returns how the vendor ended in an earlier start; null if it did not. An interrupted vendor is judged again. */
export function readEarlierOutcome(folder: string, target: VendorTarget): VendorOutcome | null {
  const known = readOutcome(folder);
  return known !== null &&
    known.baseUrl === target.baseUrl &&
    existsSync(join(folder, 'report.json')) &&
    !hasOlderReports(folder)
    ? known.outcome
    : null;
}

/** The end of a judging: exit code, printed text, and the part of it on standard error. */
export interface EndedJudging {
  exitCode: number | null;
  words: string;
  complaint: string;
}

/** An order to judge a vendor. `limit` is in milliseconds. */
export interface JudgingOrder {
  target: VendorTarget;
  folder: string;
  limit: number;
  signal: AbortSignal;
}

/**
 * Judges one vendor. Its problems never stop other vendors.
 * @param judge judges in a process
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
    // Its folder accepts no file. Other vendors can still be judged.
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
  writeOrRefuse(folder, () => mkdirSync(folder, { recursive: true }));
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
    exitCode: isLate ? null : codeWith(report, exitCode),
    seconds: Math.round((performance.now() - start) / 1_000),
    begun: begun.toISOString(),
    reason,
  };
  writeOrRefuse(folder, () => {
    replaceFile(join(folder, 'output.txt'), words.slice(-KEPT));
    if (!signal.aborted) writeOutcome(folder, outcome, target.baseUrl);
  });
  return outcome;
}

/** Node ends with 1 when it breaks, so a vendor is nonconforming only if a report says so. */
function codeWith(report: Report | string, exitCode: number | null): number | null {
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
    stream.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-KEPT)));
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, KEPT)));
  const end = () => void child.kill('SIGTERM');
  const forget = scheduleEnd({ limit, signal }, end, () => killGroup(child));
  const exitCode = await new Promise<number | null>((done) =>
    child.on('close', done).on('error', () => done(3)),
  );
  forget();
  return { exitCode, words, complaint };
}

/**
 * Ends a late run: first it may write its report, 30 s later its process is killed.
 * @returns cancels this
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
