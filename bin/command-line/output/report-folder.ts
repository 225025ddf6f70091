/**
 * The folder in which a run writes its reports: `.run` within REPORT_DIR. When all files are complete, they replace the
 * reports of the last run. A killed run leaves the old reports, and `older-reports.txt` beside them.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ignoreErrors, isOwnFolder, isPathThere } from '../files/own-file.ts';
import { shortenPath, Unwritable, explainUnwritable } from '../files/unwritable.ts';
import { ARTIFACT_NAMES, PARTIAL, WORK } from './artifacts.ts';
import { claimFolder } from './holder.ts';

/** This file says that the reports beside it are older than the last run, which did not finish. */
export const OLDER = 'older-reports.txt';
/** The folder inside `.run` for the reports that `swapIn` replaces. */
const REPLACED = 'old';

/**
 * The folder of one run. Reports of earlier runs stay unchanged until `swapIn`. Links in REPORT_DIR are never followed,
 * because they may lead to files of others.
 */
export class ReportFolder {
  /** The path of `.run`, where files are written until they are complete. Two runs never have it at the same time. */
  readonly work: string;
  private readonly reportDir: string;
  /** Folders that this run made, the outermost first. `close` removes them if the run has left no reports. */
  private readonly made: string[] = [];
  /** True if only a part of the suite is asked: its reports go to the folder `partial`. */
  private isPart = false;
  /** True after `swapIn`. */
  private hasNewReports = false;
  /** The path of the older-reports.txt that this run has written; null if it has written none. */
  private notePath: string | null = null;
  /** Removes `.run`. */
  private release: () => void = () => undefined;

  private constructor(reportDir: string) {
    this.reportDir = reportDir;
    this.work = join(reportDir, WORK);
  }

  /**
   * Makes the folder if it is missing, and claims it for this process.
   * @param isPart true if only a part of the suite is asked
   * @throws Unwritable if the folder cannot be claimed; then everything stays unchanged
   */
  static async open(reportDir: string, isPart = false): Promise<ReportFolder> {
    const folder = new ReportFolder(reportDir);
    folder.isPart = isPart;
    const name = `REPORT_DIR (${shortenPath(reportDir)})`;
    try {
      makeFolder(reportDir, folder.made);
      folder.release = await claimFolder(folder.work, name);
      folder.noteOlderReports();
      // Killed runs have left folders such as `.run-<uuid>`. Nobody needs one now, because only this run has `.run`.
      for (const remains of readdirSync(reportDir).filter((each) => each.startsWith(`${WORK}-`)))
        rmSync(join(reportDir, remains), { recursive: true, force: true });
      return folder;
    } catch (error) {
      folder.close('remove-note');
      // The message ends with `see that it can be written, or name another one.`
      throw explainUnwritable(name, error, ', or name another one');
    }
  }

  /** The folder in which the reports are after `swapIn`: REPORT_DIR, or `partial` within it. */
  get folder(): string {
    return this.isPart ? join(this.reportDir, PARTIAL) : this.reportDir;
  }

  /**
   * Decides that the reports of this run go to the folder `partial`, and moves the note about older reports there.
   * @throws Unwritable
   */
  moveToPart(): void {
    if (this.isPart) return;
    try {
      this.removeNote();
      this.isPart = true;
      this.noteOlderReports();
    } catch (error) {
      throw this.makeUnwritable(error);
    }
  }

  /**
   * Replaces the old reports by the files in `work`. If one file cannot be moved, all moves are undone.
   * @throws Unwritable
   */
  swapIn(names: readonly string[] = ARTIFACT_NAMES): void {
    // The moves back, the latest first.
    const undo: (() => void)[] = [];
    const move = (from: string, to: string) => {
      renameSync(from, to);
      undo.unshift(() => renameSync(to, from));
    };
    try {
      if (this.isPart) makeFolderForParts(this.folder);
      const replaced = join(this.work, REPLACED);
      mkdirSync(replaced, { recursive: true });
      const moveAll = (from: string, to: string) => {
        for (const name of names) if (isPathThere(join(from, name))) move(join(from, name), join(to, name));
      };
      moveAll(this.folder, replaced);
      moveAll(this.work, this.folder);
      rmSync(join(this.folder, OLDER), { force: true });
      this.hasNewReports = true;
    } catch (error) {
      for (const moveBack of undo) ignoreErrors(moveBack);
      throw this.makeUnwritable(error);
    }
  }

