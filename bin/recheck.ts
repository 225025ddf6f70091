#!/usr/bin/env node
/**
 * `npm run recheck -- footprint.json`: reads the animals that an earlier run has added, and says which of them are unchanged,
 * changed or gone. Exit codes: 0 unchanged or gone, 1 changed or undecided, 2 bad input, 3 unreachable.
 */
import { join } from 'node:path';
import type { Engine } from '../fixtures/session/engine.ts';
import { quoteShell, escapeTerminal } from '../reports/shown/words/escape.ts';
import {
  readFootprint,
  compareAnimal,
  type FootprintAnimal,
  type FootprintFile,
  type State,
} from '../reports/shown/text/footprint-recheck.ts';
import { countNoun } from '../reports/shown/words/verdict-words.ts';
import { endWithCode } from './certificate/certificate-files.ts';
import { program } from './commands/recheck.ts';
import { NO_OPTIONS, readConfiguration } from './run/configuration.ts';
import { openRun } from './run/run.ts';
import { isFolder, LARGEST, readForeign, Unreadable } from './command-line/files/foreign-file.ts';
import { printRefusal, printText, printJson } from './command-line/output/print.ts';
import { setVariables } from './command-line/variable-options.ts';

const mistaken = setVariables(program.parse());
const [given = ''] = program.args;
/** The file with the animals; the user names it, or its folder. */
const path = isFolder(given) ? join(given, 'footprint.json') : given;
/** At most this many changed or undecided animals are printed one by one. */
const MOST_SHOWN = 20;

/** @returns the exit code */
async function main(): Promise<number> {
  if (mistaken.length > 0) return printRefusal(mistaken);
  const read = readFile(path);
  if ('mistakes' in read) return printRefusal(read.mistakes.map((each) => `${path}: ${each}`));
  const { footprint } = read;
  const configured = readConfiguration(NO_OPTIONS);
  if ('mistakes' in configured) return printRefusal(configured.mistakes);
  const settings = { ...configured.settings, mode: 'read-only' as const };
  if (footprint.embedded === true)
    return printRefusal([
      `${path} comes from the embedded reference, which ends with its run and leaves nothing.`,
    ]);
  if (settings.embedded)
    return printRefusal([
      `recheck needs a target: set BASE_URL=${escapeTerminal(quoteShell(footprint.target))} and API_KEY or API_KEY_FILE.`,
    ]);
  if (settings.baseUrl !== footprint.target)
    return printRefusal([
      `${path} is of ${escapeTerminal(footprint.target)}, and BASE_URL is ${settings.baseUrl}.`,
    ]);
  const { engine, findObstacle, close, redact } = await openRun(settings, () => undefined);
  try {
    const found = await findObstacle();
    if (found !== null) return printRefusal([found.message], found.exitCode);
    return printResult(
      footprint,
      await readStates(
        engine,
        footprint.animals.filter(({ id }) => id !== ''),
      ),
      program.opts<{ json?: true }>().json === true ? null : (text) => redact(escapeTerminal(text)),
    );
  } finally {
    await close();
  }
}

/** Reads each animal with getPet, and returns its state; null if there was no answer. */
async function readStates(engine: Engine, animals: readonly FootprintAnimal[]): Promise<(State | null)[]> {
  return Promise.all(
    animals.map(async (animal) => {
      // If the target gives no answers for too long, the session stops, and `send` throws.
      const exchange = await engine
        .send({ operation: 'getPet', method: 'GET', path: `/pets/${animal.id}`, credential: 'key' })
        .catch(() => null);
      return exchange === null || exchange.response === null
        ? null
        : compareAnimal(animal, exchange.response);
    }),
  );
}

/** How many animals are in each state, got no answer, or were not asked about. */
type Tally = Record<State['kind'] | 'unanswered' | 'notAsked', number>;

function countStates(animals: readonly FootprintAnimal[], states: readonly (State | null)[]): Tally {
  const count = (kind: State['kind'] | undefined) => states.filter((each) => each?.kind === kind).length;
  return {
    same: count('same'),
    gone: count('gone'),
    changed: count('changed'),
    undecided: count('undecided'),
    unanswered: count(undefined),
    notAsked: animals.length - states.length,
  };
}

function exitCodeOf({ changed, undecided, unanswered }: Tally): number {
  if (changed + undecided > 0) return 1;
  return unanswered > 0 ? 3 : 0;
}

/**
 * Prints the result.
 * @param safe escapes text for a terminal; null: JSON is printed instead
 * @returns the exit code
 */
function printResult(
  footprint: FootprintFile,
  states: readonly (State | null)[],
  safe: ((text: string) => string) | null,
): number {
  const tally = countStates(footprint.animals, states);
  const exitCode = exitCodeOf(tally);
  // Sentences about animals that are changed or undecided.
  const odd = states.flatMap((each) => (each !== null && 'text' in each ? [each.text] : []));
  if (safe === null) {
    const { run, target } = footprint;
    printJson(`${JSON.stringify({ run, target, exitCode, ...tally, told: odd })}\n`);
    return exitCode;
  }
  printText(safe(summary(footprint, tally)));
  printText(`${listExceptions(tally)}.\n`);
  for (const each of odd.slice(0, MOST_SHOWN)) printText(`  ${safe(each)}\n`);
  if (odd.length > MOST_SHOWN) printText(`  … and ${odd.length - MOST_SHOWN} more\n`);
  if (tally.changed > 0)
    printText(
      'Nothing that the document shows changes an animal; somebody may have done so in another way.\n',
    );
  return exitCode;
}

function summary({ run, target, at, animals }: FootprintFile, { same, gone, changed }: Tally): string {
  const day = at === undefined ? '' : ` of ${at.slice(0, 10)}`;
  return `${countNoun(animals.length, 'animal')} of run ${run}${day} at ${target}: ${same} as they were, ${gone} gone, ${changed} changed`;
}

/** Returns further numbers for the end of the summary, if they are not 0: `, 2 undecided`. */
function listExceptions({ undecided, unanswered, notAsked }: Tally): string {
  const all: [number, string][] = [
    [undecided, 'undecided'],
    [unanswered, 'without an answer'],
    [notAsked, 'not asked about, because their creation was not answered'],
  ];
  return all
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `, ${count} ${what}`)
    .join('');
}

function readFile(file: string): ReturnType<typeof readFootprint> {
  try {
    return readFootprint(readForeign(file, LARGEST.signed));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { mistakes: [`it ${error.message}`] };
  }
}

await endWithCode(main);
