/** How a run is started again: what reports print for people to paste. */
import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import suite from '../../package.json' with { type: 'json' };
import type { Settings } from '../../fixtures/settings/settings.ts';
import { defaultNumber } from '../../fixtures/settings/variables.ts';
import { IN_A_CLONE, INSTALLED, type REPEATED } from '../../reports/words/commands.ts';

/** Only a clone holds the sources beside what is built of them. */
const isClone = existsSync(new URL('../../../bin/build.js', import.meta.url));

/** The npm scripts of a clone whose name is not that of the command. */
const SCRIPTS: Record<string, string> = { run: 'conformance' };

/** How a command is started in this installation: a clone has its npm scripts. */
export function spelled(name: string, words = '', clone = isClone): string {
  if (!clone) return `npx ${suite.name} ${name} ${words}`.trim();
  return `npm run ${SCRIPTS[name] ?? name}${words === '' ? '' : ` -- ${words}`}`;
}

/** The command that judges, up to its options. */
export function commandHere(clone = isClone): string {
  return clone ? IN_A_CLONE.command : INSTALLED;
}

/** The options that a command needs besides, in any shell in the same folder: what a `.env` file there says is read again. */
export function optionsOf({
  given: { apiKeyFile, reportDir },
}: Pick<Settings, 'given'>): Record<string, string> {
  const options = { '--api-key-file': apiKeyFile, '--report-dir': reportDir };
  return Object.fromEntries(
    Object.entries(options).flatMap(([flag, path]) => (path === null ? [] : [[flag, nearer(path)]])),
  );
}

/** A path within this folder as it is told from here: a report says no more of a machine than it must. */
function nearer(path: string): string {
  const within = relative(process.cwd(), path) || '.';
  return isAbsolute(path) && !isAbsolute(within) && !/^\.\.(?:[\\/]|$)/.test(within) ? within : path;
}

/** The variables that differ from their defaults and bear on what is asked. None is secret, and none is a path of this machine. */
export function variablesOf(settings: Settings): Record<string, string> {
  const { embedded, baseUrl, environment, categoryIds, mode, seed, propertyRuns, asOf, strict, maxAnimals } =
    settings;
  const isProduction = environment?.toLowerCase() === 'production';
  const variables: Record<(typeof REPEATED)[number], string | null> = {
    BASE_URL: embedded ? null : baseUrl,
    TARGET_ENV: environment,
    CATEGORY_IDS: categoryIds?.join(',') ?? null,
    MODE: mode === (isProduction ? 'read-only' : 'full') ? null : mode,
    ALLOW_WRITES: isProduction && mode === 'full' ? 'production' : null,
    SEED: seed === defaultNumber('SEED') ? null : String(seed),
    PROPERTY_RUNS: propertyRuns === defaultNumber('PROPERTY_RUNS') ? null : String(propertyRuns),
    AS_OF: asOf === null ? null : asOf.toISOString().slice(0, 10),
    STRICT: strict ? '1' : null,
    MAX_ANIMALS: maxAnimals === null ? null : String(maxAnimals),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
