/**
 * Makes the kill matrix, the result of the proof: which fault was caught, and every problem. Pure. The proof runs the suite on variants
 * of the reference service:
 * - a fault breaks one promise and must be caught (named by a run).
 * - a freedom differs in a permitted way and must not be flagged (accused). A pair is two freedoms at once.
 * - a base is one way to build the reference. Each variant is put on one; a fault that gives no wrong answer there is masked.
 */
import { compareDistances } from './distances.ts';
import { compareFirstCauses, findProblem } from './first-causes.ts';
import { findFlagged } from './flagged.ts';
import { isNamedBy, filterByVerdicts, type Described, type VariantOutcome } from './outcome.ts';

export type { VariantOutcome };

/** The pairs of freedoms that were judged. */
export interface Pairs {
  /** The seed that drew them; null if the user named them. */
  seed: number | null;
  judged: readonly Described[];
}

/**
 * The result of one battery of hard variants: faults that are harder to see, e.g. because they show in few answers, or on a store with
 * animals of others.
 */
export interface HardResult {
  battery: string;
  /** A few words about the battery. */
  what: string;
  runs: number;
  /** The runs in which the service gave a wrong answer, or may have given one. */
  shown: number;
  caught: number;
  /** At least this share of the shown faults must be caught, from 0 to 1. */
  least: number;
  isEnough: boolean;
  /** The runs that were shown the fault and did not name it. */
  missed: string[];
}

/** Says which faults were caught, and lists every problem. */
export interface KillMatrix extends Rows {
  schemaVersion: 1;
  /** Empty if the suite is proved. */
  problems: Problem[];
  figures: ReturnType<typeof computeFigures> & { seconds: number };
}

/** A reason why the suite is not proved. `kind` is the kind of thing that it is about. */
export interface Problem {
  kind: 'reference' | 'base' | 'fault' | 'freedom' | 'pair' | 'hard' | 'requirement' | 'causes';
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
  /** Says why no run names the fault, e.g. `a neighbour is named: get-pet.not-found`. */
  class: string;
  /** The issue that will make a run name the fault. */
  issue: string;
}

/** All variants of the proof, and facts about them that are not in the outcomes of runs. */
interface Catalogue {
  bases: readonly Described[];
  faults: readonly Described[];
  freedoms: readonly Described[];
  /** The usual distance of a service: a round trip in milliseconds. */
  roundTrip: number;
  pairs: Pairs;
  /** Results of the hard variants that `seed` drew. */
  hard: { seed: number; results: readonly HardResult[] };
  /** Judged faults that survivors.json lists. They may survive; it is a problem if a run names one. */
  survivors: readonly Survivor[];
  /** Ids of requirements that have a test. */
  requirements: readonly string[];
  silences: number;
}

/**
 * Makes the matrix of a proof that ran to its end.
 * @param outcomes the outcomes of all runs; a variant may have several
 * @param baseline the outcome of the run on the reference without fault or freedom
 */
export function makeKillMatrix(
  catalogue: Catalogue,
  outcomes: readonly VariantOutcome[],
  baseline: VariantOutcome,
  seconds: number,
): KillMatrix {
  // Only outcomes at the usual distance. Of several outcomes of a variant, the last one counts.
  const byId: ById = new Map(
    outcomes
      .filter(({ roundTrip }) => roundTrip === catalogue.roundTrip)
      .map((each) => [`${each.kind} ${each.id}`, each]),
  );
  const rows = makeRows(catalogue, outcomes, byId, baseline);
  const problems: [Problem['kind'], string[]][] = [
    [
      'reference',
      filterByVerdicts(baseline, 'fail', 'warn', 'inconclusive').map(
        (id) => `the reference itself does not pass ${id}`,
      ),
    ],
    ['fault', rows.faults.flatMap((fault) => findFaultProblem(fault, catalogue))],
    ['fault', findShouldProblems(catalogue, byId, baseline)],
    ...findFlaggedProblems(rows),
    [
      'hard',
      rows.hard.results.flatMap((each) => (each.isEnough ? [] : describeMissed(each, rows.hard.seed))),
    ],
    ['causes', findProblem(rows.firstCauses)],
    ['requirement', findCatalogueProblems(catalogue, rows)],
  ];
  return {
    schemaVersion: 1,
    ...rows,
    problems: problems.flatMap(([kind, texts]) => texts.map((text) => ({ kind, text }))),
    figures: { ...computeFigures(catalogue, rows, byId), seconds },
  };
}

