/**
 * Puts the results of the proof together. The proof runs the suite on variants of the reference service: a fault breaks one
 * promise and must be caught; a freedom differs in a permitted way and must not be flagged. A base is one way to build the
 * reference; a pair is two freedoms at once. The matrix says which fault was caught, and lists every problem. Pure.
 */
import { compareDistances, type Distances } from './distances.ts';
import { compareFirstCauses, findProblem, type FirstCauses } from './first-causes.ts';
import { findFlagged } from './flagged.ts';
import { isNamedBy, filterByVerdicts, type Described, type VariantOutcome } from './outcome.ts';

export type { VariantOutcome };

/** The pairs of freedoms that were judged. `seed` is the seed that drew them; null if they were named. */
export interface Pairs {
  seed: number | null;
  judged: readonly Described[];
}

/**
 * The result of one battery of hard variants: faults that are harder to see, for example because they show in few answers, or on
 * a store with animals of others. `shown` counts the runs in which the service gave a wrong answer, or may have given one.
 */
export interface HardResult {
  battery: string;
  /** A few words about the battery. */
  what: string;
  runs: number;
  shown: number;
  caught: number;
  /** At least this share of the shown faults must be caught, from 0 to 1. */
  least: number;
  isEnough: boolean;
  /** Each run that did not name the fault that it was shown. */
  missed: string[];
}

/** Results of the hard variants that `seed` drew. */
interface HardResults {
  seed: number;
  results: readonly HardResult[];
}

/** Says which tests caught which faults, and lists every problem. */
export interface KillMatrix {
  schemaVersion: 1;
  /** Bases on which variants are judged. A base is one way to build a service. */
  bases: { name: string; flagged: string[] }[];
  faults: {
    id: string;
    base: string;
    what: string;
    breaks: string;
    caught: boolean;
    /** True if the fault was not caught because it gave no wrong answer on its base. */
    masked: boolean;
    /** True if a property with generated input found it, and no plain test. */
    byProperties: boolean;
    /** Why no run with the usual budget can see the fault; null if a run can. */
    beyondReach: string | null;
    /** Requirements that failed or warned. */
    failed: string[];
    requests: number;
    /** The number of wrong answers that the service gave; null if it does not count them. */
    wrongAnswers: number | null;
  }[];
  freedoms: {
    id: string;
    base: string;
    what: string;
    permittedBy: string;
    passed: boolean;
    flagged: string[];
  }[];
  /** `flagged` has only the flagged pairs, with the verdicts that flagged them. */
  pairs: { seed: number | null; judged: number; flagged: { id: string; by: string[] }[] };
  hard: HardResults;
  distances: Distances;
  firstCauses: FirstCauses;
  /** Empty if the suite is proved. */
  problems: Problem[];
  figures: {
    requirements: number;
    silences: number;
    faults: number;
    caught: number;
    /** The number of faults that survived; survivors.json lists them. */
    survivors: number;
    masked: number;
    /** Faults whose outcome depends on the distance. */
    byDistance: number;
    caughtByPropertiesAlone: number;
    /** Named faults that the rules alone name, of the named faults that were judged to the end. */
    namedByRulesAlone: string;
    /** The same for rules and noted demands. */
    namedByEvidence: string;
    beyondReach: number;
    freedoms: number;
    flagged: number;
    pairs: number;
    pairsFlagged: number;
    /** By battery, the runs that named the fault that they were shown, of all that were shown one. */
    hard: Record<string, string>;
    /**
     * The median number of requirements that a fault fails, over the named faults that were judged to the end.
     * One cause should be one failure.
     */
    medianFailed: number;
    /** Reports about faults that name the fault first, of all such reports. */
    firstCauses: string;
    seconds: number;
  };
}

/** A reason why the suite is not proved. `kind` is the kind of thing that it is about. */
export interface Problem {
  kind: 'reference' | 'base' | 'fault' | 'freedom' | 'pair' | 'hard' | 'estimate' | 'requirement' | 'causes';
  /** One sentence. */
  text: string;
}

/** The name of the base without oddities. */
const REFERENCE = 'reference';

