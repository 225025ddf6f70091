#!/usr/bin/env node
/**
 * `npm run targets -- run targets.json`: judges many vendors, each with its own key and folder. Exit codes: 0 all conform, 1 at least one
 * does not, 2 bad input, 3 at least one is undecided and none is nonconforming.
 */
import { join, resolve } from 'node:path';
import { endWithCode, Mistake, readWholeNumber } from './certificate/certificate-files.ts';
import { targetsCommand as program, targetsRunCommand } from './command-descriptions.ts';
import { printText as print, printJson, replaceLine } from './command-line/output/print.ts';
import { spellCommand } from './command-line/output/rerun-command.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { stopOnSignals } from './run/this-process.ts';
import { judgeOne } from './vendors/judge-one.ts';
import type { VendorOutcome } from './vendors/vendor-outcome.ts';
import { readTargets, takeShard } from './vendors/targets-file.ts';

interface Options {
  out: string;
  parallel: string;
  timeLimit: string;
  shard?: string;
  json?: true;
}

/** The word for a vendor by the exit code of its run. */
const ENDS: Readonly<Record<number, string>> = { 1: 'nonconforming', 2: 'not judged', 3: 'inconclusive' };

// Without `run`, the command can only print a matrix of shards (--github-matrix).
program.action(({ githubMatrix }: { githubMatrix?: string }) => endWithCode(() => printMatrix(githubMatrix)));
targetsRunCommand.action((file: string, options: Options) => endWithCode(() => runAll(file, options)));
await program.parseAsync();

/** Prints the shards `1/n` to `n/n` as a matrix of a GitHub workflow: each job of the workflow judges one of them. */
function printMatrix(count: string | undefined): number {
  if (count === undefined)
    throw new Mistake('targets needs a command: targets run targets.json; --help says more');
  const n = readWholeNumber(count, '--github-matrix', 256);
  printJson(`${JSON.stringify({ shard: Array.from({ length: n }, (_, index) => `${index + 1}/${n}`) })}\n`);
  return 0;
}

/** `targets run`: judges all vendors of a file. */
async function runAll(file: string, options: Options): Promise<number> {
  const parallel = readWholeNumber(options.parallel, '--parallel', 64);
  /** Milliseconds for one vendor. */
  const limit = readWholeNumber(options.timeLimit, '--time-limit', 86_400) * 1_000;
  const targets = takeShard(readTargets(file, process.env), options.shard);
  const out = resolve(options.out);
  const abort = new AbortController();
  stopOnSignals((_, atOnce) => (atOnce ? process.exit(3) : abort.abort()));
  const outcomes: VendorOutcome[] = [];
  const queue = [...targets];
  const judgeUntilEmpty = async () => {
    for (let target = queue.shift(); target !== undefined && !abort.signal.aborted; target = queue.shift()) {
      const outcome = await judgeOne({
        target,
        folder: join(out, target.name),
        limit,
        signal: abort.signal,
        env: process.env,
      });
      outcomes.push(outcome);
      if (options.json !== true) printProgress(outcomes, targets.length, outcome);
    }
  };
  await Promise.all(Array.from({ length: parallel }, judgeUntilEmpty));
  const codes = outcomes.map(({ exitCode }) => exitCode);
  if (options.json === true) printJson(`${JSON.stringify({ targets: targets.length, outcomes })}\n`);
  else {
    // On a terminal, the cursor is still in the line of the progress.
    const lineEnd = process.stdout.isTTY === true ? '\n' : '';
    const others = outcomes.filter(({ exitCode }) => exitCode !== 0).map(describeOutcome);
    print(`${lineEnd}${summarize(outcomes)}\n${others.join('')}  ${spellCommand('matrix', options.out)}\n`);
  }
  if (codes.includes(1)) return 1;
  const areAllJudged = !abort.signal.aborted && outcomes.length === targets.length;
  return areAllJudged && codes.every((code) => code === 0) ? 0 : 3;
}

/** Prints the progress: one line for each vendor, or one line that changes on a terminal. */
function printProgress(outcomes: readonly VendorOutcome[], all: number, last: VendorOutcome): void {
  const text = `${outcomes.length} of ${all} vendors: ${summarize(outcomes)}; last ${last.target}`;
  if (process.stdout.isTTY === true) replaceLine(text.slice(0, (process.stdout.columns || 100) - 1));
  else print(`${text}\n`);
}

function summarize(outcomes: readonly VendorOutcome[]): string {
  const count = (...codes: (number | null)[]) =>
    outcomes.filter(({ exitCode }) => codes.includes(exitCode)).length;
  const conforming = count(0);
  const nonconforming = count(1);
  return `${conforming} conforming, ${nonconforming} nonconforming, ${outcomes.length - conforming - nonconforming} undecided or not judged`;
}

function describeOutcome({ target, exitCode, seconds, reason }: VendorOutcome): string {
  return `  ${target}: ${ENDS[exitCode ?? 3] ?? 'not judged'}: ${escapeTerminal(reason)} (${seconds} s)\n`;
}
