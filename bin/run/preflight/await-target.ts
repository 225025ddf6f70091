/**
 * Waits for a target that is starting, as long as WAIT says. The requests of this file are not part of the run: they
 * use no budget and are not judged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { isPutOff } from '../../../fixtures/exchange/retry-after.ts';
import { describeStatus } from '../../../fixtures/judgement/describe-answer.ts';
import { encodeRequest } from '../../../fixtures/situations/request-encoding.ts';
import { ONE_ANIMAL } from '../../../fixtures/session/plain-requests.ts';
import type { Engine } from '../../../fixtures/session/engine.ts';
import type { SessionSettings } from '../../../fixtures/session/session-settings.ts';
import type { Sent, Wire } from '../../../fixtures/session/transport/transport.ts';
import { isElsewhere, PREFLIGHT_LIST } from './preflight.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 1_000;

/**
 * Asks once a second until the target is ready, until `wait` milliseconds are over, or until the run is stopped. A target
 * that refuses the key (401 or 403) is ready: asking it again might lock the run out.
 * @returns true if the target is ready
 */
export async function awaitTarget(
  engine: Engine,
  wire: Wire,
  { wait, maxRps, key, baseUrl, network }: SessionSettings & { wait: number },
): Promise<boolean> {
  if (wait === 0) return true;
  const end = performance.now() + wait;
  const timeIsOver = new AbortController();
  const timer = setTimeout(() => timeIsOver.abort(), wait);
  // `engine.signal` aborts if the run is stopped.
  const signal = AbortSignal.any([engine.signal, timeIsOver.signal]);
  // With MAX_RPS below 1, the pause is longer than a second.
  const pause = Math.max(PAUSE_MS, 1_000 / (maxRps ?? Infinity));
  const base = new URL(baseUrl);
  const send = (ask: Ask) => {
    const agent = engine.identity.chooseUserAgent(ask);
    return wire.send(encodeRequest(ask, { key, base, agent, headers: network.headers }), signal);
  };
  for (;;) {
    const why = await explainNotReady(send);
    if (why === null || signal.aborted) {
      clearTimeout(timer);
      return why === null;
    }
    engine.onWait(`the target is not ready (${why})`, Math.max(0, end - performance.now()));
    // The signal ends the pause by an exception.
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** Says why the target is not ready; null if it is ready. A target with broken lists is ready if getPet answers. */
async function explainNotReady(send: (ask: Ask) => Promise<Sent>): Promise<string | null> {
  const why = findSignOfStart(await send(PREFLIGHT_LIST));
  if (why === null) return null;
  return findSignOfStart(await send(ONE_ANIMAL)) === null ? null : why;
}

/** Returns the error or status that a starting target or its proxy may give, e.g. `503 Service Unavailable`; else null. */
function findSignOfStart(sent: Sent): string | null {
  if ('error' in sent) return sent.error.kind === 'too-large' ? null : sent.error.message;
  const { answer } = sent;
  // `isElsewhere`: 404, 405, a redirect or a page of HTML.
  return answer.status >= 500 || isPutOff(answer) || isElsewhere(answer) ? describeStatus(answer) : null;
}
