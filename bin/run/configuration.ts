/** Reads all that a run is configured by, before its first request: settings, known failures (waivers) and the profile lock. */
import { existsSync, writeFileSync } from 'node:fs';
import { readSettings } from '../../fixtures/settings/read-settings.ts';
import type { Options, Settings } from '../../fixtures/settings/settings.ts';
import {
  applyProfileLock,
  findProfileChanges,
  makeProfileLock,
  readProfileLock,
} from '../../reports/shown/comparison/profile-lock.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { applyWaivers, readWaivers } from '../../reports/document/waivers.ts';
import { LARGEST, readForeign, Unreadable } from '../command-line/files/foreign-file.ts';
import { shortenPath, explainUnwritable } from '../command-line/files/unwritable.ts';

/**
 * The two files with which a report is compared. WAIVERS lists known failures that may stay for a while. PROFILE_LOCK
 * pins how the target behaves where the document leaves a question open.
 */
export interface Baseline {
  /** Ids of the promises whose failures are waived. */
  waived: readonly string[];
  /** Returns the report with both files applied; each can change the exit code. If no profile is locked yet, it may write PROFILE_LOCK. */
  apply(report: Report): Report;
}

/**
 * Reads settings, waivers and profile lock before the first request. Returns them, or one line for each mistake.
 * @param place the environment and the folder with the `.env` files; by default those of this process
 */
export function readConfiguration(
  options: Options,
  place: { env: NodeJS.ProcessEnv; cwd: string } = { env: process.env, cwd: process.cwd() },
): { settings: Settings; baseline: Baseline; notes: readonly string[] } | { mistakes: string[] } {
  const configured = readSettings({ ...place, options });
  if ('mistakes' in configured) return configured;
  const baseline = readBaseline(configured.settings);
  return 'mistakes' in baseline ? baseline : { ...configured, baseline };
}

function readBaseline(settings: Settings): Baseline | { mistakes: string[] } {
  const { waiversFile, acceptWaivers, profileLockFile, lock, asOf } = settings;
  const waived = readBaselineFile('WAIVERS', waiversFile, (text) => readWaivers(text, asOf ?? new Date()));
  if (waived !== null && 'mistakes' in waived) return waived;
  const { waivers } = waived ?? { waivers: [] };
  const hasLockFile = profileLockFile !== null && existsSync(profileLockFile);
  if (profileLockFile !== null && lock === true && !hasLockFile) {
    const mistake =
      'PROFILE_LOCK names a file that does not exist, so --lock has nothing to compare with; a conforming run without --lock writes it, or any whole run with --lock=write.';
    return { mistakes: [mistake] };
  }
  // With --lock=write, the run writes the file anew, so its old content is not read.
  const pinnedFile = hasLockFile && lock !== 'write' ? profileLockFile : null;
  const pinned = readBaselineFile('PROFILE_LOCK', pinnedFile, readProfileLock);
  if (pinned !== null && 'mistakes' in pinned) return pinned;
  return {
    waived: waivers.map(({ requirement }) => requirement),
    apply(report) {
      const judged = applyWaivers(report, waivers, { accept: acceptWaivers });
      if (profileLockFile === null) return judged;
      return pinned === null
        ? pinProfile(profileLockFile, judged, settings)
        : applyProfileLock(judged, findProfileChanges(pinned.lock, judged), { enforce: lock === true });
    },
  };
}

/** Writes PROFILE_LOCK after a whole run, if the run is conforming or has --lock=write. Returns the report. */
function pinProfile(path: string, report: Report, { lock, profile }: Settings): Report {
  const isWhole = report.run.complete && report.run.only.length === 0 && profile !== 'quick';
  if (isWhole && (lock === 'write' || report.verdict === 'conforming')) writeLock(path, report);
  if (isWhole || lock !== 'write') return report;
  const note = 'PROFILE_LOCK was left as it was, because only a whole run shows the profile';
  return { ...report, reason: `${report.reason}; ${note}` };
}

/**
 * Reads the file of a variable with `read`; null if `path` is null. A file that is too large or unreadable is a mistake too. Each
 * mistake begins with the variable and its file: `WAIVERS (waivers.json): it does not exist`.
 */
function readBaselineFile<T extends object>(
  variable: string,
  path: string | null,
  read: (text: string) => T | { mistakes: string[] },
): T | { mistakes: string[] } | null {
  if (path === null) return null;
  const prefix = (mistakes: readonly string[]) => ({
    mistakes: mistakes.map((each) => `${variable} (${shortenPath(path)}): ${each}`),
  });
  try {
    const found = read(readForeign(path, LARGEST.signed).toString('utf8'));
    return 'mistakes' in found ? prefix(found.mistakes) : found;
  } catch (error) {
    if (error instanceof Unreadable) return prefix([`it ${error.message}`]);
    throw error;
  }
}

function writeLock(path: string, report: Report): void {
  try {
    writeFileSync(path, `${JSON.stringify(makeProfileLock(report), null, 2)}\n`);
  } catch (error) {
    throw explainUnwritable(`PROFILE_LOCK (${shortenPath(path)})`, error, ' and run again');
  }
}
