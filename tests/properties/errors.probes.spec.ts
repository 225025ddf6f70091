import fc from 'fast-check';
import { openIdentifiers } from '../../fixtures/arbitraries/identifiers.ts';
import { openQueries } from '../../fixtures/arbitraries/queries.ts';
import { property, type Property } from '../../fixtures/properties/property.ts';
import { generated } from '../../fixtures/interface/requirements.ts';
import { risky, test, verifies } from '../../fixtures/test.ts';

type Probe = { method: 'GET' | 'HEAD' | 'OPTIONS'; path: string };

const STANDARDS = [
  'errors.no-server-error',
  'errors.undocumented',
  'errors.allow',
  'errors.no-content',
] as const;
const queries: Property<string> = { id: 'errors.queries', letter: 'o', values: () => openQueries, runs: 26 };

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
const paths: Property<Probe> = { id: 'errors.paths', letter: 'p', values: () => probes, runs: 26 };

// What is answered here is open: only what standards say of every answer is looked at.
test.describe('Errors, any odd request', () => {
  test(
    'does not break down over any query',
    risky(generated(queries, verifies.last(...STANDARDS))),
    async ({ args }) => {
      await property(args, queries, async (query, { api }) => void (await api.listPets(query).looksOpen()));
    },
  );

  test(
    'does not break down over any path',
    risky(generated(paths, verifies.last(...STANDARDS))),
    async ({ args }) => {
      await property(args, paths, async ({ method, path }, { api }) => {
        const call =
          path.startsWith('/pets/') && method === 'GET'
            ? api.getPet(path.slice('/pets/'.length))
            : api.send('other', method, path, { raw: method !== 'GET' });
        await call.looksOpen();
      });
    },
  );
});
