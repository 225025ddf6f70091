/** Runs tests against the reference in this process, so that `explain` can show the requests of a promise. */
import type { Demand } from '../../../fixtures/evidence/demand.ts';
import { judgeVariant, type JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { OF_EVERY_ERROR, OF_EVERY_PET } from '../../../fixtures/interface/blame.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';

/** `asked`: the ids of the exchanges that one test got. `demands`: the answers that it demanded. */
interface Grounds {
  asked: readonly string[];
  demands: readonly Demand[];
  /** False if the test threw an error before its end. */
  isWhole: boolean;
}

/** PROPERTY_RUNS where a few generated requests show what a test asks. */
export const FEW_INPUTS_SHOWN = 10;

/** Runs the tests. `judged` is the whole run; `grounds` has an entry for each test that began. */
export async function runOnReference(
  tests: readonly ReadTest[],
): Promise<{ judged: JudgedVariant; grounds: ReadonlyMap<ReadTest, Grounds> }> {
  const grounds = new Map<ReadTest, Grounds>();
  const judged = await judgeVariant(
    { vary: () => Reference, settings: { propertyRuns: FEW_INPUTS_SHOWN } },
    tests.map((test) => ({
      ...test,
      body: async (args: Parameters<typeof test.body>[0]) => {
        const { exchangesOfTest: asked, demands } = args.scope;
        // The scope fills both arrays while the test runs, so a test that throws leaves its grounds too.
        grounds.set(test, { asked, demands, isWhole: false });
        await test.body(args);
        grounds.set(test, { asked, demands, isWhole: true });
      },
    })),
  );
  return { judged, grounds };
}

/**
 * True if the demand decides about the promise `id`: the demand names the promise, or it demands a body whose form the
 * promise describes. E.g. a demanded Error decides about `errors.code`.
 */
export function isAbout(demand: Demand, id: string): boolean {
  if (demand.owner === id) return true;
  if (!('answers' in demand)) return false;
  if (demand.body !== undefined) return demand.body === id;
  return demand.answers.some(([status, body]) => {
    if (body === 'Error')
      return isIn(OF_EVERY_ERROR, id) || (status === 401 && id === 'authentication.challenge');
    return (
      isIn(OF_EVERY_PET, id) ||
      id === (body === 'Pets' ? 'list-pets.bare-array' : 'representation.pet-object')
    );
  });
}

function isIn(ids: readonly string[], id: string): boolean {
  return ids.includes(id);
}
