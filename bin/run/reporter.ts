import { readdirSync } from 'node:fs';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { bodiesRead, bodyOf } from '../../fixtures/bodies-read.ts';
import { LANES } from '../../fixtures/lanes.ts';
import { declared } from '../../fixtures/requirements.ts';
import type { SelectedTest, Selection } from './judging.ts';
import { sittingHere } from './sitting.ts';
import { isServed } from './stepping.ts';
import { refuse, tell } from './tell.ts';

/** Tells the run which tests the runner has selected, and ends it with its reports and its exit code. */
export default class Conformance implements Reporter {
  private exitCode = 0;
  private readonly errors: string[] = [];
  /** Whether tests are only listed: then there is nothing to judge. */
  private readonly isListing = process.argv.includes('--list');

  /** Else the runner adds a reporter of its own. */
  printsToStdio(): boolean {
    return !this.isListing;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    // where the runner gave up before, it says so with no tests
    if (suite.allTests().length > 0) sittingHere()?.begin(selectionOf(config, suite));
  }

  onTestEnd(test: TestCase): void {
    if (test.outcome() === 'unexpected') this.exitCode ||= 1;
  }

  onError(error: TestError): void {
    const message = (error.message ?? error.value ?? 'the runner failed without a word').replaceAll(/\x1b\[[\d;]*m/g, '').replace(/^(Refusal|Error): /, '');
    this.errors.push(message);
    const sitting = sittingHere();
    if (sitting?.obstacle === null) sitting.broke(message);
  }

  async onEnd({ status }: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    const sitting = sittingHere();
    if (this.isListing) return undefined;
    if (sitting === null || sitting.obstacle?.exitCode === 2 || (!sitting.isUnderWay && sitting.obstacle === null && status !== 'interrupted')) {
      this.exitCode = refuse(this.errors.map((error) => sitting?.redact(error) ?? error));
      return undefined;
    }
    const written = await sitting.finish(status === 'interrupted' ? 'the run was interrupted (SIGINT)' : null);
    sitting.progress.end();
    this.exitCode = tell(written, sitting);
    return { status: this.exitCode === 0 ? 'passed' : 'failed' };
  }

  async onExit(): Promise<void> {
    if (this.isListing || isServed()) return;
    await sittingHere()?.close();
    process.exit(this.exitCode);
  }
}

function selectionOf({ rootDir }: FullConfig, suite: Suite): Selection {
  const all = suite.allTests();
  const files = readdirSync(rootDir, { recursive: true, encoding: 'utf8' }).filter((name) => /\.spec\.[jt]s$/.test(name) && !/^self[\\/]/.test(name));
  const isWhole = all.length === bodiesRead() && new Set(all.map(({ location }) => location.file)).size === files.length;
  const ids = [...new Set(all.flatMap((test) => declared({ tag: test.tags, annotation: test.annotations }).verifies))];
  return { tests: process.env[LANES] ? [...all].sort(generatedFirst).map(selected) : null, isWhole, ids };
}

/** Properties come before examples: the animals that they add are then among those that tests of long lists need; and they take longest. */
function generatedFirst(one: TestCase, other: TestCase): number {
  const rank = ({ location }: TestCase) => (/[\\/]properties[\\/]/.test(location.file) ? 0 : 1);
  return rank(one) - rank(other);
}

function selected(test: TestCase): SelectedTest {
  const { id, title, location, tags: tag, annotations: annotation } = test;
  const titles = test.titlePath().slice(3);
  return { id, about: titles.slice(0, -1).join(' › '), declared: declared({ tag, annotation }), place: { title, file: location.file, line: location.line }, body: bodyOf(location.file, titles) };
}
