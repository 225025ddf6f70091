#!/usr/bin/env node
/**
 * `npm run bench`: measures time, CPU and memory of runs on this machine, and compares them with their limits. It prints a
 * table and writes bench.json. Exit code 1: a limit is not kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { BENCH_ROWS, type BenchRow } from './bench/bench-rows.ts';
import { makeCommand } from './command-line/make-command.ts';

const { only = [] } = makeCommand('bench', `Measures. Rows: ${Object.keys(BENCH_ROWS).join(', ')}.`)
  .option('--only <row>', 'measure this row alone; repeatable', (row: string, before: string[] = []) => [
    ...before,
    row,
  ])
  .parse()
  .opts<{ only?: string[] }>();

const unknown = only.filter((row) => !(row in BENCH_ROWS));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no row ${unknown.join(', ')}: take ${Object.keys(BENCH_ROWS).join(', ')}.\n`,
  );
  process.exit(2);
}

const out = (text: string) => void process.stdout.write(`${text}\n`);
const cells = ({ what, measured, limit, ratio, goal, isMet }: BenchRow) =>
  `| ${[what, measured, limit, ratio === null ? '' : ratio.toFixed(2), goal, isMet ? 'yes' : 'no'].join(' | ')} |`;
const load = loadavg()[0] ?? 0;
const wanted = Object.entries(BENCH_ROWS).filter(([name, { isLong }]) =>
  only.length === 0 ? isLong !== true : only.includes(name),
);
const rows: BenchRow[] = [];

out(
  `Node ${process.versions.node}, ${availableParallelism()} cores, load ${load.toFixed(1)} at the beginning\n`,
);
out('| what | measured | limit | ratio | must be | met |\n|---|---|---|---|---|---|');
for (const [, { measure }] of wanted) {
  for (const row of await measure()) {
    rows.push(row);
    out(cells(row));
  }
}
const folder = resolve(process.env.REPORT_DIR ?? 'reports/out');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'bench.json'),
  `${JSON.stringify({ node: process.versions.node, cores: availableParallelism(), load, at: new Date().toISOString(), rows }, null, 2)}\n`,
);
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1;
