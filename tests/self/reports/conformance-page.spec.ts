/** The page of a run in a real browser: its first screen, cards, keyboard, print, and hostile text in it. */
import { expect } from '@playwright/test';
import type { Page } from 'playwright-core';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { renderJunit } from '../../../reports/shown/machine/junit.ts';
import { findChromium } from '../samples/chromium.ts';
import { DESK, PHONE, testOnPages, violationsOn } from '../samples/pages-in-browser.ts';
import { FIRST_SCREENS } from '../samples/first-screens.ts';
import { CONFORMING, report } from '../samples/sample-reports.ts';
import { HOSTILE_TEXT, HOSTILE_REPORT, INCONCLUSIVE } from '../samples/hostile-report.ts';

const CHALLENGED = { verdict: 'warn', expected: 'a WWW-Authenticate header', received: 'none' } as const;
const REPORTS = {
  ...FIRST_SCREENS,
  nonconforming: HOSTILE_REPORT,
  inconclusive: INCONCLUSIVE,
  strict: report({ 'authentication.challenge': CHALLENGED }, { run: { strict: true } }),
  charts: {
    ...CONFORMING,
    timeline: {
      stepMs: 100,
      operations: { listPets: { requests: [3, 0, 9], failures: [0, 0, 1] } },
      refused: [0, 1, 0],
    },
  },
};
const PAGES = Object.fromEntries(
  Object.entries(REPORTS).map(([name, each]) => [name, () => renderConformancePage(each)]),
) as Record<keyof typeof REPORTS, () => string>;

const test = testOnPages(PAGES);

async function unfold(page: Page): Promise<void> {
  await page.evaluate(
    "document.querySelectorAll('details.card, .fold, .quiet, .results > li:first-child > details').forEach((each) => (each.open = true))",
  );
}

/** Pages that differ in their parts. `violationsOn` tries both screens, light and dark; `noise` has the messages and errors of a page. */
const DRAWN = [
  'conforming',
  'nonconforming',
  'inconclusive',
  'strict',
  'one-cause',
  'eleven-causes',
  'interrupted',
  'charts',
] as const;

for (const name of DRAWN) {
  test(
    `the ${name} page is accessible, on a desk and on a phone, light and dark`,
    { tag: name === 'nonconforming' || name === 'charts' ? [] : '@long' },
    async ({ open }) => {
      const { page, noise } = await open(name, { bypassCSP: true });
      await unfold(page);
      expect(await violationsOn(page)).toEqual([]);
      expect(noise).toEqual([]);
    },
  );

  test(`the ${name} page needs no network, has no script but its own, and fits a phone`, async ({ open }) => {
    const { page, noise } = await open(name, { viewport: { width: 320, height: 640 } });
    await unfold(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await page.locator('img, iframe, link, form').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    expect(noise).toEqual([]);
  });
}

test('the Content Security Policy of the page stops markup that is added to it', async ({ open }) => {
  const { page } = await open('nonconforming');
  const markup =
    '<p style="position:fixed" id="styled"><img src="https://evil.example/x.png" onerror="window.hostile = 1">';
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '${markup}');
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hostile = 1' }))`);
  expect(await page.evaluate('window.hostile')).toBeUndefined();
  expect(await page.evaluate("getComputedStyle(document.querySelector('#styled')).position")).toBe('static');
});

