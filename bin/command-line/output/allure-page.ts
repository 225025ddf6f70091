/** The process that makes Allure pages, one page for each message. `startAllure` in allure.ts starts it. */
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AllureConfig } from '../../../reports/shown/allure/config.ts';
import { sealPage } from '../../../reports/shown/allure/sealed-page.ts';
import { loadParts } from './allure-parts.ts';

/** An order for one page: it shows the results in the folder `results` and is written to `path`. */
export interface PageOrder {
  config: AllureConfig;
  results: string;
  path: string;
}

/** The process answers each order so. `problem` says why no page was made at `path`; it is null if the page was made. */
export interface MadePage {
  path: string;
  problem: string | null;
  /** The error code of the system, for example `ENOSPC`. */
  code?: string | undefined;
}

/** The most runs that a history keeps. */
const MOST_RUNS = 50;

const loading = loadParts();
// The error is reported when a page is ordered.
loading.catch(() => undefined);

process.on('disconnect', () => process.exit());
let made: Promise<unknown> = Promise.resolve();
process.on('message', ({ config, results, path }: PageOrder) => {
  const report = (problem: string | null, code?: string) =>
    process.send?.({ path, problem, code } satisfies MadePage);
  // Orders are worked off one after the other.
  made = made
    .then(() => pageOf(config, results))
    // If Allure cannot use the history, the page is made without it. The file stays unchanged.
    .catch((error: unknown) => {
      if (config.historyFile === null) throw error;
      return pageOf({ ...config, historyFile: null }, results);
    })
    .then((page) => writeFileSync(path, sealPage(page)))
    .then(
      () => report(null),
      (error: NodeJS.ErrnoException) => report(error.message, error.code),
    );
});

async function pageOf(config: AllureConfig, results: string): Promise<string> {
  const { name, historyFile, isNew, categories, groupBy, charts, resolutions } = config;
  const { Store, History, Plugin, File, ...parts } = await loading;
  const history =
    historyFile === null ? undefined : new History({ historyPath: historyFile, limit: MOST_RUNS });
  const store = new Store({ history, resolutionsConfig: resolutions });
  await store.readHistory();
  // Each file goes to the first reader that accepts it.
  for (const file of readdirSync(results).sort())
    await parts.readers.reduce(
      async (isRead, reader) => (await isRead) || reader.read(store, new File(join(results, file), file)),
      Promise.resolve(false),
    );
  let page = '';
  const reportUuid = randomUUID();
  const context = {
    id: 'awesome',
    publish: false,
    allureVersion: parts.version,
    reportUuid,
    reportName: name,
    categories: parts.normalizeCategories(categories),
    history,
    reportFiles: { addFile: (_: string, data: Buffer) => Promise.resolve((page = data.toString())) },
  };
  const plugin = new Plugin({ singleFile: true, groupBy, charts, defaultSortBy: 'status,asc' });
  await plugin.start(context);
  await plugin.done(context, store);
  if (history !== undefined && isNew)
    await store.appendHistory(
      parts.createHistory(reportUuid, name, await store.allTestCases(), await store.allTestResults()),
    );
  return page;
}
