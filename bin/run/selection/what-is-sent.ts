/** Finds the requests that the suite sends about one promise, for the command `explain`. */
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import type { JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { runOnReference } from './on-reference.ts';

/** `by`: the place that sent the request, e.g. `tests/list-pets.spec.ts:40`. */
interface Sent {
  exchange: Exchange;
  by: string;
}

/** `judged`: the run against the reference. `sent`: its requests about the promise, in the order of the tests. */
interface WhatIsSent {
  judged: JudgedVariant;
  sent: readonly Sent[];
}

/**
 * Runs the tests against the reference, and returns their requests about a promise or an open question. First come
 * requests whose answer a test demanded for this promise, then the other requests of these tests.
 * @param tests the tests of the promise, the plainest first
 */
export async function findWhatIsSent(id: string, tests: readonly ReadTest[]): Promise<WhatIsSent> {
  const { judged, grounds } = await runOnReference(tests);
  const exchanges = new Map(judged.all().map((each) => [each.id, each]));
  const operation = REQUIREMENTS[id]?.operation ?? 'every operation';
  const makeSent = (exchangeIds: readonly string[], by: string): Sent[] =>
    [...new Set(exchangeIds)].flatMap((exchangeId) => {
      const exchange = exchanges.get(exchangeId);
      if (exchange === undefined || !isOfOperation(exchange, operation)) return [];
      return [{ exchange, by: isShared(exchange) ? `${by}; other tests may use this animal too` : by }];
    });
  const ran = tests.flatMap((test) => {
    const ground = grounds.get(test);
    const by = `${shortenTestPath(test.place.file)}:${test.place.line}`;
    return ground === undefined ? [] : [{ ...ground, by }];
  });
  // Generated requests of a property are about several promises, so they are shown only if no demand names this one.
  const plain = ran.filter(({ by }) => ran.length === 1 || !by.startsWith('tests/properties/'));
  const others = plain.flatMap(({ asked, by }) => makeSent(asked, by));
  const given = new Set(ran.flatMap(({ asked }) => asked));
  // Requests that the session itself sent for this promise.
  const ofSession = judged.all().filter((each) => each.ask.purpose === id && !given.has(each.id));
  const audited = makeSent(
    ofSession.map((each) => each.id),
    'fixtures/session/audit/',
  );
  return { judged, sent: [...others, ...audited] };
}

/** True if the request added a plain animal: the run gives such an animal to several tests. */
function isShared({ ask: { method, purpose } }: Exchange): boolean {
  return method === 'POST' && purpose === undefined;
}

/** True if the request is one of these operations. `operation`: the words of the catalogue, e.g. `listPets, getPet`. */
function isOfOperation({ ask }: Exchange, operation: string): boolean {
  if (operation === 'every operation') return true;
  if (ask.operation === 'storeOrders') return operation === 'GET /store/orders';
  return ask.operation === 'other' || operation.split(', ').includes(ask.operation);
}
