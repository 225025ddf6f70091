/** `npm run pictures -- <folder>`: pictures of the first screens of the page, at two widths, light and dark. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { conformancePage } from '../../reports/conformance-page.ts';
import { findChromium, LAUNCH_ARGS } from './browser.ts';
import { FIRST_SCREENS } from './first-screens.ts';

const SCREENS = { desk: { width: 1_280, height: 900 }, phone: { width: 390, height: 844 } };

const folder = resolve(process.argv[2] ?? 'reports/out/pictures');
const found = await findChromium(process.env);
if ('missing' in found) {
  process.stderr.write(`${found.missing}\n`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: found.path, args: LAUNCH_ARGS });
for (const [name, report] of Object.entries(FIRST_SCREENS)) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, conformancePage(report));
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(pathToFileURL(file).href);
      const path = join(folder, `${name}-${screen}-${colorScheme}.png`);
      await page.screenshot({ path });
      await page.close();
      process.stdout.write(`${path}\n`);
    }
  }
}
await browser.close();
