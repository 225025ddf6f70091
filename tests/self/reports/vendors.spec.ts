/** The matrix of vendors: its data, its page in a browser, and the command that makes it of folders of reports. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { renderMatrixPage } from '../../../reports/shown/vendors/matrix-page.ts';
import { makeMatrix, type Vendor } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { shellIn, makeFolder } from '../samples/command.ts';
import { PHONE, testOnPages, violationsOn } from '../samples/pages-in-browser.ts';
import { vendors, vendorReport } from '../samples/sample-vendors.ts';

const NOW = '2026-11-22T12:00:00.000Z';
/** Three vendors. The last one was not judged. */
const WITH_UNJUDGED = vendors(3).map((each, index) =>
  index === 2 ? { ...each, report: 'the target refuses the key (401)', page: null } : each,
);
const PAGES = {
  unjudged: () => renderMatrixPage(makeMatrix(WITH_UNJUDGED, NOW)),
  few: () => renderMatrixPage(makeMatrix(vendors(2), NOW)),
  some: () => renderMatrixPage(makeMatrix(vendors(8), NOW)),
  many: () => renderMatrixPage(makeMatrix(vendors(200), NOW)),
};

const test = testOnPages(PAGES);

test.describe('the matrix as data, and its size', () => {
  test('shows one exchange of each failure', () => {
    const matrix = makeMatrix(vendors(3), NOW);
    const [shown] = Object.values(matrix.vendors[2]?.details ?? {});
    expect(shown).toMatchObject({ request: 'GET /pets?status=sold&limit=5' });
    expect(matrix.vendors.every(({ verdicts }) => verdicts.length === matrix.requirements.length)).toBe(true);
  });
  test('the page for two hundred vendors is below 5 MB', () =>
    expect(PAGES.many().length).toBeLessThan(5_000_000));
});

for (const [name, count] of [
  ['unjudged', 3],
  ['few', 2],
  ['some', 8],
] as const) {
  const tag = name === 'few' ? [] : ['@long'];
  test(
    `the matrix of ${name} vendors is accessible, on a desk and on a phone, light and dark`,
    { tag },
    async ({ open }) => {
      const { page, noise } = await open(name, { bypassCSP: true });
      expect(await violationsOn(page)).toEqual([]);
      expect(noise).toEqual([]);
    },
  );
  test(`the matrix of ${name} vendors needs no network and fits a phone`, async ({ open }) => {
    const { page, noise } = await open(name, { viewport: PHONE });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    // A word of a cell keeps its letters in one line.
    expect((await page.locator('tbody td').first().boundingBox())?.width).toBeGreaterThan(60);
    await expect(page.locator('.results > li')).toHaveCount(count);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    expect(noise).toEqual([]);
  });
}

test('the line of a vendor opens to its broken promises; hostile text stays text', async ({ open }) => {
  const { page } = await open('some');
  await page.locator('.results > li').filter({ hasText: 'Hostile' }).locator('summary').click();
  await expect(page.locator('.results details[open]')).toContainText('<script>window.hostile = 1</script>');
  expect(await page.evaluate('window.hostile')).toBeUndefined();
  const broken = page.locator('.results > li').filter({ hasText: 'Vendor 002' });
  await broken.locator('summary').click();
  await expect(broken).toContainText('GET /pets?status=sold&limit=5');
  await expect(page.locator('td.fail a').first()).toHaveAttribute(
    'href',
    /vendor-\d\/conformance\.html#req-/,
  );
});

test('a vendor that was not judged has a line with the reason, and no column', async ({ open }) => {
  const { page } = await open('unjudged');
  await expect(page.locator('h1')).toContainText('3 vendors, 1 conforming, 1 not judged');
  const row = page.locator('.results > li').filter({ hasText: 'Vendor 002' });
  await expect(row).toContainText('not judged: the target refuses the key (401)');
  await expect(page.locator('thead').first().locator('th')).toHaveCount(2);
});

test('rows that fail or differ are visible; rows that are equal for all vendors are folded', async ({
  open,
}) => {
  const { page } = await open('some');
  const rows = page.locator('tbody tr:visible');
  for (const row of await rows.all()) {
    const cells = await row.locator('td').allTextContents();
    expect(new Set(cells).size > 1 || cells.some((each) => /fail|warning/.test(each))).toBe(true);
  }
  const shown = await rows.count();
  await page.getByText('more, the same for all').first().click();
  expect(await rows.count()).toBeGreaterThan(shown);
});

test.describe('the command', () => {
  test('joins folders of folders, names vendors, and shows the reason for a folder without a report', async () => {
    const folder = makeFolder();
    const shell = shellIn(folder);
    for (const [path, content] of [
      ['seed-1/out/a/report.json', JSON.stringify(vendorReport(2))],
      ['seed-2/out/a/report.json', JSON.stringify(vendorReport(4))],
      ['seed-2/out/b/report.json', JSON.stringify(vendorReport(5))],
      ['seed-2/out/c/report.json', '{'],
      ['later/report.json', JSON.stringify(vendorReport(4))],
    ] as const) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    mkdirSync(join(folder, 'seed-2/out/empty'));
    // Judged in November; in December the target refuses the key, so the report does not count
    const refused = { target: 'a', exitCode: 2, seconds: 1, begun: '2026-12-01T00:00:00.000Z' };
    const outcome = { ...refused, reason: 'the target refuses the key (401)' };
    writeFileSync(join(folder, 'seed-1/out/a/target.json'), JSON.stringify({ outcome }));
    const said = await shell('matrix seed-1/out seed-2/out d=later --out out', 0, '6 vendors');
    expect(said).toContain('not judged: c: report.json is not a report of this suite: it is not JSON');
    const { vendors: all } = JSON.parse(readFileSync(join(folder, 'out', 'matrix.json'), 'utf8'));
    expect(all.map((each: Vendor) => `${each.name}: ${each.verdict}`)).toEqual([
      'seed-1/out/a: not-judged',
      'seed-2/out/a: nonconforming',
      'b: conforming',
      'c: not-judged',
      'empty: not-judged',
      'd: nonconforming',
    ]);
    const page = readFileSync(join(folder, 'out', 'matrix.html'), 'utf8');
    expect(page).toContain('<bdi>seed-1/out/a</bdi>');
    expect(page).toContain('not judged: report.json is not a report of this suite: it is not JSON<');
    for (const words of ['missing', 'later --what', 'out']) await shell(`matrix ${words}`, 2);
  });
});
