/**
 * Waits for a target that is starting (WAIT). These requests are not part of the run: they use no budget and
 * are not judged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../../fixtures/exchange/exchange.ts';
import { isPutOff } from '../../fixtures/exchange/retry-after.ts';
import { describeStatus } from '../../fixtures/judgement/describe-answer.ts';
import { encodeRequest, writeUserAgent } from '../../fixtures/session/dispatch/request-encoding.ts';
import type { Engine } from '../../fixtures/session/engine.ts';
import type { SessionSettings } from '../../fixtures/session/session-settings.ts';
import type { Sent, Wire } from '../../fixtures/transport/transport.ts';
import { PREFLIGHT_GET, isElsewhere, PREFLIGHT_LIST } from './preflight.ts';

/** Milliseconds between two requests. */
const PAUSE = 1_000;

/**
 * Returns when the target answers well enough for the preflight, when `wait` milliseconds are over, or when the
 * run is stopped. A refused key counts as an answer: repeating it might lock the run out.
 * @returns false if the target never answered so
 */
export async function awaitTarget(
  engine: Engine,
  wire: Wire,
  { wait, maxRps, ...settings }: SessionSettings & { wait: number },
): Promise<boolean> {
  if (wait === 0) return true;
  const end = performance.now() + wait;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), wait);
  const signal = AbortSignal.any([engine.signal, over.signal]);
  const look = (ask: Ask) => wire.send(spell(ask, engine, settings), signal);
  for (;;) {
    const obstacle = await meetObstacle(look);
    if (obstacle === null || signal.aborted) {
      clearTimeout(timer);
      return obstacle === null;
    }
    engine.onWait(`the target is not ready (${obstacle})`, Math.max(0, end - performance.now()));
    // The signal ends the pause.
    await sleep(Math.max(PAUSE, 1_000 / (maxRps ?? Infinity)), undefined, { signal }).catch(() => undefined);
  }
}

/** Says why the target is not ready; null if it is. A service whose lists alone fail is ready: it can be judged. */
async function meetObstacle(look: (ask: Ask) => Promise<Sent>): Promise<string | null> {
  const obstacle = obstacleIn(await look(PREFLIGHT_LIST));
  return obstacle !== null && obstacleIn(await look(PREFLIGHT_GET)) !== null ? obstacle : null;
}

function obstacleIn(sent: Sent): string | null {
  if ('error' in sent) return sent.error.kind === 'too-large' ? null : sent.error.message;
  const { answer } = sent;
  return answer.status >= 500 || isPutOff(answer) || isElsewhere(answer) ? describeStatus(answer) : null;
}

function spell(ask: Ask, engine: Engine, { key, baseUrl, network }: Omit<SessionSettings, 'maxRps'>) {
  const agent = engine.identity.isAnnounced ? writeUserAgent(engine.runId) : engine.identity.client;
  return encodeRequest(
    ask,
    { key, base: new URL(baseUrl), agent, headers: network.headers },
    engine.redactor,
  );
}
