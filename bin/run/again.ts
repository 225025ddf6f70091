/** How a run is started again: what reports print for people to paste. */
import type { Settings } from '../../fixtures/settings.ts';
import { defaultNumber } from '../../fixtures/settings/variables.ts';

/** The command of this installation, up to its options: that of a clone, or of the package where it is somebody's dependency. */
export function commandHere(here = import.meta.url): string {
  return here.includes('/node_modules/') ? 'npx animal-store-conformance' : 'npm run conformance --';
}

/** The variables that differ from their defaults and bear on what is asked. None is secret, and none is a path of this machine. */
export function variablesOf(settings: Settings): Record<string, string> {
  const { embedded, baseUrl, environment, categoryIds, mode, seed, propertyRuns, asOf, strict, maxAnimals } = settings;
  const isProduction = environment?.toLowerCase() === 'production';
  const variables: Record<string, string | null> = {
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
  return Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
