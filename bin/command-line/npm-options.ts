/**
 * Finds options that npm took for itself. In `npm run conformance --base-url=X` a `--` is missing before the option. npm then
 * keeps the option, sets the variable `npm_config_base_url`, and starts the command without it. Without this check, the
 * command would judge the embedded reference and overwrite the reports.
 */
import type { Command, Option } from 'commander';
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { spellCommand } from './output/rerun-command.ts';

const IDS = [...Object.keys(requirements), ...Object.keys(silences)];
/** Ids and stems, which --only takes. */
const ASKABLE = new Set(IDS.flatMap((id) => [id, id.split('.')[0] ?? '']));
/**
 * Options of the suite that npm 11 has too (`npm config ls -l`). For each, a function says if the user meant the option of the suite.
 * It gets the value of npm's variable, e.g. `true` of `npm_config_dry_run`, and true if the command got no words.
 */
const SHARED_WITH_NPM: Readonly<Record<string, (value: string, isWithoutWords: boolean) => boolean>> = {
  // npm's own values are e.g. `production`; the suite's are ids of requirements.
  only: (value) => value.split(/\s+/).some((each) => ASKABLE.has(each)),
  // `npm run` has no use for this option. A run that the user meant to be dry must not send anything.
  'dry-run': (value) => value === 'true',
  // In `npm run x --json`, every command in the script x gets the variable. If a command has words, e.g. `list errors`, the script wrote
  // them, and the user typed `--json` for the script.
  json: (value, isWithoutWords) => value === 'true' && isWithoutWords,
  // The user always meant the option of npm.
  version: () => false,
  'https-proxy': () => false,
  package: () => false,
};

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
  // True for `npm run x` and `npm run-script x`, false for e.g. `npm test`.
  const isRun = (env.npm_command ?? 'run').startsWith('run');
  const options = new Map(
    [command, ...command.commands].flatMap((each) => each.options).map((each) => [each.long?.slice(2), each]),
  );
  // npm did not take an option that the command got.
  const isGiven = (flag: string) =>
    words.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
  const isForSuite = (flag: string, value: string) => {
    const meansSuite = SHARED_WITH_NPM[flag];
    // npm itself does not know an option that is not in the table, so the user meant the suite.
    return meansSuite === undefined || (isRun && meansSuite(value, words.length === 0));
  };
  const taken: Option[] = [];
  for (const [name, value = ''] of Object.entries(env)) {
    // `base-url` of `npm_config_base_url`.
    const [, flag = ''] = /^npm-config-(.+)$/.exec(name.toLowerCase().replaceAll('_', '-')) ?? [];
    const option = options.get(flag);
    if (option !== undefined && !isGiven(flag) && isForSuite(flag, value)) taken.push(option);
  }
  return taken.length === 0 ? null : writeCorrection(command, taken, words, env);
}

/** Says which options npm took, and writes the right command with names for their values, e.g. `--base-url=<url>`: a value may be the key. */
function writeCorrection(
  command: Command,
  taken: readonly Option[],
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): string {
  const subcommands = command.commands.map((each) => each.name()).filter((name) => words.includes(name));
  const right = [
    ...subcommands,
    ...taken.map(({ flags, long, required }) => (required ? flags.replace(' ', '=') : long)),
  ].join(' ');
  const { npm_lifecycle_event: script = '', npm_command: npmCommand = 'run' } = env;
  const isScript = npmCommand.startsWith('run') && /^[\w:.-]{1,60}$/.test(script);
  return `npm took ${taken.map(({ long }) => long).join(', ')} for itself, because there is no -- in front; nothing was sent. Write: ${isScript ? `npm run ${script} -- ${right}` : spellCommand(command.name(), right)}`;
}
