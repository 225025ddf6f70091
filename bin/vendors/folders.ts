/** Finds the run of each vendor in the folders that the user gives to the command `matrix`. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Report } from '../../reports/document/report-document.ts';
import { Mistake } from '../certificate/certificate-files.ts';
import { isFolder } from '../command-line/files/foreign-file.ts';
import { readLastReport, readOutcome } from './vendor-outcome.ts';

/** A folder with the name of its vendor. */
interface Folder {
  name: string;
  folder: string;
}

interface FoundVendor extends Folder {
  /** The report of its run, or a text that says why there is none. */
  report: Report | string;
}

/**
 * Returns the vendors in the given folders, or in the folders inside them. `NAME=DIR` sets the name of the vendor. If several
 * folders have one name, such as `seed-1/out/rex` and `seed-2/out/rex`, each gets the names of the folders around it too.
 * @throws Mistake
 */
export function findVendors(given: readonly string[]): FoundVendor[] {
  const folders = given.flatMap(listRunFolders);
  if (!folders.some(({ folder }) => isOfVendor(folder)))
    throw new Mistake('there is no report.json in these folders');
  return folders.map((each) => ({
    name: findUniqueName(each, folders),
    folder: each.folder,
    report: readLastReport(each.folder),
  }));
}

/**
 * Returns the shortest name that no other vendor has: `rex`, else `out/rex`, else `s1/out/rex`, and so on. For the vendor in
 * `/s1/out/rex` it is `s1/out/rex`, if another vendor is in `/s2/out/rex`.
 */
function findUniqueName({ name, folder }: Folder, all: readonly Folder[]): string {
  const sameName = all.filter((each) => each.name === name && each.folder !== folder);
  // `spell('/s1/out/rex', 1)` is `out/rex`: the name with one folder around it.
  const spell = (path: string, outerFolders: number) =>
    [...dirname(path).split(sep), name].slice(-1 - outerFolders).join('/');
  for (let depth = 0; depth <= dirname(folder).split(sep).length; depth += 1) {
    const spelled = spell(folder, depth);
    if (sameName.every((each) => spell(each.folder, depth) !== spelled)) return spelled;
  }
  // The user gave two folders in one folder the same name, e.g. `rex=june/a rex=june/b`.
  return name;
}

/** True if a run has left files in the folder. */
function isOfVendor(folder: string): boolean {
  return existsSync(join(folder, 'report.json')) || readOutcome(folder) !== null;
}

/**
 * Returns the folders of vendors that an argument names: only the folder itself, if it has a run, or if no folder inside it does.
 * Else the folders inside it. A folder without a run is a vendor that was not judged.
 */
function listRunFolders(argument: string): Folder[] {
  const [, givenName, path = argument] = /^([^=/\\]+)=(.+)$/.exec(argument) ?? [];
  const folder = resolve(path);
  if (!isFolder(folder)) throw new Mistake(`${path} is not a folder`);
  // `rex=june/` gives the name `rex`; without a name, the vendor is named after its folder.
  const itself = [{ name: givenName ?? basename(folder), folder }];
  if (isOfVendor(folder)) return itself;
  const inside = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => each.isDirectory() && !each.name.startsWith('.'),
  );
  const inner = inside.map(({ name }) => ({ name: givenName ?? name, folder: join(folder, name) }));
  if (!inner.some((each) => isOfVendor(each.folder))) return itself;
  const isVendor = ({ folder: path }: Folder) => {
    if (isOfVendor(path)) return true;
    // With a given name, only folders with runs count. A folder with matrix.json holds an earlier matrix and no vendor.
    return givenName === undefined && !existsSync(join(path, 'matrix.json'));
  };
  return inner.filter(isVendor).toSorted((left, right) => left.folder.localeCompare(right.folder));
}
