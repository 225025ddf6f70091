/** Pages of ours in a real browser, opened from disk, and searched for barriers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext } from 'playwright-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { test as base, type PlaywrightTestArgs, type TestType } from '@playwright/test';
import { findChromium, LAUNCH_ARGS } from './chromium.ts';
import { ASKS_ALL } from './run-on.ts';

/** The screen of a desk, on which a page opens unless a test names another. */
export const DESK = { width: 1_280, height: 720 };
/** The screen of a small phone. */
export const PHONE = { width: 320, height: 640 };

/** The script that looks for barriers in a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Results on elements without a barrier take a quarter of the time. */
const ONLY_WRONG = "resultTypes: ['violations']";
/** In dark colours only these rules are asked: the others do not look at colours and have judged the light page. */
const ONLY_COLOURS = "runOnly: ['color-contrast', 'link-in-text-block']";

/**
 * Takes out each list item and table row whose elements have the tags and classes of an earlier one. axe would say the same
 * of it, and takes long.
 */
const KEEP_ONE_OF_EACH = `{
  const seen = new Set();
  for (const each of document.querySelectorAll('li, tr')) {
    const kind = [each, ...each.querySelectorAll('*')].map(({ tagName, className }) => [tagName, className].join('.'));
    const key = [each.parentElement?.className, ...kind].join();
    if (seen.has(key)) each.remove();
    seen.add(key);
  }
}`;

/** Returns the barriers that axe finds on a desk and on a phone, light and dark. The page must be opened with `bypassCSP`. */
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
 * One page for all files of a worker, or a sentence that says why there is no browser. A new page for each test takes a second
 * more, and a fixture of each file would start another worker for each.
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
      await use(async (name, { viewport = DESK, ...options } = {}) => {
        const file = testInfo.outputPath(`${name}.html`);
        writeFileSync(file, pages[name]());
        const page = await emptyPage(chrome, options);
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
      await Promise.all(listOtherContexts(chrome).map((context) => context.close()));
    },
  });
}

/** Returns the worker's page, emptied; with options, such as `javaScriptEnabled`, a new page that has them. */
async function emptyPage(page: Page, options: BrowserContextOptions): Promise<Page> {
  if (Object.keys(options).length > 0) return (await page.context().browser()!.newContext(options)).newPage();
  // first, so that its listeners hear the last words of the page before
  await page.goto('about:blank');
  page.removeAllListeners();
  await page.emulateMedia({ media: null });
  return page;
}

/** Returns the contexts that `emptyPage` made. */
function listOtherContexts(page: Page): BrowserContext[] {
  return (page.context().browser()?.contexts() ?? []).filter((each) => each !== page.context());
}
