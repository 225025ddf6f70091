/** Takes the picture of a matrix page: `matrix-picture.js matrix.html matrix.png`. */
import { pathToFileURL } from 'node:url';
import { launchChromium } from './chromium.ts';

const [html = '', png = ''] = process.argv.slice(2);
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1_280, height: 1_480 }, colorScheme: 'light' });
await page.goto(pathToFileURL(html).href);
await page.screenshot({ path: png });
await browser.close();