/** Returns the rows of the matrix: a row for each base, fault, freedom, pair and battery. */
function makeRows(
  catalogue: Catalogue,
  outcomes: readonly VariantOutcome[],
  byId: ById,
  baseline: VariantOutcome,
) {
  // Requirements that do not apply to the plain reference need not apply to a variant.
  const notApplicable = filterByVerdicts(baseline, 'not-applicable');
  const { seed, judged } = catalogue.pairs;
  return {
    bases: catalogue.bases.map((base) => ({
      name: base.id,
      flagged: findFlagged(byId.get(`base ${base.id}`), base, notApplicable),
    })),
    faults: catalogue.faults.map((fault) => makeFaultRow(fault, byId.get(`fault ${fault.id}`))),
    freedoms: catalogue.freedoms.map(({ base = REFERENCE, ...freedom }) => ({
      id: freedom.id,
      base,
      what: freedom.what,
      permittedBy: freedom.permittedBy ?? '',
      flagged: findFlagged(byId.get(`freedom ${freedom.id}`), freedom, notApplicable),
    })),
    /** `flagged` has only the flagged pairs, with the verdicts that flagged them. */
    pairs: {
      seed,
      judged: judged.length,
      flagged: judged
        .map((pair) => ({
          id: pair.id,
          by: findFlagged(byId.get(`pair ${pair.id}`), pair, notApplicable, 'pair'),
        }))
        .filter(({ by }) => by.length > 0),
    },
    hard: catalogue.hard,
    distances: compareDistances(catalogue, outcomes, catalogue.roundTrip, notApplicable),
    // No run can see a fault beyond reach, so no report has to name it first.
    firstCauses: compareFirstCauses(
      catalogue.faults.filter(({ beyondReach }) => beyondReach === undefined),
      (id) => byId.get(`fault ${id}`),
    ),
  };
}

/** Outcomes by kind and id: `fault list-pets.one-more`. */
type ById = ReadonlyMap<string, VariantOutcome>;
type Rows = ReturnType<typeof makeRows>;
type FaultRow = ReturnType<typeof makeFaultRow>;

const isWithinReach = ({ beyondReach }: FaultRow) => beyondReach === null;

function computeFigures(catalogue: Catalogue, rows: Rows, byId: ById) {
  const { faults, freedoms, pairs, hard, distances, firstCauses } = rows;
  const counted = faults.filter(isWithinReach);
  const caught = counted.filter((each) => each.caught);
  // Only runs that came to their end count: a run that ended at the first failure has no more failures.
  const wholeRuns = caught.flatMap(({ id }) => byId.get(`fault ${id}`) ?? []).filter(({ whole }) => whole);
  return {
    requirements: catalogue.requirements.length,
    silences: catalogue.silences,
    faults: counted.length,
    caught: caught.length,
    /** Faults that survived; survivors.json lists them. */
    survivors: counted.filter((each) => !each.caught && !each.masked).length,
    masked: counted.filter(({ masked }) => masked).length,
    /** Faults whose outcome depends on the distance. */
    byDistance: distances.faults.length,
    /** How many of the caught faults the rules find without the tests. */
    namedByRulesAlone: `${wholeRuns.filter(({ byRules }) => byRules).length} of ${wholeRuns.length}`,
    beyondReach: faults.length - counted.length,
    freedoms: freedoms.length,
    flagged: freedoms.filter(isFlagged).length,
    pairs: pairs.judged,
    pairsFlagged: pairs.flagged.length,
    hard: Object.fromEntries(
      hard.results.map(({ battery, shown, caught: found, runs }) => [
        battery,
        `${found} of ${shown} shown, ${runs} runs`,
      ]),
    ),
    firstCauses: `${firstCauses.right} of ${firstCauses.reports}`,
  };
}

