import type { Ending } from '../../fixtures/judgement/finding.ts';
import type { Endings } from '../../fixtures/session/remote.ts';

/** One test. `end` resolves the promise `ended`; a second call changes nothing. */
interface Entry {
  ended: Promise<Ending>;
  end: (ending: Ending) => void;
}

/**
 * How tests ended, by their ids. If Playwright was started, its worker asks for the ending of each test, whose body runs in the
 * process of the session. The worker may ask before the test has ended, or later.
 */
export class TestEndings implements Endings {
  private readonly entries = new Map<string, Entry>();

  waitForEnding(test: string): Promise<Ending> {
    return this.getEntry(test).ended;
  }

  endTest(test: string, ending: Ending): void {
    this.getEntry(test).end(ending);
  }

  /** Ends the tests that somebody waits for and that have not ended. */
  endOthers(ending: Ending): void {
    for (const { end } of this.entries.values()) end(ending);
  }

  /** Returns the entry of the test. The first call for a test makes it. */
  private getEntry(test: string): Entry {
    const known = this.entries.get(test);
    if (known !== undefined) return known;
    let end: Entry['end'] = () => undefined;
    const entry = { ended: new Promise<Ending>((resolve) => (end = resolve)), end };
    this.entries.set(test, entry);
    return entry;
  }
}
