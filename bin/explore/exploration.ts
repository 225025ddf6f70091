import { randomInt } from 'node:crypto';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import { runInProcess } from '../../fixtures/lanes/in-process.ts';
import { Engine } from '../../fixtures/session/engine.ts';
import type { Session } from '../../fixtures/session/session.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { drawMark } from '../../fixtures/store/run-mark.ts';
import type { Wire } from '../../fixtures/transport/transport.ts';
import { replayCommand } from '../../reports/words/commands.ts';
import { terminal } from '../../reports/words/escape.ts';
import { inputLabel } from '../../reports/words/failure-text.ts';
import { lasted } from '../../reports/words/verdict-words.ts';
import { commandHere, optionsOf, variablesOf } from '../output/rerun-command.ts';
import { preflight } from '../preflight/preflight.ts';
import type { LiveLine } from './live-line.ts';
import { countsOf, Tally, type Sent } from './tally.ts';
import { stopInWords } from '../../reports/words/reasons/stop-words.ts';

/** Rounds of one session: it keeps every exchange, so it is not kept for ever. */
const ROUNDS = 20;
/** Requests of all sessions together, unless MAX_REQUESTS is set. */
const REQUESTS = 30_000;
const INTERRUPTED: Ending = { told: 'it was interrupted' };

/** Why exploring has ended; a whole sentence stands alone. */
interface Ending {
  told: string;
  isSentence?: true;
}

/** Session after session, each with some rounds of all properties, until the time or a bound is used up. */
export class Exploration {
  readonly tally = new Tally();
  readonly #settings: Settings;
  readonly #wire: Wire;
  readonly #minutes: number;
  readonly #live: LiveLine;
  readonly #until: number;
  readonly #maxRequests: number;
  /** How many more animals may be added; null: as many as one session may. */
  #animalsLeft: number | null;
  readonly #sent: Sent = { seeds: 0, requests: 0, animals: 0 };
  readonly #told = new Set<string>();
  #engine: Engine | undefined;
  #ended: Ending | null = null;
  #obstacle: number | null = null;

  /** @param settings with the address and the key of the target, also where that is the embedded one */
  constructor(settings: Settings, wire: Wire, minutes: number, live: LiveLine) {
    this.#settings = settings;
    this.#wire = wire;
    this.#minutes = minutes;
    this.#live = live;
    this.#until = Date.now() + minutes * 60_000;
    this.#maxRequests = settings.maxRequests ?? REQUESTS;
    this.#animalsLeft = settings.maxAnimals;
  }

