/** Runs the tests of a promise against the reference, and says which of their requests are about it. */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { JudgedVariant } from '../../fixtures/implementations/judge-variant.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../fixtures/lanes/collection.ts';
import { isAbout, runOnReference } from './on-reference.ts';
import { shortenTestPath } from './where-judged.ts';

/** An exchange, and who sent it. */
interface Sent {
  exchange: Exchange;
  by: string;
}

/** The requests about a promise, in the order of its tests, and the run that sent them. */
interface WhatIsSent {
  judged: JudgedVariant;
  sent: readonly Sent[];
}

/**
 * Returns the requests about a promise or an open question: those with a demand that names it. Without any such demand, all
 * requests of its tests, because rules judge them.
 * @param tests the nearest first
 */
export async function findWhatIsSent(id: string, tests: readonly ReadTest[]): Promise<WhatIsSent> {
  const { judged, grounds } = await runOnReference(tests);
  const exchanges = new Map(judged.all().map((each) => [each.id, each]));
  const all = tests.map((test) => ({ test, ...(grounds.get(test) ?? { asked: [], demands: [] }) }));
  const given = new Set(all.flatMap(({ asked }) => asked));
  const isDemanded = all.some(({ demands }) => demands.some((each) => isAbout(each, id)));
  const ofTests = all.flatMap(({ test, asked, demands }) =>
    [...new Set(isDemanded ? demands.filter((each) => isAbout(each, id)).map(({ of }) => of) : asked)].map(
      (each) => ({ each, by: `${shortenTestPath(test.place.file)}:${test.place.line}` }),
    ),
  );
  const ofSession = judged
    .all()
    .filter((each) => each.ask.purpose === id && !given.has(each.id))
    .map((each) => ({ each: each.id, by: 'fixtures/session/audit/' }));
  const operation = REQUIREMENTS[id]?.operation ?? 'every operation';
  const sent = [...ofTests, ...ofSession].flatMap(({ each, by }): Sent[] => {
    const exchange = exchanges.get(each);
    return exchange !== undefined && isOfOperation(exchange, operation)
      ? [{ exchange, by: isShared(exchange) ? `${by}; other tests share this animal` : by }]
      : [];
  });
  return { judged, sent };
}

/** True for an animal that the run adds for any test that needs one. */
function isShared({ ask: { method, purpose } }: Exchange): boolean {
  return method === 'POST' && purpose === undefined;
}

/** True if the operation, in words such as `listPets, getPet`, has this request. */
function isOfOperation({ ask }: Exchange, operation: string): boolean {
  if (operation === 'every operation') return true;
  if (ask.operation === 'storeOrders') return operation === 'GET /store/orders';
  return ask.operation === 'other' || operation.split(', ').includes(ask.operation);
}
