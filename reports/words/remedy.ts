/** Why a run is not the whole of it, and what would finish it: one line each. Pure. */
import { startOf, wholeCommand } from './commands.ts';
import type { Report } from '../document/report.ts';
import { counted, withVerdict } from './verdict-words.ts';

/** How a run fell short of a whole one, what was asked last, and what would finish it. */
export interface Shortfall {
  kind: 'interrupted' | 'unreachable' | 'stopped' | 'part' | 'read-only';
  told: string;
  last: string | null;
  /** Empty where nothing better is known than the command. */
  remedy: string;
  /** The command of a whole run, where one would decide. */
  command: string | null;
}

/** What people do about a reason, told by the words that it holds; the first that fits. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/interrupted/, 'It was ended from here: this says nothing about the target.'],
  [/has given no answer|server errors|is down/, 'Look in the log of the target for what was asked last; it has to be up again.'],
  [/unable to get (local )?issuer|unable to verify|self.signed|UNABLE_TO_|SELF_SIGNED|unknown authority/i, 'CA_FILE names a file with the certificate of an authority to trust.'],
  [/EPROTO|wrong version number|packet length too long/i, 'The target does not speak TLS there: try BASE_URL with http:// instead of https://.'],
  [/ENOTFOUND|EAI_AGAIN|no such host/i, 'Nobody knows this host name: look at BASE_URL, or at the proxy that leads there.'],
  [/ECONNREFUSED|refused/i, 'Nobody listens there: is the target up, and is the port of BASE_URL right?'],
  [/categor/i, 'CATEGORY_IDS names a category that exists at the target.'],
  [/RUN_TIMEOUT/, 'A longer RUN_TIMEOUT would finish it.'],
  [/MAX_REQUESTS/, 'A higher MAX_REQUESTS would finish it.'],
  [/puts off every request|429/, 'A lower MAX_RPS, or another time, would finish it.'],
  [/key has stopped working/, 'A key that is not locked, and a lower MAX_WRONG_KEYS, would finish it.'],
  [/no answer|without an answer/, 'Look in the log of the target for what was asked last.'],
];

/** How the run fell short, or null where it is whole. */
export function shortfallOf(report: Report): Shortfall | null {
  const { run } = report;
  const last = run.lastAsked ?? null;
  if (run.stopped !== null) return stoppedRun(report, run.stopped, last);
  if (!run.complete) return { kind: 'stopped', told: `The run did not come to its end${far(report)}.`, last, remedy: '', command: again(report) };
  if (run.only.length > 0) return { kind: 'part', told: `Only a part of the suite was asked for: ${run.only.join(', ')}.`, last: null, remedy: '', command: again(report) };
  if (run.mode === 'read-only') return { kind: 'read-only', told: 'Nothing was added: this run only read.', last: null, remedy: 'MODE=full asks the rest; what it adds stays in the store.', command: null };
  return null;
}

/** The reason of the verdict; null where it says no more than how the run fell short, which is told beside it. */
export function reasonBeside(report: Report, short: Shortfall | null): string | null {
  const isTold = short?.kind === 'interrupted' || (short?.kind === 'part' && withVerdict(report, 'inconclusive').length === 0);
  return report.verdict === 'inconclusive' && isTold ? null : report.reason;
}

/** What to do about a reason, or null where nothing better is known than the reason itself. */
export function remedyFor(reason: string): string | null {
  return REMEDIES.find(([words]) => words.test(reason))?.[1] ?? null;
}

function stoppedRun(report: Report, stopped: string, last: string | null): Shortfall {
  const interrupted = stopped.includes('interrupted');
  const begun = (report.run.progress?.ended ?? 1) > 0;
  const kind = interrupted ? 'interrupted' : begun ? 'stopped' : 'unreachable';
  const told = interrupted ? `The run was interrupted${far(report)}.` : begun ? `The run stopped${far(report)}.` : 'No test was run.';
  return { kind, told, last: kind === 'unreachable' ? null : last, remedy: remedyFor(stopped) ?? '', command: again(report) };
}

/** How far the run came, in words that go on with a sentence. */
function far(report: Report): string {
  const { progress } = report.run;
  const open = withVerdict(report, 'inconclusive').length;
  const undecided = open === 0 ? '' : `, with ${counted(open, 'requirement')} undecided`;
  return progress === undefined || progress.all === 0 ? undecided : ` after ${progress.ended} of ${counted(progress.all, 'test')}${undecided}`;
}

function again(report: Report): string {
  return wholeCommand(startOf(report));
}