  /** 1 where a counterexample was found, 3 where most was not asked. */
  get exitCode(): number {
    if (this.#told.size > 0) return 1;
    return this.#obstacle ?? (this.tally.isHollow ? 3 : 0);
  }

  /** What was sent and found, and why it ended. */
  get summary(): string {
    const { told, isSentence }: Ending = this.#ended ?? { told: 'it was over' };
    const ending = isSentence ? `it ended here: ${told}` : `it ended because ${told}.`;
    return `${countsOf(this.#sent, this.#told.size)}; ${ending}${this.tally.isHollow ? ' Most was not asked: this says little.' : ''}`;
  }

  /** Asks the tests until it ends. */
  async run(tests: readonly CollectedTest[]): Promise<void> {
    while (this.#ended === null) await this.#session(tests);
  }

  /** To be called when somebody wants it to end. */
  interrupt(): void {
    // the second time, nobody wants to wait
    if (this.#ended === INTERRUPTED) process.exit(3);
    this.#ended = INTERRUPTED;
    this.#live.say('Stopping; again to end at once.');
    this.#engine?.stop({ kind: 'interrupted', signal: null });
  }

  async #session(tests: readonly CollectedTest[]): Promise<void> {
    const engine = this.#newEngine();
    this.#engine = engine;
    const obstacle = await preflight(engine);
    if (obstacle !== null) {
      this.#ended = { told: safe(obstacle.message, engine), isSentence: true };
      this.#obstacle = obstacle.exitCode;
    }
    for (let round = 0; round < ROUNDS && this.#ended === null; round += 1) {
      const before = engine.findings.length;
      await runInProcess(tests, roundOf(engine), { ended: (ran) => this.tally.take(ran) });
      this.#sent.seeds += 1;
      for (const finding of engine.findings.slice(before)) this.#tell(finding, engine);
      this.#show(engine);
      this.#ended = this.#endAfter(engine);
    }
    this.#sent.requests += engine.budget.requests;
    this.#sent.animals += engine.budget.animals;
    this.#animalsLeft = Math.max(0, engine.limits.now.animals - engine.budget.animals);
  }

  #newEngine(): Engine {
    return new Engine(
      {
        ...this.#settings,
        mode: this.#animalsLeft === 0 ? 'read-only' : this.#settings.mode,
        replay: null,
        maxRequests: this.#maxRequests - this.#sent.requests,
        maxAnimals: this.#animalsLeft,
      },
      this.#wire,
      drawMark(),
    );
  }

  /** Why it ends after this round, or null. */
  #endAfter(engine: Engine): Ending | null {
    if (!engine.budget.hasRequests) return { told: `MAX_REQUESTS (${this.#maxRequests}) is used up` };
    if (engine.stopped !== null) return this.#ended ?? { told: safe(stopInWords(engine.stopped), engine) };
    if (Date.now() < this.#until) return this.#ended;
    return { told: `${this.#minutes === 1 ? 'the minute is' : `the ${this.#minutes} minutes are`} over` };
  }

  #show({ budget }: Engine): void {
    const { seeds, requests, animals } = this.#sent;
    const sent = { seeds, requests: requests + budget.requests, animals: animals + budget.animals };
    const left = lasted(Math.max(0, this.#until - Date.now()));
    this.#live.show(`${countsOf(sent, this.#told.size)}; ${left} left`);
    if (this.tally.lacksRoom)
      this.#live.once(
        'MAX_ANIMALS leaves no room for many more animals: what needs them is not asked any more, only what adds few or none.',
      );
  }

  /** Tells of a counterexample, unless one of its shape was told already. */
  #tell({ requirement, verdict, flaw, replay, test }: Finding, engine: Engine): void {
    if (verdict !== 'fail' || flaw === null) return;
    const shape = `${requirement} ${test.title} ${flaw.received.replaceAll(/cs[a-z]{5}\w*/g, 'cs')}`;
    if (this.#told.has(shape)) return;
    this.#told.add(shape);
    const settings = this.#settings;
    const rerun = { command: commandHere(), variables: variablesOf(settings), options: optionsOf(settings) };
    const lines = [
      requirement,
      `  expected: ${flaw.expected}`,
      `  received: ${flaw.received}`,
      ...(flaw.input === undefined ? [] : [`  ${inputLabel(flaw.input)}: ${flaw.input.text}`]),
      ...(replay === null ? [] : [`  ${replayCommand(rerun, replay)}`]),
    ];
    this.#live.say(lines.map((line) => safe(line, engine)).join('\n'));
  }
}

/** The session with a seed and a mark of its own. Lists are not topped up: what animals may be added are for the properties. */
function roundOf(engine: Engine): Session {
  const seed = randomInt(2 ** 31);
  const own: Partial<Session> = {
    facts: async () => ({ ...(await engine.facts()), seed, runId: drawMark() }),
    atLeast: () => Promise.reject(new Error('exploring does not top up')),
  };
  return new Proxy<Session>(engine, {
    get: (_, name) => {
      const value: unknown = own[name as keyof Session] ?? Reflect.get(engine, name);
      return typeof value === 'function' ? (value.bind(engine) as unknown) : value;
    },
  });
}

/** Without secrets, and harmless on a terminal. */
function safe(text: string, engine: Engine): string {
  return terminal(engine.redactor.redact(text));
}
