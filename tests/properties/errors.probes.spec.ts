import fc from 'fast-check';
import type { AnsweredExchange } from '../../fixtures/exchange/exchange.ts';
import { openIdentifiers } from '../../fixtures/arbitraries/identifiers.ts';
import { openQueries } from '../../fixtures/arbitraries/queries.ts';
import { checkProperty, type Example, type Property } from '../../fixtures/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';

type Probe = { method: 'GET' | 'HEAD' | 'OPTIONS'; path: string };

const STANDARDS = [
  'errors.no-server-error',
  'errors.undocumented',
  'errors.allow',
  'errors.no-content',
] as const;
/** Only some answers put these promises to the test. */
const apart = ['errors.allow', 'errors.no-content'] as const;
const queries: Property<string> = {
  id: 'errors.queries',
  letter: 'o',
  values: () => openQueries,
  runs: 10,
  apart,
};

const word = fc.stringMatching(/^[a-z]{3,8}$/).map((each) => `x-${each}`);
const others = fc.oneof(
  fc.constantFrom('/pets/', '/', '/pets/1/', '/pet', '/Pets', '/pets//'),
  word.map((each) => `/${each}`),
  word.map((each) => `/pets/1/${each}`),
);
const probes: fc.Arbitrary<Probe> = fc.oneof(
  { weight: 5, arbitrary: openIdentifiers.map((id): Probe => ({ method: 'GET', path: `/pets/${id}` })) },
  { weight: 3, arbitrary: others.map((path): Probe => ({ method: 'GET', path })) },
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constantFrom('HEAD' as const, 'OPTIONS' as const),
      path: fc.oneof(others, fc.constantFrom('/pets', '/pets?limit=1', '/pets/1')),
    }),
  },
);
const paths: Property<Probe> = { id: 'errors.paths', letter: 'p', values: () => probes, runs: 9, apart };

// The answers are open: `looksOpen` judges only standards for every answer, by `judgeOpen` in
// fixtures/judgement/documented-answer.ts.
test.describe('Errors, any odd request', () => {
  test(
    'does not break down over any query',
    addPropertyId(queries, verifies.at('risky', ...STANDARDS)),
    async ({ args }) => {
      await checkProperty(args, queries, async (query, example) =>
        noteWhatItIsAbout(example, await example.api.listPets(query).looksOpen()),
      );
    },
  );

  test(
    'does not break down over any path',
    addPropertyId(paths, verifies.at('risky', ...STANDARDS)),
    async ({ args }) => {
      await checkProperty(args, paths, async ({ method, path }, example) => {
        const { api } = example;
        const call =
          path.startsWith('/pets/') && method === 'GET'
            ? api.getPet(path.slice('/pets/'.length))
            : api.send('other', method, path, { raw: method !== 'GET' });
        noteWhatItIsAbout(example, await call.looksOpen());
      });
    },
  );
});

function noteWhatItIsAbout(
  { isAbout }: Example,
  { ask: { method }, response: { status } }: AnsweredExchange,
): void {
  if (status === 405) isAbout('errors.allow');
  else if (method === 'HEAD' || status === 204 || status === 304) isAbout('errors.no-content');
}
