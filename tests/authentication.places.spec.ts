/**
 * Tests that no animal is shown without the key in another way: from a cache, under another spelling of a path, with a header
 * that guards let pass, or by HEAD. The rules `credentials` and `hidden` judge the answers. `eventually` repeats reads that may lag.
 */
import type { Client } from '../fixtures/asking/client/client.ts';
import type { ClientCall } from '../fixtures/asking/client/client-call.ts';
import { classifyAnswer } from '../fixtures/asking/client/test-arguments.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { DOORS } from '../fixtures/interface/doors.ts';
import { observes, test, verifies } from '../fixtures/test.ts';

/** Queries of lists. No other test asks for the second and the third one, so a cache has no older answer to them. */
const LISTS = ['', 'limit=61', 'limit=62&status=pending'];

/** The number of doors that are tried at the same time. A door is a request that some guards let pass, e.g. because of a header. */
const LANES = 5;

/**
 * Reads without the key what was just served with it. The first read has no Cache-Control, so a cache may answer it. If it gets no 401,
 * a second read asks the service itself: it has `Cache-Control: no-cache`.
 */
async function readWithoutKey(api: Client, read: (client: Client) => ClientCall): Promise<void> {
  const keyless = api.with({ credential: 'none' });
  const { response } = await read(keyless.with({ without: ['cache-control'] }));
  if (response?.status !== 401) await read(keyless);
}

test.describe('Authentication behind caches', () => {
  for (const query of LISTS)
    test(
      `refuses ${query === '' ? 'a list' : `a list with ${query}`} without a key that was just served with it`,
      verifies('authentication.shared-cache'),
      async ({ api }) => {
        await api
          .with({ without: ['cache-control'] })
          .listPets(query)
          .answers(200, 'Pets');
        await readWithoutKey(api, (client) => client.listPets(query));
      },
    );

  test(
    'refuses an animal without a key that was just served with it',
    verifies('authentication.shared-cache'),
    async ({ api, eventually, given }) => {
      await eventually(async () => {
        const { pet } = await given.pet('sold');
        await api
          .with({ without: ['cache-control'] })
          .getPet(pet.id)
          .answers(200, 'Pet');
        await readWithoutKey(api, (client) => client.getPet(pet.id));
      });
    },
  );
});

test.describe('Authentication at doors that a guard may leave open', () => {
  // The slot `has-stopped-services` comes after all wrong keys: a service may ban the address of the run for such a header.
  test(
    'lists nothing without the key under a header, a query or a target that guards let pass',
    verifies.at('has-stopped-services', 'authentication.list-pets-missing-key'),
    async ({ api, facts, given }) => {
      if (facts.production) return;
      await given.pet();
      let mayBeBanned = false;
      // A quick run tries only the last door: one request with the headers of several doors.
      const doors = facts.isQuick ? DOORS.slice(-1) : DOORS;
      // Five lanes at the same time: lane 1 tries the doors 1, 6, 11 and so on.
      const tryDoors = async (lane: number) => {
        for (let row = lane; row < doors.length && !mayBeBanned; row += LANES) {
          // `sent`: the headers and the absolute target of the door, if it has them.
          const { title: _, query, ...sent } = doors[row]!;
          const keyless = api.with({ credential: 'none', connection: `door ${lane}`, ...sent });
          // The key has never read these lists, so no cache has them.
          const { response } = await keyless.listPets(
            query ?? `limit=${70 + row}&status=${PET_STATUSES[row % 3]}`,
          );
          // A 403 may be a ban: no other door is tried.
          mayBeBanned ||= response?.status === 403;
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, lane) => tryDoors(lane)));
      // A service may trust a connection that has had many requests with the key: this request has no label, so it goes on such a one.
      if (!mayBeBanned) await api.with({ credential: 'none' }).listPets({ limit: 10, status: 'available' });
    },
  );
});

test.describe('Authentication under other spellings of a path', () => {
  for (const [title, path] of [
    ['/pets/', () => '/pets/'],
    ['/pets/{petId}/', (id) => `/pets/${id}/`],
    ['/Pets', () => '/Pets'],
    ['/%70ets', () => '/%70ets'],
    ['//pets', () => '//pets'],
    ['/./pets', () => '/./pets?limit=100'],
    ['/%70ets/{petId}', (id) => `/%70ets/${id}`],
  ] as [string, (id: number | bigint) => string][]) {
    test(
      `shows no animal under ${title} without the key`,
      verifies('authentication.other-spelling'),
      async ({ api, given }) => {
        const { pet } = await given.pet();
        await api.with({ credential: 'none' }).send('other', 'GET', path(pet.id));
      },
    );
  }

  test(
    'shows no animal under /pets.json or /pets;x=1 without the key',
    verifies('authentication.suffixed-path'),
    async ({ api, given }) => {
      await given.pet();
      for (const path of ['/pets.json', '/pets;x=1'])
        await api.with({ credential: 'none' }).send('other', 'GET', path);
    },
  );

  test(
    'answers other spellings of a path without the key',
    observes('authentication.keyless-spelling'),
    async ({ api, given, observe }) => {
      const { pet } = await given.pet();
      const seen: Exchange[] = [];
      for (const path of ['/pets/', `/pets/${pet.id}/`])
        seen.push(await api.with({ credential: 'none' }).send('other', 'GET', path));
      observe(seen.map(classifyAnswer).join(' '), seen);
    },
  );
});

test.describe('Authentication of HEAD', () => {
  for (const title of ['/pets', '/pets/{petId}'] as const)
    test(
      `does not serve HEAD of ${title} without the key`,
      verifies('authentication.head'),
      async ({ api, given }) => {
        const path = title === '/pets' ? title : `/pets/${(await given.pet()).pet.id}`;
        await api.with({ credential: 'none' }).send('other', 'HEAD', path);
      },
    );
});