  /**
   * Makes the error for files that could not be written.
   * @param what the words for the files, if they are not the report
   */
  makeUnwritable(error: unknown, what = `The report in ${shortenPath(this.folder)}`): Unwritable {
    const unchanged = this.timeOfOldReports === null ? '' : '; what was there is left as it was';
    return explainUnwritable(what, error, ` and run again${unchanged}`);
  }

  /** A sentence about old reports that a refused run left unchanged; null if there are none. */
  get oldReportsNote(): string | null {
    const { timeOfOldReports } = this;
    return timeOfOldReports === null
      ? null
      : `The reports in ${shortenPath(this.folder)} are of an earlier run, written at ${timeOfOldReports}; they were left as they were.`;
  }

  /**
   * Removes `.run`. A second call does nothing.
   * @param end `remove-note` also removes the `older-reports.txt` of this run, as if there had been no run. `leave-note` leaves it: a
   * run has begun, and the reports beside the note may be older
   */
  close(end: 'remove-note' | 'leave-note' = 'leave-note'): void {
    if (end === 'remove-note') ignoreErrors(() => this.removeNote());
    this.release();
    this.release = () => undefined;
    if (!this.hasNewReports) for (const each of this.made.toReversed()) ignoreErrors(() => rmdirSync(each));
  }

  /**
   * Writes `older-reports.txt` beside old reports. It says that they are of an earlier run. `swapIn` removes it. The file of a
   * killed run stays as it is: it says the same.
   */
  private noteOlderReports(): void {
    const { timeOfOldReports } = this;
    const note = join(this.folder, OLDER);
    if (timeOfOldReports === null || isPathThere(note)) return;
    writeFileSync(
      note,
      `The reports in this folder are of an earlier run, written at ${timeOfOldReports}.\nA run that began at ${new Date().toISOString()} (process ${process.pid}) has not ended yet, or was ended before it could write its own.\n`,
      { flag: 'wx' },
    );
    this.notePath = note;
  }

  private removeNote(): void {
    if (this.notePath !== null && !this.hasNewReports) rmSync(this.notePath, { force: true });
    this.notePath = null;
  }

  /** The time at which the old reports in `folder` were written; null if there are none, or if this run has replaced them. */
  private get timeOfOldReports(): string | null {
    if (this.hasNewReports) return null;
    // The folder `partial` may be missing, or be a link, which `swapIn` replaces.
    if (this.isPart && !isOwnFolder(this.folder)) return null;
    const name = ARTIFACT_NAMES.find((each) => isPathThere(join(this.folder, each)));
    return name === undefined ? null : lstatSync(join(this.folder, name)).mtime.toISOString();
  }
}

/**
 * Makes a folder and its missing parents one by one. `mkdir` with `recursive` would hang below system folders that accept no
 * entries, such as /proc.
 * @param made this function adds each folder that it makes, the outermost first
 */
function makeFolder(path: string, made: string[]): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), made);
  // `ignoreErrors` returns null only if mkdirSync throws.
  const isMade = ignoreErrors(() => mkdirSync(path)) !== null;
  if (isMade) made.push(path);
  // Another run may have made it meanwhile. If it is still missing, the second try throws the error.
  else if (!existsSync(path)) mkdirSync(path);
}

/** Makes the folder `partial`. A link there is replaced, not followed. */
function makeFolderForParts(path: string): void {
  if (isOwnFolder(path)) return;
  if (isPathThere(path) && lstatSync(path).isSymbolicLink()) rmSync(path);
  mkdirSync(path);
}

/** True if the reports in the folder are older than the last run, which did not finish. */
export function hasOlderReports(folder: string): boolean {
  return existsSync(join(folder, OLDER));
}
