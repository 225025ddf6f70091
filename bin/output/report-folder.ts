/** Where a run writes: into a folder of its own within REPORT_DIR, whose files take the place of the old reports when all of them are whole. */
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
import { NAMES, PARTIAL, WORK } from './artifacts.ts';
import { beat, holderIn, holding, isAlive, isHere, isRunning, type Holder } from './holder.ts';
import { OLDER } from './older-reports.ts';
import { asTyped, Unwritable, unwritable } from '../files/unwritable.ts';

/** The folder of a run before it is claimed and when it goes, with the number of the process. */
const REPLACED = /^\.run-(\d+)-/;
/** Old reports and what comes of them, in the folder of the run. */
const OLD = 'old';
/** How often a folder is claimed that others leave at the same moment. */
const ATTEMPTS = 3;

/** The reports of one run. Nothing of an earlier run is touched before `swapIn`, and no link that was there is followed. */
export class ReportFolder {
  /** Where files are written until they are whole. Only one process can have made it, so no two runs write at once. */
  readonly work: string;
  private readonly reportDir: string;
  private readonly began = new Date();
  /** Folders that were made for this run, the outermost first. */
  private readonly made: string[];
  private isPart = false;
  private isOpen = true;
  private hasNewReports = false;
  /** The mark that an earlier run left in the present folder. */
  private markBefore: string | null = null;
  private clearing: Promise<unknown> = Promise.resolve();
  private silence: () => void = () => undefined;

  private constructor(reportDir: string, made: string[]) {
    this.reportDir = reportDir;
    this.work = join(reportDir, WORK);
    this.made = made;
  }

  /** Makes the folder if there is none, and claims it for this process. @param isPart only a part of the suite is asked for @throws Unwritable, and leaves everything as it was */
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
      throw unwritable(`REPORT_DIR (${asTyped(reportDir)})`, error, ', or name another one');
    }
  }

  /** Where the reports are in the end. */
  get folder(): string {
    return this.isPart ? join(this.reportDir, PARTIAL) : this.reportDir;
  }

  /** The reports go where those of parts go. @throws Unwritable */
  toPart(): void {
    if (this.isPart) return;
    this.unmark();
    try {
      this.mark(true);
    } catch (error) {
      throw this.unwritten(error);
    }
  }

  /** Puts what has been written in the place of what was there, all of it or nothing. @throws Unwritable */
  swapIn(names: readonly string[] = NAMES): void {
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

  /** The sentence for reports that could not be written. @param what if that is not a report */
  unwritten(error: unknown, what = `The report in ${asTyped(this.folder)}`): Unwritable {
    return unwritable(
      what,
      error,
      ` and run again${this.hasOld ? '; what was there is left as it was' : ''}`,
    );
  }

  /** What is said of the reports that a run left alone which was refused; null if there are none. */
  get leftAlone(): string | null {
    return this.hasOld
      ? `The reports in ${asTyped(this.folder)} are of an earlier run, written at ${this.written}; they were left as they were.`
      : null;
  }

  /** Lets go of the folder. What is old goes while others go on; a second call waits for that. @param untouched as if there had been no run */
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

  /** @throws Unwritable if another run has it */
  private async claim(): Promise<void> {
    const coming = this.spareName();
    try {
      mkdirSync(coming);
      const [name, text] = holding(this.began);
      writeFileSync(join(coming, name), text);
      await this.moveIn(coming);
      this.silence = beat(this.work);
    } catch (error) {
      rmSync(coming, { recursive: true, force: true });
      throw error;
    }
  }

  /** Makes this folder that of the run. @throws Unwritable if another run has it */
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

  /** Renames what a killed run has left, and removes it. @throws Unwritable if the run lives */
  private async takeOver(): Promise<void> {
    const holder = isFolder(this.work) ? holderIn(this.work) : null;
    if (holder !== null && (await isAlive(holder, this.work))) throw this.inUseBy(holder);
    const spare = this.spareName();
    renameSync(this.work, spare);
    const found = isFolder(spare) ? holderIn(spare) : null;
    // somebody else may have been quicker
    if (found !== null && !isDeepStrictEqual(found, holder)) {
      renameSync(spare, this.work);
      throw this.inUseBy(found);
    }
    rmSync(spare, { recursive: true, force: true });
  }

  private inUseBy(holder: Holder): Unwritable {
    const where = isHere(holder) ? `process ${holder.pid}` : 'in another container or on another machine';
    return new Unwritable(
      `REPORT_DIR (${asTyped(this.reportDir)}) is in use by another run (${where}, since ${holder.began}): wait for its end, or name another folder.`,
    );
  }

  /** A folder of this process beside the reports: what is in the way is renamed to it. */
  private spareName(): string {
    return join(this.reportDir, `.run-${process.pid}-${randomUUID()}`);
  }

  /** What killed runs left. What is of another place goes after an hour, by the clock of the disk. */
  private clearRemains(): Promise<unknown> {
    const now = lstatSync(this.work).mtimeMs;
    const remains = readdirSync(this.reportDir).filter((name) => {
      const [, pid] = REPLACED.exec(name) ?? [];
      if (pid === undefined) return false;
      const folder = join(this.reportDir, name);
      const holder = holderIn(folder);
      if (holder !== null && !isHere(holder)) return now - lstatSync(folder).mtimeMs > 3_600_000;
      // in containers an earlier process had the same number
      return Number(pid) === process.pid ? holder === null : !isRunning(Number(pid));
    });
    return Promise.all(remains.map((name) => removed(join(this.reportDir, name))));
  }

  /** Says beside old reports that they are old, until there are new ones. */
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

  /** Never through a link. */
  private put(path: string, text: string): void {
    const beside = join(this.work, OLDER);
    writeFileSync(beside, text);
    renameSync(beside, path);
  }

  private get hasOld(): boolean {
    return (
      !this.hasNewReports &&
      (!this.isPart || isFolder(this.folder)) &&
      NAMES.some((name) => isThere(join(this.folder, name)))
    );
  }

  /** When the old reports were written. */
  private get written(): string {
    const name = NAMES.find((each) => isThere(join(this.folder, each))) ?? '';
    return lstatSync(join(this.folder, name)).mtime.toISOString();
  }
}

/** As mkdir with `recursive`, which never comes back below a folder of the system that takes no entries, such as /proc. @param made takes what is made, the outermost first */
function makeFolder(path: string, made: string[]): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), made);
  mkdirSync(path);
  made.push(path);
}

/** A link there is replaced, not followed. */
function makePart(path: string): void {
  if (isThere(path) && lstatSync(path).isSymbolicLink()) rmSync(path);
  if (!isFolder(path)) mkdirSync(path);
}

function unmake(made: readonly string[]): void {
  for (const each of made.toReversed()) attempt(() => rmdirSync(each));
}

/** Whether anything is there, a link that leads nowhere too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether it is a folder and no link to one. */
function isFolder(path: string): boolean {
  return isThere(path) && lstatSync(path).isDirectory();
}

/** Goes on if it cannot be done: there is something worse to say. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // it stays
  }
}

function removed(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true }).catch(() => undefined);
}
