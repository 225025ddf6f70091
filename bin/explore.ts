#!/usr/bin/env node
/** `npm run explore`: holds the properties against the target with ever new seeds, and prints what they find. No verdict, no report. */
import { randomInt } from 'node:crypto';
import type { Finding } from '../fixtures/judgement/finding.ts';
import { randomKey } from '../fixtures/reference/random-key.ts';
import { serve } from '../fixtures/reference/serve.ts';
import { runInProcess } from '../fixtures/lanes/in-process.ts';
import { Engine } from '../fixtures/session/engine.ts';
import { drawMark } from '../fixtures/store/run-mark.ts';
import type { Session } from '../fixtures/session/session.ts';
import type { Settings } from '../fixtures/settings/settings.ts';
import { readSettings } from '../fixtures/settings/read-settings.ts';
import { openWire, proxyFor } from '../fixtures/transport/transport.ts';
import { replayCommand, type Start } from '../reports/words/commands.ts';
import { terminal } from '../reports/words/escape.ts';
import { counted, lasted } from '../reports/words/verdict-words.ts';
import { program } from './commands/explore.ts';
import { Tally, type Sent } from './explore/tally.ts';
import { collectSuite } from './selection/suite.ts';
import { err, out as print, outOver } from './output/print.ts';
import { commandHere, optionsOf, variablesOf } from './output/rerun-command.ts';
import { NO_OPTIONS } from './run/configuration.ts';
import { preflight } from './preflight/preflight.ts';
import { setVariables } from './command-line/variable-options.ts';

/** Rounds of one session: it keeps every exchange, so it is not kept for ever. */
const ROUNDS = 20;

const out = (text: string) => print(`${text}\n`);

