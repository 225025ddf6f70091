/** Writes commands that start the suite again. Reports print them, and users paste them. */
import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import suite from '../../../package.json' with { type: 'json' };
import type { Settings } from '../../../fixtures/settings/settings.ts';
import { IN_A_CLONE, pickValues, REPEATED, spellOther } from '../../../reports/shown/words/commands.ts';
import { escapeLine, quoteShell } from '../../../reports/shown/words/escape.ts';

/** The path of the compiled program, in `dist/bin/` of the clone or of the installed package. */
const PROGRAM = fileURLToPath(new URL('../../animal-store-conformance.js', import.meta.url));
const CLONE = resolve(PROGRAM, '../../..');

/**
 * Returns the words that start the suite here, without options:
 * - `npm run conformance` in the folder of a clone
 * - `npx <name>` in a folder where the package is installed, or if npx started this process
 * - `<name>` if this process was started by its name
 * - `node <path>` else
 * @param started the script of this process, as it was called
 */
export function spellStart(started = process.argv[1] ?? ''): string {
  const folder = process.cwd();
  // Only a clone has bin/build.js; an installed package has none.
  if (folder === CLONE && existsSync(join(CLONE, 'bin', 'build.js'))) return IN_A_CLONE;
  const isOfNpx =
    /[\\/]_npx[\\/]/.test(started) || existsSync(join(folder, 'node_modules', '.bin', suite.name));
  if (isOfNpx) return `npx ${suite.name}`;
  return basename(started) === suite.name
    ? suite.name
    : `node ${quoteShell(escapeLine(relative(folder, PROGRAM)))}`;
}

/** Spells a command as the user can type it: in a clone `npm run list -- <words>`, else e.g. `npx animal-store-conformance list <words>`. */
export function spellCommand(name: string, words = ''): string {
  return spellOther(spellStart(), name, words);
}

/** Returns `--api-key-file` and `--report-dir` with their paths, if the user set them. `keepVariables` never returns paths. */
export function keepOptions({ given }: Pick<Settings, 'given'>): Record<string, string> {
  const paths = { '--api-key-file': given.API_KEY_FILE, '--report-dir': given.REPORT_DIR };
  return Object.fromEntries(
    Object.entries(paths).flatMap(([flag, path]) =>
      path === undefined ? [] : [[flag, shortenWithinFolder(path)]],
    ),
  );
}

/** Shortens a path within this folder, so that a report says little about the machine. */
function shortenWithinFolder(path: string): string {
  const within = relative(process.cwd(), path) || '.';
  // A path outside begins with `..`. On another disk of Windows it stays absolute.
  const isInside = !/^\.\.(?:[\\/]|$)/.test(within) && !isAbsolute(within);
  return isAbsolute(path) && isInside ? within : path;
}

/** Returns the variables that decide what is asked (REPEATED), as the user set them: `{ SEED: '7' }`. None is a secret or a path. */
export function keepVariables({ given }: Pick<Settings, 'given'>): Record<string, string> {
  return pickValues(REPEATED, given);
}