/** A page, the size of the screen, and texts that must be on the first screen. */
const SCREENS: readonly (readonly [page: keyof typeof REPORTS, viewport: typeof DESK, ...texts: string[]])[] =
  [
    ['one-cause', DESK, 'at most 20 animals', '21 animals'],
    ['eleven-causes', DESK, 'the answer that the document promises (1)', '500 Internal Server Error'],
    ['one-cause', PHONE, 'exit code 1 (fails)', 'Figures and words'],
    ['eleven-causes', PHONE, 'All 11, in short'],
    ['long-cause', DESK, 'from character 206 on'],
    ['long-cause', PHONE, 'from character 206 on'],
    ['together-cause', DESK, 'Send them together again'],
    ['together-cause', PHONE, 'Send them together again'],
    ['interrupted', DESK, 'interrupted after 204 of 399 tests', 'npm run conformance', 'exit code 3'],
    ['died-midway', DESK, 'The run stopped after 204 of 399 tests', 'GET /pets?limit=38', 'exit code 1'],
    ['target-down', DESK, 'No test was run', 'Nobody listens there', 'exit code 3'],
    ['in-part', DESK, 'a part of the suite was asked for: list-pets', 'A whole run decides', 'exit code 3'],
    ['inconclusive', DESK, 'Inconclusive', 'https://staging.example:8080/v1', INCONCLUSIVE.reason],
    ['inconclusive', DESK, '2026-11-20 10:00:00 UTC', '3 animals left behind (footprint.json)'],
  ];
test('the first screen says what broke, or how a run fell short and what would finish it', async ({
  open,
}) => {
  for (const [name, viewport, ...texts] of SCREENS) {
    const { page } = await open(name, { viewport });
    for (const text of texts) await expect(page.getByText(text).first(), name).toBeInViewport();
    if (name.includes('cause'))
      await expect(page.locator('details.card .command').first()).toBeInViewport({ ratio: 1 });
  }
});

test('a card lists what its failure left undecided, and a passed requirement opens to its exchanges', async ({
  open,
}) => {
  const { page } = await open('one-cause');
  const card = page.locator('details.card');
  await card.getByText('3 requirements could not be decided because of this', { exact: true }).click();
  await expect(card.locator('.fold[open] li')).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Undecided' })).toHaveCount(0);
  await expect(page.locator('.verdict.pass:visible')).toHaveCount(0);
  const quiet = page.locator('.section details.quiet').first();
  await quiet.locator('> summary').click();
  const kept = quiet.locator('details.kept').first();
  await kept.locator('> summary').click();
  await expect(kept).toContainText('asks for');
});

test('in strict mode colour, title, sentence and exit code say that the run fails; Tab leads to the verdict', async ({
  open,
}) => {
  const { page } = await open('strict');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the verdict' })).toBeInViewport();
  await expect(page.locator('.judged.warn')).toBeVisible();
  await expect(page).toHaveTitle(/^Conforming, yet the run fails/);
  for (const text of ['strict mode fails on warnings', 'exit code 1 (fails)'])
    await expect(page.locator('.judged')).toContainText(text);
  await expect(page.locator('details.card.warn[open]')).toHaveCount(1);
});

test('the keyboard closes and opens a card; the card marks the wrong value', async ({ open }) => {
  const { page } = await open('nonconforming');
  const card = page.locator('details.card').filter({ hasText: 'representation.pet-status' });
  const [summary, inside] = [card.locator('> summary'), card.locator('> .inside')];
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(inside).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(inside).toBeVisible();
  await expect(card.locator('mark')).toHaveText('"Sold"');
  await expect(card).toContainText('list-pets.status');
  await expect(card).toContainText('CATEGORY_IDS=7 SEED=20261120 npm run conformance -- --replay v1:42:0:1');
});

test('a link to a failure opens its card, and every link leads somewhere', async ({ open }) => {
  const { page } = await open('nonconforming');
  const card = page.locator('details.card').filter({ hasText: 'get-pet.not-found' });
  await card.locator('> summary').click();
  await expect(card.locator('> .inside')).toBeHidden();
  await page.locator('.causes').getByText('getPet of an unknown identifier does not get 404').click();
  await expect(card.locator('> .inside')).toBeVisible();
  await expect(card.locator('> summary')).toBeInViewport();
  const targets = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1) ?? ''));
  const ids = new Set(await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id)));
  expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  expect(ids.size).toBe(await page.locator('[id]').count());
});

