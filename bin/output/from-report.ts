/** What operators take from the last report besides its pages: waivers to begin with, and what a run left at the target. */
import type { Report } from '../../reports/document/report.ts';
import { readWaivers } from '../../reports/document/waivers.ts';

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

/** The identifiers of what the run left at the target, as far as their creation was answered. */
export function footprintIds({ footprint }: Report): string[] {
  return footprint.map(({ id }) => id).filter((id) => id !== '');
}
