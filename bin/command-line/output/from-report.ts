/** Makes other texts from the last report: waivers (accepted failures), bug reports, and lists of identifiers. */
import { findFailures, findWarnings } from '../../../reports/document/causes.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { readWaivers } from '../../../reports/document/waivers.ts';
import { writeBugReport } from '../../../reports/shown/text/run-text.ts';
import { readReportFile } from '../files/report-file.ts';

/** The owner of the failures, the ticket for their repair, and the last day of their waivers. */
export interface WaiverOwner {
  owner: string;
  ticket: string;
  until: string;
}

/**
 * Makes a waiver for each requirement that fails; in strict mode also for each requirement that warns. Returns mistakes
 * instead, if `owner`, `ticket` or `until` is not valid.
 */
export function makeWaivers(
  report: Report,
  { owner, ticket, until }: WaiverOwner,
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

/** Returns the failure of a requirement as a bug report in Markdown, or the reason why there is none. */
export function writeBug(path: string, id: string): { text: string } | { why: string } {
  const read = readReportFile(path);
  if ('why' in read) return { why: `${path} ${read.why}` };
  const { report } = read;
  const cause = [...findFailures(report), ...findWarnings(report)].find((each) =>
    each.some((result) => result.id === id),
  );
  return cause === undefined
    ? { why: `${id} neither fails nor warns in ${path}: there is no bug to report.` }
    : { text: writeBugReport(report, cause) };
}

/** Returns the identifiers of the animals that the run left. Animals whose creation got no answer have no identifier. */
export function listFootprint({ footprint }: Report): string[] {
  return footprint.map(({ id }) => id).filter((id) => id !== '');
}
