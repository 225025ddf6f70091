/** `npm run pictures -- <folder>` draws the first screen of each page, e.g. of a red run, at two widths, light and dark. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { launchChromium } from './chromium.ts';
import { FIRST_SCREENS } from './first-screens.ts';

const SCREENS = { desk: { width: 1_280, height: 900 }, phone: { width: 390, height: 844 } };
const folder = resolve(process.argv[2] ?? 'reports/out/pictures');
mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
for (const [name, report] of Object.entries(FIRST_SCREENS)) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, renderConformancePage(report));
  for (const [screen, viewport] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(pathToFileURL(file).href);
      const path = join(folder, `${name}-${screen}-${colorScheme}.png`);
      await page.screenshot({ path });
      process.stdout.write(`${path}\n`);
      await page.close();
    }
}
await browser.close();
