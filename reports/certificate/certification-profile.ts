/** The certification profile: what a run has to be, and what it still lacks. Pure. */
import { ASKED } from '../../fixtures/settings/certification-profile.ts';
import { variable, type VariableName } from '../../fixtures/settings/variables.ts';
import type { HeadRecord } from '../../fixtures/evidence/log.ts';
import { removalAt } from '../../fixtures/interface/removal.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { onlyCommand, startOf } from '../words/commands.ts';
import type { Report, RequirementResult } from '../document/report.ts';

/** The profile by name and version; the version is raised with every change of what it asks for. */
export const CERTIFICATION = { name: 'certification', version: 2 } as const;

/** One thing that is missing, and what would bring it. */
export interface Shortcoming {
  what: string;
  remedy: string;
}

/** What is asked of the settings of a run: as the evidence begins. */
type Asked = Pick<HeadRecord, 'target' | 'settings' | 'window'>;

/** One thing that the profile asks of a run. */
interface Demand {
  isMet: (asked: Asked) => boolean;
  /** What is missing otherwise. */
  what: string;
  remedy: string;
}

const LEAVE = (name: string) => `leave ${name} unset`;

/** What is asked of the run as a whole, in the order in which it is shown. */
const DEMANDS: readonly Demand[] = [
  {
    isMet: ({ settings }) => settings.profile === CERTIFICATION.name,
    what: 'the run was not made under the certification profile',
    remedy: 'run with PROFILE=certification',
  },
  {
    isMet: ({ target }) => !target.embedded,
    what: 'the reference was judged that the suite carries',
    remedy: 'set BASE_URL',
  },
  {
    isMet: ({ target }) => isAddress(target.baseUrl),
    what: 'the address that was judged is none',
    remedy: 'run again with this suite',
  },
  {
    isMet: ({ settings }) => settings.mode === 'full',
    what: 'the run only read',
    remedy: 'run with MODE=full',
  },
  {
    isMet: ({ settings: { seed, seeds = [] } }) => seed === 1 && seeds.length === 2 && seeds[0] !== seeds[1],
    what: 'generated input does not come from two seeds',
    remedy: LEAVE('SEED'),
  },
  {
    isMet: ({ settings }) => settings.propertyRuns === ASKED.PROPERTY_RUNS,
    what: `not ${ASKED.PROPERTY_RUNS} generated inputs for each property`,
    remedy: LEAVE('PROPERTY_RUNS'),
  },
  {
    isMet: ({ settings: { maxRequests } }) => maxRequests === null || maxRequests === ASKED.MAX_REQUESTS,
    what: `the run was not limited to ${ASKED.MAX_REQUESTS} requests`,
    remedy: LEAVE('MAX_REQUESTS'),
  },
  {
    isMet: ({ settings: { maxAnimals } }) => maxAnimals === null || maxAnimals === ASKED.MAX_ANIMALS,
    what: `the run was limited to other than ${ASKED.MAX_ANIMALS} animals`,
    remedy: `leave MAX_ANIMALS unset, or ${ASKED.MAX_ANIMALS}`,
  },
  {
    isMet: ({ settings }) => settings.maxWrongKeys === ASKED.MAX_WRONG_KEYS,
    what: `the run was not limited to ${ASKED.MAX_WRONG_KEYS} wrong keys`,
    remedy: LEAVE('MAX_WRONG_KEYS'),
  },
  {
    isMet: ({ window }) => window === ASKED.CONSISTENCY_WINDOW * 1_000,
    what: `reads were not given ${ASKED.CONSISTENCY_WINDOW} seconds`,
    remedy: LEAVE('CONSISTENCY_WINDOW'),
  },
  {
    isMet: ({ settings }) => !settings.incognito && !settings.markedNamesOnly,
    what: 'a part of what names and clients may be was left out',
    remedy: 'leave INCOGNITO and MARKED_NAMES_ONLY unset',
  },
  {
    isMet: ({ settings }) => !settings.strict,
    what: 'a broken should was counted as a failure',
    remedy: LEAVE('STRICT'),
  },
  {
    isMet: ({ settings: { requestTimeout, maxInFlight, maxRps } }) =>
      isWithin('REQUEST_TIMEOUT', requestTimeout / 1_000) &&
      isWithin('MAX_IN_FLIGHT', maxInFlight) &&
      (maxRps === null || isWithin('MAX_RPS', maxRps)),
    what: 'no run has such a pace',
    remedy: 'run again with this suite',
  },
];

/** Whether a variable may have this value. */
function isWithin(name: VariableName, value: number): boolean {
  const { minimum, maximum, type } = variable(name);
  return value >= minimum && value <= maximum && (type !== 'integer' || Number.isInteger(value));
}

/** What the settings of a run lack. */
export function settingsLacking(asked: Asked): Shortcoming[] {
  return DEMANDS.filter(({ isMet }) => !isMet(asked)).map(({ what, remedy }) => ({ what, remedy }));
}

/** All that keeps a report from a certificate; empty: nothing. `excluded`: ids that are left out. */
export function shortcomings(report: Report, excluded: readonly string[] = []): Shortcoming[] {
  const musts = report.requirements.filter(({ id, level }) => level === 'must' && !excluded.includes(id));
  const begun = Date.parse(report.run.startedAt);
  return [
    ...(removalAt(begun) === 'near'
      ? [
          {
            what: 'on the day of the removal of getPet nothing about it can be judged',
            remedy: 'run again when the day is over everywhere: after 2030-12-06T12:00Z',
          },
        ]
      : []),
    ...musts.flatMap((each) => lackOf(each, report) ?? []),
  ];
}

/** Whether an address is one, in the one spelling in which a run says it. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, pathname, username, password } = new URL(text);
  return (
    ['http:', 'https:'].includes(protocol) &&
    username + password === '' &&
    text === `${origin}${pathname.replace(/\/+$/, '')}`
  );
}

/** Whether an id is one of the catalogue. */
export function isRequirement(id: string): boolean {
  return Object.hasOwn(REQUIREMENTS, id);
}

/** What a must lacks, or null. */
function lackOf(result: RequirementResult, report: Report): Shortcoming | null {
  const { id, verdict, expected, received, reason, partial, cause } = result;
  if (verdict === 'fail')
    return {
      what: `${id} fails: expected ${expected ?? 'what it says'}, received ${received ?? 'something else'}`,
      remedy: `repair it; ${onlyCommand(startOf(report), id)} shows it again`,
    };
  if (verdict === 'inconclusive')
    return { what: `${id} is undecided`, remedy: reason ?? 'to decide, run all of the suite' };
  // a service may cut its lists: what they hide is told, and no other store would show it
  if (partial == null || cause?.kind === 'cut') return null;
  return {
    what: `${id} is judged in part: ${partial.reason}`,
    remedy:
      partial.needs === null
        ? 'a fresh store would judge it in full'
        : `set MAX_ANIMALS=${partial.needs}, or take a fresh store`,
  };
}
