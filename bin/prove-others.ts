#!/usr/bin/env node
/**
 * Judges only the services that others wrote. `npm run prove` also does this, after its faults, freedoms and
 * hostile targets.
 */
import { makeCommand } from './command-line/make-command.ts';
import { judgeOthers } from './prove/others/judge-all.ts';

const { only = '' } = makeCommand('prove-others', 'Judges services of other make with known defects.')
  .option('--only <part>', 'only those whose name contains this')
  .parse()
  .opts<{ only?: string }>();
const others = await judgeOthers(only, (text) => void process.stdout.write(`${text}\n`));
process.stdout.write(`${JSON.stringify(others)}\n`);
if (others.others === 0) {
  process.stderr.write(`There is no service with ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
} else {
  process.exitCode = others.failed.length === 0 ? 0 : 1;
}
