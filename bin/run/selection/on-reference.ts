/** Runs tests against the reference in this process, so that `explain` can show the requests of a promise. */
import { judgeVariant, type JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';

/** `asked`: the ids of the exchanges that one test got. `demands`: the answers that it demanded. */
interface Grounds {
  asked: readonly string[];
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
        const { exchangesOfTest: asked } = args.scope;
        // The scope fills both arrays while the test runs, so a test that throws leaves its grounds too.
        grounds.set(test, { asked, isWhole: false });
        await test.body(args);
        grounds.set(test, { asked, isWhole: true });
      },
    })),
  );
  return { judged, grounds };
}
