/** A broken service shows values outside the documented ranges, e.g. of int64. A run must not send them back by accident. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { DOORS } from '../../../fixtures/interface/doors.ts';
import { SILENCES } from '../../../fixtures/interface/requirements.ts';
import { explainInvalidBody } from '../../../fixtures/interface/request-oracle.ts';
import { isInt64Text, type Pet } from '../../../fixtures/interface/bodies.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { readListQuery } from '../../../fixtures/interface/list-query.ts';
import { QUICK } from '../../../fixtures/settings/profiles.ts';
import { IS_FULL_TEST, runOn, matchTests } from '../samples/run-on.ts';

/** Purposes of requests that may leave the ranges, because the document leaves the answer open. */
const OPEN: ReadonlySet<string | undefined> = new Set([
  ...Object.keys(SILENCES),
  'authentication.invalid-and-keyless',
  'errors.no-server-error',
  'errors.undocumented',
]);

/** Lists with an undocumented query, sent on purpose: a guard may take them for a file or a health check, and ask for no key. */
const QUERIES_OF_DOORS = new Set(DOORS.map(({ query }) => `/pets?${query}`));

/** True if the request has a limit, a status, an identifier or a category that the document does not permit. */
function isOutside({ operation, path, body, creates, purpose }: Ask): boolean {
  if (operation === 'listPets') return readListQuery(path) === null && !QUERIES_OF_DOORS.has(path);
  if (operation === 'getPet') return !isInt64Text(path.slice('/pets/'.length).split('?')[0] ?? '');
  // A body that is wrong on purpose has a `purpose`: the requirement or the open question that its test asks about.
  return purpose === undefined && creates === true && explainInvalidBody(String(body)) !== null;
}

/** Shows one animal more than a limit, more animals than any limit, values outside int64, and identifiers near its end. */
const outsized: Vary = (Base) =>
  class extends Base {
    override lastId = 2n ** 63n;

    override async start(): Promise<void> {
      await super.start();
      for (let id = 2n ** 63n; id < 2n ** 63n + 130n; id += 1n)
        this.animals.set(id, { id, name: `pet ${id}`, categoryId: id, status: 'lost' } as unknown as Pet);
    }

    override async nextId(): Promise<bigint> {
      return (this.lastId -= 1n);
    }

    override page(pets: Pet[], limit: number): Pet[] {
      return pets.slice(0, limit + 1);
    }
  };

for (const [kind, settings] of [
  ['full', {}],
  ['quick', { profile: 'quick', maxRequests: QUICK.requests }],
] as const)
  test(`a ${kind} run sends no value outside the documented ranges by accident`, async () => {
    const tests = await collectSuite();
    // `npm run test:full` (`IS_FULL_TEST`) asks all tests: `matchTests()` without ids matches each.
    const asked = matchTests(...(IS_FULL_TEST ? [] : ['list-pets.limit', 'list-pets.status', 'get-pet.']));
    const { all } = await runOn({ vary: outsized, settings }, tests.filter(asked));
    const outside = all().filter(({ ask }) => !OPEN.has(ask.purpose) && isOutside(ask));
    expect(outside.map(({ ask: { path, body, purpose } }) => [path, body, purpose])).toEqual([]);
  });
