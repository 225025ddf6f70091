import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { printText } from '../command-line/output/print.ts';

/**
 * Implements `--watch`: runs the command with `--failed` in a child process, at once and each time that Enter is
 * pressed. Ends at the end of the input, or at `q`.
 * @returns the exit code of the last run
 */
export async function watchFailed(argv: readonly string[]): Promise<number> {
  const words = argv.map((word) => (word === '--watch' ? '--failed' : word));
  let exitCode = await runOnce(words);
  const input = createInterface({ input: process.stdin });
  printText(ASK);
  for await (const line of input) {
    if (line.trim() === 'q') break;
    exitCode = await runOnce(words);
    printText(ASK);
  }
  // An input that stays open must not keep the process alive.
  process.stdin.destroy();
  return exitCode;
}

const ASK = '\nEnter asks again what failed; q and Enter end.\n';

function runOnce(words: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../animal-store-conformance.js', import.meta.url)), 'run', ...words],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  // Ctrl+C reaches both processes: only the child acts on SIGINT. SIGTERM reaches only this process: it is passed on.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', ignore);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.off('SIGTERM', pass).off('SIGINT', ignore);
      // A child that a signal ended has no exit code: its run decided nothing.
      resolve(code ?? 3);
    });
  });
}

function ignore(): void {
  // The child process says how its run ended.
}
