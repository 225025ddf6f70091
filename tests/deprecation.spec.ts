/**
 * Tests of the section Versioning: getPet is deprecated, and works until its removal in December 2030.
 * Rules judge Sunset, Deprecation, and the status after the removal: the tests only send.
 * `facts.removal` says by the clocks of suite and target if the removal is `ahead`, `near` or `over`. `scope.notApplicable` ends a test.
 */
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { findHeader, type Answer, type Exchange } from '../fixtures/exchange/exchange.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { observes, test, verifies } from '../fixtures/test.ts';
import { makeReadOnly } from '../fixtures/judgement/reason.ts';

test.describe('Versioning: getPet is deprecated', () => {
  // A 410 breaks this promise. Another wrong status breaks `get-pet.answers-200`. If both are broken, this promise is the cause.
  test('is still served', verifies('deprecation.still-served'), async ({ args }) => {
    await args.api.takeExchange(await readSome(args)).answers(200, 'Pet');
  });

  test(
    'is not served any more after its removal',
    verifies('deprecation.removed'),
    async ({ api, facts, given, scope }) => {
      if (facts.removal !== 'over') scope.notApplicable('not-removed-yet');
      const { pet } = await given.pet();
      await api.getPet(pet.id).requireResponse();
    },
  );

  test('names its day of removal in Sunset', verifies('deprecation.sunset'), async ({ args, scope }) => {
    const exchange = await readSome(args);
    if (findHeader(exchange.response, 'sunset') === undefined)
      scope.notApplicable('no-sunset', [exchange.id]);
  });

  test('dates its Deprecation', verifies('deprecation.deprecation'), async ({ args, scope }) => {
    const exchange = await readSome(args);
    if (findHeader(exchange.response, 'deprecation') === undefined)
      scope.notApplicable('no-deprecation', [exchange.id]);
  });

  test('announces itself', observes('deprecation.announced'), async ({ api, given, observe }) => {
    const { pet } = await given.pet();
    const exchange = await api.getPet(pet.id).requireResponse();
    const sent = ['deprecation', 'sunset'].filter(
      (name) => findHeader(exchange.response, name) !== undefined,
    );
    observe(sent.length === 0 ? 'no' : `sends-${sent.join(', ')}`, [exchange]);
  });
});

/**
 * Returns the answer to a getPet of an existing animal. Reads may lag, and other clients may delete animals: so it tries one
 * of each status, and then waits until any other one is found. A read-only run adds no animals and takes one from a list.
 */
async function readSome({
  api,
  eventually,
  facts,
  given,
  scope,
}: Args): Promise<Exchange & { response: Answer }> {
  if (facts.mode === 'read-only') {
    const [listed] = (await api.listPets({ limit: 1 }).answers(200, 'Pets')).body;
    return listed === undefined
      ? scope.notApplicable(makeReadOnly(true)) // true: the store has no animal
      : api.getPet(listed.id).requireResponse();
  }
  for (const status of PET_STATUSES) {
    const exchange = await api.getPet((await given.pet(status)).pet.id).requireResponse();
    if (exchange.response.status !== 404) return exchange;
  }
  // After a restart the service may hold other animals, and MAX_ANIMALS may have no room for a new one.
  const [listed] = (await api.listPets({ limit: 1 }).answers(200, 'Pets')).body;
  const pet = listed ?? (await api.createPet(await given.newPet()).answers(201, 'Pet')).body;
  return eventually(async () => {
    const call = api.getPet(pet.id);
    // A call is sent once: `answers` judges the same answer. It throws, so that `eventually` tries again.
    if ((await call).response?.status === 404) await call.answers(200, 'Pet');
    return call.requireResponse();
  });
}
