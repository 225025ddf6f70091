/** Waits for a target that is starting (WAIT). What is asked meanwhile is no part of the run: it costs no budget, and nothing judges it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../../fixtures/exchange/exchange.ts';
import { saysLater } from '../../fixtures/exchange/retry-after.ts';
import { statusLine } from '../../fixtures/judgement/documented-answer.ts';
import { encodeRequest } from '../../fixtures/session/dispatch/request-encoding.ts';
import type { Engine } from '../../fixtures/session/engine.ts';
import type { SessionSettings } from '../../fixtures/session/session-settings.ts';
import type { Sent, Wire } from '../../fixtures/transport/transport.ts';
import { GET, isElsewhere, LIST } from './preflight.ts';

/** Milliseconds between two looks at the target. */
const PAUSE = 1_000;

/**
 * Returns as soon as the target answers as the preflight needs it, when `wait` milliseconds are over, or when the run is
 * stopped. A refused key is an answer: to send it again and again might lock the run out.
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
    engine.waits(`the target is not ready (${obstacle})`, Math.max(0, end - performance.now()));
    // the signal ends the pause
    await sleep(Math.max(PAUSE, 1_000 / (maxRps ?? Infinity)), undefined, { signal }).catch(() => undefined);
  }
}

/** Why the target is not ready, in words, or null. A service may fail at lists alone, and is judged then. */
async function meetObstacle(look: (ask: Ask) => Promise<Sent>): Promise<string | null> {
  const obstacle = obstacleIn(await look(LIST));
  return obstacle !== null && obstacleIn(await look(GET)) !== null ? obstacle : null;
}

function obstacleIn(sent: Sent): string | null {
  if ('error' in sent) return sent.error.kind === 'too-large' ? null : sent.error.message;
  const { answer } = sent;
  return answer.status >= 500 || saysLater(answer) || isElsewhere(answer) ? statusLine(answer) : null;
}

function spell(ask: Ask, engine: Engine, { key, baseUrl, network }: Omit<SessionSettings, 'maxRps'>) {
  const client = engine.isAnnounced ? `animal-store-conformance (run ${engine.runId})` : engine.client;
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  return encodeRequest(ask, { key, basePath, client, headers: network.headers }, engine.redactor);
}
