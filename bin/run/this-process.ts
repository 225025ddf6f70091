/** What a run needs of its process, which nobody else uses. */
import type { Redactor } from '../../fixtures/redaction/redactor.ts';
import type { Stop } from '../../fixtures/judgement/reason.ts';
import { out } from '../output/print.ts';

/** Takes every secret out of the environment: processes that are started inherit it. */
export function forgetSecrets(redactor: Redactor): void {
  for (const [name, value] of Object.entries(process.env))
    if (name === 'API_KEY' || redactor.leaks(value ?? '')) delete process.env[name];
}

/** The first signal ends the run, the second its bodies too; the report is written in any case. */
export function stopOnSignals(stop: (why: Stop, atOnce: boolean) => void): void {
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals === 1) out('\nStopping, and writing what is known; again to end at once.\n');
      stop({ kind: 'interrupted', signal }, signals > 1);
    });
  }
}