/** A fault that no run names yet, as survivors.json lists it. */
export interface Survivor {
  fault: string;
  /** The name of the base on which the fault is judged. */
  base: string;
  /** The common trait of such faults. */
  class: string;
  /** The issue that will make a run name the fault. */
  issue: string;
}

/** The catalogue of the proof: all facts besides the outcomes. */
interface Catalogue {
  /** Faults with the base on which each is judged. If a fault is judged on several bases, the outcome with that base counts. */
  bases: readonly Described[];
  faults: readonly Described[];
  freedoms: readonly Described[];
  /** The usual distance of a service: a round trip in milliseconds. */
  roundTrip: number;
  pairs: Pairs;
  hard: HardResults;
  /** Faults that may survive, among the judged ones. They are no problem until a run catches them. */
  survivors: readonly Survivor[];
  /** Ids of requirements that have a test. */
  requirements: readonly string[];
  silences: number;
}

/**
 * Makes the matrix of a whole proof.
 * @param baseline the outcome of the plain reference
 */
export function makeKillMatrix(
  catalogue: Catalogue,
  outcomes: readonly VariantOutcome[],
  baseline: VariantOutcome,
  seconds: number,
): KillMatrix {
  // Outcomes at the usual distance. A later outcome of the same variant replaces an earlier one.
  const byId: ById = new Map(
    outcomes
      .filter(({ roundTrip }) => roundTrip === catalogue.roundTrip)
      .map((each) => [`${each.kind} ${each.id}`, each]),
  );
  // Requirements that do not apply to the plain reference need not apply to a variant.
  const notHere = filterByVerdicts(baseline, 'not-applicable');
  const { seed, judged } = catalogue.pairs;
  const rows = {
    bases: catalogue.bases.map((base) => ({
      name: base.id,
      flagged: findFlagged(byId.get(`base ${base.id}`), base, notHere),
    })),
    faults: catalogue.faults.map((fault) => makeFaultRow(fault, byId.get(`fault ${fault.id}`))),
    freedoms: catalogue.freedoms.map((freedom) =>
      makeFreedomRow(freedom, byId.get(`freedom ${freedom.id}`), notHere),
    ),
    pairs: {
      seed,
      judged: judged.length,
      flagged: judged
        .map((pair) => ({ id: pair.id, by: findFlagged(byId.get(`pair ${pair.id}`), pair, notHere, 'pair') }))
        .filter(({ by }) => by.length > 0),
    },
    hard: catalogue.hard,
    distances: compareDistances(catalogue, outcomes, catalogue.roundTrip, notHere),
    // No report is expected about a fault beyond reach.
    firstCauses: compareFirstCauses(
      catalogue.faults.filter(({ beyondReach }) => beyondReach === undefined),
      (id) => byId.get(`fault ${id}`),
    ),
  };
  return {
    schemaVersion: 1,
    ...rows,
    problems: [
      ...filterByVerdicts(baseline, 'fail', 'warn', 'inconclusive').map((id) =>
        makeProblem('reference', `the reference itself does not pass ${id}`),
      ),
      ...[
        ...rows.faults.flatMap((fault) => findFaultProblem(fault, catalogue)),
        ...findShouldProblems(catalogue, byId, baseline),
      ].map((text) => makeProblem('fault', text)),
      ...findFreedomProblems(rows),
      ...rows.hard.results
        .filter(({ isEnough }) => !isEnough)
        .map((each) => makeProblem('hard', describeMissed(each, rows.hard))),
      ...findProblem(rows.firstCauses).map((text) => makeProblem('causes', text)),
      ...findEstimateProblems(outcomes),
      ...findCatalogueProblems(catalogue, rows),
    ],
    figures: { ...computeFigures(catalogue, rows, byId), seconds },
  };
}

/** Outcomes by kind and id: `fault list-pets.one-more`. */
type ById = ReadonlyMap<string, VariantOutcome>;
type Rows = Pick<
  KillMatrix,
  'bases' | 'faults' | 'freedoms' | 'pairs' | 'hard' | 'distances' | 'firstCauses'
>;
type FaultRow = Rows['faults'][number];

const isWithinReach = ({ beyondReach }: FaultRow) => beyondReach === null;

