import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { out } from '../output/print.ts';

/** Asks again what failed, now and whenever Enter is pressed, each time in a process of its own. Ends with the input, or with `q`. @returns the exit code of the last time */
export async function watchFailed(argv: readonly string[]): Promise<number> {
  const again = argv.map((word) => (word === '--watch' ? '--failed' : word));
  let exitCode = await once(again);
  const input = createInterface({ input: process.stdin });
  out(ASK);
  for await (const line of input) {
    if (line.trim() === 'q') break;
    exitCode = await once(again);
    out(ASK);
  }
  // an input that stays open keeps nobody waiting
  process.stdin.destroy();
  return exitCode;
}

const ASK = '\nEnter asks again what failed; q and Enter end.\n';

function once(argv: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../animal-store-conformance.js', import.meta.url)), 'run', ...argv],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  // a terminal sends its signals to both; what comes to this process alone is passed on
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', ignore);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.off('SIGTERM', pass).off('SIGINT', ignore);
      resolve(code ?? 3);
    });
  });
}

function ignore(): void {
  // the child says how its run ended
}
