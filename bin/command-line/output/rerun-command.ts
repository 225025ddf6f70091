/** Writes commands that start a run again. Reports print them, and users paste them. */
import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import suite from '../../../package.json' with { type: 'json' };
import type { Settings } from '../../../fixtures/settings/settings.ts';
import { readDefault } from '../../../fixtures/settings/variables.ts';
import { IN_A_CLONE, INSTALLED, type REPEATED } from '../../../reports/shown/words/commands.ts';

/** True in a clone of the repository; false in an installed package, which has no sources beside the built files. */
const isClone = existsSync(new URL('../../../../bin/build.js', import.meta.url));

/** Commands whose npm script in a clone has another name. */
const SCRIPTS: Record<string, string> = { run: 'conformance' };

/** Spells a command: `npm run conformance -- <words>` in a clone, `npx animal-store-conformance run <words>` elsewhere. */
export function spellCommand(name: string, words = '', clone = isClone): string {
  if (!clone) return `npx ${suite.name} ${name} ${words}`.trim();
  return `npm run ${SCRIPTS[name] ?? name}${words === '' ? '' : ` -- ${words}`}`;
}

/** Spells the command that judges, without options. */
export function spellRunCommand(clone = isClone): string {
  return clone ? IN_A_CLONE.command : INSTALLED;
}

/**
 * Returns the options that the command needs beside variables: paths that the user gave by option or environment. Paths from
 * a `.env` file are left out, because the command reads that file again.
 */
export function keepOptions({
  given: { apiKeyFile, reportDir },
}: Pick<Settings, 'given'>): Record<string, string> {
  return keepWithValues({
    '--api-key-file': apiKeyFile === null ? null : shortenWithinFolder(apiKeyFile),
    '--report-dir': reportDir === null ? null : shortenWithinFolder(reportDir),
  });
}

/** Shortens a path within this folder, so that a report says little about the machine. */
function shortenWithinFolder(path: string): string {
  const within = relative(process.cwd(), path) || '.';
  return isAbsolute(path) && !isAbsolute(within) && !/^\.\.(?:[\\/]|$)/.test(within) ? within : path;
}

/** Returns the variables that differ from their defaults and decide what is asked. None is secret or a path of this machine. */
export function keepVariables(settings: Settings): Record<string, string> {
  const { embedded, baseUrl, environment, categoryIds, seed, propertyRuns, asOf, strict, maxAnimals } =
    settings;
  const variables: Record<(typeof REPEATED)[number], string | null> = {
    BASE_URL: embedded ? null : baseUrl,
    TARGET_ENV: environment,
    CATEGORY_IDS: categoryIds === null ? null : categoryIds.join(','),
    ...listModeVariables(settings),
    SEED: omitDefault('SEED', seed),
    PROPERTY_RUNS: omitDefault('PROPERTY_RUNS', propertyRuns),
    AS_OF: asOf === null ? null : asOf.toISOString().slice(0, 10),
    STRICT: strict ? '1' : null,
    MAX_ANIMALS: maxAnimals === null ? null : String(maxAnimals),
  };
  return keepWithValues(variables);
}

/**
 * Returns MODE and ALLOW_WRITES, if the run needs them. By default production is only read, and other environments are asked
 * in full. ALLOW_WRITES=production permits a full run on production.
 */
function listModeVariables({ environment, mode }: Settings): Record<'MODE' | 'ALLOW_WRITES', string | null> {
  const isProduction = environment?.toLowerCase() === 'production';
  const usual = isProduction ? 'read-only' : 'full';
  return {
    MODE: mode === usual ? null : mode,
    ALLOW_WRITES: isProduction && mode === 'full' ? 'production' : null,
  };
}

function omitDefault(name: 'SEED' | 'PROPERTY_RUNS', value: number): string | null {
  return value === readDefault(name) ? null : String(value);
}

/** Returns the entries that have a value. */
function keepWithValues(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
