/** The certification profile: the demands on a run, and the demands that a run does not meet. Pure. */
import { ASKED } from '../../fixtures/settings/certification-profile.ts';
import { getVariable, type VariableName } from '../../fixtures/settings/variables.ts';
import type { HeadRecord } from '../../fixtures/evidence/log.ts';
import { findRemovalState } from '../../fixtures/interface/removal.ts';
import { spellOnlyCommand, findStart } from '../words/commands.ts';
import type { Report, RequirementResult } from '../document/report-document.ts';

/** Name and version of the profile. Every change of a demand raises the version. */
export const CERTIFICATION = { name: 'certification', version: 2 } as const;

/** A demand that is not met, and the change that would meet it. */
export interface Shortcoming {
  what: string;
  remedy: string;
}

/** The parts of the evidence's first record on which the profile makes demands. */
type Asked = Pick<HeadRecord, 'target' | 'settings' | 'window'>;

/** Values that the suite itself refuses: evidence with them was changed after the run. */
const IMPOSSIBLE = 'run again with this suite';

/** Demands on the run as a whole, in the order in which they are shown: the demand, its breach in words, the remedy. */
const DEMANDS: readonly (readonly [isMet: (asked: Asked) => boolean, what: string, remedy: string])[] = [
  [
    ({ settings }) => settings.profile === CERTIFICATION.name,
    'the run was not made under the certification profile',
    'run with PROFILE=certification',
  ],
  [({ target }) => !target.embedded, 'the reference was judged that the suite carries', 'set BASE_URL'],
  [({ target }) => isAddress(target.baseUrl), 'the judged address is not a web address', IMPOSSIBLE],
  [({ settings }) => settings.mode === 'full', 'the run only read', 'run with MODE=full'],
  [
    // The seeds of the properties are drawn from the challenge; a plain `seed` stays at its default, 1.
    ({ settings: { seed, seeds = [] } }) => seed === 1 && seeds.length === 2 && seeds[0] !== seeds[1],
    'generated input does not come from two seeds',
    'leave SEED unset',
  ],
  [
    ({ settings }) => settings.propertyRuns === ASKED.PROPERTY_RUNS,
    `not ${ASKED.PROPERTY_RUNS} generated inputs for each property`,
    'leave PROPERTY_RUNS unset',
  ],
  [
    ({ settings }) => (settings.maxRequests ?? ASKED.MAX_REQUESTS) === ASKED.MAX_REQUESTS,
    `the run was not limited to ${ASKED.MAX_REQUESTS} requests`,
    'leave MAX_REQUESTS unset',
  ],
  [
    ({ settings }) => (settings.maxAnimals ?? ASKED.MAX_ANIMALS) === ASKED.MAX_ANIMALS,
    `the run was limited to other than ${ASKED.MAX_ANIMALS} animals`,
    `leave MAX_ANIMALS unset, or ${ASKED.MAX_ANIMALS}`,
  ],
  [
    ({ settings }) => settings.maxWrongKeys === ASKED.MAX_WRONG_KEYS,
    `the run was not limited to ${ASKED.MAX_WRONG_KEYS} wrong keys`,
    'leave MAX_WRONG_KEYS unset',
  ],
  [
    ({ window }) => window === ASKED.CONSISTENCY_WINDOW * 1_000,
    `reads were not given ${ASKED.CONSISTENCY_WINDOW} seconds`,
    'leave CONSISTENCY_WINDOW unset',
  ],
  [
    ({ settings }) => !settings.incognito && !settings.markedNamesOnly,
    'a part of what names and clients may be was left out',
    'leave INCOGNITO and MARKED_NAMES_ONLY unset',
  ],
  [({ settings }) => !settings.strict, 'a broken should was counted as a failure', 'leave STRICT unset'],
  [
    ({ settings: { requestTimeout, maxInFlight, maxRps } }) =>
      isWithin('REQUEST_TIMEOUT', requestTimeout / 1_000) &&
      isWithin('MAX_IN_FLIGHT', maxInFlight) &&
      (maxRps === null || isWithin('MAX_RPS', maxRps)),
    'the evidence names a pace that the suite does not take',
    IMPOSSIBLE,
  ],
];

/** True if the variable may have this value. */
function isWithin(name: VariableName, value: number): boolean {
  const { minimum, maximum, type } = getVariable(name);
  return value >= minimum && value <= maximum && (type !== 'integer' || Number.isInteger(value));
}

/** True if a text is a web address as a run writes it: no user name, no password, no query, no slash at the end. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  return /^https?:$/.test(protocol) && text === `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** Returns the demands that the settings of a run do not meet. */
export function findSettingsLacking(asked: Asked): Shortcoming[] {
  return DEMANDS.filter(([isMet]) => !isMet(asked)).map(([, what, remedy]) => ({ what, remedy }));
}

/**
 * Returns all that keeps a report from a certificate; empty if nothing does.
 * @param excluded ids of requirements that are left out
 */
export function findShortcomings(report: Report, excluded: readonly string[] = []): Shortcoming[] {
  const musts = report.requirements.filter(({ id, level }) => level === 'must' && !excluded.includes(id));
  const isNear = findRemovalState(Date.parse(report.run.startedAt)) === 'near';
  return [...(isNear ? [NEAR_REMOVAL] : []), ...musts.flatMap((each) => findShortcoming(each, report) ?? [])];
}

const NEAR_REMOVAL: Shortcoming = {
  what: 'on the day of the removal of getPet nothing about it can be judged',
  remedy: 'run again when the day is over everywhere: after 2030-12-06T12:00Z',
};

/** Says why a `must` keeps a report from a certificate; null if it does not. */
function findShortcoming(result: RequirementResult, report: Report): Shortcoming | null {
  const { id, verdict, expected, received, reason, partial, cause } = result;
  if (verdict === 'fail')
    return {
      what: `${id} fails: expected ${expected ?? 'what it says'}, received ${received ?? 'something else'}`,
      remedy: `repair it; ${spellOnlyCommand(findStart(report), id)} shows it again`,
    };
  if (verdict === 'inconclusive')
    return { what: `${id} is undecided`, remedy: reason ?? 'to decide, run all of the suite' };
  // A service may cut its lists. The report tells this, and a fresh store would hide the same animals.
  if (partial == null || cause?.kind === 'cut') return null;
  return {
    what: `${id} is judged in part: ${partial.reason}`,
    remedy:
      partial.needs === null
        ? 'a fresh store would judge it in full'
        : `set MAX_ANIMALS=${partial.needs}, or take a fresh store`,
  };
}
