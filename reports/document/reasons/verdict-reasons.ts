/** Writes the reason for the verdict of a requirement, or of the target, from single reasons. Pure. */
import { findNeeds, type Reason } from '../../../fixtures/judgement/reason.ts';
import { joinSome } from '../join-some.ts';
import type { RequirementResult } from '../report-document.ts';
import { describeReason, describeWithoutAdvice } from './reason-words.ts';

/** The most reasons that one requirement shows. */
const MOST_REASONS = 3;
/** The most requirements that a sentence names. */
const MOST_NAMED = 5;

/** Says why a requirement is undecided or does not apply. Other reasons come before the broken promises that are in its way. */
export function describeOpen(reasons: readonly Reason[]): string {
  const rank = (reason: Reason) => Number(reason.kind === 'blocked-by');
  const sentences = describeEach(reasons.toSorted((one, other) => rank(one) - rank(other)));
  // Leaves out a sentence that contains another one. Example: "3 of 3 examples are undecided: no answer came" contains "no answer came".
  const isRepeated = (each: string) => sentences.some((other) => other !== each && each.includes(other));
  return sentences
    .filter((each) => !isRepeated(each))
    .slice(0, MOST_REASONS)
    .join('; ');
}

/** Says what limits a pass: assumptions, undecided cases, and cases that do not apply. Empty if nothing does. */
export function describePass(limits: Record<'assumed' | 'open' | 'inapplicable', readonly Reason[]>): string {
  const { assumed, open, inapplicable } = limits;
  const blockers = [...new Set(open.flatMap((each) => (each.kind === 'blocked-by' ? each.requirement : [])))];
  const others = describeEach(open.filter(({ kind }) => kind !== 'blocked-by'));
  const notHere = [...new Set(inapplicable.map(describeWithoutAdvice))].join('; ');
  return [
    ...describeEach(assumed),
    ...(blockers.length === 0
      ? []
      : [`some of its tests were skipped: ${joinSome(blockers, MOST_NAMED)} failed`]),
    ...(others.length === 0 ? [] : [`some of its tests could not decide: ${others.join('; ')}`]),
    ...(notHere === '' ? [] : [`some cases do not apply here: ${notHere}`]),
  ].join('; ');
}

/** Says which cases a pass leaves out, with the first reason of each kind. */
export function describeLeftOut(cases: number, reasons: readonly Reason[]): string {
  const words = reasons
    .filter(({ kind }, index) => reasons.findIndex((each) => each.kind === kind) === index)
    // The reason leaves out its examples. If a number would decide, such as a MAX_ANIMALS, the report shows the number elsewhere.
    .map(({ examples: _, ...why }) =>
      typeof findNeeds(why)?.value === 'number' ? describeWithoutAdvice(why) : describeReason(why),
    );
  // Nobody knows how many cases a cut of lists hides.
  if (reasons.every(({ kind }) => kind === 'cut')) return words.join('; ');
  return `${count(cases, 'case')} left out: ${words.join('; ')}`;
}

/**
 * Says why no test of a promise ran.
 * @param stopped the reason for the stop, which may be a whole sentence
 */
export function describeNotRun(stopped: string): string {
  return `no test of it ran: ${stopped.charAt(0).toLowerCase()}${stopped.slice(1).replace(/\.$/, '')}`;
}

/** The advice for a run whose MAX_REQUESTS was too low. */
const USE_QUICK = '; or run with --quick, which takes 150 requests and says how much they find';

