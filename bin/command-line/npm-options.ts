/**
 * Finds options that npm took for itself. In `npm run conformance --base-url=X` a `--` is missing before the option. npm then
 * keeps the option, sets the variable `npm_config_base_url`, and starts the command without it. Without this check, the
 * command would judge the embedded reference and overwrite the reports.
 */
import type { Command, Option } from 'commander';
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { explainFormer } from './mistakes.ts';
import { spellCommand } from './output/rerun-command.ts';

/** An option of the suite that npm took, with its value in the variable of npm. */
interface Taken {
  option: Option;
  value: string;
}

const PREFIX = 'npm_config_';
const IDS = [...Object.keys(requirements), ...Object.keys(silences)];
const ASKED = new Set(IDS.flatMap((id) => [id, id.split('.')[0] ?? '']));
/**
 * Options that npm has too. The function is true if the user meant the option of the suite. `isAlone`: the command got no
 * words. An option of OF_NPM without a function here always belongs to npm.
 */
const SHARED: Readonly<Record<string, (value: string, isAlone: boolean) => boolean>> = {
  // npm's own values are `production` and the like; ids of requirements are meant for the suite.
  only: (value) => value.split(/\s+/).some((each) => ASKED.has(each)),
  // `npm run` has no use for this option. A run that the user meant to be dry must not send anything.
  'dry-run': (value) => value === 'true',
  // A script that was started by `npm run x --json` passes the variable on to commands that got their own words.
  json: (value, isAlone) => value === 'true' && isAlone,
};
/** Options of npm 11, as `npm config ls -l` lists them. */
const OF_NPM = ['only', 'dry-run', 'json', 'version', 'https-proxy', 'package'];
/** A value that cannot be a secret: a number, a share, or an address without credentials and query. */
const PLAIN = /^(?:\d{1,9}(?:[./]\d{1,9})?|https?:\/\/[\w.:-]+(?:\/[\w./-]*)?)$/i;

/**
 * Names the options of a command that npm took, and the right command, in one line; null if it took none.
 * @param words the words that the command got
 */
export function nameOptionsOfNpm(
  command: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  if (env.npm_lifecycle_event === undefined) return null;
  const isRun = (env.npm_command ?? 'run').startsWith('run');
  const options = new Map(
    [command, ...command.commands].flatMap((each) => each.options).map((each) => [each.long?.slice(2), each]),
  );
  const former = Object.keys(env).flatMap((name) => {
    const flag = readFlag(name);
    return flag === null || options.has(flag) ? [] : (explainFormer(`--${flag}`) ?? []);
  });
  if (former[0] !== undefined) return former[0];
  const taken = Object.entries(env).flatMap(([name, value = '']): Taken[] => {
    const flag = readFlag(name);
    if (flag === null) return [];
    const option = options.get(flag);
    const isOurs = !OF_NPM.includes(flag) || (isRun && SHARED[flag]?.(value, words.length === 0) === true);
    return option === undefined || !isOurs || isGiven(words, flag) ? [] : [{ option, value }];
  });
  return taken.length === 0 ? null : writeCorrection(command, taken, words, env);
}

/** Returns the name of the option that npm has put into this variable: `base-url` for `npm_config_base_url`; else null. */
function readFlag(variable: string): string | null {
  const name = variable.toLowerCase();
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length).replaceAll('_', '-') : null;
}

/** True if the command got this option from the user too. */
function isGiven(words: readonly string[], flag: string): boolean {
  return words.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
}

/** Says which options npm took, and writes the right command. */
function writeCorrection(
  command: Command,
  taken: readonly Taken[],
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): string {
  const flags = taken.map(({ option }) => option.long);
  // From `--base-url X` (without `=`) npm makes the value `true`, and passes X on as a word. With one such option and one
  // word, they belong together.
  const values = words.filter((word) => !word.startsWith('-'));
  const isClear = values.length === 1 && taken.filter(isBare).length === 1;
  const valueOf = (each: Taken) => (isBare(each) && isClear ? (values[0] ?? '') : each.value);
  const inner = command.commands.map((each) => each.name()).filter((name) => words.includes(name));
  const right = [...inner, ...taken.map((each) => spellOption(each.option, valueOf(each)))].join(' ');
  const { npm_lifecycle_event: script = '', npm_command: by = 'run' } = env;
  const isScript = by.startsWith('run') && /^[\w:.-]{1,60}$/.test(script);
  return `npm took ${flags.join(', ')} for itself, because there is no -- in front; nothing was sent. Write: ${isScript ? `npm run ${script} -- ${right}` : spellCommand(command.name(), right)}`;
}

/** True if the option needs a value, and npm has only `true`. */
function isBare({ option, value }: Taken): boolean {
  return option.required && value === 'true';
}

/** Writes an option as a user types it. A value that may be a secret is replaced by a placeholder such as `<file>`. */
function spellOption(option: Option, value: string): string {
  const flag = option.long ?? '';
  if (!option.required && !option.optional) return flag;
  if (value === 'true' && option.optional) return flag;
  const isShown = PLAIN.test(value) || ASKED.has(value) || option.argChoices?.includes(value) === true;
  return `${flag}=${isShown ? value : (/<.*>|\[.*\]/.exec(option.flags)?.[0] ?? '<value>')}`;
}
