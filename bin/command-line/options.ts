/** The options of the command `run`, which judges a target: their description, and how they are read and checked. */
import { CommanderError, type Command } from 'commander';
import suite from '../../package.json' with { type: 'json' };
import { readReplayToken } from '../../fixtures/asking/properties/replay-token.ts';
import type { Options } from '../../fixtures/settings/settings.ts';
import { findNearest } from '../../fixtures/settings/nearest-name.ts';
import { REQUIREMENTS, SILENCES } from '../../fixtures/interface/requirements.ts';
import { makeCommand } from './make-command.ts';
import { describeMistake } from './mistakes.ts';
import { spellCommand } from './output/rerun-command.ts';
import { setVariables, addVariables } from './variable-options.ts';

const IDS = Object.keys(REQUIREMENTS);
const STEMS = [...new Set(IDS.map((id) => id.split('.')[0]!))];
const EXITS = {
  0: 'conforming',
  1: 'nonconforming, or a warning, waiver or profile on which the run is to fail',
  2: 'not possible as configured: bad option, variable or file, or the target refuses the key',
  3: 'inconclusive: target unreachable, a requirement undecided, or a part of the suite only',
};
const TYPICAL = '--base-url https://staging.example.org/v1 --api-key-file key.txt';

/** Options of `run` when none is given; Playwright's own command always uses them. */
export const NO_OPTIONS: Omit<Options, 'seeds'> = {
  only: [],
  replay: null,
  dryRun: false,
  acceptWaivers: false,
  lock: false,
};

/** The values of the options as commander gives them: `--seeds 5` is the text `5`. */
type Given = Omit<Options, 'seeds'> & { profile?: string; seeds?: string; quick?: boolean };

/**
 * Reads the options of the command. It neither prints nor exits.
 * @param argv the words behind the name of the script
 * @param env gets the values of options that stand for variables: `--max-rps 5` sets MAX_RPS
 * @returns `mistakes`: one line each; `print`: the text of --help or --version
 */
export function readOptions(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): { options: Options } | { mistakes: string[] } | { print: string } {
  let printed = '';
  const program = describeRun((text) => (printed += text));
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { print: printed };
    const isWordTooMany = error.code === 'commander.excessArguments';
    const mistake = isWordTooMany ? explainExtraWord(argv, env) : describeMistake(program, error);
    return { mistakes: [mistake] };
  }
  const given: Given = { ...NO_OPTIONS, ...program.opts<Partial<Given>>() };
  const mistakes = findMistakes(given);
  // `setVariables` changes the environment, so it comes last: after a mistake in another option no variable is set.
  if (mistakes.length === 0) mistakes.push(...setVariables(program, env));
  if (mistakes.length === 0 && given.quick === true) env.PROFILE = 'quick';
  return mistakes.length > 0 ? { mistakes } : { options: makeOptions(given) };
}

function explainExtraWord(argv: readonly string[], env: NodeJS.ProcessEnv): string {
  if (argv.some((word) => /^https?:/i.test(word)))
    return 'There is an address that belongs to no option; did you mean --base-url?';
  const sentence = 'There is a word that belongs to no option; repeat --only for each requirement.';
  return env.npm_lifecycle_event === undefined
    ? sentence
    : `${sentence} npm keeps an option that has no -- in front, and hands over its value alone: ${spellCommand('run', '--base-url=<url>')}`;
}

