/** The plans of a run: every two levels of two factors are in one request, e.g. a limit and a header; every query comes with a wrong key. */
import { expect, test } from '@playwright/test';
import { ENCODED, QUERIES, isCostly } from '../../../fixtures/situations/credentials/pairwise/factors.ts';
import type { CredentialRow } from '../../../fixtures/situations/credentials/pairwise/factors.ts';
import { WRONG_KEYS, WRONG_KEY_NAMES } from '../../../fixtures/situations/credentials/wrong-keys.ts';
import { planCredential } from '../../../fixtures/situations/credentials/pairwise/credential-plan.ts';
import { DOCUMENTED_OPERATIONS, type DocumentedOperation } from '../../../fixtures/exchange/exchange.ts';
import { listPlanRows, type PlanRow } from '../../../fixtures/situations/plan.ts';
import { INVALID_BODIES } from '../../../fixtures/asking/vocabulary/situation-requests.ts';
import { judgeVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { listPairs, namePair, noteMetPairs } from '../../../fixtures/implementations/triggered.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';

/** Returns every request of the plan of wrong credentials for a seed. */
function planCredentials(seed: number): readonly CredentialRow[] {
  return DOCUMENTED_OPERATIONS.flatMap((operation) =>
    WRONG_KEY_NAMES.flatMap((name) => planCredential(operation, name, seed)),
  );
}

/** Seeds of runs. 24 in a row are enough: with each seed, the plan begins at another of the 24 queries. */
const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);

test.describe('the plan that crosses credentials with requests', () => {
  test('has each valid query with a wrong token in every run, and with each wrong token in 24 runs', () => {
    // `shape` of a row of listPets is its query
    const listsWith = (name: string, seed: number) =>
      planCredentials(seed).flatMap((row) =>
        row.operation === 'listPets' && row.name === name ? row.shape : [],
      );
    // Costly credentials are wrong tokens, of which a run may send few
    const wrongTokens = WRONG_KEY_NAMES.filter(
      (name) => isCostly(name) && WRONG_KEYS[name].asked.listPets > 0,
    );
    // Not limit=1, because a test before the first animal sends it with wrong keys. But limit=10 is also sent percent-encoded (`ENCODED`).
    const wanted = new Set([...QUERIES.filter((query) => query !== 'limit=1'), ENCODED]);
    for (const seed of SEEDS)
      expect(new Set(wrongTokens.flatMap((name) => listsWith(name, seed)))).toEqual(wanted);
    for (const name of wrongTokens)
      expect(new Set(SEEDS.flatMap((seed) => listsWith(name, seed)))).toEqual(wanted);
  });

  test('asks few wrong keys', () => {
    const all = planCredentials(1);
    expect([all.length, all.filter(({ name }) => isCostly(name)).length]).toEqual([177, 57]);
  });
});

test.describe('the plan of requests', () => {
  const levelsOf = (rows: readonly PlanRow[], factor: string) => [
    ...new Set(rows.map((row) => row[factor] ?? '')),
  ];
  /** Returns the pairs of levels of two factors that no row has, e.g. `limit absent, spelling status first`. */
  const listMissingPairs = (rows: readonly PlanRow[], one: string, other: string) =>
    levelsOf(rows, one).flatMap((first) =>
      levelsOf(rows, other)
        .filter((second) => !rows.some((row) => row[one] === first && row[other] === second))
        .map((second) => `${one} ${first}, ${other} ${second}`),
    );
  const LEFT_OUT = [
    // One parameter has no order, and a missing body has no charset.
    'limit absent, spelling status first',
    'status absent, spelling status first',
    'body body-missing, content-type with charset',
    // The properties of createPet send these.
    'body body-missing, connection fresh',
    'content-type application/json, connection fresh',
  ];

  test('has, with each seed, every pair of levels that others do not send', () => {
    for (const seed of [0, ...SEEDS]) {
      const missing = Object.values(listPlanRows(seed)).flatMap((rows) => {
        const factors = Object.keys(rows[0] ?? {});
        return factors.flatMap((one, index) =>
          factors.slice(index + 1).flatMap((other) => listMissingPairs(rows, one, other)),
        );
      });
      expect(missing.toSorted(), String(seed)).toEqual(LEFT_OUT.toSorted());
    }
    const bodies = Object.keys(INVALID_BODIES);
    const lengths = Object.values(listPlanRows()).map(({ length }) => length);
    expect(lengths).toEqual([32, 20, 5 * bodies.length]);
    expect(levelsOf(listPlanRows().invalidBodies, 'body').toSorted()).toEqual(bodies.toSorted());
  });

  test('is met by a run: every pair is in a request @long', async () => {
    const met = new Set<string>();
    await judgeVariant({ vary: noteMetPairs(met) }, await collectSuite(), 1);
    const nameAll = (operation: DocumentedOperation) =>
      listPairs(operation).map((pair) => namePair(operation, pair));
    expect(DOCUMENTED_OPERATIONS.flatMap(nameAll).filter((each) => !met.has(each))).toEqual([]);
  });
});
