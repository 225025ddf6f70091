/** One run with its files: the folder, the evidence, the reports and the Allure page. */
import { opendirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { classifyEnding, makeFailure } from '../../fixtures/judgement/finding.ts';
import { collectTestFindings, writeExchanges } from '../../fixtures/asking/lanes/test-findings.ts';
import type { EndedTest } from '../../fixtures/asking/lanes/run-body.ts';
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
import { selectIds, selectTests, type SelectedTest, type Selection } from './selection/selection.ts';
import type { Baseline } from './configuration.ts';
import { TestEndings } from './test-endings.ts';
import { isMust } from '../../fixtures/interface/requirements.ts';
import type { Stop } from '../../fixtures/judgement/reason.ts';
import { describeReason } from '../../reports/document/reasons/reason-words.ts';
import { FROM_HERE } from '../../reports/document/reasons/stop-words.ts';

/** The longest time that a stopped run waits for its running tests, in milliseconds. */
const LONGEST_GRACE = 15_000;

/** Gets the text of evidence.jsonl, a few lines at a time. */
export type KeepEvidence = (text: string) => void;

/** The result of a run that has ended. */
export interface EndedRun {
  report: Report;
  /** Says why the Allure report or its history is missing. It is null for a stopped run, which makes no Allure report. */
  problemOfAllure: string | null;
  /** Says why no file was written. Null: all files are in place. */
  unwritten: string | null;
}

/**
 * One run with its reports. There are two ways to use it:
 * - The command `run` calls `judge`, then `close`.
 * - If Playwright was started, its reporter calls `begin` with the tests that Playwright selected, then `finish` and `close`.
 */
export class ReportedRun {
  readonly run: OpenRun;
  /** The folder of this run. */
  readonly files: ReportFolder;
  /** The waivers and the locked profile. */
  private readonly baseline: Baseline;
  private readonly evidence: EvidenceFile;
  /** How each test ended: Playwright's workers ask for it, because test bodies run in this process. */
  readonly endings = new TestEndings();
  /** Earlier runs, read before the first request: an unreadable old file must not spoil a run at its end. */
  private readonly earlier: EarlierRun[];
  /** Rejects when the run no longer waits for running tests; `abandon` rejects it. */
  private readonly abandoned: Promise<never>;
  private abandon: () => void = () => undefined;
  /** The full ids of the requirements that --only, --replay or Playwright's filter asks for; empty if all are asked. */
  private ids: readonly string[];
  /** True if Playwright's user selected a part of the suite, e.g. with `--grep @list-pets.limit`. Then only this part decides the exit code. */
  private hasPlaywrightFilter = false;
  /** True if one of the tests that Playwright's filter selects has failed. */
  private hasFailedTest = false;
  /** True if `begin` got tests, or Playwright's workers run them. */
  private hasTests = false;
  private hasBegun = false;
  /** The process that makes the Allure page; null before the tests begin and after the page is made. */
  private allure: AllureMaker | null = null;
  private closing: Promise<void> | null = null;
  /** Resolves when all tests have ended. Tests in Playwright's workers do not count: Playwright waits for them. */
  private testsEnded: Promise<void> = Promise.resolve();

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
   * @param keep `certify` gives it: it signs the evidence from memory, because anybody could change the file
   * @throws Unwritable
   */
  static async open(
    settings: Settings,
    baseline: Baseline,
    progress: ProgressLine,
    keep: KeepEvidence = () => undefined,
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
      files.close('remove-note');
      throw error;
    }
  }

  /** Judges the target in this process. Returns an obstacle with exit code 2: then no report is written. */
  async judge(): Promise<EndedRun | Obstacle> {
    const { settings } = this.run;
    const asking = this.run.findObstacle();
    // The tests are read while the target answers.
    const suite = collectSuite();
    const obstacle = await asking;
    if (obstacle?.exitCode === 2) return obstacle;
    // With an obstacle of exit code 3, e.g. an unreachable target, no test runs, and the report says so. Without Playwright, nobody asks
    // how a test ended, so no ending is kept.
    if (obstacle === null) this.begin(selectTests(settings, await suite), async () => {});
    return this.finish();
  }

  /**
   * Starts the selected tests in this process. If `tests` is null, Playwright's workers run them.
   * @param ended called after each test. By default the ending is kept for Playwright
   */
  begin({ tests, isWhole, ids }: Selection, ended = this.keepEnding.bind(this)): void {
    const { engine } = this.run;
    this.hasBegun = true;
    // If tests are left out, and neither by --only nor by --replay, Playwright has a filter.
    if (!isWhole && this.ids.length === 0) {
      this.hasPlaywrightFilter = true;
      this.ids = ids;
      this.moveToPart();
    }
    if (engine.stopped === null) this.allure = startAllure();
    this.hasTests = tests === null || tests.length > 0;
    if (tests === null) return;
    this.testsEnded = this.run
      .judge(tests, { abandoned: this.abandoned, ended })
      .catch((error: Error) => void (engine.breakage ??= error.message));
  }

  /**
   * Stops the run: no further request is sent.
   * @param atOnce true if running tests are not waited for
   */
  stop(why: Stop, atOnce = false): void {
    this.run.engine.stop(why);
    if (atOnce) this.abandon();
  }

  /** Waits for the tests, makes the report and writes all files. */
  async finish(): Promise<EndedRun> {
    const { engine } = this.run;
    // If an obstacle was found, no test runs. The report says why.
    if (!this.hasBegun) this.begin({ tests: [], isWhole: true, ids: [] });
    await this.testsEnded;
    // Workers may still wait for tests that never ended.
    this.endings.endOthers({ skipped: 'the run has ended', failed: null, isRed: false });
    let ended = await this.concludeAndWrite();
    // If Playwright broke while the report was written, the report wrongly calls the run complete. Then it is written again.
    if (engine.breakage !== null && ended.report.run.complete) ended = await this.concludeAndWrite();
    this.evidence.close();
    if (ended.unwritten === null) {
      try {
        this.files.swapIn();
      } catch (error) {
        ended = this.makeUnwrittenRun(ended.report, error);
      }
    }
    // The caller prints the result meanwhile. It waits for `close` later.
    void this.close();
    return ended;
  }

  /**
   * Closes the connection to the target and removes `.run`. If a run has begun and wrote no reports, the note `older-reports.txt` stays.
   * A second call waits for the first.
   */
  close(): Promise<void> {
    return (this.closing ??= (async () => {
      this.allure?.close();
      this.evidence.close();
      await this.run.close();
      this.files.close(this.hasBegun ? 'leave-note' : 'remove-note');
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

  /** Ends the judgement with the last reads and the experiments, then makes the report and writes the files into `.run`. */
  private async concludeAndWrite(): Promise<EndedRun> {
    const { engine, settings } = this.run;
    // The run is over: an error of the evidence file no longer stops it.
    this.evidence.onProblem = null;
    // Experiments send failed requests again with small changes, to find the cause. They leave out waived promises.
    if (this.hasTests) await engine.conclude(settings.failFast ? 'no-experiments' : this.baseline.waived);
    const ids = this.reportedIds;
    // `run.only` of the report has the values of --only; if Playwright has a filter, the ids of its tests.
    const only = this.hasPlaywrightFilter ? ids : settings.only;
    let report = this.setExitCodeByFilter(this.run.report(only, ids));
    try {
      report = this.addEarlierRuns(this.baseline.apply(report));
      return { report, problemOfAllure: await this.writeFiles(report), unwritten: null };
    } catch (error) {
      return this.makeUnwrittenRun(report, error);
    } finally {
      this.allure?.close();
      this.allure = null;
    }
  }

  /** Adds the results of earlier runs. The report of a partial run shows none. */
  private addEarlierRuns(report: Report): Report {
    const { earlier } = this;
    const isPart = this.hasPlaywrightFilter || report.run.only.length > 0;
    return isPart || earlier.length === 0 ? report : { ...report, run: { ...report.run, earlier } };
  }

  /**
   * The ids of the requirements in the report; empty if all are asked. A test may verify further promises than the user's filter names.
   * So with a filter, ids without a finding are left out. A stopped run keeps all, because it may not have come to them. If no id has a
   * finding, all stay, because an empty result means that all are asked.
   */
  private get reportedIds(): readonly string[] {
    const { found, stopped } = this.run.engine;
    if (!this.hasPlaywrightFilter || stopped !== null) return this.ids;
    const known = new Set(found.findings.map(({ requirement }): string => requirement));
    const ids = this.ids.filter((id) => known.has(id));
    return ids.length === 0 ? this.ids : ids;
  }

  /** Returns the result of a run whose files could not be written. Only the terminal shows its verdict. */
  private makeUnwrittenRun(report: Report, error: unknown): EndedRun {
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
   * @returns `EndedRun.problemOfAllure`
   * @throws Error if a file cannot be written
   */
  private async writeFiles(report: Report): Promise<string | null> {
    const { redact, settings } = this.run;
    const { work } = this.files;
    if (this.evidence.problem !== null) throw this.evidence.problem;
    // A stopped run must end soon, so it gets no Allure page. If an obstacle kept all tests from running, the page is made: it is
    // short and names the obstacle.
    const hasObstacle = this.run.engine.stopped?.kind === 'obstacle' && !this.hasTests;
    if (!report.run.complete && !hasObstacle) {
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
   * With a filter of Playwright's, sets the exit code: 1 if a test failed, 3 if something is undecided, else 0. Without such a
   * filter the report keeps its exit code.
   */
  private setExitCodeByFilter(report: Report): Report {
    if (!this.hasPlaywrightFilter || report.exitCode === 2) return report;
    if (this.hasFailedTest || report.exitCode === 1) return { ...report, exitCode: 1 };
    const isOpen =
      report.requirements.some(({ verdict }) => verdict === 'inconclusive') || !report.run.complete;
    return { ...report, exitCode: isOpen ? 3 : 0 };
  }

  /**
   * Returns the error of a test for Playwright: the error that its body threw. With a filter, the test also fails if rules find a broken
   * must in its answers. Without a filter, only the report shows this.
   */
  private findThrown({ asked, thrown }: EndedTest<SelectedTest>): unknown {
    const flaws = this.hasPlaywrightFilter ? this.run.engine.judge.findFlaws(asked) : [];
    const flaw = flaws.find(({ requirement }) => isMust(requirement));
    return flaw === undefined ? thrown : makeFailure(flaw);
  }

  /** Keeps for Playwright how a test ended. `ran` has the error of its body (`thrown`) and the ids of its exchanges (`asked`). */
  private async keepEnding(ran: EndedTest<SelectedTest>): Promise<void> {
    const { test, findings } = ran;
    const { engine } = this.run;
    // Playwright shows a failed test in red only if it has a filter.
    const ending = classifyEnding(this.findThrown(ran), this.hasPlaywrightFilter, describeReason);
    const message = engine.redactor.withhold(ending.failed ?? ending.skipped ?? '');
    this.hasFailedTest ||= ending.failed !== null && this.hasPlaywrightFilter;
    const found = await collectTestFindings(engine, test.declared, findings);
    this.endings.endTest(test.id, {
      ...ending,
      ...(ending.failed !== null && found !== null && { shown: writeExchanges(found.exchanges) }),
      skipped: ending.skipped && message,
      failed: ending.failed && message,
    });
  }
}

/** Returns the reason to stop a run whose files cannot be written. FROM_HERE says that the target is not the cause. */
function makeUnwritableStop({ message }: Error): Stop {
  return { kind: 'obstacle', told: message, remedy: FROM_HERE };
}
