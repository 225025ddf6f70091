/**
 * The folder of a run. A run writes into its own folder within REPORT_DIR. When all files are whole, they
 * replace the old reports.
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

/** Matches the folder of a run before it is claimed and when it is removed. The name holds the process number. */
const REPLACED = /^\.run-(\d+)-/;
/** The folder for replaced reports, inside the folder of the run. */
const OLD = 'old';
/** The most attempts to claim a folder that others leave at the same time. */
const ATTEMPTS = 3;

/**
 * The reports of one run. Until `swapIn`, reports of earlier runs stay unchanged. Links in the folder are never
 * followed.
 */
export class ReportFolder {
  /**
   * The folder in which files are written until they are whole. Only one process can make it, so two runs never
   * write at once.
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
  private markBefore: string | null = null;
  private clearing: Promise<unknown> = Promise.resolve();
  private silence: () => void = () => undefined;

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
        folder.mark(isPart);
      } catch (error) {
        folder.silence();
        rmSync(folder.work, { recursive: true, force: true });
        throw error;
      }
      folder.clearing = folder.clearRemains();
      return folder;
    } catch (error) {
      unmake(made);
      throw explainUnwritable(`REPORT_DIR (${shortenPath(reportDir)})`, error, ', or name another one');
    }
  }

  /** The folder in which the reports are in the end. */
  get folder(): string {
    return this.isPart ? join(this.reportDir, PARTIAL) : this.reportDir;
  }

  /**
   * Moves the reports of this run to the folder for parts.
   * @throws Unwritable
   */
  toPart(): void {
    if (this.isPart) return;
    this.unmark();
    try {
      this.mark(true);
    } catch (error) {
      throw this.unwritten(error);
    }
  }

  /**
   * Replaces the old files by the written ones: all of them, or none if one fails.
   * @throws Unwritable
   */
  swapIn(names: readonly string[] = ARTIFACT_NAMES): void {
    const undo: (() => void)[] = [];
    const move = (from: string, to: string) => {
      renameSync(from, to);
      undo.unshift(() => renameSync(to, from));
    };
    try {
      if (this.isPart) makePart(this.folder);
      const old = join(this.work, OLD);
      mkdirSync(old, { recursive: true });
      for (const name of names.filter((each) => isThere(join(this.folder, each))))
        move(join(this.folder, name), join(old, name));
      for (const name of names.filter((each) => isThere(join(this.work, each))))
        move(join(this.work, name), join(this.folder, name));
      rmSync(join(this.folder, OLDER), { force: true });
      this.hasNewReports = true;
    } catch (error) {
      for (const back of undo) attempt(back);
      throw this.unwritten(error);
    }
  }

  /**
   * Makes the error for files that could not be written.
   * @param what the words for the files, if they are not the report
   */
  unwritten(error: unknown, what = `The report in ${shortenPath(this.folder)}`): Unwritable {
    return explainUnwritable(
      what,
      error,
      ` and run again${this.hasOld ? '; what was there is left as it was' : ''}`,
    );
  }

  /** A sentence about old reports that a refused run left unchanged; null if there are none. */
  get leftAlone(): string | null {
    return this.hasOld
      ? `The reports in ${shortenPath(this.folder)} are of an earlier run, written at ${this.written}; they were left as they were.`
      : null;
  }