/** Returns what is wrong with the values, one line each. */
function findMistakes(given: Given): string[] {
  const { only, lock, replay, seeds, failed } = given;
  // Only one of these three may be given. Example: for `--only list-pets --failed`, `parts` is ['--only', '--failed'].
  const areSet = { '--only': only.length > 0, '--replay': replay !== null, '--failed': failed === true };
  const parts = Object.entries(areSet).flatMap(([flag, isSet]) => (isSet ? [flag] : []));
  // --quick asks for a part too, and may be given with one of the three.
  const flagOfPart = parts[0] ?? (given.quick === true ? '--quick' : undefined);
  const rules: [isBroken: boolean, mistake: string][] = [
    [![true, false, 'write'].includes(lock), '--lock takes no value, or write: --lock=write.'],
    [parts.length > 1, `${parts.join(' and ')} ask for different parts; take one of them.`],
    [
      lock === 'write' && flagOfPart !== undefined,
      `--lock=write pins what a whole run observed; leave ${flagOfPart} out.`,
    ],
    [replay !== null && readReplayToken(replay) === null, '--replay takes a token as the suite printed it.'],
    [seeds !== undefined && !/^(?:[1-9]\d?|100)$/.test(seeds), '--seeds takes a whole number from 1 to 100.'],
    [seeds !== undefined && replay !== null, '--replay draws from the seed of its token; leave --seeds out.'],
    [
      given.quick === true && !['quick', undefined].includes(given.profile),
      '--quick is a profile of its own; leave --profile out.',
    ],
  ];
  const broken = rules.filter(([isBroken]) => isBroken).map(([, mistake]) => mistake);
  return [...only.flatMap(explainUnknownId), ...broken];
}

/** Returns the options of the run. It keeps members of `given` that stand for variables, e.g. `maxRps`, but nobody reads these. */
function makeOptions({ seeds, only, ...given }: Given): Options {
  return {
    ...given,
    only: [...new Set(only)],
    quiet: given.quiet === true || given.json === true,
    ...(seeds !== undefined && { seeds: Number(seeds) }),
  };
}

/**
 * Describes the command `run`, which judges a target.
 * @param write gets the text to print
 */
export function describeRun(write: (text: string) => void): Command {
  const described = makeCommand(
    'run',
    'Judges an implementation of the animal store interface over HTTP, requirement by requirement. Without BASE_URL the embedded reference service is judged.',
    { examples: ['', TYPICAL, '--only list-pets --max-rps 20', '--dry-run'], exits: EXITS },
  )
    .summary('judge a target; the default')
    .option(
      '--only <id>',
      'ask one requirement or open question, or all of a stem such as list-pets; repeatable',
      (id: string, before: string[] = []) => [...before, id],
    )
    .option('--failed', 'ask again what the last report says failed')
    .option('--quick', 'ask little, what finds most first: at most 150 requests; as --profile quick')
    .option('--fail-fast', 'end with the first must that fails; what was not asked stays undecided')
    .option('--replay <token>', 'run one counterexample again, by the token printed with it')
    .option(
      '--seeds <n>',
      'draw generated input from so many seeds, not from one: looks longer for rare faults',
    )
    .option('--dry-run', 'print what a run would send, and send nothing to the target')
    .option('--accept-waivers', 'exit 0 if every failure is waived')
    .option(
      '--lock [write]',
      'exit 1 if the behaviour profile differs from PROFILE_LOCK; --lock=write writes that file anew',
    )
    .option('--open', 'open the page when the run has ended')
    .option('--quiet', 'print the verdict alone')
    .option('--json', 'print the verdict alone, as JSON')
    .version(suite.version, '-v, --version', 'print the version of the suite')
    .exitOverride()
    .configureOutput({ writeOut: write });
  return addVariables(described);
}

/** Returns one line that says why `--only` cannot ask this id. Empty for the id of a requirement or open question, or a stem. */
function explainUnknownId(id: string): string[] {
  if (STEMS.includes(id) || Object.hasOwn(SILENCES, id)) return [];
  const known = IDS.includes(id) ? REQUIREMENTS[id] : undefined;
  if (known?.excused !== undefined)
    return [`--only ${id}: it is excused, no test can decide it. ${known.excused}`];
  if (known !== undefined) return [];
  if (!/^[\w.-]{1,80}$/.test(id))
    return ['--only takes the id of one requirement or a stem such as list-pets; repeat it for several.'];
  const meant = findNearest(id, [...IDS, ...Object.keys(SILENCES), ...STEMS]);
  return [
    `--only ${id}: no requirement has this id; ${meant === undefined ? `\`${spellCommand('list')}\` names all.` : `did you mean ${meant}?`}`,
  ];
}
