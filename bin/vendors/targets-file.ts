/** Reads `targets.json`, the file of `targets run`, and finds all mistakes in it before any target is judged. */
import { dirname, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { findMisspelt } from '../../fixtures/settings/setting-layers.ts';
import { findAddressMistake } from '../../fixtures/settings/target.ts';
import schema from '../../schemas/suite/targets.schema.json' with { type: 'json' };
import { makeSchemaCheck, nameEntry, readChecked } from '../../reports/document/checked-json.ts';
import { Mistake, readFile } from '../certificate/certificate-files.ts';

/** One entry of the file: a vendor and its service. */
export interface VendorTarget {
  name: string;
  baseUrl: string;
  /** The environment variable with the key of the service. The schema demands either this or `apiKeyFile`, and not both. */
  apiKeyVariable?: string;
  /** The file with the key, in place of a variable. */
  apiKeyFile?: string;
  categoryIds?: string[];
  subject?: string;
  subjectCommit?: string;
  subjectUrl?: string;
  /** True if targets at different addresses use the same key on purpose. */
  sharesKey?: true;
  notes?: string;
}

/** A message names a target by its name: `target 1 (rex)`. */
const ENTRIES = { noun: 'target', by: 'name' };
const check = makeSchemaCheck(schema, 'all', ENTRIES);

/**
 * Reads the targets of a file. Paths of key files are relative to the file, and become absolute.
 * @param env the environment with the variables that hold keys
 * @throws Mistake with all mistakes, one line each
 */
export function readTargets(path: string, env: NodeJS.ProcessEnv): VendorTarget[] {
  const read = readChecked<VendorTarget[]>(readFile(path).toString('utf8'), check);
  if ('mistakes' in read) throw new Mistake(read.mistakes.map((each) => `${path}: ${each}`).join('\n'));
  const folder = dirname(resolve(path));
  const targets = read.value.map((each) =>
    each.apiKeyFile === undefined ? each : { ...each, apiKeyFile: resolve(folder, each.apiKeyFile) },
  );
  const names = targets.map(({ name }) => name.toLowerCase());
  const mistakes = targets.flatMap((target, index) => {
    const { name, baseUrl, apiKeyVariable, apiKeyFile } = target;
    const place = nameEntry(ENTRIES, index, target);
    const ofAddress = findAddressMistake(baseUrl);
    const lacksVariable = apiKeyVariable !== undefined && !env[apiKeyVariable];
    const lacksFile = apiKeyFile !== undefined && !existsSync(apiKeyFile);
    const rules: [isBroken: boolean, mistake: string][] = [
      [names.indexOf(name.toLowerCase()) < index, `${place} has the name of another one`],
      [ofAddress !== undefined, `${place}: "baseUrl" ${ofAddress}`],
      [lacksVariable, `${place} takes its key from ${apiKeyVariable}, which is not set`],
      [lacksFile, `${place} takes its key from a file that does not exist`],
    ];
    return rules.filter(([isBroken]) => isBroken).map(([, mistake]) => mistake);
  });
  mistakes.push(...targets.flatMap((each, index) => findSharedKey(each, index, targets)));
  const all = [
    ...mistakes.map((each) => `${path}: ${each}`),
    // These misspelt names are in the environment, not in the file: no path. A variable is set if `env` has it.
    ...findMisspelt(env, (name) => env[name] !== undefined),
  ];
  if (all.length > 0) throw new Mistake(all.join('\n'));
  return targets;
}

/** Returns a mistake if two addresses get the same key: one vendor would learn the key of the other vendor's service. */
function findSharedKey(target: VendorTarget, index: number, targets: readonly VendorTarget[]): string[] {
  const { apiKeyVariable, apiKeyFile, sharesKey = false } = target;
  // Each target has either a variable or a file. If the other target has the other kind, its member is undefined: not the same.
  const hasSameKey = (other: VendorTarget) =>
    apiKeyVariable === undefined ? other.apiKeyFile === apiKeyFile : other.apiKeyVariable === apiKeyVariable;
  const maySeeKey = (other: VendorTarget) =>
    findHost(other) === findHost(target) || (sharesKey && other.sharesKey === true);
  const first = targets.slice(0, index).find((other) => hasSameKey(other) && !maySeeKey(other));
  return first === undefined
    ? []
    : [
        `${nameEntry(ENTRIES, index, target)} takes the key of ${first.name}, which has another address: give each its own, or say "sharesKey": true for both`,
      ];
}

function findHost({ baseUrl }: VendorTarget): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/**
 * Returns the targets of one machine (shard). `2/5` gets the 2nd, 7th, 12th target and so on, so shards have equal sizes.
 * @throws Mistake
 */
export function takeShard<T>(targets: readonly T[], shard: string | undefined): T[] {
  if (shard === undefined) return [...targets];
  const [, index = 0, count = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(shard) ?? []).map(Number);
  if (index < 1 || index > count) throw new Mistake('--shard takes i/n with i from 1 to n, such as 2/5');
  return targets.filter((_, position) => position % count === index - 1);
}