  /**
   * Leaves the folder. Old files are removed in the background; a second call waits for this.
   * @param untouched true if the folder must look as if there had been no run
   */
  async close(untouched = false): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      this.silence();
      if (untouched) attempt(() => this.unmark());
      const spare = this.spareName();
      attempt(() => renameSync(this.work, spare));
      this.clearing = Promise.all([this.clearing, removed(spare)]).then(
        () => this.hasNewReports || unmake(this.made),
      );
    }
    await this.clearing;
  }

  /** @throws Unwritable if another run has the folder */
  private async claim(): Promise<void> {
    const coming = this.spareName();
    try {
      mkdirSync(coming);
      const [name, text] = describeHolder(this.began);
      writeFileSync(join(coming, name), text);
      await this.moveIn(coming);
      this.silence = touchHolder(this.work);
    } catch (error) {
      rmSync(coming, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Renames this folder to the folder of the run.
   * @throws Unwritable if another run has it
   */
  private async moveIn(coming: string): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return renameSync(coming, this.work);
      } catch (error) {
        if (attempts > ATTEMPTS || !isThere(this.work)) throw error;
      }
      await this.takeOver();
    }
  }

  /**
   * Renames the folder of a killed run and removes it.
   * @throws Unwritable if that run lives
   */
  private async takeOver(): Promise<void> {
    const holder = isFolder(this.work) ? readHolder(this.work) : null;
    if (holder !== null && (await isAlive(holder, this.work))) throw this.inUseBy(holder);
    const spare = this.spareName();
    renameSync(this.work, spare);
    const found = isFolder(spare) ? readHolder(spare) : null;
    // Another process may have claimed the folder in between.
    if (found !== null && !isDeepStrictEqual(found, holder)) {
      renameSync(spare, this.work);
      throw this.inUseBy(found);
    }
    rmSync(spare, { recursive: true, force: true });
  }

  private inUseBy(holder: Holder): Unwritable {
    const where = isHere(holder) ? `process ${holder.pid}` : 'in another container or on another machine';
    return new Unwritable(
      `REPORT_DIR (${shortenPath(this.reportDir)}) is in use by another run (${where}, since ${holder.began}): wait for its end, or name another folder.`,
    );
  }

  /** Returns a folder beside the reports with a name that only this process uses. */
  private spareName(): string {
    return join(this.reportDir, `.run-${process.pid}-${randomUUID()}`);
  }

  /**
   * Removes the folders of killed runs. A folder of another place is removed after an hour, by the clock of the
   * disk.
   */
  private clearRemains(): Promise<unknown> {
    const now = lstatSync(this.work).mtimeMs;
    const remains = readdirSync(this.reportDir).filter((name) => {
      const [, pid] = REPLACED.exec(name) ?? [];
      if (pid === undefined) return false;
      const folder = join(this.reportDir, name);
      const holder = readHolder(folder);
      if (holder !== null && !isHere(holder)) return now - lstatSync(folder).mtimeMs > 3_600_000;
      // In a container, an earlier process may have had the number of this one.
      return Number(pid) === process.pid ? holder === null : !isRunning(Number(pid));
    });
    return Promise.all(remains.map((name) => removed(join(this.reportDir, name))));
  }

  /** Writes a file beside old reports which says that they are old. New reports remove it. */
  private mark(isPart: boolean): void {
    this.isPart = isPart;
    const mark = join(this.folder, OLDER);
    this.markBefore =
      this.hasOld && isThere(mark) && lstatSync(mark).isFile() ? readFileSync(mark, 'utf8') : null;
    if (!this.hasOld) return;
    this.put(
      mark,
      `The reports in this folder are of an earlier run, written at ${this.written}.\nA run that began at ${this.began.toISOString()} (process ${process.pid}) has not ended yet, or was ended before it could write its own.\n`,
    );
  }

  private unmark(): void {
    const mark = join(this.folder, OLDER);
    if (this.markBefore !== null) this.put(mark, this.markBefore);
    else if (this.hasOld) rmSync(mark, { force: true });
  }

  /** Writes by renaming, because a link at the path must not be followed. */
  private put(path: string, text: string): void {
    const beside = join(this.work, OLDER);
    writeFileSync(beside, text);
    renameSync(beside, path);
  }

  private get hasOld(): boolean {
    return (
      !this.hasNewReports &&
      (!this.isPart || isFolder(this.folder)) &&
      ARTIFACT_NAMES.some((name) => isThere(join(this.folder, name)))
    );
  }

  /** The time at which the old reports were written. */
  private get written(): string {
    const name = ARTIFACT_NAMES.find((each) => isThere(join(this.folder, each))) ?? '';
    return lstatSync(join(this.folder, name)).mtime.toISOString();
  }
}

/**
 * Makes a folder and its parents. `mkdir` with `recursive` hangs below system folders that accept no entries,
 * such as /proc.
 * @param made gets the folders that were made, the outermost first
 */
function makeFolder(path: string, made: string[]): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), made);
  mkdirSync(path);
  made.push(path);
}

/** Makes the folder for parts. A link there is replaced, not followed. */
function makePart(path: string): void {
  if (isThere(path) && lstatSync(path).isSymbolicLink()) rmSync(path);
  if (!isFolder(path)) mkdirSync(path);
}

function unmake(made: readonly string[]): void {
  for (const each of made.toReversed()) attempt(() => rmdirSync(each));
}

/** True if the path exists, even as a link to nothing. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** True if the path is a folder and not a link. */
function isFolder(path: string): boolean {
  return isThere(path) && lstatSync(path).isDirectory();
}

/** Ignores an error of `act`: the caller has a more important error to report. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // The file or folder stays.
  }
}

function removed(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true }).catch(() => undefined);
}
