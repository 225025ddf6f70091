import { countNoun, writeDuration } from '../../reports/words/verdict-words.ts';
import { replaceLine } from './print.ts';

/** Shorter waiting is not shown; in milliseconds. */
const WORTH_SHOWING = 1_000;
/** Milliseconds between two lines about waiting: a live line counts down, plain lines are rare. */
const BETWEEN = { live: 900, plain: 5_000 };

/** Shows the progress of a run: a live line on a terminal, a plain line now and then elsewhere. */
export class ProgressLine {
  private readonly live: boolean;
  private readonly write: (text: string) => void;
  private shown = 0;
  private waitShown = -Infinity;

  constructor(live: boolean, write: (text: string) => void) {
    this.live = live;
    this.write = write;
  }

  /** Shows how many tests have ended. Call it after each test. */
  show({ ended, all }: { ended: number; all: number }, requests: number, animals: number): void {
    const quarter = all === 0 ? 0 : Math.floor((ended * 4) / all);
    if (!this.live && quarter === this.shown) return;
    this.shown = quarter;
    const text = `${ended} of ${all} tests, ${countNoun(requests, 'request')}, ${countNoun(animals, 'animal')} added`;
    this.print(text);
  }

  /** Says what the run waits for: at once, then every second on a terminal and every five seconds elsewhere. */
  wait(what: string, milliseconds: number | null): void {
    const now = performance.now();
    const between = this.live ? BETWEEN.live : BETWEEN.plain;
    if ((milliseconds !== null && milliseconds < WORTH_SHOWING) || now - this.waitShown < between) return;
    this.waitShown = now;
    const text = `Waiting${milliseconds === null ? '' : ` ${writeDuration(milliseconds)}`}: ${what}.`;
    this.print(text);
  }

  /** Clears the live line. */
  end(): void {
    if (this.live) replaceLine('');
  }

  private print(text: string): void {
    if (this.live) replaceLine(text);
    else this.write(`${text}\n`);
  }
}
