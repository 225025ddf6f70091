#!/usr/bin/env node
/** `npm run report`: makes the Allure report anew from what the last run left in REPORT_DIR, and opens it on a terminal. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Redactor } from '../fixtures/redactor.ts';
import { readSettings } from '../fixtures/settings/read.ts';
import { proxyFor } from '../fixtures/transport.ts';
import type { Report } from '../reports/report.ts';
import { command } from './command.ts';
import { openPage } from './open-page.ts';
import { allureReport } from './run/allure.ts';
import { ALLURE } from './run/artifacts.ts';
import { NO_OPTIONS } from './run/configured.ts';

const { open = false, reportDir } = command('report', 'Makes the Allure report anew from what the last run left in REPORT_DIR, and opens it on a terminal.')
  .option('--report-dir <folder>', 'as REPORT_DIR')
  .option('--open', 'open it in any case')
  .parse()
  .opts<{ open?: boolean; reportDir?: string }>();

/** @returns the exit code */
async function main(): Promise<number> {
  const configured = readSettings({ env: { ...process.env, ...(reportDir === undefined ? {} : { REPORT_DIR: reportDir }) }, cwd: process.cwd(), options: NO_OPTIONS, proxyFor });
  if ('mistakes' in configured) return refuse(configured.mistakes);
  const { settings } = configured;
  const report = readReport(join(settings.reportDir, 'report.json'));
  if (report === null || !existsSync(join(settings.reportDir, ALLURE.results))) {
    return refuse([`There are no results in ${relative(process.cwd(), settings.reportDir) || '.'}; npm run conformance makes some, and REPORT_DIR says where.`]);
  }
  const redactor = new Redactor();
  for (const secret of [settings.key, ...Object.values(settings.network.headers)]) redactor.add(secret);
  const { path, problem } = await allureReport({ settings, report, redact: (text) => redactor.redact(text) });
  if (path === null) return refuse([`The Allure report could not be made: ${redactor.redact(problem)}`], 3);
  process.stdout.write(`${path}\n`);
  if (process.stdout.isTTY || open) openPage(path);
  return 0;
}

function readReport(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return null;
  }
}

function refuse(mistakes: readonly string[], exitCode = 2): number {
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  return exitCode;
}

process.exitCode = await main();
