/** The process that makes Allure pages, one page for each message. `startAllure` in allure.ts starts it. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AllureConfig } from '../../../reports/shown/allure/config.ts';
import { sealPage } from '../../../reports/shown/allure/sealed-page.ts';
import { LARGEST, readForeign, Unreadable } from '../files/foreign-file.ts';
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
  /** Why the page has no history though one was ordered, as the end of a sentence about its file; null: it has what was ordered. */
  unused: string | null;
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
  const report = (answer: Omit<MadePage, 'path'>) => process.send?.({ path, ...answer } satisfies MadePage);
  // Orders are worked off one after the other.
  made = made
    .then(() => pageOf(config, results))
    .then(
      (page) => ({ page, unused: null }),
      // If Allure cannot use the history, the page is made without it. The file stays unchanged.
      async (error: NodeJS.ErrnoException) => {
        if (config.historyFile === null) throw error;
        const page = await pageOf({ ...config, historyFile: null }, results);
        return { page, unused: explainUnused(error) };
      },
    )
    .then(({ page, unused }) => {
      writeFileSync(path, sealPage(page));
      report({ problem: null, unused });
    })
    .catch(({ message, code }: NodeJS.ErrnoException) => report({ problem: message, unused: null, code }));
});

function explainUnused(error: NodeJS.ErrnoException): string {
  if (error instanceof Unreadable) return error.message;
  return `cannot be used${error.code === undefined ? '' : ` (${error.code})`}`;
}

/** Checks a history before Allure reads it: a line that is no run ends the process of Allure. @throws Unreadable */
function requireRuns(historyFile: string): void {
  if (!existsSync(historyFile)) return;
  const lines = readForeign(historyFile, LARGEST.report).toString('utf8').split('\n');
  // Nothing stands behind the last line break: Allure would write the next run into an unfinished line.
  const odd = lines.findIndex((line, index) => (index === lines.length - 1 ? line !== '' : !isRun(line)));
  if (odd !== -1)
    throw new Unreadable(`is damaged: line ${odd + 1} is not the JSON of a run, with a line break behind it`);
}

function isRun(line: string): boolean {
  try {
    const { testResults } = JSON.parse(line) as { testResults: object };
    return Object.values(testResults).every((each) => typeof each === 'object' && each !== null);
  } catch {
    return line.trim() === '';
  }
}

async function pageOf(config: AllureConfig, results: string): Promise<string> {
  const { name, historyFile, isNew, categories, groupBy, charts, resolutions } = config;
  const { Store, History, Plugin, File, ...parts } = await loading;
  if (historyFile !== null) requireRuns(historyFile);
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
