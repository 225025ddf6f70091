#!/usr/bin/env node
/**
 * `npm run report`: makes the Allure report again from the files of the last run in REPORT_DIR. On a terminal it opens the
 * report. With options, it makes waivers (accepted failures) or a list of identifiers from report.json instead.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Redactor } from '../fixtures/evidence/redaction/redactor.ts';
import type { Settings } from '../fixtures/settings/settings.ts';
import { readSettings } from '../fixtures/settings/read-settings.ts';
import { chooseProxy } from '../fixtures/session/transport/transport.ts';
import type { Report } from '../reports/document/report-document.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { countNoun } from '../reports/shown/words/verdict-words.ts';
import { endWithCode, Mistake, readNow, writeOrRefuse } from './certificate/certificate-files.ts';
import { program } from './commands/report.ts';
import { openPage } from './command-line/open-page.ts';
import { spellCommand } from './command-line/output/rerun-command.ts';
import { writeAllure } from './command-line/output/allure.ts';
import { ALLURE } from './command-line/output/artifacts.ts';
import { printError, printText } from './command-line/output/print.ts';
import { listFootprint, makeWaivers, type WaiverOwner } from './command-line/output/from-report.ts';
import { ReportFolder } from './command-line/output/report-folder.ts';
import { writeNewFile } from './command-line/files/own-file.ts';
import { Unwritable } from './command-line/files/unwritable.ts';
import { readReportFile } from './command-line/files/report-file.ts';
import { NO_OPTIONS } from './run/configuration.ts';
import { setVariables } from './command-line/variable-options.ts';

interface Options extends Partial<WaiverOwner> {
  open?: true;
  waiversForFailures?: true;
  footprintIds?: true;
}

/** The file for waivers, as docs/ci.md names it. */
const WAIVERS = 'waivers.json';

/** @returns the exit code */
async function main(): Promise<number> {
  const mistaken = setVariables(program.parse());
  const options = program.opts<Options>();
  if (mistaken.length > 0) return refuse(mistaken);
  const configured = readSettings({
    env: process.env,
    cwd: process.cwd(),
    options: NO_OPTIONS,
    proxyFor: chooseProxy,
  });
  if ('mistakes' in configured) return refuse(configured.mistakes);
  const { settings } = configured;
  if (options.footprintIds === true) return printFootprint(settings.reportDir);
  if (options.waiversForFailures === true) return writeWaivers(settings.reportDir, options);
  const report = readLast(settings.reportDir);
  const redactor = new Redactor();
  for (const secret of [settings.key, ...Object.values(settings.network.headers)]) redactor.add(secret);
  const redact = (text: string) => redactor.redact(text);
  const files = await takeFolder(settings.reportDir);
  if (files instanceof Unwritable) return refuse([files.message]);
  try {
    const page = await makeAnew(files, settings, report, redact);
    printText(`${page}\n`);
    if (process.stdout.isTTY || options.open === true) openPage(page);
    return 0;
  } catch (error) {
    const { message } = error as Error;
    const isSaid = error instanceof Unwritable;
    return refuse([redact(isSaid ? message : `The Allure report could not be made: ${message}`)], 3);
  } finally {
    files.close(true);
  }
}

/**
 * `--footprint-ids`: prints the identifier of each animal that the last run has left.
 * @returns the exit code
 * @throws Mistake
 */
function printFootprint(reportDir: string): number {
  printText(
    listFootprint(reportOf(reportDir))
      .map((id) => `${id}\n`)
      .join(''),
  );
  return 0;
}

/**
 * `--waivers-for-failures`: writes waivers.json with a waiver for each failure. It never replaces a file.
 * @returns the exit code
 * @throws Mistake
 */
function writeWaivers(reportDir: string, { owner, ticket, until }: Partial<WaiverOwner>): number {
  if (owner === undefined || ticket === undefined || until === undefined)
    throw new Mistake('--waivers-for-failures needs --owner, --ticket and --until');
  const read = makeWaivers(reportOf(reportDir), { owner, ticket, until }, readNow());
  if ('mistakes' in read)
    throw new Mistake(`--owner, --ticket and --until make no waivers: ${read.mistakes[0] ?? ''}`);
  const { waivers } = read;
  if (waivers.length === 0) {
    printText('Nothing failed in the last report: there is nothing to waive.\n');
    return 0;
  }
  if (!writeOrRefuse(WAIVERS, () => writeNewFile(WAIVERS, `${JSON.stringify(waivers, null, 2)}\n`, 0o644)))
    throw new Mistake(`${WAIVERS} is there already and is left as it is: move it away, or add to it`);
  printText(`${WAIVERS}: ${countNoun(waivers.length, 'waiver')}; say in each why it is bearable\n`);
  printText(`Next: ${spellCommand('run', `--waivers ${WAIVERS} --accept-waivers`)}\n`);
  return 0;
}

/** Reads report.json. @throws Mistake */
function reportOf(reportDir: string): Report {
  const path = join(reportDir, 'report.json');
  const read = readReportFile(path);
  if ('why' in read) throw new Mistake(escapeTerminal(`${relative(process.cwd(), path)} ${read.why}`));
  return read.report;
}

/** Returns the report of the last run. @throws Mistake */
function readLast(reportDir: string): Report {
  if (existsSync(join(reportDir, 'report.json'))) return reportOf(reportDir);
  throw new Mistake(
    `There are no results in ${relative(process.cwd(), reportDir) || '.'}; ${spellCommand('run')} makes some. If they are in another folder, set REPORT_DIR to it.`,
  );
}

/** Takes the folder, so that no run writes into it meanwhile. Returns the error if another run has it. */
async function takeFolder(reportDir: string): Promise<ReportFolder | Unwritable> {
  try {
    return await ReportFolder.open(reportDir);
  } catch (error) {
    if (error instanceof Unwritable) return error;
    throw error;
  }
}

/**
 * Makes Allure's results and page, and then replaces the old ones.
 * @returns the path of the page
 * @throws Error if it cannot be made
 */
async function makeAnew(
  files: ReportFolder,
  settings: Settings,
  report: Report,
  redact: (text: string) => string,
): Promise<string> {
  const { reportDir } = settings;
  const { problem, path } = await writeAllure({
    settings: { ...settings, reportDir: files.work },
    report,
    redact,
    isNew: false,
  });
  if (path === null) throw new Unwritable(problem);
  if (problem !== null) printError(`${escapeTerminal(redact(problem))}\n`);
  files.swapIn(Object.values(ALLURE));
  return join(reportDir, ALLURE.report, 'index.html');
}

function refuse(mistakes: readonly string[], exitCode = 2): number {
  for (const mistake of mistakes) printError(`${escapeTerminal(mistake)}\n`);
  return exitCode;
}

await endWithCode(main);
