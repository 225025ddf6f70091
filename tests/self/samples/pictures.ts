/**
 * `npm run pictures -- <folder>`: pictures of the first screens of the page, at two widths, light and dark; and of each
 * width a sheet of all. `reports/images/` has those that documents show.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { findChromium, LAUNCH_ARGS } from './browser.ts';
import { FIRST_SCREENS } from './first-screens.ts';

/** Of the sheets: how wide each picture is, and how many stand in a row. */
const SCREENS = {
  desk: { width: 1_280, height: 900, shown: 470, inRow: 4 },
  phone: { width: 390, height: 844, shown: 200, inRow: 7 },
};

const folder = resolve(process.argv[2] ?? 'reports/out/pictures');
const found = await findChromium(process.env);
if ('missing' in found) {
  process.stderr.write(`${found.missing}\n`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: found.path, args: LAUNCH_ARGS });

async function keep(page: Page, path: string, fullPage = false): Promise<void> {
  await page.screenshot({ path, fullPage });
  process.stdout.write(`${path}\n`);
}

for (const [screen, { width, height, shown, inRow }] of Object.entries(SCREENS)) {
  const taken: string[] = [];
  for (const [name, report] of Object.entries(FIRST_SCREENS)) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, renderConformancePage(report));
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      await page.goto(pathToFileURL(file).href);
      const path = join(folder, `${name}-${screen}-${colorScheme}.png`);
      await keep(page, path);
      taken.push(path);
      await page.close();
    }
  }
  const sheet = await browser.newPage({ viewport: { width: inRow * (shown + 12), height: 400 } });
  const images = taken.map(
    (path) =>
      `<img style="float:left;margin:6px;width:${shown}px" src="data:image/png;base64,${readFileSync(path).toString('base64')}">`,
  );
  await sheet.setContent(`<body style="margin:0;background:#888">${images.join('')}</body>`, {
    waitUntil: 'load',
  });
  await keep(sheet, join(folder, `first-screens-${screen}.png`), true);
  await sheet.close();
}
await browser.close();
