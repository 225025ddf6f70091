#!/usr/bin/env node
/**
 * Runs the command against hostile targets: servers that stall, flood or attack their client. `npm run prove` (with
 * `--hostile`) does this too, after its faults and freedoms.
 */
import { makeCommand } from './command-line/make-command.ts';
import { attackAll } from './prove/hostile/attack.ts';

const { only = '' } = makeCommand('prove-hostile', 'Runs the command against hostile targets.')
  .option('--only <part>', 'only those whose id contains this')
  .parse()
  .opts<{ only?: string }>();
const out = (text: string) => void process.stdout.write(`${text}\n`);
const battery = await attackAll(only, out);
out(JSON.stringify(battery));
if (battery.hostile === 0) {
  process.stderr.write(`There is no hostile target with ${JSON.stringify(only)} in its id.\n`);
  process.exitCode = 2;
} else {
  process.exitCode = battery.failed.length === 0 ? 0 : 1;
}