/** Says in one sentence why the target has its verdict. Lists hold ids of requirements. */
export const VERDICT_REASONS = {
  unfinished: 'the run did not come to its end',
  part: 'only a part of the suite was asked for; to decide, run the whole suite',
  /** @param failure words about the first failure; never null here, because a must has failed */
  broken: (failure: string | null, stopped: string | null) =>
    `${failure}${stopped === null ? '' : `; then the run stopped: ${stopped}`}`,
  stopped: (stopped: string, isSentence: boolean) => (isSentence ? stopped : `the run stopped: ${stopped}`),
  open: (open: readonly Pick<RequirementResult, 'id' | 'reason' | 'cause'>[]) => {
    const isShort = open.some(({ cause }) => cause?.needs?.variable === 'MAX_REQUESTS');
    const ids = open.map(({ id }) => id);
    return `${count(open.length, 'promise')} undecided: ${joinSome(ids, MOST_NAMED)}${nameCommonReason(open)}${isShort ? USE_QUICK : ''}`;
  },
  /** Requirements whose requests were not sent, to protect animals of others. */
  unsent: (ids: readonly string[]) => `not asked again: ${joinSome(ids, MOST_NAMED)} needs an empty store`,
  /** Core answers that the run did not see, such as the 200 of listPets. */
  unserved: (ids: readonly string[]) =>
    `the run did not see what every conforming target shows: ${joinSome(ids, MOST_NAMED)}`,
  /**
   * A quick run. `share`: of the kinds of faults that a whole run finds, the part that a quick run finds; null: it was cut short.
   * `left`: the musts that it did not ask. `warned`: the first warning, if strict mode fails on it.
   */
  noneFound: (requests: number, share: number | null, left: readonly string[], warned: string | null) => {
    const power =
      share === null
        ? 'it was cut short, and nobody has measured how much that finds'
        : `which finds about ${Math.floor(share * 10)} of 10 of the kinds of faults that a whole run finds (measured by the proof of this version)`;
    const unasked = left.length === 0 ? '' : `; not asked: ${joinSome(left, MOST_NAMED)}`;
    return `no failure found in ${count(requests, 'request')}, ${power}${unasked}${describeStrict(warned)}`;
  },
  /**
   * `parts` has an entry for each requirement judged in part: the MAX_ANIMALS that would judge it in full, or null if there is
   * none. `keptBack` has the requirements that were not sent, to protect animals of others.
   */
  kept: (grounds: {
    readOnly: boolean;
    parts: readonly (number | null)[];
    keptBack: readonly string[];
    animals: number;
    warned: string | null;
  }) => {
    const { readOnly, parts, keptBack, animals, warned } = grounds;
    const kept = readOnly ? 'conforming as far as read-only asks' : 'every promise that applies here is kept';
    const unsent =
      keptBack.length === 0
        ? ''
        : `; not asked for the sake of animals of others: ${joinSome(keptBack, MOST_NAMED)} (an empty store decides)`;
    return `${kept}${describeParts(parts, animals)}${unsent}${describeStrict(warned)}`;
  },
};

function describeStrict(warned: string | null): string {
  return warned === null ? '' : `, but strict mode fails on warnings: ${warned}`;
}

function describeEach(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons.map(describeReason))];
}

/** Says how many promises were judged in part, and which MAX_ANIMALS would judge them in full. */
function describeParts(parts: readonly (number | null)[], animals: number): string {
  if (parts.length === 0) return '';
  const known = parts.filter((each) => each !== null);
  const judged = `; judged with ${count(animals, 'animal')}: ${count(parts.length, 'promise')} in part`;
  if (known.length === 0) return `${judged}, each with its reason`;
  const them = known.length === 1 ? 'it' : 'them';
  return `${judged} (MAX_ANIMALS=${Math.max(...known)} judges ${known.length < parts.length ? `${known.length} of them` : them} in full)`;
}

/** Names the most common reason of undecided requirements; empty if no requirement has a reason. */
function nameCommonReason(open: readonly Pick<RequirementResult, 'reason'>[]): string {
  const reasons = open.flatMap(({ reason }) => reason ?? []);
  const countOf = (text: string) => reasons.filter((each) => each === text).length;
  const [common] = [...new Set(reasons)].toSorted((left, right) => countOf(right) - countOf(left));
  if (common === undefined) return '';
  return `; ${countOf(common) === open.length ? 'why' : 'most of all'}: ${common}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
