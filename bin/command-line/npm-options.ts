/**
 * Options that npm took for itself. `npm run conformance --base-url=X` gives the command no word: npm keeps what has no `--` before
 * it, and shows it as `npm_config_base_url`. The command would judge the embedded reference and overwrite the reports.
 */
import type { Command, Option } from 'commander';
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { spelled } from '../output/rerun-command.ts';

/** An option of ours, and the text that npm keeps for it. */
interface Taken {
  option: Option;
  value: string;
}

const PREFIX = 'npm_config_';
const IDS = [...Object.keys(requirements), ...Object.keys(silences)];
const ASKED = new Set(IDS.flatMap((id) => [id, id.split('.')[0] ?? '']));
/** Options of ours whose names npm has too, and when the value is not meant for npm; never, if the name is missing here. */
const SHARED: Readonly<Record<string, (value: string, isAlone: boolean) => boolean>> = {
  // npm knows `production`
  only: (value) => value.split(/\s+/).some((each) => ASKED.has(each)),
  // `npm run` has no use for it, and a run that was meant to be dry must not send anything
  'dry-run': (value) => value === 'true',
  // an outer `npm run x --json` hands it on to all that is started inside
  json: (value, isAlone) => value === 'true' && isAlone,
};
/** As `npm config ls -l` of npm 11 lists them. */
const OF_NPM = ['only', 'dry-run', 'json', 'version', 'https-proxy', 'package'];
/** A value that cannot be a secret: a number, a share, or an address without credentials and query. */
const PLAIN = /^(?:\d{1,9}(?:[./]\d{1,9})?|https?:\/\/[\w.:-]+(?:\/[\w./-]*)?)$/i;

/** What npm took of a command's options, in one line with the command that hands them over; null: nothing. @param words that came */
export function takenByNpm(
  command: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  if (env.npm_lifecycle_event === undefined) return null;
  const isRun = (env.npm_command ?? 'run').startsWith('run');
  const options = new Map(
    [command, ...command.commands].flatMap((each) => each.options).map((each) => [each.long?.slice(2), each]),
  );
  const taken = Object.entries(env).flatMap(([name, value = '']): Taken[] => {
    if (!name.toLowerCase().startsWith(PREFIX)) return [];
    const flag = name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
    const option = options.get(flag);
    const isOurs = !OF_NPM.includes(flag) || (isRun && SHARED[flag]?.(value, words.length === 0) === true);
    return option === undefined || !isOurs || isGiven(words, flag) ? [] : [{ option, value }];
  });
  return taken.length === 0 ? null : inWords(command, taken, words, env);
}

function isGiven(words: readonly string[], flag: string): boolean {
  return words.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
}

function inWords(
  command: Command,
  taken: readonly Taken[],
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): string {
  const flags = taken.map(({ option }) => option.long);
  // `--base-url X` without =: npm takes the option as true, and hands the value over as a word
  const values = words.filter((word) => !word.startsWith('-'));
  const isClear = values.length === 1 && taken.filter(isBare).length === 1;
  const valueOf = (each: Taken) => (isBare(each) && isClear ? (values[0] ?? '') : each.value);
  const inner = command.commands.map((each) => each.name()).filter((name) => words.includes(name));
  const right = [...inner, ...taken.map((each) => spellOption(each.option, valueOf(each)))].join(' ');
  const { npm_lifecycle_event: script = '', npm_command: by = 'run' } = env;
  const isScript = by.startsWith('run') && /^[\w:.-]{1,60}$/.test(script);
  return `npm took ${flags.join(', ')} for itself, because there is no -- in front; nothing was sent. Write: ${isScript ? `npm run ${script} -- ${right}` : spelled(command.name(), right)}`;
}

/** True if the option needs a value and npm has none for it. */
function isBare({ option, value }: Taken): boolean {
  return option.required && value === 'true';
}

/** As it is typed; a value that may be a secret is shown by its kind. */
function spellOption(option: Option, value: string): string {
  const flag = option.long ?? '';
  if (!option.required && !option.optional) return flag;
  if (value === 'true' && option.optional) return flag;
  const isShown = PLAIN.test(value) || ASKED.has(value) || option.argChoices?.includes(value) === true;
  return `${flag}=${isShown ? value : (/<.*>|\[.*\]/.exec(option.flags)?.[0] ?? '<value>')}`;
}
