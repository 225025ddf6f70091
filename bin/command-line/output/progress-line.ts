import { countNoun, writeDuration } from '../../../reports/shown/words/verdict-words.ts';
import { replaceLine } from './print.ts';

/** Shorter waiting is not shown; in milliseconds. */
const WORTH_SHOWING = 1_000;
/** Milliseconds between two texts about waiting: a live line counts down each second, printed lines come rarely. */
const PAUSES = { live: 900, plain: 5_000 };

/** Shows the progress of a run. On a terminal, one line is replaced; in a file or CI log, a line is printed now and then. */
export class ProgressLine {
  /** True on a terminal: one line is replaced. */
  private readonly live: boolean;
  private readonly write: (text: string) => void;
  /** The quarter of the tests, from 0 to 4, of the last printed line. */
  private shownQuarter = 0;
  /** When a text about waiting was shown last. */
  private waitShown = -Infinity;

  constructor(live: boolean, write: (text: string) => void) {
    this.live = live;
    this.write = write;
  }

  /** Shows how many tests have ended. Call it after each test. `countAnimals` takes long and is called only for a text. */
  show({ ended, all }: { ended: number; all: number }, requests: number, countAnimals: () => number): void {
    const quarter = all === 0 ? 0 : Math.floor((ended * 4) / all);
    if (!this.live && quarter === this.shownQuarter) return;
    this.shownQuarter = quarter;
    const animals = countNoun(countAnimals(), 'animal');
    this.print(`${ended} of ${all} tests, ${countNoun(requests, 'request')}, ${animals} added`);
  }

  /**
   * Shows what the run waits for. Call it as often as you like: a text is shown every second on a terminal, every five seconds elsewhere.
   * @param milliseconds the longest time that is left; null if it is not known
   */
  wait(what: string, milliseconds: number | null): void {
    const now = performance.now();
    const between = this.live ? PAUSES.live : PAUSES.plain;
    if ((milliseconds !== null && milliseconds < WORTH_SHOWING) || now - this.waitShown < between) return;
    this.waitShown = now;
    this.print(`Waiting${milliseconds === null ? '' : ` ${writeDuration(milliseconds)}`}: ${what}.`);
  }

  end(): void {
    if (this.live) replaceLine('');
  }

  private print(text: string): void {
    if (this.live) replaceLine(text);
    else this.write(`${text}\n`);
  }
}
