/** Finds what keeps a run from a certificate, with remedies, e.g. `the run only read`: `run with MODE=full`. Pure. */
import { CERTIFICATION, findOtherNumbers } from '../../fixtures/settings/profiles.ts';
import { MOST_DRIFT } from '../../fixtures/evidence/binding.ts';
import type { HeadRecord } from '../../fixtures/evidence/log.ts';
import { findRemovalState, REMOVAL } from '../../fixtures/interface/removal.ts';
import suite from '../../package.json' with { type: 'json' };
import { spellOnlyCommand, findStart } from '../shown/words/commands.ts';
import type { Report, RequirementResult } from '../document/report-document.ts';
import type { EvidenceRecheck } from './recheck-evidence.ts';
import { EXCLUDED } from './suite-digests.ts';

/** A demand that is not met, and the change that would meet it. */
export interface Shortcoming {
  what: string;
  remedy: string;
}

/** The most days between run and certificate. */
const OLDEST_RUN = 30;
const DAY = 86_400_000;
/** Remedies that several shortcomings have. */
const AGAIN = 'run again with this suite';
const AS_WRITTEN = 'use evidence.jsonl as the suite wrote it';
const OR_AGAIN = `${AS_WRITTEN}; if it is that file, run again on a fresh store, or with MAX_ANIMALS=150, because with few animals generated input is left out`;

/** Demands of the certification profile on the settings of a run. `what` says that the demand is not met. */
const DEMANDS: readonly (readonly [isMet: (head: HeadRecord) => boolean, what: string, remedy: string])[] = [
  [
    ({ settings }) => settings.profile === CERTIFICATION.name,
    'the run was not made under the certification profile',
    'run with PROFILE=certification',
  ],
  [({ target }) => !target.embedded, 'the run judged the reference of the suite itself', 'set BASE_URL'],
  [({ settings }) => settings.mode === 'full', 'the run only read', 'run with MODE=full'],
  [
    // The seeds of the properties are drawn from the challenge; a plain `seed` stays at its default, 1.
    ({ settings: { seed, seeds = [] } }) => seed === 1 && seeds.length === 2 && seeds[0] !== seeds[1],
    'generated input does not come from two seeds',
    'leave SEED unset',
  ],
  [
    ({ settings }) => !settings.incognito && !settings.markedNamesOnly,
    'odd names, or requests that name the suite, were left out',
    'leave INCOGNITO and MARKED_NAMES_ONLY unset',
  ],
  [({ settings }) => !settings.strict, 'a broken should was counted as a failure', 'leave STRICT unset'],
];

/**
 * Returns all that keeps a run from a certificate now: unmet demands of the profile, records that its evidence lacks (gaps), and
 * places where the evidence contradicts itself.
 * @param now milliseconds since the epoch
 */
export function findShortcomings(recheck: EvidenceRecheck, now: number): Shortcoming[] {
  return [
    ...findUnmetDemands(recheck, now),
    ...recheck.gaps.map((what) => ({ what, remedy: OR_AGAIN })),
    ...recheck.contradictions.map((what) => ({ what, remedy: AS_WRITTEN })),
  ];
}

/** Returns the unmet demands of the profile: about settings, verdicts, version and age. `verify` asks only for these. */
export function findUnmetDemands({ report, head }: EvidenceRecheck, now: number): Shortcoming[] {
  const begun = Date.parse(report.run.startedAt);
  // Settings with another number than the profile demands, e.g. MAX_WRONG_KEYS. `value` is the demanded number.
  const unmet = findOtherNumbers({ ...head.settings, consistencyWindow: head.window });
  // EXCLUDED: requirements that do not count in this release.
  const musts = report.requirements.filter(({ id, level }) => level === 'must' && !EXCLUDED.includes(id));
  return [
    ...DEMANDS.filter(([isMet]) => !isMet(head)).map(([, what, remedy]) => ({ what, remedy })),
    ...unmet.map(({ name, value }) => ({ what: `${name} was not ${value}`, remedy: `leave ${name} unset` })),
    // The day of the removal of getPet begins at another moment in each time zone. So a service may, or may not, serve getPet then.
    findRemovalState(begun) === 'near' && {
      what: 'on the day of the removal of getPet nothing about it can be judged',
      remedy: `run again when the day is over everywhere: after ${new Date(REMOVAL.ends).toISOString().slice(0, 16)}Z`,
    },
    ...musts.map((each) => explainMust(each, report)),
    head.suite !== suite.version && {
      what: `the run was made by version ${head.suite} of the suite, this is ${suite.version}`,
      remedy: AGAIN,
    },
    now - begun > OLDEST_RUN * DAY && { what: `the run is more than ${OLDEST_RUN} days old`, remedy: AGAIN },
    now + MOST_DRIFT < begun + report.run.durationMs && {
      what: 'by its clock, the run has not been made yet',
      remedy: 'set the clock, and run again',
    },
  ].filter((each) => each !== false && each !== null);
}

/** Says why the result of a `must` keeps the run from a certificate; null if it does not. */
function explainMust(result: RequirementResult, report: Report): Shortcoming | null {
  const { id, verdict, expected, received, reason, partial, cause } = result;
  if (verdict === 'fail')
    return {
      what: `${id} fails: expected ${expected ?? 'what it says'}, received ${received ?? 'something else'}`,
      remedy: `repair it; ${spellOnlyCommand(findStart(report), id)} shows it again`,
    };
  if (verdict === 'inconclusive')
    return { what: `${id} is undecided`, remedy: reason ?? 'to decide, run all of the suite' };
  // A service may end its lists early (`cut`). That is no shortcoming: the certificate says how many animals were hidden.
  if (partial == null || cause?.kind === 'cut') return null;
  return {
    what: `${id} is judged in part: ${partial.reason}`,
    remedy:
      partial.needs === null
        ? 'a fresh store would judge it in full'
        : `set MAX_ANIMALS=${partial.needs}, or take a fresh store`,
  };
}
