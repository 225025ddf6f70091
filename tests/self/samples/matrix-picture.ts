/** Takes the picture of a matrix page: `matrix-picture.js matrix.html matrix.png`. */
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium, LAUNCH_ARGS } from './browser.ts';

const [html = '', png = ''] = process.argv.slice(2);
const found = await findChromium(process.env);
if ('missing' in found) {
  process.stderr.write(`There is no picture: ${found.missing}\n`);
  process.exit(2);
}
const browser = await chromium.launch({ executablePath: found.path, args: LAUNCH_ARGS });
const page = await browser.newPage({ viewport: { width: 1_280, height: 1_480 }, colorScheme: 'light' });
await page.goto(pathToFileURL(html).href);
await page.screenshot({ path: png });
await browser.close();
