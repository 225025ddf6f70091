/** One run with its files: the folder, the evidence, the reports and the Allure page. */
import { opendirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { classifyEnding, type Ending, makeFailure } from '../../fixtures/judgement/finding.ts';
import { collectTestFindings, writeExchanges } from '../../fixtures/asking/lanes/test-findings.ts';
import type { Ran } from '../../fixtures/asking/lanes/run-body.ts';
import type { Endings } from '../../fixtures/session/remote.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import type { EarlierRun, Report } from '../../reports/document/report-document.ts';
import { writeAllure, writeResults, startAllure, type AllureMaker } from '../command-line/output/allure.ts';
import { ALLURE, writeReports } from '../command-line/output/artifacts.ts';
import { collectSuite } from './selection/collect-suite.ts';
import { readEarlierRuns } from '../command-line/output/earlier-runs.ts';
import { EvidenceFile } from '../command-line/output/evidence-file.ts';
import { ReportFolder } from '../command-line/output/report-folder.ts';
import {
  shortenPath,
  isRefusedByDisk,
  isRefusedBySystem,
  Unwritable,
} from '../command-line/files/unwritable.ts';
import type { Obstacle } from './preflight/preflight.ts';
import type { ProgressLine } from '../command-line/output/progress-line.ts';
import { openRun, type OpenRun } from './run.ts';
import { NOTHING, selectIds, selectTests, type SelectedTest, type Selection } from './selection/selection.ts';
import type { Baseline } from './configuration.ts';
import { isMust } from '../../fixtures/interface/requirements.ts';
import type { Stop } from '../../fixtures/judgement/reason.ts';
import { describeReason } from '../../reports/document/reasons/reason-words.ts';
import { FROM_HERE } from '../../reports/document/reasons/stop-words.ts';

/** The longest time that a stopped run waits for its running tests, in milliseconds. */
const LONGEST_GRACE = 15_000;

/** Gets the text of evidence.jsonl, a few lines at a time. */
export type Keep = (text: string) => void;

/** The report of a run that has ended. */
export interface Written {
  report: Report;
  /** Says in sentences why there is no Allure report, or why it has no history; or null. */
  problemOfAllure: string | null;
  /** The reason why no file was written, or null. */
  unwritten: string | null;
}

/**
 * One run with its reports. Two callers use this class: the command `run` calls `judge`. Playwright's reporter, here
 * "the runner", calls `begin` with its selected tests and then `finish`; its workers ask `waitForEnding`.
 */
export class ReportedRun implements Endings {
  readonly run: OpenRun;
  /** The folder of this run. */
  readonly files: ReportFolder;
  private readonly baseline: Baseline;
  private readonly evidence: EvidenceFile;
  /** For each id of a test: `end` resolves the promise `ended`. A worker may wait for the end before it comes, or ask for it later. */
  private readonly endings = new Map<string, { ended: Promise<Ending>; end: (ending: Ending) => void }>();
  /** Earlier runs, read before the first request: an unreadable old file must not spoil a run at its end. */
  private readonly earlier: EarlierRun[];
  /** Rejects when running tests are not waited for any longer; `abandon` rejects it. */
  private readonly abandoned: Promise<never>;
  private abandon: () => void = () => undefined;
  /** The full ids of the requirements that are asked; empty if all are asked. */
  private ids: readonly string[];
  /**
   * True if the user of Playwright's own command selected a part of the suite. `setExitCodeOfPart` then sets the exit
   * code by this part alone.
   */
  private isSelected = false;
  /** True if a test of that part has failed. */
  private hasFailed = false;
  private hasTests = false;
  /** True if `begin` was called. */
  private hasBegun = false;
  /** The process that makes the Allure page; null before the tests begin and after the page is made. */
  private allure: AllureMaker | null = null;
  private closing: Promise<void> | null = null;
  /** Resolves when all tests have ended that run in this process. */
  private lanes: Promise<void> = Promise.resolve();

  private constructor(
    run: OpenRun,
    baseline: Baseline,
    { files, evidence }: { files: ReportFolder; evidence: EvidenceFile },
    progress: ProgressLine,
  ) {
    const { settings, engine } = run;
    this.run = run;
    this.baseline = baseline;
    this.files = files;
    this.evidence = evidence;
    evidence.onProblem = (problem) => this.stop(makeUnwritableStop(files.makeUnwritable(problem)));
    const { reportDir, embedded, baseUrl } = settings;
    this.earlier = readEarlierRuns(reportDir, { baseUrl: run.redact(baseUrl), embedded });
    this.ids = selectIds(settings);
    this.abandoned = new Promise(
      (_, reject) => (this.abandon = () => reject(new Error('the run has ended'))),
    );
    // Without a handler, Node would report the rejection as an unhandled error.
    this.abandoned.catch(() => undefined);
    engine.onStop = () => setTimeout(() => this.abandon(), LONGEST_GRACE).unref();
    // Tests that end after a stop do not count as progress.
    engine.onProgress = () =>
      engine.stopped === null &&
      progress.show(engine.progress, engine.budget.requests, () => engine.footprint.leftAnimals.length);
    engine.onWait = (what, milliseconds) => progress.wait(what, milliseconds);
  }

  /**
   * Opens the folder of the reports and the connection to the target. Nothing is sent yet.
   * `keep` gets the text of evidence.jsonl too.
   * @throws Unwritable
   */
  static async open(
    settings: Settings,
    baseline: Baseline,
    progress: ProgressLine,
    keep: Keep = () => undefined,
  ): Promise<ReportedRun> {
    // With --fail-fast a run may end early: it must not replace the reports of a whole run.
    const isPart = selectIds(settings).length > 0 || settings.failFast;
    const files = await ReportFolder.open(settings.reportDir, isPart);
    try {
      const evidence = new EvidenceFile(files.work);
      const write = (text: string) => {
        keep(text);
        evidence.write(text);
      };
      return new ReportedRun(await openRun(settings, write), baseline, { files, evidence }, progress);
    } catch (error) {
      // `true`: the folder looks as if there had been no run.
      files.close(true);
      throw error;
    }
  }

  /** Judges the target in this process. Returns an obstacle with exit code 2: then no report is written. */
  async judge(): Promise<Written | Obstacle> {
    const { settings } = this.run;
    const asking = this.run.findObstacle();
    // The tests are read while the target answers.
    const suite = collectSuite();
    const obstacle = await asking;
    if (obstacle?.exitCode === 2) return obstacle;
    // With an obstacle of exit code 3, e.g. an unreachable target, no test runs; the report says so.
    if (obstacle === null) this.begin(selectTests(settings, await suite));
    return this.finish();
  }

  /** Runs the selected tests in this process. If `tests` is null, the workers of the runner run them. */
  begin({ tests, isWhole, ids }: Selection): void {
    const { engine } = this.run;
    this.hasBegun = true;
    // Neither --only nor --replay has left tests out: the user of Playwright's own command has.
    if (!isWhole && this.ids.length === 0) {
      this.isSelected = true;
      this.ids = ids;
      this.moveToPart();
    }
    if (engine.stopped === null) this.allure = startAllure();
    this.hasTests = tests === null || tests.length > 0;
    if (tests === null) return;
    this.lanes = this.run
      .judge(tests, { abandoned: this.abandoned, ended: (ran) => this.keepEndOfTest(ran) })
      .catch((error: Error) => void (engine.breakage ??= error.message));
  }

  /** Resolves when the test has ended. A worker of Playwright asks this for each of its tests. */
  waitForEnding(test: string): Promise<Ending> {
    return this.findEnding(test).ended;
  }

  /**
   * Stops the run: no further request is sent.
   * @param atOnce true if running tests are not waited for
   */
  stop(why: Stop, atOnce = false): void {
    this.run.engine.stop(why);
    if (atOnce) this.abandon();
  }

  /** Returns the report when all tests have ended and all files are in place. */
  async finish(): Promise<Written> {
    const { engine } = this.run;
    // Even without tests a report is written: it says why there were none.
    if (!this.hasBegun) this.begin(NOTHING);
    await this.lanes;
    // Workers may still wait for tests that never ended. For tests that have ended, this call changes nothing.
    for (const { end } of this.endings.values())
      end({ skipped: 'the run has ended', failed: null, isRed: false });
    let written = await this.write();
    // Playwright broke after the last test, so reports that call the run complete are written again.
    if (engine.breakage !== null && written.report.run.complete) written = await this.write();
    this.evidence.close();
    if (written.unwritten === null) {
      try {
        this.files.swapIn();
      } catch (error) {
        written = this.makeUnwrittenResult(written.report, error);
      }
    }
    void this.close();
    return written;
  }

  /** Closes the connection to the target and leaves the folder. A second call waits for the first. */
  close(): Promise<void> {
    return (this.closing ??= (async () => {
      this.allure?.close();
      this.evidence.close();
      await this.run.close();
      // `true`: the folder looks as if there had been no run.
      this.files.close(!this.hasBegun);
    })());
  }

  /** Moves the reports to the folder `partial`. If this fails, the run stops. */
  private moveToPart(): void {
    try {
      this.files.moveToPart();
    } catch (error) {
      this.stop(makeUnwritableStop(error as Error));
    }
  }

  private async write(): Promise<Written> {
    const { engine, settings } = this.run;
    // The run is over: an error of the evidence file no longer stops it.
    this.evidence.onProblem = null;
    // Without tests no request was sent, so there is nothing to judge. With a list of waived promises, experiments are made too
    // (failed requests are sent again, and changed). --fail-fast makes none.
    if (this.hasTests) await engine.conclude(settings.failFast ? 'no-experiments' : this.baseline.waived);
    const ids = this.reportedIds;
    // `run.only` of the report: the values of --only; the ids if the runner asks only a part.
    let report = this.setExitCodeOfPart(this.run.report(this.isSelected ? ids : settings.only, ids));
    try {
      report = this.addEarlierRuns(this.baseline.apply(report));
      return { report, problemOfAllure: await this.writeFiles(report), unwritten: null };
    } catch (error) {
      return this.makeUnwrittenResult(report, error);
    } finally {
      this.allure?.close();
      this.allure = null;
    }
  }

  /** Adds the results of earlier runs. The report of a partial run shows none. */
  private addEarlierRuns(report: Report): Report {
    const { earlier } = this;
    return this.isSelected || report.run.only.length > 0 || earlier.length === 0
      ? report
      : { ...report, run: { ...report.run, earlier } };
  }

  /**
   * The ids of the requirements in the report: the asked ones; empty if all are asked. If Playwright's own command has left tests
   * out, only asked ones with findings; but all asked ones if the run was stopped, or none has a finding.
   */
  private get reportedIds(): readonly string[] {
    const {
      found: { findings },
      stopped,
    } = this.run.engine;
    if (!this.isSelected || stopped !== null) return this.ids;
    const known = new Set(findings.map(({ requirement }): string => requirement));
    const ids = this.ids.filter((id) => known.has(id));
    return ids.length === 0 ? this.ids : ids;
  }

  /** Returns the result of a run whose files could not be written. The terminal alone shows its verdict. */
  private makeUnwrittenResult(report: Report, error: unknown): Written {
    const unwritten =
      isRefusedBySystem(error) || error instanceof Unwritable
        ? this.files.makeUnwritable(error).message
        : `The suite itself broke: ${error instanceof Error ? error.message : String(error)}`;
    return {
      report: { ...report, exitCode: 3 },
      problemOfAllure: null,
      unwritten: this.run.redact(unwritten),
    };
  }

  /**
   * Writes all files into the folder of the run.
   * @returns why there is no Allure report, or why it has no history, or null
   * @throws Error if a file cannot be written
   */
  private async writeFiles(report: Report): Promise<string | null> {
    const { redact, settings } = this.run;
    const { work } = this.files;
    if (this.evidence.problem !== null) throw this.evidence.problem;
    // A stopped run must end soon, so it gets no Allure page. If no test ran, the page is made quickly and names the
    // obstacle.
    const isUnreachable = this.run.engine.stopped?.kind === 'obstacle' && !this.hasTests;
    if (!report.run.complete && !isUnreachable) {
      writeReports(work, report, redact);
      writeResults(join(work, ALLURE.results), report, redact);
      return null;
    }
    // Throws if somebody removed the folder. Without this check, Allure's results would create the folder anew.
    opendirSync(work).closeSync();
    // The process of Allure makes its page while this process writes the other reports.
    const page = writeAllure({
      settings: { ...settings, reportDir: work },
      report,
      redact,
      // Allure's history gets a new entry for this run.
      isNew: true,
      ...(this.allure && { maker: this.allure }),
    });
    writeReports(work, report, redact);
    const outcome = await page;
    if (outcome.path !== null) return outcome.problem === null ? null : redact(outcome.problem);
    // If the disk refused Allure's files, the user must act. If Allure itself failed, only its page is missing.
    if (isRefusedByDisk(outcome.error))
      throw this.files.makeUnwritable(
        outcome.error,
        `The Allure report in ${shortenPath(this.files.folder)}`,
      );
    rmSync(join(work, ALLURE.report), { recursive: true, force: true });
    return redact(outcome.problem);
  }

  /**
   * Sets the exit code of a selection: 1 if a test failed, 3 if something is undecided, else 0. The report still says that
   * only a part was asked.
   */
  private setExitCodeOfPart(report: Report): Report {
    if (!this.isSelected || report.exitCode === 2) return report;
    if (this.hasFailed || report.exitCode === 1) return { ...report, exitCode: 1 };
    const isOpen =
      report.requirements.some(({ verdict }) => verdict === 'inconclusive') || !report.run.complete;
    return { ...report, exitCode: isOpen ? 3 : 0 };
  }

  /** Returns the error of a test for the runner. If rules have found a flaw in its answers, a selected test is red. */
  private findThrown({ asked, thrown }: Ran<SelectedTest>): unknown {
    const flaws = this.isSelected ? this.run.engine.judge.findFlaws(asked) : [];
    const flaw = flaws.find(({ requirement }) => isMust(requirement));
    return flaw === undefined ? thrown : makeFailure(flaw);
  }

  /** Keeps the end of a test for the runner. */
  private async keepEndOfTest(ran: Ran<SelectedTest>): Promise<void> {
    const { test, findings } = ran;
    const { engine } = this.run;
    // Playwright shows a failed test in red only if its user selected a part of the suite.
    const ending = classifyEnding(this.findThrown(ran), this.isSelected, describeReason);
    const message = engine.redactor.withhold(ending.failed ?? ending.skipped ?? '');
    this.hasFailed ||= ending.failed !== null && this.isSelected;
    const found = await collectTestFindings(engine, test.declared, findings);
    this.findEnding(test.id).end({
      ...ending,
      ...(ending.failed !== null && found !== null && { shown: writeExchanges(found.exchanges) }),
      skipped: ending.skipped && message,
      failed: ending.failed && message,
    });
  }

  /** Returns the entry of the test in `endings`, and makes a new entry if there is none. */
  private findEnding(test: string): { ended: Promise<Ending>; end: (ending: Ending) => void } {
    const known = this.endings.get(test);
    if (known !== undefined) return known;
    let end: (ending: Ending) => void = () => undefined;
    const ended = new Promise<Ending>((resolve) => (end = resolve));
    this.endings.set(test, { ended, end });
    return { ended, end };
  }
}

/** Returns the reason to stop a run whose files cannot be written. FROM_HERE says that the target is not the cause. */
function makeUnwritableStop({ message }: Error): Stop {
  return { kind: 'obstacle', told: message, remedy: FROM_HERE };
}
