#!/usr/bin/env node
/**
 * Judges services that others wrote, with known defects. `npm run prove` (with `--others`) judges the services for Node too,
 * after its faults, freedoms and hostile targets; only this command judges services in other languages.
 */
import { makeCommand } from './command-line/make-command.ts';
import { judgeOthers } from './prove/others/judge-all.ts';
import { judgeLanguages } from './prove/others/judge-languages.ts';

const { only = '', languages = false } = makeCommand(
  'prove-others',
  'Judges services of other make with known defects.',
)
  .option('--only <part>', 'only those whose name contains this')
  .option('--languages', 'judge those in other languages, as far as these are installed')
  .parse()
  .opts<{ only?: string; languages?: boolean }>();
const print = (text: string) => void process.stdout.write(`${text}\n`);
const { others, ...result } = languages ? await judgeLanguages(only, print) : await judgeOthers(only, print);
print(JSON.stringify({ others, ...result }));
if (others === 0) {
  process.stderr.write(`There is no service with ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
} else {
  process.exitCode = result.failed.length === 0 ? 0 : 1;
}