function computeFigures(
  catalogue: Catalogue,
  rows: Rows,
  byId: ById,
): Omit<KillMatrix['figures'], 'seconds'> {
  const { faults, freedoms, pairs, hard, distances, firstCauses } = rows;
  const counted = faults.filter(isWithinReach);
  const caught = counted.filter((each) => each.caught);
  // Only runs that came to their end count: a run that ended at the first failure has no more failures.
  const named = caught.flatMap(({ id }) => byId.get(`fault ${id}`) ?? []).filter(({ whole }) => whole);
  return {
    requirements: catalogue.requirements.length,
    silences: catalogue.silences,
    faults: counted.length,
    caught: caught.length,
    survivors: counted.filter((each) => !each.caught && !each.masked).length,
    masked: counted.filter(({ masked }) => masked).length,
    byDistance: distances.faults.length,
    caughtByPropertiesAlone: counted.filter(({ byProperties }) => byProperties).length,
    namedByRulesAlone: `${named.filter(({ byRules }) => byRules).length} of ${named.length}`,
    namedByEvidence: `${named.filter(({ byEvidence }) => byEvidence).length} of ${named.length}`,
    beyondReach: faults.length - counted.length,
    freedoms: freedoms.length,
    flagged: freedoms.filter(({ passed }) => !passed).length,
    pairs: pairs.judged,
    pairsFlagged: pairs.flagged.length,
    hard: Object.fromEntries(
      hard.results.map(({ battery, shown, caught: named, runs }) => [
        battery,
        `${named} of ${shown} shown, ${runs} runs`,
      ]),
    ),
    firstCauses: `${firstCauses.right} of ${firstCauses.reports}`,
    medianFailed: median(named.map((each) => filterByVerdicts(each, 'fail', 'warn').length)),
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

function makeProblem(kind: Problem['kind'], text: string): Problem {
  return { kind, text };
}

/** Returns the problem that a fault was not caught; empty if it was, or if survivors.json lists it. */
function findFaultProblem(fault: FaultRow, { survivors }: Catalogue): string[] {
  const { id, base, breaks, caught, masked, failed, wrongAnswers } = fault;
  const listed = survivors.find((each) => each.fault === id);
  if (listed !== undefined) return findListedProblem(fault, listed);
  if (caught || masked || !isWithinReach(fault)) return [];
  if (failed.length > 0)
    return [`fault ${id} on ${base} breaks ${breaks}, but what failed is ${failed.join(', ')}`];
  const reason = wrongAnswers === 0 ? ', for it gave no wrong answer in this run' : '';
  return [`fault ${id} on ${base} survived: nothing failed${reason}`];
}

/** Returns the problem if survivors.json lists a fault on another base, or one that is caught or masked. */
function findListedProblem({ id, base, caught, masked }: FaultRow, listed: Survivor): string[] {
  if (listed.base !== base)
    return [`fault ${id} is judged on the base ${base}, but survivors.json lists it on ${listed.base}`];
  if (!caught && !masked) return [];
  return [`fault ${id} is ${caught ? 'caught' : 'masked'} by now: take it out of survivors.json`];
}

function findShouldProblems({ faults }: Catalogue, byId: ById, baseline: VariantOutcome): string[] {
  return faults
    .filter(({ onlyShould }) => onlyShould)
    .flatMap(({ id }) =>
      findCosts(byId.get(`fault ${id}`), baseline).map(
        (cost) => `fault ${id} breaks only a should, but ${cost}`,
      ),
    );
}

function findFreedomProblems({ bases, freedoms, pairs, distances }: Rows): Problem[] {
  const seed = pairs.seed === null ? '' : ` (seed ${pairs.seed})`;
  return [
    ...bases
      .filter(({ flagged }) => flagged.length > 0)
      .map(({ name, flagged }) => makeProblem('base', `base ${name} was flagged: ${flagged.join('; ')}`)),
    ...freedoms
      .filter(({ passed }) => !passed)
      .map(({ id, base, flagged }) =>
        makeProblem('freedom', `freedom ${id} on ${base} was flagged: ${flagged.join('; ')}`),
      ),
    ...distances.freedoms.map(({ id, base, roundTrip, by }) =>
      makeProblem('freedom', `freedom ${id} on ${base}, ${roundTrip} ms away, was flagged: ${by.join('; ')}`),
    ),
    ...pairs.flagged.map(({ id, by }) =>
      makeProblem('pair', `pair ${id}${seed} was flagged: ${by.join('; ')}`),
    ),
  ];
}

/**
 * Finds verdicts that would change if an assumption were estimated a little more or less improbable. They are a problem, but not
 * for services with twenty faults at once (`many:`): some promise of such a service may always be near a border.
 */
function findEstimateProblems(outcomes: readonly VariantOutcome[]): Problem[] {
  return outcomes
    .filter(({ id, hangsOn }) => hangsOn.length > 0 && !id.startsWith('many:'))
    .map(({ kind, id, base, hangsOn }) =>
      makeProblem(
        'estimate',
        `what ${kind} ${id} on ${base} breaks hangs on the improbability of ${hangsOn.join(' and of ')}`,
      ),
    );
}

function describeMissed({ what, shown, caught, least, missed }: HardResult, { seed }: HardResults): string {
  return `of ${shown} runs on ${what} ${caught} named the fault, which is less than ${least * 100} % (seed ${seed}): ${missed.join('; ')}`;
}

/** Finds requirements that no fault breaks. */
function findCatalogueProblems({ requirements }: Catalogue, { faults }: Rows): Problem[] {
  const broken = new Set(faults.filter(isWithinReach).map(({ breaks }) => breaks));
  return requirements
    .filter((id) => !broken.has(id))
    .map((id) => makeProblem('requirement', `requirement ${id} has no fault`));
}

/** The part of a row that comes from the run on the fault. */
type RunPart = Pick<FaultRow, 'caught' | 'byProperties' | 'failed' | 'requests' | 'wrongAnswers'>;

/** The values if there was no run on the fault. */
const NO_RUN: RunPart = { caught: false, byProperties: false, failed: [], requests: 0, wrongAnswers: null };

function makeFaultRow(fault: Described, outcome: VariantOutcome | undefined): FaultRow {
  const { id, base = REFERENCE, what, breaks = '', beyondReach = null } = fault;
  const ran = outcome === undefined ? NO_RUN : readRunPart(fault, outcome);
  // A base may hide a fault, so that it gives no wrong answer: it is masked. On the plain reference nothing hides it.
  const masked = base !== REFERENCE && ran.failed.length === 0 && ran.wrongAnswers === 0;
  return { id, base, what, breaks, beyondReach, masked, ...ran };
}

function readRunPart(fault: Described, outcome: VariantOutcome): RunPart {
  const { breaks = '', names = [breaks] } = fault;
  return {
    caught: isNamedBy(outcome, fault),
    byProperties: outcome.byProperties.some((each) => names.includes(each)),
    failed: filterByVerdicts(outcome, 'fail', 'warn'),
    requests: outcome.requests,
    wrongAnswers: outcome.wrongAnswers ?? null,
  };
}

/**
 * Returns the effects of a fault that breaks only a should, if they are more than a warning: a failed must, a requirement that is
 * undecided and is decided on the reference, or another exit code.
 */
function findCosts(outcome: VariantOutcome | undefined, baseline: VariantOutcome): string[] {
  // A run that was ended early leaves undecided all requirements that it did not ask about.
  if (outcome === undefined || !outcome.whole) return [];
  const open = filterByVerdicts(baseline, 'inconclusive');
  const undecided = filterByVerdicts(outcome, 'inconclusive').filter((id) => !open.includes(id));
  const failed = filterByVerdicts(outcome, 'fail');
  return [
    ...(failed.length > 0 ? [`failed is ${failed.join(', ')}`] : []),
    ...(undecided.length > 0 ? [`undecided is ${undecided.join(', ')}`] : []),
    ...(failed.length + undecided.length === 0 && outcome.exitCode !== baseline.exitCode
      ? [`the exit code is ${outcome.exitCode}`]
      : []),
  ];
}

function makeFreedomRow(
  freedom: Described,
  outcome: VariantOutcome | undefined,
  notHere: readonly string[],
): KillMatrix['freedoms'][number] {
  const { id, base = REFERENCE, what, permittedBy = '' } = freedom;
  const flagged = findFlagged(outcome, freedom, notHere);
  return { id, base, what, permittedBy, passed: flagged.length === 0, flagged };
}
