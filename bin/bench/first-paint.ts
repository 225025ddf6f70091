/** Measures how soon a browser shows the page of a run in which everything failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Report } from '../../reports/document/report-document.ts';
import { renderConformancePage } from '../../reports/shown/page/conformance-page.ts';

/** The browser that is measured, unless CHROMIUM_PATH names another one. */
const USUAL = '/usr/bin/chromium';
/** Failures on the page. */
export const FAILURES = 200;

/**
 * Makes the page of a report in which everything failed, and opens it in a browser. Returns the milliseconds until the
 * browser paints text, and the size of the page.
 * @param report of any run: the failures on the page show its exchanges
 */
export async function measureFirstPaint(
  report: Report,
): Promise<{ milliseconds: number; kibibytes: number }> {
  const html = renderConformancePage(makeFailing(report));
  const folder = mkdtempSync(join(tmpdir(), 'conformance-paint-'));
  const path = join(folder, 'page.html');
  writeFileSync(path, html);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? USUAL,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    const milliseconds = Number(
      await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"),
    );
    return { milliseconds, kibibytes: Math.round(Buffer.byteLength(html) / 1_024) };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the report with FAILURES failed requirements: all requirements, and all of them again under another id. */
function makeFailing(report: Report): Report {
  const { requirements } = report;
  const all = [...requirements, ...requirements.map((each) => ({ ...each, id: `${each.id}-again` }))];
  return {
    ...report,
    verdict: 'nonconforming',
    exitCode: 1,
    requirements: all.slice(0, FAILURES).map((each, index) => ({
      ...each,
      level: 'must',
      verdict: 'fail',
      expected: `the answer ${index}`,
      received: '500 Internal Server Error',
    })),
  };
}