test('hostile text is shown as text, its hidden characters spelled out', async ({ open }) => {
  const { page } = await open('nonconforming');
  await unfold(page);
  const received = page.locator('.received').filter({ hasText: '::error::owned' }).first();
  await expect(received).toContainText('<script>window.hostile = 1</script>');
  await expect(received).toContainText('\\x1b[31mred\\x1b[0m \\x00\\x08\\x9b \\ud800 ]]>');
  await expect(received).toContainText('\\u202etxt.exe\\u202c');
});

test('a printed page shows what is folded on the screen', async ({ open }) => {
  const { page } = await open('nonconforming');
  const inside = page.locator('details.card.warn .inside').first();
  await expect(inside).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(inside).toBeVisible();
  await expect(page.getByRole('navigation')).toBeHidden();
  // On the screen the middle of a long command has the size 0, so that it is hidden but copied with the rest.
  const { page: long } = await open('together-cause');
  await expect(long.locator('.left-out')).toHaveCSS('font-size', '0px');
  await long.emulateMedia({ media: 'print' });
  await expect(long.locator('.left-out')).not.toHaveCSS('font-size', '0px');
  // A printed page has nothing that helps only on a screen, so eleven causes need few sheets
  const failing = await open('eleven-causes');
  const sheets = (await failing.page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(sheets.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(22);
});

test('a browser reads the JUnit XML of a hostile target', async ({ open }) => {
  const { page } = await open('conforming', { bypassCSP: true });
  const read = await page.evaluate<{ broken: boolean; failures: string[] }>(`(() => {
    const xml = new DOMParser().parseFromString(${JSON.stringify(renderJunit(HOSTILE_REPORT))}, 'application/xml');
    return { broken: xml.querySelector('parsererror') !== null, failures: [...xml.querySelectorAll('failure')].map((each) => each.textContent) };
  })()`);
  expect(read.broken).toBe(false);
  expect(read.failures).toHaveLength(findFailures(HOSTILE_REPORT).length);
  expect(read.failures.join()).toContain(HOSTILE_TEXT.split('\n')[0]);
});

test('if CHROMIUM_PATH names no file, the reason says so, and no other Chromium is used', async () => {
  const missing = 'CHROMIUM_PATH names /nowhere/chromium, which does not exist';
  expect(await findChromium({ CHROMIUM_PATH: '/nowhere/chromium' })).toEqual({ missing });
});

test.describe('the script of the page', () => {
  test('the button of a card covers no word of its title', async ({ open }) => {
    const { page } = await open('eleven-causes', { viewport: { width: 1_000, height: 700 } });
    const covered = await page.evaluate(`[...document.querySelectorAll('details.card')].filter((card) => {
      const button = card.querySelector('.copy-bug').getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(card.querySelector('summary'));
      return [...range.getClientRects()].some(({ right, top, bottom }) =>
        right > button.left && top < button.bottom && bottom > button.top);
    }).length`);
    expect(covered).toBe(0);
  });

  test('copies a command, and leads to a requirement', async ({ open }) => {
    const { page } = await open('nonconforming', { permissions: ['clipboard-read', 'clipboard-write'] });
    const first = page.locator('.copyable').first();
    await first.getByRole('button').click();
    await expect(first.getByRole('button')).toHaveText('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await first.locator('code').textContent(),
    );
    await page.getByRole('link', { name: 'link to get-pet.not-found', exact: true }).first().click();
    expect(page.url()).toContain('#req-get-pet.not-found');
  });

  test('is not needed: without it nothing is hidden', async ({ open }) => {
    const { page } = await open('nonconforming', {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await expect(page.locator('.look[open]')).toHaveCount(1);
    await expect(page.locator('.copy, .here')).toHaveCount(0);
  });
});

test('a card is copied as a bug report', async ({ open }) => {
  const { page } = await open('nonconforming');
  const card = page.locator('details.card').first();
  await card.locator('.copy-bug').click();
  await expect(card.locator('.copy-bug')).toHaveText(/Copied|Select and copy/);
  const markdown = (await card.locator('.bug pre code').textContent()) ?? '';
  for (const words of ['# ', '- service: ', '- expected: ', '- received: ', 'curl -i', '--only'])
    expect(markdown).toContain(words);
});
