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

/** With fewer demanded requests, the other requests of the tests are shown behind them: they prepare or surround these. */
const FEW = 6;

/**
 * Returns the requests about a promise or an open question. Requests with a demand that names it come first. Rules may judge
 * the others.
 * @param tests the nearest first
 */
export async function findWhatIsSent(id: string, tests: readonly ReadTest[]): Promise<WhatIsSent> {
  const { judged, grounds } = await runOnReference(tests);
  const exchanges = new Map(judged.all().map((each) => [each.id, each]));
  const operation = REQUIREMENTS[id]?.operation ?? 'every operation';
  const makeSent = (ids: readonly string[], by: string): Sent[] =>
    [...new Set(ids)].flatMap((each) => {
      const exchange = exchanges.get(each);
      if (exchange === undefined || !isOfOperation(exchange, operation)) return [];
      return [{ exchange, by: isShared(exchange) ? `${by}; other tests may use this animal too` : by }];
    });
  const ran = tests.flatMap((test) => {
    const ground = grounds.get(test);
    const by = `${shortenTestPath(test.place.file)}:${test.place.line}`;
    return ground === undefined ? [] : [{ ...ground, by }];
  });
  const demanded = ran.flatMap(({ demands, by }) =>
    makeSent(
      demands.filter((each) => isAbout(each, id)).map(({ of }) => of),
      by,
    ),
  );
  // Generated requests of a property are about several promises.
  const plain = demanded.length === 0 ? ran : ran.filter(({ by }) => !by.startsWith('tests/properties/'));
  const others = demanded.length >= FEW ? [] : plain.flatMap(({ asked, by }) => makeSent(asked, by));
  const given = new Set(ran.flatMap(({ asked }) => asked));
  const ofSession = judged.all().filter((each) => each.ask.purpose === id && !given.has(each.id));
  const audited = makeSent(
    ofSession.map((each) => each.id),
    'fixtures/session/audit/',
  );
  return { judged, sent: [...demanded, ...others, ...audited] };
}

/** True for an animal that the run may give to several tests. */
function isShared({ ask: { method, purpose } }: Exchange): boolean {
  return method === 'POST' && purpose === undefined;
}

/** True if the operation, in words such as `listPets, getPet`, has this request. */
function isOfOperation({ ask }: Exchange, operation: string): boolean {
  if (operation === 'every operation') return true;
  if (ask.operation === 'storeOrders') return operation === 'GET /store/orders';
  return ask.operation === 'other' || operation.split(', ').includes(ask.operation);
}
