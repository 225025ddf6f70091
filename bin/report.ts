#!/usr/bin/env node
/**
 * `npm run report`: makes the Allure report again from the files of the last run in REPORT_DIR. On a terminal it opens the
 * report. With options, it makes waivers (accepted failures) or a list of identifiers from report.json instead.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../fixtures/evidence/redaction/redactor.ts';
import { readSettings } from '../fixtures/settings/read-settings.ts';
import type { Settings } from '../fixtures/settings/settings.ts';
import type { Report, RequirementResult } from '../reports/document/report-document.ts';
import { readWaivers } from '../reports/document/waivers.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { countNoun } from '../reports/shown/words/verdict-words.ts';
import { endWithCode, Mistake, readNow, writeOrRefuse } from './certificate/certificate-files.ts';
import { reportCommand as program } from './command-descriptions.ts';
import { openPage } from './command-line/open-page.ts';
import { spellCommand } from './command-line/output/rerun-command.ts';
import { writeAllure } from './command-line/output/allure.ts';
import { ALLURE } from './command-line/output/artifacts.ts';
import { printError, printText } from './command-line/output/print.ts';
import { ReportFolder } from './command-line/output/report-folder.ts';
import { writeNewFile } from './command-line/files/own-file.ts';
import { shortenPath } from './command-line/files/unwritable.ts';
import { readReportFile } from './command-line/files/report-file.ts';
import { NO_OPTIONS } from './command-line/options.ts';
import { setVariables } from './command-line/variable-options.ts';

interface Options {
  /** The owner of the failures, the ticket for their repair, and the last day of their waivers. */
  owner?: string;
  ticket?: string;
  until?: string;
  open?: true;
  waiversForFailures?: true;
  footprintIds?: true;
}

/** The file for waivers, as docs/ci.md names it. */
const WAIVERS = 'waivers.json';

/** @returns the exit code */
async function main(): Promise<number> {
  const mistakes = setVariables(program.parse());
  const options = program.opts<Options>();
  const { env } = process;
  const read = readSettings({ env, cwd: process.cwd(), options: NO_OPTIONS });
  if (mistakes.length > 0 || 'mistakes' in read)
    throw new Mistake([...mistakes, ...('mistakes' in read ? read.mistakes : [])].join('\n'));
  const { settings } = read;
  const report = readLast(settings.reportDir);
  if (options.footprintIds === true) return printFootprint(report);
  if (options.waiversForFailures === true) return writeWaivers(report, options);
  return makeAllurePage(report, settings, options.open === true);
}

/** Makes the Allure report again. It opens the page on a terminal, or if `opens` is true. */
async function makeAllurePage(report: Report, settings: Settings, opens: boolean): Promise<number> {
  const redactor = new Redactor();
  for (const secret of [settings.key, ...Object.values(settings.network.headers)]) redactor.add(secret);
  const redact = (text: string) => redactor.redact(text);
  const files = await ReportFolder.open(settings.reportDir);
  try {
    const own = { ...settings, reportDir: files.work };
    // Allure's history has this run already, so `isNew` is false.
    const { problem, path } = await writeAllure({ settings: own, report, redact, isNew: false });
    if (problem !== null) printError(`${escapeTerminal(redact(problem))}\n`);
    if (path === null) return 3;
    files.swapIn(Object.values(ALLURE));
    const page = join(settings.reportDir, ALLURE.report, 'index.html');
    printText(`${page}\n`);
    if (process.stdout.isTTY || opens) openPage(page);
    return 0;
  } finally {
    // This command judges nothing, so the folder gets no note that a run has begun.
    files.close('remove-note');
  }
}

/** `--footprint-ids`: prints the identifier of each animal that the last run has left. An animal whose creation got no answer has none. */
function printFootprint({ footprint }: Report): number {
  const ids = footprint.map(({ id }) => id).filter((id) => id !== '');
  printText(ids.map((id) => `${id}\n`).join(''));
  return 0;
}

/**
 * `--waivers-for-failures`: writes waivers.json with a waiver for each requirement that fails; in strict mode also for each that
 * warns. It never replaces a file.
 * @throws Mistake
 */
function writeWaivers(report: Report, { owner, ticket, until }: Options): number {
  if (owner === undefined || ticket === undefined || until === undefined)
    throw new Mistake('--waivers-for-failures needs --owner, --ticket and --until');
  const { run, requirements } = report;
  const isFailing = ({ verdict }: RequirementResult) =>
    verdict === 'fail' || (run.strict && verdict === 'warn');
  const reason = `It failed in the run of ${run.startedAt.slice(0, 10)}, with which waivers began.`;
  const made = requirements
    .filter(isFailing)
    .map(({ id }) => ({ requirement: id, reason, owner, ticket, expires: until }));
  const text = `${JSON.stringify(made, null, 2)}\n`;
  const read = readWaivers(text, readNow());
  if ('mistakes' in read)
    throw new Mistake(`--owner, --ticket and --until make no waivers: ${read.mistakes[0] ?? ''}`);
  if (made.length === 0) {
    printText('Nothing failed in the last report: there is nothing to waive.\n');
    return 0;
  }
  if (!writeOrRefuse(WAIVERS, () => writeNewFile(WAIVERS, text, 0o644)))
    throw new Mistake(`${WAIVERS} is there already and is left as it is: move it away, or add to it`);
  printText(`${WAIVERS}: ${countNoun(made.length, 'waiver')}; say in each why it is bearable\n`);
  printText(`Next: ${spellCommand('run', `--waivers ${WAIVERS} --accept-waivers`)}\n`);
  return 0;
}

/** Returns the report of the last run. @throws Mistake */
function readLast(reportDir: string): Report {
  const path = join(reportDir, 'report.json');
  if (!existsSync(path))
    throw new Mistake(
      `There are no results in ${shortenPath(reportDir)}; ${spellCommand('run')} makes some. If they are in another folder, set REPORT_DIR to it.`,
    );
  const read = readReportFile(path);
  if ('why' in read) throw new Mistake(escapeTerminal(`${shortenPath(path)} ${read.why}`));
  return read.report;
}

await endWithCode(main);
