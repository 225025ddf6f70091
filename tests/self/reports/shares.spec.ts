/** A factor that wrong answers share is named if a part of a deployment is odd, and nothing if there is no such part. */
import { expect, test } from '@playwright/test';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import type { Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { assemble } from '../../../reports/document/assemble.ts';
import { DEPLOYMENTS } from '../samples/deployments.ts';
import { runOn, verifying } from '../samples/run-on.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

const suite = collectSuite();
/** Judged in every run of the self-tests; the others at night. */
const OFTEN = ['one of three nodes'];

async function judge(variant: Variant, tests: readonly CollectedTest[]) {
  const judged = await runOn(variant, tests);
  return assemble({
    ...CONFORMING,
    only: [],
    findings: judged.findings,
    sightings: [],
    durations: {},
    redact: (text) => text,
    evidence: judged.exchanges,
    all: judged.all,
  });
}

/** The factor that is named first, for whichever cause. */
async function namedFirst(variant: Variant, tests: readonly CollectedTest[]) {
  const { causes = [] } = await judge(variant, tests);
  return causes.flatMap(({ shares }) => shares)[0];
}

for (const { name, factor, value, vary } of DEPLOYMENTS) {
  const isOften = OFTEN.includes(name);
  test(`the odd part is named: ${name}`, { tag: isOften ? [] : ['@long'] }, async () => {
    const tests = (await suite).filter(isOften ? verifying('list-pets.') : () => true);
    expect(await namedFirst({ vary }, tests)).toMatchObject({ factor, value });
  });
}

test('nothing is named where the request alone decides', async () => {
  const vary: Variant['vary'] = (Base) =>
    class extends Base {
      override listPets(call: Parameters<InstanceType<typeof Base>['listPets']>[0]) {
        return call.rawQuery.includes('limit=1')
          ? super.listPets({ ...call, rawQuery: '' })
          : super.listPets(call);
      }
    };
  const { causes = [] } = await judge({ vary }, (await suite).filter(verifying('list-pets.')));
  expect(causes.length).toBeGreaterThan(0);
  expect(causes.flatMap(({ shares }) => shares)).toEqual([]);
});

/** Faults whose wrong answers came together in time: a store grew, or the same kind of request was judged elsewhere. */
const TOGETHER = [
  'create-pet.name-cut-at-6',
  'list-pets.empty-refused',
  'list-pets.status-ignored-with-limit',
  'list-pets.twice-in-long-lists',
  'representation.create-data',
];

test('nothing is named of faults that every part of a target has @long', async () => {
  test.setTimeout(1_200_000);
  const drawn = FAULTS.filter(({ id }, index) => index % 40 === 7 || TOGETHER.includes(id));
  const named: string[] = [];
  for (const { id, vary } of drawn) {
    const share = await namedFirst({ vary }, await suite);
    if (share !== undefined) named.push(`${id}: ${JSON.stringify(share)}`);
  }
  expect(drawn.length).toBeGreaterThan(20);
  expect(named).toEqual([]);
});

test('an identifier that a client sent and got is shown by the request that sent it, and nothing is counted', async () => {
  const fault = FAULTS.find(({ id }) => id === 'create-pet.client-id-taken');
  if (fault === undefined) throw new Error('the fault is gone');
  // Others may have freed one identifier: these tests send several.
  const tests = (await suite).filter(verifying('create-pet.'));
  const { causes = [], exchanges } = await judge({ vary: fault.vary }, tests);
  const cause = causes.find(({ id }) => id === 'create-pet.client-id');
  expect(exchanges.find(({ id }) => id === cause?.examples[0])?.request.body).toContain('"id":');
  expect(cause?.wrong).toBeNull();
});
