/** Prepares the process of a run: removes secrets from the environment, and makes signals stop the run. */
import type { Redactor } from '../../fixtures/evidence/redaction/redactor.ts';
import type { Stop } from '../../fixtures/judgement/reason.ts';
import { printError } from '../command-line/output/print.ts';

/** Removes every secret from the environment, because child processes inherit it. */
export function removeSecretsFromEnvironment(redactor: Redactor): void {
  for (const [name, value] of Object.entries(process.env))
    if (name === 'API_KEY' || redactor.hasSecret(value ?? '')) delete process.env[name];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `stop` at each signal, e.g. Ctrl-C; from the second signal on with `atOnce`: then running tests are not waited for.
 * @returns a function that lets signals end this process again
 */
export function stopOnSignals(stop: (why: Stop, atOnce: boolean) => void): () => void {
  let signals = 0;
  const act = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals === 1) printError('\nStopping, and writing what is known; again to end at once.\n');
    stop({ kind: 'interrupted', signal }, signals > 1);
  };
  for (const signal of SIGNALS) process.on(signal, act);
  return () => {
    for (const signal of SIGNALS) process.off(signal, act);
  };
}
