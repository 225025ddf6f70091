/** Finds the requests that the suite sends about one promise, for the command `explain`. */
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { judgeVariant, type JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';

/** PROPERTY_RUNS if a few generated requests show what a test asks. */
export const FEW_INPUTS_SHOWN = 10;

/** `judged`: the run against the reference. `sent`: its requests about the promise, each with the place that sent it, e.g. `tests/list-pets.spec.ts:40`. */
interface WhatIsSent {
  judged: JudgedVariant;
  sent: readonly { exchange: Exchange; by: string }[];
}

/**
 * Runs the tests against the reference, and returns their requests about a promise or an open question, in the order of the
 * tests. Requests that the session itself sent for it come last.
 * @param tests the tests of the promise, the plainest first
 */
export async function findWhatIsSent(id: string, tests: readonly ReadTest[]): Promise<WhatIsSent> {
  // By test, the ids of its exchanges. The scope adds them while the test runs, so a test that throws leaves its own too.
  const asked = new Map<ReadTest, readonly string[]>();
  const judged = await judgeVariant(
    { vary: () => Reference, settings: { propertyRuns: FEW_INPUTS_SHOWN } },
    tests.map((test) => ({
      ...test,
      body: (args: Parameters<typeof test.body>[0]) => {
        asked.set(test, args.scope.exchangesOfTest);
        return test.body(args);
      },
    })),
  );
  const operation = REQUIREMENTS[id]?.operation ?? 'every operation';
  const all = judged.all().filter((each) => isOfOperation(each, operation));
  const ran = tests.filter((test) => asked.has(test));
  // Generated requests of a property are about several promises, so they are shown only if no other test asks for this one.
  const plain = ran.filter((test) => ran.length === 1 || !nameFile(test).startsWith('tests/properties/'));
  const ofTests = plain.flatMap((test) =>
    all
      .filter((each) => asked.get(test)?.includes(each.id))
      .map((exchange) => ({ exchange, by: `${nameFile(test)}:${test.place.line}` })),
  );
  const given = new Set([...asked.values()].flat());
  const ofSession = all.filter((each) => each.ask.purpose === id && !given.has(each.id));
  return {
    judged,
    sent: [...ofTests, ...ofSession.map((exchange) => ({ exchange, by: 'fixtures/session/audit/' }))],
  };
}

function nameFile({ place: { file } }: ReadTest): string {
  return shortenTestPath(file);
}

/** True if the request is one of these operations. `operation`: the words of the catalogue, e.g. `listPets, getPet`. */
function isOfOperation({ ask }: Exchange, operation: string): boolean {
  if (operation === 'every operation') return true;
  if (ask.operation === 'storeOrders') return operation === 'GET /store/orders';
  return ask.operation === 'other' || operation.split(', ').includes(ask.operation);
}
