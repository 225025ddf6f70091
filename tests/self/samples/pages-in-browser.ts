/** Opens pages of reports from disk in a real browser. axe-core searches them for barriers, e.g. text with little contrast. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { test as base, type PlaywrightTestArgs, type TestType } from '@playwright/test';
import { findChromium, LAUNCH_ARGS } from './chromium.ts';
import { IS_FULL_TEST } from './run-on.ts';

/** The screen of a desk, on which a page opens unless a test names another. */
export const DESK = { width: 1_280, height: 720 };
export const PHONE = { width: 320, height: 640 };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe returns only barriers. To list elements without barriers would take a quarter of its time. */
const ONLY_WRONG = "resultTypes: ['violations']";
/** In dark colours axe checks only these rules. The other rules do not depend on colours, and have checked the light page. */
const ONLY_COLOURS = "runOnly: ['color-contrast', 'link-in-text-block']";

/**
 * Removes each list item and table row whose elements have the same tags and classes as an earlier row. axe would find the
 * same in it, and is slow.
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
  if (!IS_FULL_TEST) await page.evaluate(KEEP_ONE_OF_EACH);
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

interface OpenedPage {
  page: Page;
  /** Console messages, errors of the page, and requests other than the one for the file of the page. */
  noise: string[];
}

interface Opening<Name extends string> {
  open: (name: Name, options?: BrowserContextOptions) => Promise<OpenedPage>;
}

/**
 * `chrome`: one page for all tests of a worker, or a sentence that says why there is no browser. A new page for each test would
 * take a second more. All files share this fixture: Playwright starts another worker for a fixture of another file.
 */
export const testInBrowser = base.extend<object, { chrome: Page | string }>({
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
  return testInBrowser.extend<Opening<Name>>({
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
  // First, so that the old listeners get the last messages of the old page
  await page.goto('about:blank');
  page.removeAllListeners();
  await page.emulateMedia({ media: null });
  return page;
}

/** Returns the contexts that `emptyPage` made. */
function listOtherContexts(page: Page): BrowserContext[] {
  return (page.context().browser()?.contexts() ?? []).filter((each) => each !== page.context());
}
