#!/usr/bin/env node
/**
 * Judges services that others wrote, with known defects; with `--only`, some of these services. `npm run prove` (with `--others`)
 * judges all of them after its faults, freedoms and hostile targets.
 */
import { makeCommand } from './command-line/make-command.ts';
import { judgeOthers } from './prove/others/judge-all.ts';

const { only = '' } = makeCommand('prove-others', 'Judges services of other make with known defects.')
  .option('--only <part>', 'only those whose name contains this')
  .parse()
  .opts<{ only?: string }>();
const print = (text: string) => void process.stdout.write(`${text}\n`);
const { others, ...result } = await judgeOthers(only, print);
print(JSON.stringify({ others, ...result }));
if (others === 0) {
  process.stderr.write(`There is no service with ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
} else {
  process.exitCode = result.failed.length === 0 ? 0 : 1;
}
