/**
 * Open questions about listPets: the document does not say what is answered. `observe` records the answer as a word, such as
 * `ignores`, `answers-empty`, `clamps` (more animals than the plain list), `narrows` (fewer).
 * The tests demand nothing of the answers. Rules judge if one breaks a standard, e.g. is a 5xx.
 */
import type { Client } from '../fixtures/asking/client/client.ts';
import { classifyAnswer } from '../fixtures/asking/client/test-arguments.ts';
import { isSuccess, type Exchange, type AnsweredExchange } from '../fixtures/exchange/exchange.ts';
import type { StoreView } from '../fixtures/session/session.ts';
import { observes, test } from '../fixtures/test.ts';
import type { Pet } from '../fixtures/interface/bodies.ts';
import { isInteger, writeJson } from '../fixtures/exchange/json.ts';
import { parseBody } from '../fixtures/exchange/read-body.ts';

/**
 * How often both lists are read before the word `narrows` counts. An animal that is added between both reads makes the second
 * list longer, as if the odd query had filtered the first one.
 */
const MOST_COMPARED = 3;

/** Returns the word for a list with an odd query, compared to the list with the query `plain`. */
async function compareToPlain(api: Client, query: string, plain: string): Promise<[string, Exchange[]]> {
  for (let times = 1; ; times += 1) {
    const exchange = await api.listPets(query).requireResponse();
    if (!isSuccess(exchange.response)) return [classifyAnswer(exchange), [exchange]];
    const found = compareList(exchange, await api.listPets(plain).requireResponse());
    if (found !== 'narrows' || times === MOST_COMPARED) return [found, [exchange]];
  }
}

test.describe('GET /pets, open questions', () => {
  const limits = [
    ['list-pets.limit-zero', 'limit=0'],
    ['list-pets.limit-above-maximum', 'limit=101'],
    ['list-pets.limit-negative', 'limit=-1'],
    ['list-pets.limit-not-a-number', 'limit=abc'],
    ['list-pets.limit-fraction', 'limit=1.5'],
    ['list-pets.limit-empty', 'limit='],
    ['list-pets.limit-repeated', 'limit=1&limit=2'],
    ['list-pets.limit-huge', 'limit=9223372036854775807'],
  ] as const;
  for (const [silence, query] of limits)
    test(`answers ${query}`, observes(silence), async ({ api, observe }) => {
      observe(...(await compareToPlain(api, query, '')));
    });

  const filters = [
    ['list-pets.status-unknown', 'status=unheard-of'],
    ['list-pets.status-empty', 'status='],
    ['list-pets.status-letter-case', 'status=SOLD'],
    ['list-pets.status-repeated', 'status=sold&status=pending'],
    ['list-pets.unknown-parameter', 'unheard-of=1'],
  ] as const;
  for (const [silence, query] of filters)
    test(`answers ${query}`, observes(silence), async ({ api, observe }) => {
      observe(...(await compareToPlain(api, `${query}&limit=10`, 'limit=10')));
    });

  test('answers a body', observes('list-pets.body'), async ({ api, observe }) => {
    // A service that does not read the body may take it for the next request on the connection.
    const onOwnConnection = api.with({ connection: 'a body of GET' });
    observe(await onOwnConnection.send('listPets', 'GET', '/pets', { body: '{}' }).requireResponse());
  });

  test(
    'answers a client that accepts text/plain alone',
    observes('list-pets.accept-text'),
    async ({ api, observe }) => {
      observe(
        await api
          .with({ headers: [['Accept', 'text/plain']] })
          .listPets({ limit: 1 })
          .requireResponse(),
      );
    },
  );

  test(
    'sends paging headers',
    observes.at('full-store', 'list-pets.paging-headers'),
    async ({ api, observe }) => {
      const exchange = await api.listPets({ limit: 1 }).requireResponse();
      const names = exchange.response.headers
        .map(([name]) => name.toLowerCase())
        .filter((name) => /^(link|x-total.*|content-range|x-page.*|x-next.*)$/.test(name));
      observe(names.length === 0 ? 'none' : `sends-${[...new Set(names)].sort().join(', ')}`, [exchange]);
    },
  );

  test('orders animals', observes.at('full-store', 'list-pets.order'), async ({ api, observe }) => {
    const exchange = await api.listPets({ limit: 100 }).requireResponse();
    observe(classifyOrder(exchange), [exchange]);
  });

  test('caps pages', observes.at('full-store', 'list-pets.page-cap'), async ({ api, given, observe }) => {
    const exchange = await api.listPets({ limit: 100 }).requireResponse();
    // Without a list, the question stays open.
    if (readPets(exchange) !== null) observe(classifyPageCap(exchange, await given.store()), [exchange]);
  });

  test('lags behind writes', observes.at('full-store', 'list-pets.lag'), async ({ given, observe }) => {
    const { lag } = await given.store();
    observe(lag === null ? 'none' : 'lags');
  });
});

/** Returns the word for the cap of pages: the length of the longest list, if the run knows of more animals than it shows. */
function classifyPageCap(longest: AnsweredExchange, { seen }: StoreView): string {
  const { length } = readPets(longest) ?? [];
  if (length >= 100) return 'none';
  return seen.size > length ? `caps-at-${length}` : 'not-enough-animals';
}

/**
 * Compares a list with an odd parameter and the plain list, whose query has only valid parameters.
 * `ignores`: both are equal. `clamps`: the odd list has more animals, but at most 100. `narrows`: it has fewer, or
 * others. A success other than 200 is named by its status, e.g. `accepts-201`.
 */
function compareList(odd: AnsweredExchange, plain: AnsweredExchange): string {
  if (odd.response.status !== 200) return classifyAnswer(odd);
  const [oddPets, plainPets] = [readPets(odd), readPets(plain)];
  if (oddPets === null || plainPets === null) return 'answers-200-without-a-list';
  if (writeJson(oddPets) === writeJson(plainPets)) return 'ignores';
  if (oddPets.length === 0) return 'answers-empty';
  if (oddPets.length > 100) return 'exceeds-the-maximum';
  return oddPets.length > plainPets.length ? 'clamps' : 'narrows';
}

/** Returns the order of the identifiers in a list: `ascending`, `descending`, `other`, or `not-enough-animals`. */
function classifyOrder(list: AnsweredExchange): string {
  const ids = (readPets(list) ?? []).map(({ id }) => BigInt(id));
  if (ids.length < 3) return 'not-enough-animals';
  const steps = ids.slice(1).map((id, index) => id > (ids[index] ?? 0n));
  if (steps.every(Boolean)) return 'ascending';
  return steps.some(Boolean) ? 'other' : 'descending';
}

/** Returns the animals of a list; null if the body is no array of objects with an identifier. */
function readPets({ response }: AnsweredExchange): Pet[] | null {
  const body = parseBody(response);
  return Array.isArray(body) && body.every((each) => isInteger((each as { id?: unknown } | null)?.id))
    ? (body as unknown as Pet[])
    : null;
}
