import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { declared, type Phase } from '../fixtures/requirements.ts';
import { connect } from '../fixtures/session/remote.ts';

/** Tells the run's own process which tests there are and when each has ended; prints nothing. */
export default class Progress implements Reporter {
  private readonly run = connect();

  /** The command reads what the runner prints only when it went wrong. */
  printsToStdio(): boolean {
    return true;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    const plan = { first: 0, any: 0, last: 0 };
    for (const test of suite.allTests()) plan[phaseOf(test)] += 1;
    void this.run.then(({ session }) => session.expectTests(plan));
  }

  onTestEnd(test: TestCase): void {
    void this.run.then(({ session }) => session.testEnded(phaseOf(test)));
  }

  onError(error: TestError): void {
    void this.run.then(({ session }) => session.broke(error.message ?? 'the runner failed without a word'));
  }

  async onEnd(_result: FullResult): Promise<void> {
    const { session, close } = await this.run;
    await session.facts();
    close();
  }
}

function phaseOf(test: TestCase): Phase {
  return declared({ tag: test.tags, annotation: test.annotations }).phase;
}
