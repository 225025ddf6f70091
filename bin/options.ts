import { Command, CommanderError } from 'commander';
import suite from '../package.json' with { type: 'json' };
import { readToken } from '../fixtures/property/token.ts';
import type { Options } from '../fixtures/settings.ts';
import { nearest } from '../fixtures/settings/suggest.ts';
import { variableNamed } from '../fixtures/settings/variables.ts';
import requirements from '../schemas/requirements.json' with { type: 'json' };

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
  const { only = [], profile, replay = null, dryRun = false, acceptWaivers = false, lock = false } = command.opts<Partial<Options>>();
  const mistakes = only.flatMap(unfitRequirement);
  if (replay !== null && readToken(replay) === null) mistakes.push('--replay takes a token as the suite printed it.');
  if (mistakes.length > 0) return { mistakes };
  return { options: { only: [...new Set(only)], ...(profile === undefined ? {} : { profile }), replay, dryRun, acceptWaivers, lock } };
}

function describe(write: (text: string) => void): Command {
  return new Command(suite.name)
    .description('Judges an implementation of the animal store interface over HTTP, requirement by requirement.')
    .option('--only <id>', 'judge one requirement, or all of a stem such as list-pets; repeatable', append)
    .option('--profile <name>', 'run as that profile asks: certification; PROFILE does the same')
    .option('--replay <token>', 'run one counterexample again, by the token printed with it')
    .option('--dry-run', 'print what a run would send, and send nothing to the target')
    .option('--accept-waivers', 'exit 0 where every failure is waived')
    .option('--lock', 'exit 1 where the behaviour profile differs from PROFILE_LOCK')
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
  if (STEMS.includes(id)) return [];
  const known = IDS.includes(id) ? CATALOGUE[id] : undefined;
  if (known?.excused !== undefined) return [`--only ${id}: it is excused, no test can decide it. ${known.excused}`];
  if (known !== undefined) return [];
  if (!/^[\w.-]{1,80}$/.test(id)) return ['--only takes the id of one requirement or a stem such as list-pets; repeat it for several.'];
  const meant = nearest(id, [...IDS, ...STEMS]);
  return [`--only ${id}: no requirement has this id; ${meant === undefined ? 'take one of schemas/requirements.json.' : `did you mean ${meant}?`}`];
}
