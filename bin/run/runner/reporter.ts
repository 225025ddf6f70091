/**
 * Playwright's reporter for `npx playwright test`. It hands the selected tests to the run that the global setup opened.
 * At the end it writes the reports and sets the exit code.
 */
import { readdirSync } from 'node:fs';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { listAddedTests, findTestBody } from '../../../fixtures/asking/lanes/added-tests.ts';
import { LANES } from '../../../fixtures/asking/lanes/environment.ts';
import { readDeclaration } from '../../../fixtures/interface/requirements.ts';
import type { SelectedTest, Selection } from '../selection/selection.ts';
import { Unwritable } from '../../command-line/files/unwritable.ts';
import { getRunHolder, type RunHolder } from './run-holder.ts';
import { isPlaywrightUi } from './stepping.ts';
import { printRefusal } from '../../command-line/output/print.ts';
import { printOutcome } from '../printed-run.ts';

export default class Conformance implements Reporter {
  private exitCode = 0;
  private readonly errors: string[] = [];
  /** True if tests are only listed: then there is nothing to judge. */
  private readonly isListing = process.argv.includes('--list');

  /** If this returns false, Playwright adds its own reporter for the terminal, which prints the list. */
  printsToStdio(): boolean {
    return !this.isListing;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    // Playwright has no tests if it gave up before, e.g. in the global setup.
    if (suite.allTests().length > 0) getRunHolder()?.begin(makeSelection(config, suite));
  }

  /** Sets the exit code for the case that `onEnd` throws. Usually `onEnd` replaces it. */
  onTestEnd(test: TestCase): void {
    if (test.outcome() === 'unexpected') this.exitCode ||= 1;
  }

  onError(error: TestError): void {
    // Removes colours, and the name of the error class in front of the message.
    const message = (error.message ?? error.value ?? 'the runner failed without a word')
      .replaceAll(/\x1b\[[\d;]*m/g, '')
      .replace(/^(Refusal|Error): /, '');
    this.errors.push(message);
    const holder = getRunHolder();
    // The report names the error; the run goes on.
    if (holder?.obstacle === null) holder.judging.run.engine.breakage ??= message;
  }

  async onEnd({ status }: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    if (this.isListing) return undefined;
    const holder = getRunHolder();
    if (holder === null || !hasResult(holder, status)) {
      this.exitCode = printRefusal(this.errors.map((error) => holder?.judging.run.redact(error) ?? error));
      return undefined;
    }
    const ended = await holder
      .finish(status === 'interrupted' ? { kind: 'interrupted', signal: 'SIGINT' } : null)
      .catch((error: Error) => error);
    holder.options.progress.end();
    if (ended instanceof Error) {
      const message = holder.judging.run.redact(ended.message);
      this.exitCode = printRefusal([message], ended instanceof Unwritable ? 2 : 3);
      return { status: 'failed' };
    }
    this.exitCode = printOutcome(holder.judging, ended);
    return { status: this.exitCode === 0 ? 'passed' : 'failed' };
  }

  /** Ends the process with the exit code of the suite: Playwright itself has none for an inconclusive run. */
  async onExit(): Promise<void> {
    if (this.isListing || isPlaywrightUi()) return;
    await getRunHolder()?.close();
    process.exit(this.exitCode);
  }
}

/**
 * True if the run can make a report. False if a setting is wrong (an obstacle of exit code 2), or if Playwright failed before the
 * first test: then only the errors are printed.
 */
function hasResult({ obstacle, hasBegun }: RunHolder, status: FullResult['status']): boolean {
  if (obstacle !== null) return obstacle.exitCode === 3;
  return hasBegun || status === 'interrupted';
}

/** Returns the tests that Playwright selected. `tests` is null if workers run them: then the global setup did not set LANES. */
function makeSelection({ rootDir }: FullConfig, suite: Suite): Selection {
  const all = suite.allTests();
  const added = listAddedTests();
  const files = readdirSync(rootDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.spec\.[jt]s$/.test(name) && !/^self[\\/]/.test(name),
  );
  // Whole: all added tests are selected, and all files were loaded. For `npx playwright test list-pets`, Playwright loads only some.
  const isWhole =
    all.length === added.length && new Set(all.map(({ location }) => location.file)).size === files.length;
  const ids = [...new Set(all.flatMap((test) => readDeclaration({ annotation: test.annotations }).verifies))];
  return { tests: process.env[LANES] ? all.map(makeSelectedTest) : null, isWhole, ids };
}

function makeSelectedTest(test: TestCase): SelectedTest {
  const { id, title, location, annotations: annotation } = test;
  // The path begins with the root (an empty title), the project and the file.
  const titles = test.titlePath().slice(3);
  return {
    id,
    about: titles.slice(0, -1).join(' › '),
    declared: readDeclaration({ annotation }),
    place: { title, file: location.file, line: location.line },
    body: findTestBody(location.file, titles),
  };
}
