/**
 * Properties of the section Authentication: they hold for every generated credential that is not the key. The tests only send: the rule
 * `credentials` judges the answers. Members of a `Property`: `letter` follows the mark of the run in the names of its animals, `runs` is
 * the number of examples. `costly`: PROPERTY_RUNS cannot make them more. If a wrong credential does not get 401, no credential and an
 * ordinary wrong key are sent too. If these get a wrong answer, their promises are broken.
 */
import {
  forgeries,
  keyless,
  type Forgery,
  type Keyless,
} from '../../fixtures/asking/arbitraries/generated-credentials.ts';
import type { Client } from '../../fixtures/asking/client/client.ts';
import type { ClientCall } from '../../fixtures/asking/client/client-call.ts';
import { WRONG_KEYS } from '../../fixtures/situations/credentials/wrong-keys.ts';
import type { Credential, DocumentedOperation } from '../../fixtures/exchange/exchange.ts';
import { OF_EVERY_ERROR } from '../../fixtures/interface/blame.ts';
import { checkProperty, type Example, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId, type RequirementId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { dealHeaders } from '../../fixtures/asking/vocabulary/situation-requests.ts';
import { askOrders } from '../../fixtures/asking/vocabulary/credential-request.ts';

const MISSING_KEY_PROMISES = [
  'authentication.list-pets-missing-key',
  'authentication.create-pet-missing-key',
  'authentication.get-pet-missing-key',
  'store-orders.missing-key',
] as const;
const WRONGS = [
  'authentication.list-pets-wrong-key',
  'authentication.create-pet-wrong-key',
  'authentication.get-pet-wrong-key',
  'authentication.truncated-key',
  'authentication.extended-key',
  'authentication.changed-key',
] as const;
const MALFORMED: [RequirementId, ...RequirementId[]] = [
  'authentication.empty-token',
  'authentication.bare-key',
  'authentication.other-scheme',
  'authentication.malformed-credentials',
];

const missing: Property<Keyless> = {
  id: 'authentication.missing',
  letter: 'k',
  values: () => keyless,
  runs: 6,
};
/** Wrong keys look like an attack: a run sends few, and none to find a smaller example (`neverSmaller`). */
const keys: Property<Forgery> = {
  id: 'authentication.keys',
  letter: 'w',
  values: () => forgeries,
  runs: 1,
  costly: true,
  neverSmaller: true,
};
test.describe('Authentication, any credentials', () => {
  test(
    'refuses every request without a key',
    addPropertyId(
      missing,
      verifies(
        ...MISSING_KEY_PROMISES,
        'store-orders.error',
        'store-orders.unauthorized',
        'authentication.challenge',
        ...OF_EVERY_ERROR,
      ),
    ),
    async ({ args }) => {
      await checkProperty(args, missing, async ({ operation, query, connection }, example) => {
        const { headers = [], without = [] } = dealHeaders(example.turn + args.facts.seed);
        const api = example.api.with({
          credential: 'none',
          headers,
          // `Cache-Control: no-cache` is always sent: other tests ask what a cache answers.
          without: without.filter((each) => each === 'accept'),
          // A createPet shares no connection: a service that does not read its body may take it for the next request.
          ...(operation === 'createPet' ? {} : { connection }),
        });
        // After a 404, `askOrders` also asks with the key for the orders and for an unknown path.
        if (operation === 'storeOrders') return askOrders(example, api.storeOrders());
        const send = await prepareRequestTo(example, operation, query);
        await send(api);
      });
    },
  );

  test(
    'refuses what is not the key',
    addPropertyId(keys, verifies(...WRONGS, ...MALFORMED)),
    async ({ args }) => {
      await checkProperty(args, keys, async ({ operation, credential }, example) => {
        const request = await prepareRequestTo(example, operation, '');
        // A createPet shares no connection, as in the property above.
        const shared = operation === 'createPet' ? {} : { connection: 'keyless' as const };
        const send = (each: Credential) => request(example.api.with({ credential: each, ...shared }));
        const { response } = await send(credential);
        if (response?.status !== 401)
          for (const each of ['none', WRONG_KEYS.other.credential] as const) await send(each);
      });
    },
  );
});

/** Returns a valid request of the operation. It first adds the animal that the request needs. */
async function prepareRequestTo(
  { given, mark }: Example,
  operation: DocumentedOperation,
  query: string,
): Promise<(api: Client) => ClientCall> {
  if (operation === 'listPets') return (api) => api.listPets(query);
  if (operation === 'createPet') {
    const { categoryId } = await given.newPet();
    return (api) => api.createPet({ name: mark, categoryId, status: 'pending' });
  }
  const { pet } = await given.pet('sold');
  return (api) => api.getPet(pet.id);
}
