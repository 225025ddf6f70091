/**
 * Loads the parts of Allure that a page needs. The packages of Allure would load much more, such as code for clouds and
 * archives, and this takes twice as long as the page. So this file imports single files of the pinned version. A self-test
 * reads the page that they make.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Reads one file that a run left, with one of Allure's readers. */
interface Reader {
  matches?: (file: object) => boolean | Promise<boolean>;
  read(store: Store, file: object): Promise<boolean>;
}

/** The store in which Allure holds all results of a report. */
interface Store {
  readHistory(): Promise<unknown>;
  appendHistory(point: object): Promise<void>;
  allTestCases(): Promise<object[]>;
  allTestResults(): Promise<object[]>;
}

/** Makes the page from a store. */
interface Plugin {
  start(context: object): Promise<void>;
  done(context: object, store: Store): Promise<void>;
}

/** The parts of Allure that are used. */
interface Parts {
  version: string;
  Store: new (options: { history: object | undefined; resolutionsConfig: object }) => Store;
  History: new (options: { historyPath: string; limit: number | undefined }) => object;
  createHistory: (uuid: string, name: string, cases: object[], results: object[]) => object;
  /** The reader of results, then the reader of all other files. */
  readers: readonly Reader[];
  File: new (path: string, name: string) => object;
  Plugin: new (options: object) => Plugin;
  normalizeCategories: (categories: unknown) => unknown;
}

const own = createRequire(import.meta.url);
/** Finds packages on which @allurereport/core depends: they may be installed inside its folder. */
const ofCore = createRequire(own.resolve('@allurereport/core'));

/** Imports a package that `require` finds; with `file`, the file at this path relative to the package's main file. */
async function load(require: NodeJS.Require, name: string, file = ''): Promise<Record<string, unknown>> {
  const entry = pathToFileURL(require.resolve(name));
  return (await import(file === '' ? entry.href : new URL(file, entry).href)) as Record<string, unknown>;
}

/** Loads the parts of Allure from the installed version. */
export async function loadParts(): Promise<Parts> {
  const [store, history, results, rest, files, awesome, api] = await Promise.all([
    load(own, '@allurereport/core', 'store/store.js'),
    load(own, '@allurereport/core', 'history.js'),
    load(ofCore, '@allurereport/reader', 'allure2/index.js'),
    load(ofCore, '@allurereport/reader', 'attachments/index.js'),
    load(ofCore, '@allurereport/reader-api', 'resultFile.js'),
    load(ofCore, '@allurereport/plugin-awesome'),
    load(ofCore, '@allurereport/core-api'),
  ]);
  const manifest = new URL('../package.json', pathToFileURL(own.resolve('@allurereport/core')));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return {
    version,
    Store: store.DefaultAllureStore,
    History: history.AllureLocalHistory,
    createHistory: history.createHistory,
    readers: [results.allure2, rest.attachments],
    File: files.PathResultFile,
    Plugin: awesome.default,
    normalizeCategories: api.normalizeCategoriesConfig,
  } as Parts;
}
