/** The certification profile: what a run has to be, and what a report still lacks. Pure. */
import { ASKED } from '../../fixtures/settings/certification-profile.ts';
import { removalAt } from '../../fixtures/interface/removal.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { onlyCommand, startOf } from '../words/commands.ts';
import { SPECIFICATION_VERSION } from '../document/assemble.ts';
import type { Report } from '../document/report.ts';

/** The profile by name and version; the version is raised with every change of what it asks for. */
export const CERTIFICATION = { name: 'certification', version: 1 } as const;

/** What the profile sets and asks for. */
export const PROFILE = {
  /** The first of the two seeds; the other one is fresh. */
  seed: 1,
  propertyRuns: ASKED.PROPERTY_RUNS,
  requests: ASKED.MAX_REQUESTS,
  wrongKeys: ASKED.MAX_WRONG_KEYS,
} as const;

/** One thing that is missing, and what would bring it. */
export interface Shortcoming {
  what: string;
  remedy: string;
}

/** All that keeps a report from a certificate; empty: nothing. `excluded`: ids that are set aside. */
export function shortcomings(report: Report, excluded: readonly string[] = []): Shortcoming[] {
  const { run, requirements } = report;
  const ours = requirements.filter(({ id }) => Object.hasOwn(REQUIREMENTS, id));
  const musts = ours.filter(({ id, level }) => level === 'must' && !excluded.includes(id));
  const missing = Object.keys(REQUIREMENTS).filter((id) => !requirements.some((each) => each.id === id));
  const lacks: (Shortcoming | false)[] = [
    (run.profile?.name !== CERTIFICATION.name || run.profile.version !== CERTIFICATION.version) &&
      short(
        `the run was not made under version ${CERTIFICATION.version} of the certification profile`,
        'run with PROFILE=certification',
      ),
    report.specification.version !== SPECIFICATION_VERSION &&
      short(
        `the report is of version ${report.specification.version} of the interface, this suite judges ${SPECIFICATION_VERSION}`,
        'run again with this suite',
      ),
    run.only.length > 0 && short('only a part of the suite was asked for', 'run without --only'),
    (!run.complete || run.stopped !== null) &&
      short(
        `the run did not come to its end${run.stopped === null ? '' : `: ${run.stopped}`}`,
        'run again, with a longer RUN_TIMEOUT where that was the reason',
      ),
    run.mode !== 'full' && short('the run only read', 'run with MODE=full'),
    !hasTwoSeeds(run.seeds) &&
      short('generated input does not come from the seed 1 and a fresh one', 'leave SEED unset'),
    (run.propertyRuns ?? 0) < PROFILE.propertyRuns &&
      short(
        `fewer than ${PROFILE.propertyRuns} generated inputs for each property`,
        `set PROPERTY_RUNS=${PROFILE.propertyRuns} or more, or leave it unset`,
      ),
    run.limits.requests < PROFILE.requests &&
      short(
        `the run was limited to ${run.limits.requests} requests`,
        `leave MAX_REQUESTS unset, or ${PROFILE.requests} or more`,
      ),
    run.limits.wrongKeys < PROFILE.wrongKeys &&
      short(
        `the run was limited to ${run.limits.wrongKeys} wrong keys`,
        `leave MAX_WRONG_KEYS unset, or ${PROFILE.wrongKeys} or more`,
      ),
    removalAt(Date.parse(run.clock ?? run.startedAt)) === 'near' &&
      short(
        'on the day of the removal of getPet nothing about it can be judged',
        'run again when the day is over everywhere: after 2030-12-06T12:00Z',
      ),
    missing.length > 0 &&
      short(`not accounted for: ${missing.join(', ')}`, 'use the version of the suite that made the report'),
  ];
  const ofRequirements = musts.flatMap((each): Shortcoming[] => {
    if (each.verdict === 'fail')
      return [
        short(
          `${each.id} fails: expected ${each.expected ?? 'what it says'}, received ${each.received ?? 'something else'}`,
          `repair it; ${onlyCommand(startOf(report), each.id)} shows it again`,
        ),
      ];
    if (each.verdict === 'inconclusive')
      return [short(`${each.id} is undecided`, each.reason ?? 'a complete run would decide')];
    // a report of version 1 does not tell
    if (each.partial != null)
      return [
        short(
          `${each.id} is judged in part: ${each.partial.reason}`,
          each.partial.needs === null
            ? 'a fresh store would judge it in full'
            : `set MAX_ANIMALS=${each.partial.needs}, or take a fresh store`,
        ),
      ];
    return [];
  });
  const waived = ours
    .filter(({ waiver }) => waiver !== null)
    .map(({ id }) => short(`${id} is waived`, 'run without WAIVERS'));
  return [...lacks.filter((each) => each !== false), ...ofRequirements, ...waived];
}

function short(what: string, remedy: string): Shortcoming {
  return { what, remedy };
}

function hasTwoSeeds(seeds: readonly number[] = []): boolean {
  const [first, second] = seeds;
  return seeds.length === 2 && first === PROFILE.seed && second !== undefined && second !== first;
}
