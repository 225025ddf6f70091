/** What operators take from the last report besides its pages: waivers to begin with, and what a run left at the target. */
import { failuresOf, warningsOf } from '../../reports/document/causes.ts';
import type { Report } from '../../reports/document/report.ts';
import { readWaivers } from '../../reports/document/waivers.ts';
import { bugReport } from '../../reports/words/bug-report.ts';
import { reportIn } from '../files/report-file.ts';

/** Who answers for the failures, the ticket of their repair, and the last day on which they are waived. */
export interface Answering {
  owner: string;
  ticket: string;
  until: string;
}

/** A waiver for each requirement that fails, or that warns if warnings fail the run; `WAIVERS` takes all of them; or what keeps them from being waivers. */
export function waiversFor(
  report: Report,
  { owner, ticket, until }: Answering,
  today: Date,
): ReturnType<typeof readWaivers> {
  const failing = report.requirements.filter(
    ({ verdict }) => verdict === 'fail' || (verdict === 'warn' && report.run.strict),
  );
  const waivers = failing.map(({ id }) => ({
    requirement: id,
    reason: `It failed in the run of ${report.run.startedAt.slice(0, 10)}, with which waivers began.`,
    owner,
    ticket,
    expires: until,
  }));
  return readWaivers(JSON.stringify(waivers), today);
}

/** The failure of a requirement in a report, as a bug report in Markdown; or why there is none. */
export function bugIn(path: string, id: string): { text: string } | { why: string } {
  const read = reportIn(path);
  if ('why' in read) return { why: `${path} ${read.why}` };
  const { report } = read;
  const cause = [...failuresOf(report), ...warningsOf(report)].find((each) =>
    each.some((result) => result.id === id),
  );
  return cause === undefined
    ? { why: `${id} neither fails nor warns in ${path}: there is no bug to report.` }
    : { text: bugReport(report, cause) };
}

/** The identifiers of what the run left at the target, as far as their creation was answered. */
export function footprintIds({ footprint }: Report): string[] {
  return footprint.map(({ id }) => id).filter((id) => id !== '');
}
