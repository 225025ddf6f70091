#!/usr/bin/env node
/** `npm run conformance`: judges a target and says so by its exit code. */
import { join, relative } from 'node:path';
import { proxyFor } from '../fixtures/transport.ts';
import { readSettings } from '../fixtures/settings/read.ts';
import type { Settings } from '../fixtures/settings.ts';
import { annotations } from '../reports/annotations.ts';
import type { Report } from '../reports/report.ts';
import { terminalText } from '../reports/terminal.ts';
import { readOptions } from './options.ts';
import { allureReport } from './run/allure.ts';
import { rewriteResults } from './run/allure-results.ts';
import { ALLURE, discard, evidenceFile, PARTIAL, prepare, write } from './run/artifacts.ts';
import { dryRun } from './run/dry-run.ts';
import { Progress } from './run/progress-line.ts';
import { run, type Stop } from './run/run.ts';
import { readStanding, type Standing } from './run/standing.ts';
import { paceWarning } from './run/watch.ts';

const out = (text: string) => void process.stdout.write(text);

// a reader that has seen enough (`| head -1`) takes nothing from the run: it goes on, and ends with its own exit code
process.stdout.on('error', () => undefined);

/** @returns the exit code */
async function main(): Promise<number> {
  const read = readOptions(process.argv.slice(2));
  if ('print' in read) {
    out(read.print);
    return 0;
  }
  if ('mistakes' in read) return refuse(read.mistakes);
  const configured = readSettings({ env: process.env, cwd: process.cwd(), options: read.options, proxyFor });
  if ('mistakes' in configured) return refuse(configured.mistakes);
  const settings = placed(configured.settings);
  for (const note of configured.notes) out(`${note}\n`);
  const standing = readStanding(settings);
  if ('mistakes' in standing) return refuse(standing.mistakes);
  if (read.options.dryRun) return dryRun(settings, out);
  try {
    prepare(settings.reportDir);
  } catch (error) {
    return refuse([`REPORT_DIR cannot be written to: ${(error as Error).message}`]);
  }
  return judge(settings, standing);
}

/** A part of the suite says nothing that should replace the report of a whole run: its reports lie in a folder of their own. */
function placed(settings: Settings): Settings {
  return settings.only.length === 0 && settings.replay === null ? settings : { ...settings, reportDir: join(settings.reportDir, PARTIAL) };
}

async function judge(settings: Settings, standing: Standing): Promise<number> {
  out(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = paceWarning(settings);
  if (slow !== null) out(`${slow}\n`);
  const allureResults = join(settings.reportDir, ALLURE.results);
  const progress = new Progress(process.stdout.isTTY === true, out);
  const evidence = evidenceFile(settings.reportDir);
  const outcome = await run(settings, { allureResults, evidence: evidence.write, onBegin: evidence.begin, progress, onStop: stopOnSignals }).finally(evidence.close);
  if ('obstacle' in outcome) {
    return refuse([outcome.obstacle.message], outcome.obstacle.exitCode);
  }
  const report = standing.apply(outcome.report);
  write(settings.reportDir, report, outcome.redact);
  if (report.run.complete && process.stdout.isTTY === true) out('Waiting: Allure makes its page.\r');
  const allure = await allureOf(report, settings, outcome.redact);
  discard(settings.reportDir, ['.playwright', ...(allure.problem === null ? [] : Object.values(ALLURE))]);
  tell(report, settings, outcome.redact);
  if (allure.problem !== null) out(`The Allure report could not be made: ${outcome.redact(allure.problem)}\n`);
  return report.exitCode;
}

/** A run that was cut short is not worth the wait for a page; but what the runner left is not redacted, and never stays as it is. */
async function allureOf(report: Report, settings: Settings, redact: (text: string) => string): Promise<{ problem: string | null }> {
  if (report.run.complete) return allureReport({ settings, report, redact });
  try {
    rewriteResults(join(settings.reportDir, ALLURE.results), report, redact);
    return { problem: null };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** What a counterexample did when it was run again. */
function replayed(report: Report): string {
  const shows = report.requirements.some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  if (shows) return 'Seen again: the counterexample still breaks what it broke.\n';
  return report.exitCode === 0 ? 'Not seen any more: the counterexample broke nothing this time.\n' : 'Undecided: the counterexample could not be asked to its end.\n';
}

function tell(report: Report, settings: Settings, redact: (text: string) => string): void {
  const width = process.stdout.columns ?? 100;
  out(redact(terminalText(report, { colour: process.stdout.isTTY === true && !process.env.NO_COLOR, width, reportDir: relative(process.cwd(), settings.reportDir) || '.' })));
  if (settings.replay !== null) out(replayed(report));
  if (process.env.GITHUB_ACTIONS === 'true') out(redact(annotations(report)));
}

/** The first signal ends the run, the second its processes too; the report is written in any case. */
function stopOnSignals(stop: Stop): void {
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals === 1) out('\nStopping, and writing what is known; again to end at once.\n');
      stop(`the run was interrupted (${signal})`, signals > 1);
    });
  }
}

function refuse(mistakes: readonly string[], exitCode = 2): number {
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  return exitCode;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`The suite itself broke: ${error instanceof Error ? error.message : String(error)}\n`);
  return 3;
});
