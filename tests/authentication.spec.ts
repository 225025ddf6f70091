/**
 * Tests of the section Authentication: each operation with credentials that are not the key.
 * `planCredential` gives the rows of one credential: requests that differ in query, status, Accept and Cache-Control. The seed of the
 * run chooses them. `dealKeyless` gives further rows without a credential. The rule `credentials` judges the answers.
 */
import { WRONG_KEY_NAMES, WRONG_KEYS } from '../fixtures/situations/credentials/wrong-keys.ts';
import { isCostly } from '../fixtures/situations/credentials/pairwise/factors.ts';
import { dealKeyless, planCredential } from '../fixtures/situations/credentials/pairwise/credential-plan.ts';
import { sendBetweenAnimals } from '../fixtures/asking/vocabulary/between-animals.ts';
import { findKeyPromise, mayGet400 } from '../fixtures/interface/documented.ts';
import type { RequestOptions } from '../fixtures/asking/client/client.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import type { ClientCall } from '../fixtures/asking/client/client-call.ts';
import {
  DOCUMENTED_OPERATIONS,
  findHeader,
  type DocumentedOperation,
} from '../fixtures/exchange/exchange.ts';
import {
  nameConnection,
  prepareRequest,
  requireAsked,
  askWithout,
  makePlainestRow,
} from '../fixtures/asking/vocabulary/credential-request.ts';
import { test, verifies } from '../fixtures/test.ts';

/** A gateway may trust a connection after ten requests with the key. Two were sent before these. */
const MORE_UNTIL_TRUST = 8;

/** Stands for the entity tag of an earlier answer; `*` if there is none. */
const TAG = 'the tag of an answer';

type IsSentTo = (operation: DocumentedOperation) => boolean;
const isList: IsSentTo = (operation) => operation === 'listPets';
const isCreation: IsSentTo = (operation) => operation === 'createPet';
const isRead: IsSentTo = (operation) => !isCreation(operation);

/** Headers for which the document leaves the answer to the right key open, and the operations that get them. */
const OPEN_HEADERS: readonly (readonly [name: string, value: string, isSentTo: IsSentTo])[] = [
  ['If-None-Match', '*', isList],
  // Another client may change the list, and with it the tag.
  ['If-None-Match', TAG, isRead],
  ['If-Modified-Since', 'Fri, 31 Dec 9999 23:59:59 GMT', isList],
  ['Range', 'bytes=0-9', isRead],
  // HTTP does not allow `Expect: 100-continue` without content, and many servers do not answer it.
  ['Expect', '100-continue', isCreation],
  ['Accept', 'text/plain', () => true],
];

for (const operation of DOCUMENTED_OPERATIONS) {
  test.describe(`Authentication of ${operation}`, () => {
    test(
      'refuses a request without a key',
      verifies(
        findKeyPromise(operation, 'none'),
        'authentication.challenge',
        ...(operation === 'createPet' ? (['authentication.no-effect'] as const) : []),
      ),
      async ({ args }) => {
        for (const row of planCredential(operation, 'none', args.facts.seed)) await askWithout(args, row);
      },
    );

    for (const name of WRONG_KEY_NAMES.filter((each) => each !== 'none')) {
      // `asked`: the number of requests for each operation. `onlyIf`: the runs that send them. `slot`: when the test runs.
      const { title, kind, asked, onlyIf, slot = 'usual' } = WRONG_KEYS[name];
      const isMalformed = mayGet400(kind);
      const says = isMalformed ? 'does not serve' : 'refuses';
      const declared = verifies.at(
        slot,
        findKeyPromise(operation, kind),
        ...(isMalformed ? (['authentication.malformed-credentials'] as const) : []),
      );
      // The first test sends the first rows: they have every limit, or every status. The test "still ..." sends the other rows.
      const firstRows = isList(operation) ? 6 : 4;
      const sendRows = async (args: Args, from: number, to?: number) => {
        requireAsked(args, onlyIf);
        const rows = planCredential(operation, name, args.facts.seed).slice(from, to);
        // Wrong tokens are sent at the same time: a check that is busy may let some pass.
        if (isCostly(name)) await Promise.all(rows.map((row) => askWithout(args, row)));
        else for (const row of rows) await askWithout(args, row);
      };
      if (asked[operation] > 0)
        test(`${says} ${title}`, declared, async ({ args }) => await sendRows(args, 0, firstRows));
      // The order of cases (`case-order.ts`) lets the test above begin early. The test below runs when the store has more animals.
      if (asked[operation] > firstRows)
        test(`still ${says} ${title}`, declared, async ({ args }) => await sendRows(args, firstRows));
    }

    for (const [name, value] of OPEN_HEADERS.filter(([, , isSentTo]) => isSentTo(operation)))
      test(
        `does not serve a request without a key under ${name}: ${value}`,
        verifies('authentication.every-request'),
        async ({ args }) => {
          const request = await prepareRequest(args, makePlainestRow(operation));
          const options: RequestOptions = {
            ...nameConnection(operation),
            credential: 'none',
            headers: [[name, value === TAG ? await readTag(request(args.api)) : value]],
          };
          await request(args.api.with(options));
        },
      );

    test(
      'refuses a request without a key after a valid one on the same connection',
      verifies('authentication.every-request'),
      async ({ args }) => {
        // Requests with the same label share one connection: each request without a key comes after a valid one.
        const connection = `${operation} after`;
        const { pet } = await args.given.pet();
        const kept = args.api.with({ connection });
        // A refused createPet has shown the key too.
        const refuse = () => kept.createPet({ categoryId: pet.categoryId });
        const first = operation === 'getPet' ? refuse : () => kept.listPets({ limit: 1 });
        for (const [turn, sendKey] of [first, () => kept.getPet(pet.id)].entries()) {
          await sendKey();
          await askWithout(args, dealKeyless(operation, turn, args.facts.seed), { connection });
        }
        // Some gateways trust a connection after some valid requests. One operation is enough to see it.
        if (operation !== 'listPets') return;
        for (let nth = 0; nth < MORE_UNTIL_TRUST; nth += 1) await kept.listPets({ limit: 1 });
        await askWithout(args, dealKeyless(operation, 4, args.facts.seed), { connection });
      },
    );

    test(
      'refuses a request without a key beside a createPet, and after it on the same connection',
      verifies('authentication.every-request'),
      async ({ args }) => {
        const connection = `${operation} after createPet`;
        // If MAX_ANIMALS has no room for one more animal, the test ends here. The test of listPets always goes on.
        if (operation !== 'listPets') await args.given.requireRoomBesideExamples(1);
        const sent = await args.given.newPet('sold');
        const served = args.api.with({ connection }).createPet(sent);
        // The test above has the turns 0, 1 and 4. Other turns give other queries.
        const [beside, after] = [2, 3].map((turn) => dealKeyless(operation, turn, args.facts.seed));
        await Promise.all([served, askWithout(args, beside!)]);
        // A service may answer an equal body with the animal that it has, before it checks the key.
        if (operation === 'createPet')
          await args.api.with({ credential: 'none', connection }).createPet(sent);
        else await askWithout(args, after!, { connection });
      },
    );
  });
}

