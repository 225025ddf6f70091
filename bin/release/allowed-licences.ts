/** Decides which licences installed packages may have. */
import { readFileSync } from 'node:fs';

/** Licences that demand no more than to name them. Packages with other licences are not used. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** One package that is installed with this one. */
interface Licensed {
  /** Name and version. */
  name: string;
  /** SPDX expression. */
  licence: string;
  isAllowed: boolean;
}

/** The entry of a package in the lock file. */
interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
}

/** Returns the packages of a lock file, sorted by name, without those for development only. */
export function listLicences(
  lockFile: string | URL = new URL('../../../package-lock.json', import.meta.url),
): Licensed[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, Locked> };
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const named = installed.map(([path, { version = '', license = 'none' }]) => ({
    name: `${path.replace(/^.*node_modules\//, '')} ${version}`,
    licence: license,
    isAllowed: isAllowed(license),
  }));
  return named.toSorted((left, right) => left.name.localeCompare(right.name));
}

/** True if one of the choices of an SPDX expression has allowed licences only: `MIT OR (GPL-3.0 AND ...)` has one. */
export function isAllowed(expression: string): boolean {
  const choices = expression.replace(/^\(([^()]*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((each) => ALLOWED.has(each)));
}
