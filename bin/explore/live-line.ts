import { out, outOver } from '../output/print.ts';

/** Milliseconds between two lines about how far it is, where nobody looks at a terminal. */
const TOLD_EVERY = 30_000;

/** What is told while it goes on: on a terminal in one line, elsewhere now and then. */
export class LiveLine {
  readonly #isLive: boolean;
  #last = Date.now();
  readonly #said = new Set<string>();

  constructor(isLive: boolean) {
    this.#isLive = isLive;
  }

  /** Replaces what was shown before. */
  show(text: string): void {
    if (this.#isLive) outOver(text.slice(0, (process.stdout.columns ?? 100) - 1));
    else if (Date.now() - this.#last > TOLD_EVERY) {
      this.#last = Date.now();
      out(`${text}\n`);
    }
  }

  /** Writes a line that stays. */
  say(text: string): void {
    this.end();
    out(`${text}\n`);
  }

  /** As `say`, but not twice. */
  once(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.say(text);
  }

  /** Clears the line. */
  end(): void {
    if (this.#isLive) outOver('');
  }
}