test.describe('Authentication of getPet, whatever is asked', () => {
  test(
    'does not serve the animal with the query unheard-of=1 without a key',
    verifies('authentication.invalid-and-keyless'),
    async ({ args }) => {
      const { pet } = await args.given.pet();
      const client = args.api.with({ ...nameConnection('getPet'), credential: 'none' });
      await client.getPet(`${pet.id}?unheard-of=1`);
    },
  );
});

test.describe('Authentication of listPets, whatever is asked', () => {
  const wrongLimits = ['0', '-1', '101', 'abc', ''].map((each) => `limit=${each}`);
  for (const query of [...wrongLimits, 'status=unheard-of', 'status=', 'unheard-of=1'])
    test(
      `does not serve ${query} without a key`,
      verifies('authentication.invalid-and-keyless'),
      async ({ args }) => {
        await args.api.with({ credential: 'none' }).listPets(query);
      },
    );

  test(
    'does not serve a list without a key in HTTP/1.0',
    verifies('authentication.every-request'),
    async ({ args }) => {
      const client = args.api.with({ credential: 'none', httpVersion: '1.0' });
      await client.listPets();
    },
  );
});

test.describe('Authentication of createPet, whatever is asked', () => {
  test(
    'refuses an invalid NewPet without a key',
    verifies('authentication.invalid-and-keyless'),
    async ({ api, given }) => {
      const { categoryId, name } = await given.newPet();
      const bodies = [{ name, categoryId, status: 'unheard-of' }, { categoryId }, 'null', ''];
      for (const body of bodies) await api.with({ credential: 'none' }).createPet(body);
    },
  );

  // `sendBetweenAnimals` sends the requests between two ordinary animals, and then reads lists and the identifiers between both.
  // The rule `credentials` judges the statuses, the rule `uncreated` later reads of the animals.
  test(
    'adds nothing for a request that it refused',
    verifies.at('between-additions', 'authentication.no-effect', 'authentication.invalid-and-keyless'),
    async ({ args }) => {
      await sendBetweenAnimals(args, 401, async () => {
        const { api, given } = args;
        const [one, other, invalid] = await Promise.all([
          given.newPet('pending'),
          given.newPet('pending'),
          given.newPet(),
        ]);
        // A service may read a body in chunks before it looks at the key.
        const chunked = api.with({ headers: [['Transfer-Encoding', 'chunked']] });
        await Promise.all([
          chunked.with({ credential: 'none', inPieces: true }).createPet(one),
          // The token is the word "constructor", which a service may look up in an object.
          chunked
            .with({ credential: WRONG_KEYS.constructor.credential })
            .createPet(other)
            .answers(401, 'Error'),
          api.with({ credential: 'none' }).createPet({ ...invalid, status: 'unheard-of' }),
        ]);
      });
    },
  );
});

/** Returns the entity tag of an answer; `*` if it has none. */
async function readTag(call: ClientCall): Promise<string> {
  const { response } = await call;
  return (response && findHeader(response, 'etag')) ?? '*';
}
