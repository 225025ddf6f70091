/**
 * Properties of the section Errors: no odd query or path breaks the service down. The document does not say what these requests get: rules
 * judge the answers by standards alone. Members of a `Property`: `letter` follows the mark of the run in names, `runs` is the number of
 * examples. `promisesOfSomeValues`: promises that only some answers put to the test; `notePromise` notes which one an example tested.
 */
import fc from 'fast-check';
import type { AnsweredExchange } from '../../fixtures/exchange/exchange.ts';
import { openIdentifiers } from '../../fixtures/asking/arbitraries/identifiers.ts';
import { openQueries } from '../../fixtures/asking/arbitraries/queries.ts';
import { checkProperty, type Example, type Property } from '../../fixtures/asking/properties/property.ts';
import { findOperation } from '../../fixtures/interface/operations.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';

type Probe = { method: 'GET' | 'HEAD' | 'OPTIONS'; path: string };

const STANDARDS = [
  'errors.no-server-error',
  'errors.undocumented',
  'errors.allow',
  'errors.no-content',
] as const;
/** `errors.allow` needs a 405, `errors.no-content` a HEAD, a 204 or a 304. */
const promisesOfSomeValues = ['errors.allow', 'errors.no-content'] as const;
const queries: Property<string> = {
  id: 'errors.queries',
  letter: 'o',
  values: () => openQueries,
  runs: 5,
  promisesOfSomeValues,
};

const word = fc.stringMatching(/^[a-z]{3,8}$/).map((each) => `x-${each}`);
/** Paths that the document does not show. */
const unknownPaths = fc.oneof(
  fc.constantFrom('/pets/', '/', '/pets/1/', '/pet', '/Pets', '/pets//'),
  word.map((each) => `/${each}`),
  word.map((each) => `/pets/1/${each}`),
);
const probes: fc.Arbitrary<Probe> = fc.oneof(
  { weight: 5, arbitrary: openIdentifiers.map((id): Probe => ({ method: 'GET', path: `/pets/${id}` })) },
  { weight: 3, arbitrary: unknownPaths.map((path): Probe => ({ method: 'GET', path })) },
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constantFrom('HEAD' as const, 'OPTIONS' as const),
      path: fc.oneof(unknownPaths, fc.constantFrom('/pets', '/pets?limit=1', '/pets/1')),
    }),
  },
);
const paths: Property<Probe> = {
  id: 'errors.paths',
  letter: 'p',
  values: () => probes,
  runs: 4,
  promisesOfSomeValues,
};

test.describe('Errors, any odd request', () => {
  test(
    'does not break down over any query',
    addPropertyId(queries, verifies.at('may-stop-service', ...STANDARDS)),
    async ({ args }) => {
      await checkProperty(args, queries, async (query, example) =>
        notePromiseOfProbe(example, await example.api.listPets(query).requireResponse()),
      );
    },
  );

  test(
    'does not break down over any path',
    addPropertyId(paths, verifies.at('may-stop-service', ...STANDARDS)),
    async ({ args }) => {
      await checkProperty(args, paths, async ({ method, path }, example) => {
        const { api } = example;
        // `raw`: the suite counts the bytes after the head of the answer. An answer to HEAD must have none.
        const call =
          findOperation(method, path) === 'getPet'
            ? api.getPet(path.slice('/pets/'.length))
            : api.send('other', method, path, method === 'GET' ? {} : { raw: true });
        notePromiseOfProbe(example, await call.requireResponse());
      });
    },
  );
});

function notePromiseOfProbe(
  { notePromise }: Example,
  { ask: { method }, response: { status } }: AnsweredExchange,
): void {
  if (status === 405) notePromise('errors.allow');
  else if (method === 'HEAD' || status === 204 || status === 304) notePromise('errors.no-content');
}
