/** Says why a run did not ask everything (stopped, quick, read-only, a part of the suite), and which command asks the rest. Pure. */
import { findFailures } from '../../document/causes.ts';
import { findStart, spellWholeCommand } from './commands.ts';
import { joinSome } from '../../document/join-some.ts';
import type { Report } from '../../document/report-document.ts';
import { countNoun, writeHeadline, filterByVerdict } from './verdict-words.ts';

/** The reason why a run was not whole: it did not ask everything. `not-begun`: it stopped before any test ended. */
export interface Shortfall {
  kind: 'interrupted' | 'not-begun' | 'stopped' | 'part' | 'quick' | 'read-only';
  /** The reason, in a sentence. */
  what: string;
  /** The last request of a stopped run. */
  last: string | null;
  /** A sentence that says what helps; empty if only the command is known. */
  remedy: string;
  /** The command of a whole run. Null if the run only read, or if a failure has decided already. A run with `run.stopped` always has a command. */
  command: string | null;
}

/** Returns why the run is not whole; null if it is whole. */
export function findShortfall(report: Report): Shortfall | null {
  const { run } = report;
  if (run.stopped !== null) return makeStoppedRun(report);
  // If a promise is broken, the next steps of the report have the command.
  const command = findFailures(report).length > 0 ? null : spellAgain(report);
  const usual = { last: null, remedy: '', command };
  if (!run.complete) {
    const what = `The run did not come to its end${describeProgress(report)}.`;
    return { ...usual, kind: 'stopped', what, last: run.lastAsked ?? null };
  }
  if (run.only.length > 0) {
    const what = `Only a part of the suite was asked for: ${joinSome(run.only)}.${describeOutcome(report)}`;
    return { ...usual, kind: 'part', what };
  }
  if (run.profile?.name === 'quick') {
    const what = 'This run was quick: it asked a part of each promise, and says nothing of the rest.';
    return { ...usual, kind: 'quick', what };
  }
  if (run.mode !== 'read-only') return null;
  const remedy = 'MODE=full asks the rest; what it adds stays in the store.';
  const what = 'Nothing was added: this run only read.';
  return { kind: 'read-only', what, last: null, remedy, command: null };
}

/** Says that the asked part passes, if something passes and nothing fails or is undecided; else nothing. */
function describeOutcome({ requirements }: Report): string {
  const verdicts = new Set(requirements.map(({ verdict }) => verdict));
  if (!verdicts.has('pass') || verdicts.has('fail') || verdicts.has('inconclusive')) return '';
  return requirements.some(({ partial }) => partial != null) ? ' It passes in part.' : ' It passes.';
}

/** Returns the reason for the verdict; null if the headline or the shortfall, which are shown with it, says the same. */
export function findOtherReason(report: Report, short: Shortfall | null): string | null {
  if (report.reason.toLowerCase() === writeHeadline(report).toLowerCase()) return null;
  // The shortfall of a part names no requirement. If one is undecided, or was left out to spare animals of others (tact), the reason names it.
  const hasUndecided = filterByVerdict(report, 'inconclusive').length > 0;
  const hasTact = report.requirements.some(({ cause }) => cause?.kind === 'tact');
  const isReasonOfPart = short?.kind === 'part' && !hasUndecided && !hasTact;
  // The shortfall of an interrupted run always gives the reason.
  const isSaid = report.verdict === 'inconclusive' && (isReasonOfPart || short?.kind === 'interrupted');
  return isSaid ? null : report.reason;
}

function makeStoppedRun(report: Report): Shortfall {
  const { stoppedBy, progress, lastAsked = null, remedy } = report.run;
  const help = { remedy: remedy?.told ?? '', command: spellAgain(report) };
  if (progress?.ended === 0 && stoppedBy !== 'interrupted' && stoppedBy !== 'failed')
    return { ...help, kind: 'not-begun', what: 'No test was run.', last: null };
  const kind = stoppedBy === 'interrupted' ? stoppedBy : 'stopped';
  const ended = `The run ${kind === 'stopped' ? kind : 'was interrupted'}${describeProgress(report)}.`;
  return { ...help, kind, what: `${ended}${countOtherFailures(report)}`, last: lastAsked };
}

/** Says how many failures `--fail-fast` has found, if there are several: other requests were still under way. */
function countOtherFailures(report: Report): string {
  const { length } = findFailures(report);
  return report.run.stoppedBy !== 'failed' || length < 2 ? '' : ` By then ${length} failures had been found.`;
}

/** Says how many tests had ended and how many requirements are undecided, as the end of a sentence: ` after 3 of 200 tests`. */
function describeProgress(report: Report): string {
  const { progress } = report.run;
  const open = filterByVerdict(report, 'inconclusive').length;
  const undecided = open === 0 ? '' : `, with ${countNoun(open, 'requirement')} undecided`;
  return progress === undefined || progress.all === 0
    ? undecided
    : ` after ${progress.ended} of ${countNoun(progress.all, 'test')}${undecided}`;
}

/** Returns the command of a whole run, with the variables that the remedy changes. */
function spellAgain(report: Report): string {
  const start = findStart(report);
  return spellWholeCommand({ ...start, variables: { ...start.variables, ...report.run.remedy?.variables } });
}
