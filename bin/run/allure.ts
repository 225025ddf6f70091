import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '../../fixtures/settings.ts';
import { allureConfig } from '../../reports/allure-config.ts';
import { sealedPage } from '../../reports/allure-page.ts';
import type { Report } from '../../reports/report.ts';
import { rewriteResults } from './allure-results.ts';
import { ALLURE } from './artifacts.ts';

/** Where the page of the Allure report is, or why there is none. */
export type AllureOutcome = { path: string; problem: null } | { path: null; problem: string };

/** Longest that Allure may take, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Makes the runner's results agree with the report, and one page of them that needs no network. Never throws.
 * Where the results have been rewritten before, the page is made anew and the history left as it is.
 */
export async function allureReport({ settings, report, redact }: { settings: Pick<Settings, 'reportDir' | 'allureHistoryFile'>; report: Report; redact: (text: string) => string }): Promise<AllureOutcome> {
  const results = join(settings.reportDir, ALLURE.results);
  const path = join(settings.reportDir, ALLURE.report, 'index.html');
  let work: string | null = null;
  try {
    const { rewritten } = rewriteResults(results, report, redact);
    work = mkdtempSync(join(tmpdir(), 'conformance-allure-'));
    const page = await generate(work, results, allureConfig(report, settings.allureHistoryFile, rewritten));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, sealedPage(page));
    return { path, problem: null };
  } catch (error) {
    return { path: null, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    if (work !== null) rmSync(work, { recursive: true, force: true });
  }
}

/** Allure's command works in a folder and an environment of its own: elsewhere it would read the user's git and CI. */
async function generate(work: string, results: string, config: object): Promise<string> {
  const cli = createRequire(import.meta.url).resolve('allure');
  const file = join(work, 'allurerc.json');
  writeFileSync(file, JSON.stringify(config));
  const options = { cwd: work, env: { SystemRoot: process.env.SystemRoot, NO_COLOR: '1' }, timeout: PATIENCE };
  await promisify(execFile)(process.execPath, [cli, 'generate', results, '--config', file, '--cwd', work, '--output', join(work, 'page')], options);
  return readFileSync(join(work, 'page', 'index.html'), 'utf8');
}
