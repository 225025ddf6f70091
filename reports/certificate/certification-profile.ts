/** The certification profile: what a run has to be, and what a report still lacks. Pure. */
import { ASKED } from '../../fixtures/settings/certification-profile.ts';
import { removalAt } from '../../fixtures/interface/removal.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { onlyCommand, startOf } from '../words/commands.ts';
import { SPECIFICATION_VERSION } from '../document/assemble.ts';
import type { Report, RequirementResult } from '../document/report.ts';

/** The profile by name and version; the version is raised with every change of what it asks for. */
export const CERTIFICATION = { name: 'certification', version: 1 } as const;

/** What the profile sets and asks for. */
const PROFILE = {
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

/** One thing that the profile asks of a report. */
interface Demand {
  isUnmet: (report: Report) => boolean;
  /** What is missing then. */
  what: (report: Report) => string;
  remedy: string;
}

/** What is asked of the run as a whole, in the order in which it is told. */
const DEMANDS: readonly Demand[] = [
  {
    isUnmet: ({ run: { profile } }) =>
      profile?.name !== CERTIFICATION.name || profile.version !== CERTIFICATION.version,
    what: () => `the run was not made under version ${CERTIFICATION.version} of the certification profile`,
    remedy: 'run with PROFILE=certification',
  },
  {
    isUnmet: ({ specification }) => specification.version !== SPECIFICATION_VERSION,
    what: ({ specification }) =>
      `the report is of version ${specification.version} of the interface, this suite judges ${SPECIFICATION_VERSION}`,
    remedy: 'run again with this suite',
  },
  {
    isUnmet: ({ run }) => run.only.length > 0,
    what: () => 'only a part of the suite was asked for',
    remedy: 'run without --only',
  },
  {
    isUnmet: ({ run }) => !run.complete || run.stopped !== null,
    what: ({ run }) => `the run did not come to its end${run.stopped === null ? '' : `: ${run.stopped}`}`,
    remedy: 'run again, with a longer RUN_TIMEOUT where that was the reason',
  },
  {
    isUnmet: ({ run }) => run.mode !== 'full',
    what: () => 'the run only read',
    remedy: 'run with MODE=full',
  },
  {
    isUnmet: ({ run }) => !hasTwoSeeds(run.seeds),
    what: () => 'generated input does not come from the seed 1 and a fresh one',
    remedy: 'leave SEED unset',
  },
  {
    isUnmet: ({ run }) => (run.propertyRuns ?? 0) < PROFILE.propertyRuns,
    what: () => `fewer than ${PROFILE.propertyRuns} generated inputs for each property`,
    remedy: `set PROPERTY_RUNS=${PROFILE.propertyRuns} or more, or leave it unset`,
  },
  {
    isUnmet: ({ run }) => run.limits.requests < PROFILE.requests,
    what: ({ run }) => `the run was limited to ${run.limits.requests} requests`,
    remedy: `leave MAX_REQUESTS unset, or ${PROFILE.requests} or more`,
  },
  {
    isUnmet: ({ run }) => run.limits.wrongKeys < PROFILE.wrongKeys,
    what: ({ run }) => `the run was limited to ${run.limits.wrongKeys} wrong keys`,
    remedy: `leave MAX_WRONG_KEYS unset, or ${PROFILE.wrongKeys} or more`,
  },
  {
    isUnmet: ({ run }) => removalAt(Date.parse(run.clock ?? run.startedAt)) === 'near',
    what: () => 'on the day of the removal of getPet nothing about it can be judged',
    remedy: 'run again when the day is over everywhere: after 2030-12-06T12:00Z',
  },
  {
    isUnmet: (report) => unaccounted(report).length > 0,
    what: (report) => `not accounted for: ${unaccounted(report).join(', ')}`,
    remedy: 'use the version of the suite that made the report',
  },
];

/** All that keeps a report from a certificate; empty: nothing. `excluded`: ids that are set aside. */
export function shortcomings(report: Report, excluded: readonly string[] = []): Shortcoming[] {
  const ours = report.requirements.filter(({ id }) => Object.hasOwn(REQUIREMENTS, id));
  const musts = ours.filter(({ id, level }) => level === 'must' && !excluded.includes(id));
  const waived = ours.filter(({ waiver }) => waiver !== null);
  return [
    ...DEMANDS.filter(({ isUnmet }) => isUnmet(report)).map(({ what, remedy }) => ({
      what: what(report),
      remedy,
    })),
    ...musts.flatMap((each) => lackOf(each, report) ?? []),
    ...waived.map(({ id }) => ({ what: `${id} is waived`, remedy: 'run without WAIVERS' })),
  ];
}

/** What a must lacks, or null. */
function lackOf(result: RequirementResult, report: Report): Shortcoming | null {
  const { id, verdict, expected, received, reason, partial } = result;
  if (verdict === 'fail')
    return {
      what: `${id} fails: expected ${expected ?? 'what it says'}, received ${received ?? 'something else'}`,
      remedy: `repair it; ${onlyCommand(startOf(report), id)} shows it again`,
    };
  if (verdict === 'inconclusive')
    return { what: `${id} is undecided`, remedy: reason ?? 'a complete run would decide' };
  // a report of version 1 does not tell
  if (partial == null) return null;
  return {
    what: `${id} is judged in part: ${partial.reason}`,
    remedy:
      partial.needs === null
        ? 'a fresh store would judge it in full'
        : `set MAX_ANIMALS=${partial.needs}, or take a fresh store`,
  };
}

/** The requirements of the catalogue that a report does not have. */
function unaccounted({ requirements }: Report): string[] {
  return Object.keys(REQUIREMENTS).filter((id) => !requirements.some((each) => each.id === id));
}

function hasTwoSeeds(seeds: readonly number[] = []): boolean {
  const [first, second] = seeds;
  return seeds.length === 2 && first === PROFILE.seed && second !== undefined && second !== first;
}
