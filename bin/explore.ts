#!/usr/bin/env node
/** `npm run explore`: holds the properties against the target with ever new seeds, and prints what they find. No verdict, no report. */
import { randomInt } from 'node:crypto';
import type { Finding } from '../fixtures/finding.ts';
import { randomKey } from '../fixtures/implementations/random-key.ts';
import { serve } from '../fixtures/implementations/serve.ts';
import { runInProcess } from '../fixtures/in-process.ts';
import { Engine } from '../fixtures/session/engine.ts';
import { drawMark } from '../fixtures/session/mark.ts';
import type { Session } from '../fixtures/session/session.ts';
import type { Settings } from '../fixtures/settings.ts';
import { readSettings } from '../fixtures/settings/read.ts';
import { openWire, proxyFor } from '../fixtures/transport.ts';
import { replayCommand } from '../reports/commands.ts';
import { program } from './commands/explore.ts';
import { collectSuite } from './run/suite.ts';
import { commandHere, variablesOf } from './run/again.ts';
import { preflight } from './run/preflight.ts';
import { setVariables } from './variable-options.ts';

/** Rounds of one session: it keeps every exchange, so it is not kept for ever. */
const ROUNDS = 20;

const out = (text: string) => void process.stdout.write(`${text}\n`);

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

/** @returns the exit code: 1 where a counterexample was found */
async function explore(settings: Settings, minutes: number): Promise<number> {
  const key = settings.embedded ? randomKey() : settings.key;
  const embedded = settings.embedded ? await serve({ key }) : null;
  const baseUrl = embedded?.baseUrl ?? settings.baseUrl;
  const wire = openWire({ origin: new URL(baseUrl), timeout: settings.requestTimeout, network: settings.network });
  const tests = (await collectSuite()).filter(({ place }) => place.file.includes('/properties/'));
  const until = Date.now() + minutes * 60_000;
  const told = new Set<string>();
  const sum = { seeds: 0, requests: 0, animals: 0 };
  let left = settings.maxAnimals;
  let interrupted = false;
  let current: Engine | undefined;
  const again = variablesOf(settings);
  const interrupt = () => {
    interrupted = true;
    current?.stop('interrupted');
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    while (Date.now() < until && !interrupted) {
      const engine = new Engine({ ...settings, baseUrl, key, replay: null, maxRequests: settings.maxRequests ?? Infinity, maxAnimals: left }, wire, drawMark());
      current = engine;
      const obstacle = await preflight(engine);
      if (obstacle !== null) throw new Error(engine.redactor.redact(obstacle.message));
      for (let round = 0; round < ROUNDS && Date.now() < until && engine.stopped === null; round += 1, sum.seeds += 1) {
        const before = engine.findings.length;
        await runInProcess(tests, roundOf(engine, randomInt(2 ** 31)));
        for (const finding of engine.findings.slice(before)) tell(finding, { told, again }, (text) => engine.redactor.redact(text));
      }
      sum.requests += engine.budget.requests;
      sum.animals += engine.budget.animals;
      left = Math.max(0, engine.limits().animals - engine.budget.animals);
      if (engine.stopped !== null && !interrupted) throw new Error(engine.redactor.redact(engine.stopped));
    }
  } finally {
    wire.close();
    await embedded?.close();
    out(`${sum.seeds} seeds, ${sum.requests} requests, ${sum.animals} animals added: ${told.size} counterexamples.`);
  }
  return told.size > 0 ? 1 : 0;
}

function tell({ requirement, verdict, flaw, replay, test }: Finding, { told, again }: { told: Set<string>; again: Record<string, string> }, redact: (text: string) => string): void {
  if (verdict !== 'fail' || flaw === null) return;
  const shape = `${requirement} ${test.title} ${flaw.received.replaceAll(/cs[a-z]{5}\w*/g, 'cs')}`;
  if (told.has(shape)) return;
  told.add(shape);
  out(redact(`${requirement}\n  expected: ${flaw.expected}\n  received: ${flaw.received}${replay === null ? '' : `\n  ${replayCommand({ command: commandHere(), variables: again }, replay)}`}`));
}

const mistaken = setVariables(program.parse());
const configured = mistaken.length > 0 ? { mistakes: mistaken } : readSettings({ env: process.env, cwd: process.cwd(), options: { only: [], replay: null, dryRun: false, acceptWaivers: false, lock: false }, proxyFor });
if ('mistakes' in configured) {
  for (const mistake of configured.mistakes) process.stderr.write(`${mistake}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await explore(configured.settings, program.opts<{ minutes: number }>().minutes).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 3;
  });
}
