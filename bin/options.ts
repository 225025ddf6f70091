import { Command, CommanderError } from 'commander';
import suite from '../package.json' with { type: 'json' };
import { readToken } from '../fixtures/property/token.ts';
import type { Options } from '../fixtures/settings.ts';
import { nearest } from '../fixtures/settings/suggest.ts';
import { variableNamed } from '../fixtures/settings/variables.ts';
import requirements from '../schemas/requirements.json' with { type: 'json' };
import silences from '../schemas/silences.json' with { type: 'json' };

const CATALOGUE: Record<string, { statement: string; excused?: string }> = requirements;
const IDS = Object.keys(requirements);
const STEMS = [...new Set(IDS.map((id) => id.split('.')[0]!))];
const FOOTER = `
Without BASE_URL the embedded reference service is judged. Target, key and bounds are variables:
.env.example lists them, README.md explains them.

Exit codes:
  0  conforming
  1  nonconforming, or a warning, waiver or profile that the run was told to fail on
  2  not possible as configured: bad option, variable or file, or the target refuses the key
  3  inconclusive: target unreachable, a requirement undecided, or a part of the suite only
`;

/**
 * Reads the options of the command, without the names of node and script. Neither prints nor exits:
 * `print` is the text of --help or --version; mistakes are a line each.
 */
export function readOptions(argv: readonly string[]): { options: Options } | { mistakes: string[] } | { print: string } {
  let printed = '';
  const command = describe((text) => (printed += text));
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { print: printed } : { mistakes: [inWords(command, error)] };
  }
  const { only = [], profile, replay = null, dryRun = false, acceptWaivers = false, lock = false, failed = false, watch = false, open = false, quiet = false, ...named } = command.opts<Partial<Options> & Named>();
  const mistakes = only.flatMap(unfitRequirement);
  if (lock !== false && lock !== true && lock !== 'write') mistakes.push('--lock stands alone, or as --lock=write.');
  const parts = [only.length > 0 && '--only', replay !== null && '--replay', (failed || watch) && (watch ? '--watch' : '--failed')].filter((each) => each !== false);
  if (parts.length > 1) mistakes.push(`${parts.join(' and ')} ask for different parts; take one of them.`);
  if (lock === 'write' && parts.length > 0) mistakes.push(`--lock=write pins what a whole run observed; leave ${parts[0]} out.`);
  if (replay !== null && readToken(replay) === null) mistakes.push('--replay takes a token as the suite printed it.');
  if (mistakes.length > 0) return { mistakes };
  return { options: { only: [...new Set(only)], ...(profile === undefined ? {} : { profile }), replay, failed: failed || watch, watch, dryRun, acceptWaivers, lock, open, quiet, variables: variablesIn(named) } };
}

/** Options that stand for a variable, which they outweigh. */
interface Named {
  baseUrl?: string;
  reportDir?: string;
}

function variablesIn({ baseUrl, reportDir }: Named): Options['variables'] {
  return { ...(baseUrl === undefined ? {} : { BASE_URL: baseUrl }), ...(reportDir === undefined ? {} : { REPORT_DIR: reportDir }) };
}

function describe(write: (text: string) => void): Command {
  return new Command(suite.name)
    .description('Judges an implementation of the animal store interface over HTTP, requirement by requirement.')
    .option('--only <id>', 'ask one requirement or open question, or all of a stem such as list-pets; repeatable', append)
    .option('--failed', 'ask again what the last report says failed')
    .option('--watch', 'as --failed, again whenever Enter is pressed')
    .option('--profile <name>', 'run as that profile asks: certification; PROFILE does the same')
    .option('--replay <token>', 'run one counterexample again, by the token printed with it')
    .option('--dry-run', 'print what a run would send, and send nothing to the target')
    .option('--accept-waivers', 'exit 0 where every failure is waived')
    .option('--lock [write]', 'exit 1 where the behaviour profile differs from PROFILE_LOCK; --lock=write writes that file anew')
    .option('--base-url <address>', 'as BASE_URL')
    .option('--report-dir <folder>', 'as REPORT_DIR')
    .option('--open', 'open the page when the run has ended')
    .option('--quiet', 'print the verdict alone')
    .version(suite.version, '--version', 'print the version of the suite')
    .helpOption('-h, --help', 'print this')
    .addHelpText('after', FOOTER)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => 100, getOutHasColors: () => false });
}

function append(id: string, before: string[] = []): string[] {
  return [...before, id];
}

function inWords(command: Command, { code, message }: CommanderError): string {
  if (code === 'commander.unknownOption') {
    // Nothing behind the =: it may be the key.
    return unknownOption(command, /'([^'=]*)/.exec(message)?.[1] ?? '');
  }
  if (code === 'commander.optionMissingArgument') return `${/--[a-z-]+/.exec(message)?.[0]} needs a value behind it; --help says which.`;
  return 'There is a word that belongs to no option; repeat --only for each requirement.';
}

function unknownOption(command: Command, flag: string): string {
  if (!/^--?[\w-]{1,60}$/.test(flag)) return 'There is an option that is not known; --help lists all.';
  const known = variableNamed(flag.replace(/^-+/, '').replaceAll('-', '_').toUpperCase());
  if (known !== undefined) return `${flag} is not an option but a variable: set ${known} in the environment or in .env.`;
  const flags = command.createHelp().visibleOptions(command).map((each) => each.long!);
  const meant = nearest(flag, flags);
  return `${flag} is not known; ${meant === undefined ? '--help lists all options' : `did you mean ${meant}?`}`;
}

function unfitRequirement(id: string): string[] {
  if (STEMS.includes(id) || Object.hasOwn(silences, id)) return [];
  const known = IDS.includes(id) ? CATALOGUE[id] : undefined;
  if (known?.excused !== undefined) return [`--only ${id}: it is excused, no test can decide it. ${known.excused}`];
  if (known !== undefined) return [];
  if (!/^[\w.-]{1,80}$/.test(id)) return ['--only takes the id of one requirement or a stem such as list-pets; repeat it for several.'];
  const meant = nearest(id, [...IDS, ...Object.keys(silences), ...STEMS]);
  return [`--only ${id}: no requirement has this id; ${meant === undefined ? '`npm run list` names all.' : `did you mean ${meant}?`}`];
}
