/**
 * Starts the command that the first word names: `animal-store-conformance list`. Without a command, `run` judges a target.
 * Each command is a script of its own, which is loaded only when it is called.
 */
import suite from '../package.json' with { type: 'json' };
import { findNearest } from '../fixtures/settings/nearest-name.ts';
import { COMMANDS, writeOverview } from './command-descriptions.ts';
import { nameOptionsOfNpm } from './command-line/npm-options.ts';
import { printError, printText } from './command-line/output/print.ts';

/** Commands whose script has another name. */
const SCRIPTS: Record<string, string> = { run: 'conformance' };

const COMMAND_NAMES = COMMANDS.map((each) => each.name());
const [first = '', ...rest] = process.argv.slice(2);
const isHelp = ['help', '-h', '--help'].includes(first);
/** `help list` and `--help list` print the help of `list`, as `list --help` does. */
const [asked = ''] = rest;

if (COMMAND_NAMES.includes(first)) await start(first, rest);
else if (isHelp && COMMAND_NAMES.includes(asked)) await start(asked, ['--help']);
else if (isHelp) printText(writeOverview());
else if (first === '--version' || first === '-v') printText(`${suite.version}\n`);
else if (first === '' || first.startsWith('-')) await start('run', process.argv.slice(2));
else if (/^https?:\/\//i.test(first)) {
  printError('The address of the target follows --base-url; the key comes from API_KEY or API_KEY_FILE.\n');
  process.exitCode = 2;
} else {
  const meant = findNearest(first, COMMAND_NAMES);
  printError(
    `${/^[\w.-]{1,60}$/.test(first) ? first : 'The first word'} is not a command; ${meant === undefined ? '--help lists all' : `did you mean ${meant}?`}\n`,
  );
  process.exitCode = 2;
}

/** Starts the script of a command, unless npm has taken its options for itself. The script finds its words in `process.argv`. */
async function start(name: string, words: readonly string[]): Promise<void> {
  const described = COMMANDS.find((each) => each.name() === name);
  const taken = described === undefined ? null : nameOptionsOfNpm(described, words);
  if (taken !== null) {
    printError(`${taken}\n`);
    process.exitCode = 2;
    return;
  }
  process.argv.splice(2, process.argv.length, ...words);
  await import(`./${SCRIPTS[name] ?? name}.js`);
}
