#!/usr/bin/env node
/** `npm run report`: makes the Allure report anew from what the last run left in REPORT_DIR, and opens it on a terminal. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Redactor } from '../fixtures/redaction/redactor.ts';
import { readSettings } from '../fixtures/settings/read-settings.ts';
import { proxyFor } from '../fixtures/transport/transport.ts';
import type { Report } from '../reports/document/report.ts';
import { program } from './commands/report.ts';
import { openPage } from './command-line/open-page.ts';
import { spelled } from './output/rerun-command.ts';
import { allureReport } from './output/allure.ts';
import { ALLURE } from './output/artifacts.ts';
import { err, out } from './output/print.ts';
import { NO_OPTIONS } from './run/configuration.ts';
import { setVariables } from './command-line/variable-options.ts';

/** @returns the exit code */
async function main(): Promise<number> {
  const mistaken = setVariables(program.parse());
  const { open = false } = program.opts<{ open?: boolean }>();
  if (mistaken.length > 0) return refuse(mistaken);
  const configured = readSettings({ env: process.env, cwd: process.cwd(), options: NO_OPTIONS, proxyFor });
  if ('mistakes' in configured) return refuse(configured.mistakes);
  const { settings } = configured;
  const report = readReport(join(settings.reportDir, 'report.json'));
  if (report === null || !existsSync(join(settings.reportDir, ALLURE.results))) {
    return refuse([`There are no results in ${relative(process.cwd(), settings.reportDir) || '.'}; ${spelled('run')} makes some, and REPORT_DIR says where.`]);
  }
  const redactor = new Redactor();
  for (const secret of [settings.key, ...Object.values(settings.network.headers)]) redactor.add(secret);
  const { path, problem } = await allureReport({ settings, report, redact: (text) => redactor.redact(text) });
  if (path === null) return refuse([`The Allure report could not be made: ${redactor.redact(problem)}`], 3);
  out(`${path}\n`);
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
  for (const mistake of mistakes) err(`${mistake}\n`);
  return exitCode;
}

process.exitCode = await main();
