/**
 * The folder in which a run writes its reports: `.run` within REPORT_DIR. When all files are complete, they replace the
 * reports of the last run. A killed run leaves the old reports, and `older-reports.txt` beside them.
 */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ARTIFACT_NAMES, PARTIAL, WORK } from './artifacts.ts';
import {
  touchHolder,
  readHolder,
  describeHolder,
  isAlive,
  isHere,
  isRunning,
  type Holder,
} from './holder.ts';
import { OLDER } from './older-reports.ts';
import { shortenPath, Unwritable, explainUnwritable } from '../files/unwritable.ts';

/**
 * Matches a folder of a run before it is renamed to `.run`, and after the run, until it is deleted: e.g. `.run-4711-<uuid>`
 * of process 4711.
 */
const SPARE_NAME = /^\.run-(\d+)-/;
/** The folder for replaced reports, inside the folder of the run. */
const OLD = 'old';
/** The most attempts to take `.run`, if other runs leave it at the same time. */
const MOST_ATTEMPTS = 3;

/**
 * The folder of one run. Reports of earlier runs stay unchanged until `swapIn`. Links in REPORT_DIR are never followed,
 * because they may lead to files of others.
 */
export class ReportFolder {
  /**
   * The path of `.run`, where files are written until they are complete. Only one process can have it, so two runs never
   * write at the same time.
   */
  readonly work: string;
  private readonly reportDir: string;
  private readonly began = new Date();
  /** Folders that this run made, the outermost first. */
  private readonly made: string[];
  private isPart = false;
  private isOpen = true;
  private hasNewReports = false;
  /** The text of older-reports.txt that an earlier run left; null if there was none. */
  private noteBefore: string | null = null;
  /** Resolves when the folders of killed runs are deleted. */
  private clearing: Promise<unknown> = Promise.resolve();
  /** Ends the signs of life of this run (see `touchHolder`). */
  private stopTouching: () => void = () => undefined;

  private constructor(reportDir: string, made: string[]) {
    this.reportDir = reportDir;
    this.work = join(reportDir, WORK);
    this.made = made;
  }

  /**
   * Makes the folder if it is missing, and claims it for this process.
   * @param isPart true if only a part of the suite is asked
   * @throws Unwritable if the folder cannot be claimed; then everything stays unchanged
   */
  static async open(reportDir: string, isPart = false): Promise<ReportFolder> {
    const made: string[] = [];
    try {
      makeFolder(reportDir, made);
      const folder = new ReportFolder(reportDir, made);
      await folder.claim();
      try {
        folder.noteOlderReports(isPart);
      } catch (error) {
        folder.stopTouching();
        rmSync(folder.work, { recursive: true, force: true });
        throw error;
      }
      folder.clearing = folder.clearRemains();
      return folder;
    } catch (error) {
      removeMade(made);
      throw explainUnwritable(`REPORT_DIR (${shortenPath(reportDir)})`, error, ', or name another one');
    }
  }

  /** The folder in which the reports are after `swapIn`: REPORT_DIR, or `partial` within it. */
  get folder(): string {
    return this.isPart ? join(this.reportDir, PARTIAL) : this.reportDir;
  }

  /**
   * Moves the reports of this run to the folder for parts.
   * @throws Unwritable
   */
  moveToPart(): void {
    if (this.isPart) return;
    this.undoNote();
    try {
      this.noteOlderReports(true);
    } catch (error) {
      throw this.makeUnwritable(error);
    }
  }