const isFlagged = ({ flagged }: { flagged: readonly string[] }) => flagged.length > 0;

/** Returns the problem that a fault was not caught, or that survivors.json is wrong about it; empty if there is none. */
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

/** Returns a problem for each fault that breaks only a should and has more effects than a warning. */
function findShouldProblems({ faults }: Catalogue, byId: ById, baseline: VariantOutcome): string[] {
  return faults.flatMap(({ id, onlyShould }) => {
    const costs = onlyShould ? findCosts(byId.get(`fault ${id}`), baseline) : [];
    return costs.map((cost) => `fault ${id} breaks only a should, but ${cost}`);
  });
}

/** Returns an entry for each base, freedom and pair. It has a text only if the variant was flagged. */
function findFlaggedProblems({ bases, freedoms, pairs, distances }: Rows) {
  const seed = pairs.seed === null ? '' : ` (seed ${pairs.seed})`;
  const describe = (kind: Problem['kind'], what: string, by: readonly string[]): [typeof kind, string[]] => [
    kind,
    by.length > 0 ? [`${what} was flagged: ${by.join('; ')}`] : [],
  ];
  return [
    ...bases.map(({ name, flagged }) => describe('base', `base ${name}`, flagged)),
    ...freedoms.map(({ id, base, flagged }) => describe('freedom', `freedom ${id} on ${base}`, flagged)),
    ...distances.freedoms.map(({ id, base, roundTrip, by }) =>
      describe('freedom', `freedom ${id} on ${base}, ${roundTrip} ms away,`, by),
    ),
    ...pairs.flagged.map(({ id, by }) => describe('pair', `pair ${id}${seed}`, by)),
  ];
}

function describeMissed({ what, shown, caught, least, missed }: HardResult, seed: number): string {
  return `of ${shown} runs on ${what} ${caught} named the fault, which is less than ${least * 100} % (seed ${seed}): ${missed.join('; ')}`;
}

/** Finds requirements that no fault breaks. */
function findCatalogueProblems({ requirements }: Catalogue, { faults }: Rows): string[] {
  const broken = new Set(faults.filter(isWithinReach).map(({ breaks }) => breaks));
  return requirements.filter((id) => !broken.has(id)).map((id) => `requirement ${id} has no fault`);
}

function makeFaultRow(fault: Described, outcome: VariantOutcome | undefined) {
  const { id, base = REFERENCE, what, breaks = '', beyondReach = null } = fault;
  const caught = outcome !== undefined && isNamedBy(outcome, fault);
  const failed = outcome === undefined ? [] : filterByVerdicts(outcome, 'fail', 'warn');
  const { requests = 0, wrongAnswers = null } = outcome ?? {};
  // A base may hide a fault: then the fault gives no wrong answer, and is masked. The plain reference hides none.
  const masked = base !== REFERENCE && failed.length === 0 && wrongAnswers === 0;
  return { id, base, what, breaks, beyondReach, masked, caught, failed, requests, wrongAnswers };
}

/**
 * Returns the effects of a fault that breaks only a should, if they are more than a warning: a failed must, a requirement that is undecided
 * only with the fault, or another exit code.
 */
function findCosts(outcome: VariantOutcome | undefined, baseline: VariantOutcome): string[] {
  // A run that was ended early leaves undecided all requirements that it did not ask about.
  if (outcome === undefined || !outcome.whole) return [];
  const open = filterByVerdicts(baseline, 'inconclusive');
  const undecided = filterByVerdicts(outcome, 'inconclusive').filter((id) => !open.includes(id));
  const failed = filterByVerdicts(outcome, 'fail');
  if (failed.length + undecided.length === 0)
    return outcome.exitCode === baseline.exitCode ? [] : [`the exit code is ${outcome.exitCode}`];
  return Object.entries({ failed, undecided }).flatMap(([what, ids]) =>
    ids.length > 0 ? [`${what} is ${ids.join(', ')}`] : [],
  );
}
