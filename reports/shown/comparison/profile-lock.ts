/**
 * Compares the behaviour profile of a run with a lock: a file with the profile of an earlier run. So an operator sees if a new release
 * answers open questions in another way.
 */
import schema from '../../../schemas/suite/profile-lock.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked } from '../../document/checked-json.ts';
import { findChanges, type Change } from './comparison.ts';
import { isQuestionAsked } from '../words/profile-words.ts';
import type { Report } from '../../document/report-document.ts';

/** The pinned behaviour profile of a target: observations by the id of the open question. */
type ProfileLock = Record<string, string>;

const check = makeSchemaCheck(schema);

/** Returns the observed part of a run's profile, sorted by id, for a lock file. */
export function makeProfileLock({ observations }: Report): ProfileLock {
  return Object.fromEntries(
    observations
      .filter(isQuestionAsked)
      .map(({ id, observed }) => [id, observed] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export function readProfileLock(text: string): { lock: ProfileLock } | { mistakes: string[] } {
  const read = readChecked<ProfileLock>(text, check);
  return 'mistakes' in read ? read : { lock: read.value };
}

/** Returns the observations that differ from the lock. Questions that the lock lacks, or that this run did not ask, do not count. */
export function findProfileChanges(lock: ProfileLock, report: Report): Change<string>[] {
  const pinned = Object.entries(lock).map(([id, observed]) => ({ id, observed }));
  return findChanges(pinned, report.observations.filter(isQuestionAsked), ({ observed }) => observed).filter(
    ({ before, after }) => before !== null && after !== null,
  );
}

/**
 * Adds the changes of the profile to the report.
 * @param enforce true with `--lock`: then a change ends the run with exit code 1
 */
export function applyProfileLock(
  report: Report,
  changed: readonly Change<string>[],
  { enforce }: { enforce: boolean },
): Report {
  if (changed.length === 0) return report;
  const text = changed.map(({ id, before, after }) => `${id} ${before} → ${after}`).join(', ');
  return {
    ...report,
    exitCode: enforce ? 1 : report.exitCode,
    reason: `${report.reason}; the behaviour profile has changed: ${text}`,
  };
}