/** The session with a seed and a mark of its own. Lists are not topped up: what animals may be added are for the properties. */
function roundOf(engine: Engine, seed: number): Session {
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

/** Requests of all sessions together, unless MAX_REQUESTS is set. */
const REQUESTS = 30_000;
/** Milliseconds between two lines about how far it is, where nobody looks at a terminal. */
const TOLD_EVERY = 30_000;

/** @returns the exit code: 1 where a counterexample was found, 3 where most was not asked */
async function explore(settings: Settings, minutes: number): Promise<number> {
  const key = settings.embedded ? randomKey() : settings.key;
  const embedded = settings.embedded ? await serve({ key }) : null;
  const baseUrl = embedded?.baseUrl ?? settings.baseUrl;
  const wire = openWire({
    origin: new URL(baseUrl),
    timeout: settings.requestTimeout,
    network: settings.network,
  });
  const tests = (await collectSuite()).filter(({ place }) => place.file.includes('/properties/'));
  const until = Date.now() + minutes * 60_000;
  const most = settings.maxRequests ?? REQUESTS;
  const told = new Set<string>();
  const tally = new Tally();
  const sum: Sent = { seeds: 0, requests: 0, animals: 0 };
  const again: Start = {
    command: commandHere(),
    variables: variablesOf(settings),
    options: optionsOf(settings),
  };
  const live = new LiveLine(process.stdout.isTTY === true);
  let left = settings.maxAnimals;
  let ended: string | null = null;
  let current: Engine | undefined;
  const interrupt = () => {
    // the second time, nobody wants to wait
    if (ended === 'it was interrupted') process.exit(3);
    ended = 'it was interrupted';
    live.say('Stopping; again to end at once.');
    current?.stop('interrupted');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  let exitCode: number | null = null;
  try {
    while (ended === null) {
      const mode = left === 0 ? 'read-only' : settings.mode;
      const engine = new Engine(
        { ...settings, mode, baseUrl, key, replay: null, maxRequests: most - sum.requests, maxAnimals: left },
        wire,
        drawMark(),
      );
      const safe = (text: string) => terminal(engine.redactor.redact(text));
      current = engine;
      const obstacle = await preflight(engine);
      if (obstacle !== null) {
        ended = safe(obstacle.message);
        exitCode = obstacle.exitCode;
      }
      for (let round = 0; round < ROUNDS && ended === null; round += 1, sum.seeds += 1) {
        const before = engine.findings.length;
        await runInProcess(tests, roundOf(engine, randomInt(2 ** 31)), { ended: (ran) => tally.take(ran) });
        for (const finding of engine.findings.slice(before)) tell(finding, { told, again, live }, safe);
        live.show(
          `${counted(sum.seeds + 1, 'seed')}, ${counted(sum.requests + engine.budget.requests, 'request')}, ${counted(sum.animals + engine.budget.animals, 'animal')} added, ${counted(told.size, 'counterexample')}; ${lasted(Math.max(0, until - Date.now()))} left`,
        );
        if (tally.lacksRoom)
          live.once(
            'MAX_ANIMALS leaves no room for many more animals: what needs them is not asked any more, only what adds few or none.',
          );
        if (!engine.budget.hasRequests) ended = `MAX_REQUESTS (${most}) is used up`;
        else if (engine.stopped !== null) ended ??= safe(engine.stopped);
        else if (Date.now() >= until)
          ended = `${minutes === 1 ? 'the minute is' : `the ${minutes} minutes are`} over`;
      }
      sum.requests += engine.budget.requests;
      sum.animals += engine.budget.animals;
      left = Math.max(0, engine.limits.now.animals - engine.budget.animals);
    }
  } finally {
    live.end();
    wire.close();
    await embedded?.close();
  }
  for (const line of tally.lines) out(terminal(line));
  out(
    `${counted(sum.seeds, 'seed')}, ${counted(sum.requests, 'request')}, ${counted(sum.animals, 'animal')} added, ${counted(told.size, 'counterexample')}; it ended because ${(ended ?? 'it was over').replace(/\.$/, '')}${ended?.endsWith('?') ? '' : '.'}${tally.isHollow ? ' Most was not asked: this says little.' : ''}`,
  );
  if (told.size > 0) return 1;
  return exitCode ?? (tally.isHollow ? 3 : 0);
}

function tell(
  { requirement, verdict, flaw, replay, test }: Finding,
  { told, again, live }: { told: Set<string>; again: Start; live: LiveLine },
  safe: (text: string) => string,
): void {
  if (verdict !== 'fail' || flaw === null) return;
  const shape = `${requirement} ${test.title} ${flaw.received.replaceAll(/cs[a-z]{5}\w*/g, 'cs')}`;
  if (told.has(shape)) return;
  told.add(shape);
  const lines = [
    requirement,
    `  expected: ${flaw.expected}`,
    `  received: ${flaw.received}`,
    ...(replay === null ? [] : [`  ${replayCommand(again, replay)}`]),
  ];
  live.say(lines.map(safe).join('\n'));
}

/** What is told while it goes on: on a terminal in one line, elsewhere now and then. */
class LiveLine {
  private readonly live: boolean;
  private last = Date.now();
  private readonly said = new Set<string>();

  constructor(live: boolean) {
    this.live = live;
  }

  show(text: string): void {
    if (this.live) outOver(text.slice(0, (process.stdout.columns ?? 100) - 1));
    else if (Date.now() - this.last > TOLD_EVERY) {
      this.last = Date.now();
      out(text);
    }
  }

  say(text: string): void {
    this.end();
    out(text);
  }

  once(text: string): void {
    if (this.said.has(text)) return;
    this.said.add(text);
    this.say(text);
  }

  end(): void {
    if (this.live) outOver('');
  }
}

const mistaken = setVariables(program.parse());
const configured =
  mistaken.length > 0
    ? { mistakes: mistaken }
    : readSettings({ env: process.env, cwd: process.cwd(), options: NO_OPTIONS, proxyFor });
if ('mistakes' in configured) {
  for (const mistake of configured.mistakes) err(`${mistake}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await explore(configured.settings, program.opts<{ minutes: number }>().minutes).catch(
    (error: unknown) => {
      err(`${error instanceof Error ? error.message : String(error)}\n`);
      return 3;
    },
  );
}