  /**
   * Replaces the old reports by the files in `work`. If one file cannot be moved, all moves are undone.
   * @throws Unwritable
   */
  swapIn(names: readonly string[] = ARTIFACT_NAMES): void {
    const undo: (() => void)[] = [];
    const move = (from: string, to: string) => {
      renameSync(from, to);
      undo.unshift(() => renameSync(to, from));
    };
    try {
      if (this.isPart) makeFolderForParts(this.folder);
      const old = join(this.work, OLD);
      mkdirSync(old, { recursive: true });
      for (const name of names.filter((each) => isPathThere(join(this.folder, each))))
        move(join(this.folder, name), join(old, name));
      for (const name of names.filter((each) => isPathThere(join(this.work, each))))
        move(join(this.work, name), join(this.folder, name));
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
    return explainUnwritable(
      what,
      error,
      ` and run again${this.hasOldReports ? '; what was there is left as it was' : ''}`,
    );
  }

  /** A sentence about old reports that a refused run left unchanged; null if there are none. */
  get oldReportsNote(): string | null {
    return this.hasOldReports
      ? `The reports in ${shortenPath(this.folder)} are of an earlier run, written at ${this.timeWritten}; they were left as they were.`
      : null;
  }

  /**
   * Leaves the folder. Old files are removed in the background; a second call waits for this.
   * @param untouched true if the folder must look as if there had been no run
   */
  async close(untouched = false): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      this.stopTouching();
      if (untouched) ignoreErrors(() => this.undoNote());
      const spare = this.makeSpareName();
      ignoreErrors(() => renameSync(this.work, spare));
      this.clearing = Promise.all([this.clearing, removeFolder(spare)]).then(
        () => this.hasNewReports || removeMade(this.made),
      );
    }
    await this.clearing;
  }

  /**
   * Makes `.run` for this process. The folder is prepared under another name and then renamed, so `.run` always says whose
   * folder it is.
   * @throws Unwritable if another run has `.run`
   */
  private async claim(): Promise<void> {
    const prepared = this.makeSpareName();
    try {
      mkdirSync(prepared);
      const [name, text] = describeHolder(this.began);
      writeFileSync(join(prepared, name), text);
      await this.renameToRun(prepared);
      this.stopTouching = touchHolder(this.work);
    } catch (error) {
      rmSync(prepared, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Renames the prepared folder to `.run`.
   * @throws Unwritable if another run has `.run`
   */
  private async renameToRun(prepared: string): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return renameSync(prepared, this.work);
      } catch (error) {
        if (attempts > MOST_ATTEMPTS || !isPathThere(this.work)) throw error;
      }
      await this.removeRunOfKilled();
    }
  }

  /**
   * Removes the `.run` of a killed run.
   * @throws Unwritable if that run still runs
   */
  private async removeRunOfKilled(): Promise<void> {
    const holder = isFolder(this.work) ? readHolder(this.work) : null;
    if (holder !== null && (await isAlive(holder, this.work))) throw this.explainInUse(holder);
    const spare = this.makeSpareName();
    renameSync(this.work, spare);
    const found = isFolder(spare) ? readHolder(spare) : null;
    // If another process has made a new `.run` since then, the wrong folder was renamed: it is given back.
    if (found !== null && !isDeepStrictEqual(found, holder)) {
      renameSync(spare, this.work);
      throw this.explainInUse(found);
    }
    rmSync(spare, { recursive: true, force: true });
  }

  private explainInUse(holder: Holder): Unwritable {
    const where = isHere(holder) ? `process ${holder.pid}` : 'in another container or on another machine';
    return new Unwritable(
      `REPORT_DIR (${shortenPath(this.reportDir)}) is in use by another run (${where}, since ${holder.began}): wait for its end, or name another folder.`,
    );
  }

  /** Returns a folder beside the reports with a name that only this process uses. */
  private makeSpareName(): string {
    return join(this.reportDir, `.run-${process.pid}-${randomUUID()}`);
  }

  /**
   * Deletes the folders that killed runs left under a spare name. If the run was in another container or on another
   * machine, its folder must be an hour old, by the clock of the disk.
   */
  private clearRemains(): Promise<unknown> {
    const now = lstatSync(this.work).mtimeMs;
    const remains = readdirSync(this.reportDir).filter((name) => {
      const [, pid] = SPARE_NAME.exec(name) ?? [];
      if (pid === undefined) return false;
      const folder = join(this.reportDir, name);
      const holder = readHolder(folder);
      if (holder !== null && !isHere(holder)) return now - lstatSync(folder).mtimeMs > 3_600_000;
      // In a container, an earlier process may have had the same number. Folders of this process always have a holder.
      return Number(pid) === process.pid ? holder === null : !isRunning(Number(pid));
    });
    return Promise.all(remains.map((name) => removeFolder(join(this.reportDir, name))));
  }

  /** Writes `older-reports.txt` beside old reports. It says that they are of an earlier run. `swapIn` removes it. */
  private noteOlderReports(isPart: boolean): void {
    this.isPart = isPart;
    const mark = join(this.folder, OLDER);
    this.noteBefore =
      this.hasOldReports && isPathThere(mark) && lstatSync(mark).isFile() ? readFileSync(mark, 'utf8') : null;
    if (!this.hasOldReports) return;
    this.putFile(
      mark,
      `The reports in this folder are of an earlier run, written at ${this.timeWritten}.\nA run that began at ${this.began.toISOString()} (process ${process.pid}) has not ended yet, or was ended before it could write its own.\n`,
    );
  }

  /** Undoes `noteOlderReports`. */
  private undoNote(): void {
    const mark = join(this.folder, OLDER);
    if (this.noteBefore !== null) this.putFile(mark, this.noteBefore);
    else if (this.hasOldReports) rmSync(mark, { force: true });
  }

  /** Writes the text to a new file and renames it to `path`: a link at `path` is replaced, not followed. */
  private putFile(path: string, text: string): void {
    const beside = join(this.work, OLDER);
    writeFileSync(beside, text);
    renameSync(beside, path);
  }

  /** True if reports of an earlier run are in the folder. */
  private get hasOldReports(): boolean {
    return (
      !this.hasNewReports &&
      (!this.isPart || isFolder(this.folder)) &&
      ARTIFACT_NAMES.some((name) => isPathThere(join(this.folder, name)))
    );
  }

  /** The time at which the old reports were written. */
  private get timeWritten(): string {
    const name = ARTIFACT_NAMES.find((each) => isPathThere(join(this.folder, each))) ?? '';
    return lstatSync(join(this.folder, name)).mtime.toISOString();
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
  mkdirSync(path);
  made.push(path);
}

/** Makes the folder for parts. A link there is replaced, not followed. */
function makeFolderForParts(path: string): void {
  if (isPathThere(path) && lstatSync(path).isSymbolicLink()) rmSync(path);
  if (!isFolder(path)) mkdirSync(path);
}

/** Removes the folders that this run has made, if they are empty. */
function removeMade(made: readonly string[]): void {
  for (const folder of made.toReversed()) ignoreErrors(() => rmdirSync(folder));
}

/** True if the path exists, even as a link to nothing. */
function isPathThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** True if the path is a folder and not a link. */
function isFolder(path: string): boolean {
  return isPathThere(path) && lstatSync(path).isDirectory();
}

/** Calls `act` and ignores its error: this is cleaning up, and the run has its own result to report. */
function ignoreErrors(act: () => unknown): void {
  try {
    act();
  } catch {
    // The file or folder stays.
  }
}

function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true }).catch(() => undefined);
}
