/**
 * The process that makes a page of Allure. `startAllure` in allure.ts starts it. The packages of Allure also load code for cloud
 * services, which takes twice as long as making the page. So this file imports single files of the pinned version.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AllureConfig } from '../../../reports/shown/allure/config.ts';
import { sealPage } from '../../../reports/shown/allure/sealed-page.ts';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/** An order for a page about the files in `results`, to be written to `path`. `config.isNew`: true if the history lacks this run. */
export interface PageOrder {
  config: AllureConfig;
  results: string;
  path: string;
}

/** The answer to an order. */
export interface MadePage {
  /** The reason why the page could not be made. Absent: the page was made. */
  problem?: string;
  /** The error code of the system, for example `ENOSPC`. */
  code?: string | undefined;
  /** Says why the page has no history, although the order names one. */
  unused?: string;
}

/** The most runs that a history keeps. */
const MOST_RUNS = 50;

/** The store of Allure: it has all results of a report, and the history. */
interface Store {
  readHistory(): Promise<unknown>;
  appendHistory(point: object): Promise<void>;
  allTestCases(): Promise<object[]>;
  allTestResults(): Promise<object[]>;
}

/** The classes and functions of Allure with which `makePage` makes a page. `loadParts` says in which package each is. */
interface Parts {
  version: string;
  Store: new (options: { history: object | undefined; resolutionsConfig: object }) => Store;
  History: new (options: { historyPath: string; limit: number | undefined }) => object;
  createHistory: (uuid: string, name: string, cases: object[], results: object[]) => object;
  /** Puts a result file into the store. False: the file is not a result. */
  resultReader: { read(store: Store, file: object): Promise<boolean> };
  /** Puts any other file into the store. */
  attachmentReader: Parts['resultReader'];
  File: new (content: Buffer, name: string) => object;
  Plugin: new (
    options: object,
  ) => Record<'start' | 'done', (context: object, store?: Store) => Promise<void>>;
  normalizeCategories: (categories: unknown) => unknown;
}

/** Imports the main file of a package that `require` finds, or `file`, a path that begins at the folder of the main file. */
async function load(require: NodeJS.Require, name: string, file = ''): Promise<Record<string, unknown>> {
  const entry = pathToFileURL(require.resolve(name));
  return (await import(file === '' ? entry.href : new URL(file, entry).href)) as Record<string, unknown>;
}

/** Loads the parts of Allure from the installed version. */
async function loadParts(): Promise<Parts> {
  const own = createRequire(import.meta.url);
  // Packages on which @allurereport/core depends may be installed inside its folder.
  const ofCore = createRequire(own.resolve('@allurereport/core'));
  const [store, history, results, attachments, files, awesome, api] = await Promise.all([
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
    resultReader: results.allure2,
    attachmentReader: attachments.attachments,
    File: files.BufferResultFile,
    Plugin: awesome.default,
    normalizeCategories: api.normalizeCategoriesConfig,
  } as Parts;
}

const loading = loadParts().catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  throw new Error(
    'the optional package @allurereport/core is not installed; `npm install` without --omit=optional installs it',
  );
});
/** The configuration of a page about nothing: for all other members Allure has defaults. */
const EMPTY = { historyFile: null } as AllureConfig;
let isOrdered = false;
// Until then, a page about nothing is made, without a word about errors. It compresses Allure's program: the ordered page takes half as long.
loading.then(async () => void (isOrdered || sealPage(await makePage(EMPTY, [])))).catch(() => undefined);

process.on('disconnect', () => process.exit());
process.once('message', (order: PageOrder) => {
  isOrdered = true;
  void writePage(order)
    .catch(({ message, code }: NodeJS.ErrnoException): MadePage => ({ problem: message, code }))
    .then((made) => process.send?.(made));
});

/** Writes the page. If the history cannot be used, the page has none. */
async function writePage({ config, results, path }: PageOrder): Promise<MadePage> {
  const read = (name: string): [string, Buffer] => [name, readFileSync(join(results, name))];
  const files = readdirSync(results).sort().map(read);
  const write = async (historyFile: string | null) =>
    writeFileSync(path, sealPage(await makePage({ ...config, historyFile }, files)));
  try {
    await write(config.historyFile);
    return {};
  } catch (error) {
    if (config.historyFile === null) throw error;
    await write(null);
    const { code, message } = error as NodeJS.ErrnoException;
    return { unused: code ?? message };
  }
}

/**
 * Checks a history before Allure reads it: Allure ends the process at a line that is not a run. A last line without a line break
 * is damaged too: Allure would append the next run to the same line.
 * @throws Error that names the line
 */
function requireRuns(historyFile: string): void {
  if (!existsSync(historyFile)) return;
  // Behind the last line break nothing may follow, so the last of `lines` is empty.
  const lines = readForeign(historyFile, LARGEST.report).toString('utf8').split('\n');
  const bad = lines.findIndex((line, index) => (index < lines.length - 1 ? !isRun(line) : line !== ''));
  if (bad !== -1) throw new Error(`line ${bad + 1} is not the JSON of a run, with a line break behind it`);
}

/** True if the line is the JSON of a run, or empty. */
function isRun(line: string): boolean {
  try {
    const { testResults } = JSON.parse(line) as { testResults: object };
    return Object.values(testResults).every((each) => typeof each === 'object' && each !== null);
  } catch {
    return line.trim() === '';
  }
}

/** Makes the page of the result files, each with its name, and adds the run to the history. */
async function makePage(config: AllureConfig, results: readonly [string, Buffer][]): Promise<string> {
  const { name: reportName, historyFile, isNew, categories, groupBy, charts, resolutions } = config;
  const { Store, History, Plugin, File, ...parts } = await loading;
  if (historyFile !== null) requireRuns(historyFile);
  const history =
    historyFile === null ? undefined : new History({ historyPath: historyFile, limit: MOST_RUNS });
  const store = new Store({ history, resolutionsConfig: resolutions });
  await store.readHistory();
  for (const [name, content] of results) {
    const file = new File(content, name);
    if (!(await parts.resultReader.read(store, file))) await parts.attachmentReader.read(store, file);
  }
  let page = '';
  const reportUuid = randomUUID();
  const context = {
    id: 'awesome',
    publish: false,
    allureVersion: parts.version,
    reportUuid,
    reportName,
    categories: parts.normalizeCategories(categories),
    history,
    // The plugin makes one file and hands it over here.
    reportFiles: { addFile: (_: string, data: Buffer) => Promise.resolve((page = data.toString())) },
  };
  const plugin = new Plugin({ singleFile: true, groupBy, charts, defaultSortBy: 'status,asc' });
  await plugin.start(context);
  await plugin.done(context, store);
  if (history !== undefined && isNew)
    await store.appendHistory(
      parts.createHistory(reportUuid, reportName, await store.allTestCases(), await store.allTestResults()),
    );
  return page;
}
