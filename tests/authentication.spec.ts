/**
 * Tests of the section Authentication: each operation with credentials that are not the key.
 * `planCredential` gives the rows of one credential: requests that differ in query, status, Accept and Cache-Control. The
 * seed of the run chooses them.
 * - `expect401` demands 401. Its `controls` are plainer credentials: `none` is no key, `other` another token. If a row gets no
 *   401, the controls are sent too. If a control gets no 401 either, the test blames the promise about the control.
 * - `expect401Or400` takes credentials that are no bearer token: a 400 is only a warning there.
 * - `expectErrorStatus` demands any refusal.
 */
import {
  BEYOND_ASCII,
  WORD_CREDENTIALS,
  WRAPPED,
  WRONG,
} from '../fixtures/situations/credentials/wrong-credentials.ts';
import { CREDENTIALS, type CredentialName } from '../fixtures/situations/credentials/pairwise/factors.ts';
import { dealKeyless, planCredential } from '../fixtures/situations/credentials/pairwise/credential-plan.ts';
import { sendBetweenAnimals } from '../fixtures/asking/vocabulary/refused.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import type { RequestOptions } from '../fixtures/asking/client/client.ts';
import type { ClientCall } from '../fixtures/asking/client/client-call.ts';
import { findHeader, type DocumentedOperation } from '../fixtures/exchange/exchange.ts';
import { nameConnection, prepareRequest } from '../fixtures/asking/vocabulary/credential-request.ts';
import { test, verifies } from '../fixtures/test.ts';
import { askWith, askWithout, makePlainestRow } from '../fixtures/asking/vocabulary/expect-not-served.ts';

/** The operations, each with its promise about requests without a key, and its promise about requests with another key. */
const OPERATIONS = [
  ['listPets', 'authentication.list-pets-missing-key', 'authentication.list-pets-wrong-key'],
  ['createPet', 'authentication.create-pet-missing-key', 'authentication.create-pet-wrong-key'],
  ['getPet', 'authentication.get-pet-missing-key', 'authentication.get-pet-wrong-key'],
] as const;

/** Well-formed bearer tokens that are not the key. */
const TOKENS: readonly (readonly [title: string, CredentialName, RequirementId])[] = [
  ['the key without its end', 'withoutEnd', 'authentication.truncated-key'],
  ['half of the key', 'half', 'authentication.truncated-key'],
  ['the key without its beginning', 'withoutBeginning', 'authentication.truncated-key'],
  ['the key with more behind it', 'longer', 'authentication.extended-key'],
  ['the key with more before it', 'prefixed', 'authentication.extended-key'],
  ['the key with a character changed near its beginning', 'changedBeginning', 'authentication.changed-key'],
  ['the key with a character changed near its middle', 'changedMiddle', 'authentication.changed-key'],
  ['the key with a character changed near its end', 'changedEnd', 'authentication.changed-key'],
];

/** Credentials that are not a bearer token. */
const FORMS: readonly (readonly [title: string, CredentialName, RequirementId])[] = [
  ['an empty token', 'empty', 'authentication.empty-token'],
  ['the key without a scheme', 'bare', 'authentication.bare-key'],
  ['the key under the scheme basic', 'basic', 'authentication.other-scheme'],
  ['the key under the scheme token', 'token', 'authentication.other-scheme'],
  ['the key under a scheme named bearers', 'bearers', 'authentication.other-scheme'],
  ['the key under the scheme digest', 'digest', 'authentication.other-scheme'],
  ['the key under a scheme named bearertoken', 'bearerToken', 'authentication.other-scheme'],
  ['the key under a scheme named xbearer', 'xBearer', 'authentication.other-scheme'],
  ['the key behind the word bearer without a blank', 'glued', 'authentication.other-scheme'],
  ['the key as the user name of the scheme basic', 'basicUser', 'authentication.other-scheme'],
  ['the key as the password of the scheme basic', 'basicPassword', 'authentication.other-scheme'],
];

/**
 * The test "does not serve ..." sends at most this many requests for each row of FORMS: enough for every limit and every status. The
 * test "still does not serve ..." sends the others.
 */
const FIRST_ROWS = { listPets: 6, createPet: 4, getPet: 4 } as const;

/** Words that broken clients send instead of a key, and names that every JavaScript object has, such as `__proto__` (`proto`). */
const WORDS_FOR_A_KEY = [
  'null',
  'undefined',
  'toString',
  'proto',
] as const satisfies readonly CredentialName[];

/** Encodings of a token with letters beyond ASCII. Each one is a wrong key, and a run may send few: one for each operation. */
const LETTERS_BEYOND_ASCII = {
  listPets: ['latin1'],
  createPet: ['utf8'],
  getPet: ['latin1'],
} as const;

/** How many valid requests come before one without a key on their connection. */
const TRUSTED_AFTER = 10;

/** Headers whose answer is open if the key is right. `*` is replaced by the entity tag of an earlier answer, if there is one. */
const OPEN_HEADERS: Readonly<
  Record<DocumentedOperation, readonly (readonly [name: string, value: string])[]>
> = {
  listPets: [
    ['If-None-Match', '*'],
    ['If-Modified-Since', 'Fri, 31 Dec 9999 23:59:59 GMT'],
    ['Range', 'bytes=0-9'],
    ['Accept', 'text/plain'],
  ],
  // HTTP does not allow `Expect: 100-continue` without content, and many servers do not answer it.
  createPet: [
    ['Expect', '100-continue'],
    ['Accept', 'text/plain'],
  ],
  getPet: [
    ['If-None-Match', '*'],
    ['Range', 'bytes=0-9'],
    ['Accept', 'text/plain'],
  ],
};

for (const [operation, missing, wrong] of OPERATIONS) {
  // The plan asks for some credentials at one operation only.
  const isAsked = ([, name]: readonly [string, CredentialName, RequirementId]) =>
    CREDENTIALS[name].asked[operation] > 0;
  const isAskedLater = ([, name]: readonly [string, CredentialName, RequirementId]) =>
    CREDENTIALS[name].asked[operation] > FIRST_ROWS[operation];

  test.describe(`Authentication of ${operation}`, () => {
    test(
      'refuses a request without a key',
      verifies(
        missing,
        'authentication.challenge',
        ...(operation === 'createPet' ? (['authentication.no-effect'] as const) : []),
      ),
      async ({ args }) => {
        for (const row of planCredential(operation, 'none', args.facts.seed)) await askWithout(args, row);
      },
    );

    test('refuses another key', verifies(wrong), async ({ args }) => {
      for (const row of planCredential(operation, 'other', args.facts.seed)) await askWithout(args, row);
    });

    for (const [title, name, requirement] of TOKENS.filter(isAsked)) {
      test(`refuses ${title}`, verifies(requirement), async ({ args }) => {
        for (const row of planCredential(operation, name, args.facts.seed)) await askWithout(args, row);
      });
    }

    test(
      'refuses the key in another letter case',
      verifies('authentication.letter-case'),
      async ({ args }) => {
        const { caseMayNotMatter, singleCase } = args.facts.key;
        if (caseMayNotMatter) args.scope.notApplicable('meaningless-letter-case');
        if (singleCase) args.scope.notApplicable('key-of-one-case');
        for (const row of planCredential(operation, 'otherCase', args.facts.seed))
          await askWithout(args, row);
      },
    );

    test(
      'refuses the key in the other letter case if its letters are all of one case',
      verifies('authentication.single-case'),
      async ({ args }) => {
        if (!args.facts.key.singleCase) args.scope.notApplicable('key-not-of-one-case');
        for (const row of planCredential(operation, 'otherCase', args.facts.seed))
          await askWithout(args, row);
      },
    );

    for (const [title, name, requirement] of FORMS.filter(isAsked)) {
      test(
        `does not serve ${title}`,
        verifies(requirement, 'authentication.malformed-credentials'),
        async ({ args }) => {
          for (const row of planCredential(operation, name, args.facts.seed).slice(0, FIRST_ROWS[operation]))
            await askWithout(args, row);
        },
      );
    }

    // The order of cases (`case-order.ts`) lets the tests above begin early. This one comes when the store has more animals.
    for (const [title, name, requirement] of FORMS.filter(isAskedLater)) {
      test(
        `still does not serve ${title}`,
        verifies(requirement, 'authentication.malformed-credentials'),
        async ({ args }) => {
          for (const row of planCredential(operation, name, args.facts.seed).slice(FIRST_ROWS[operation]))
            await askWithout(args, row);
        },
      );
    }

    for (const word of WORDS_FOR_A_KEY.filter((each) => CREDENTIALS[each].asked[operation] > 0)) {
      test(`refuses the word ${word} in the place of the key`, verifies(wrong), async ({ args }) => {
        for (const row of planCredential(operation, word, args.facts.seed)) await askWithout(args, row);
      });
    }

    test(
      'refuses the claims of the key without their signature',
      verifies.at('has-stopped-services', 'authentication.changed-key'),
      async ({ args }) => {
        if (args.facts.key.isJwt !== true) args.scope.notApplicable('key-without-claims');
        await askWith(args, operation, WRONG.unsigned);
      },
    );

    for (const letters of LETTERS_BEYOND_ASCII[operation]) {
      test(
        `turns away a token with letters beyond ASCII, in ${letters}`,
        verifies('authentication.bytes-beyond-ascii', 'authentication.malformed-credentials'),
        async ({ args }) => {
          await askWith(args, operation, BEYOND_ASCII[letters]);
        },
      );
    }

    for (const [name, value] of OPEN_HEADERS[operation])
      test(
        `does not serve a request without a key under ${name}: ${value}`,
        verifies('authentication.every-request'),
        async ({ args }) => {
          const request = await prepareRequest(args, makePlainestRow(operation), 0);
          const options: RequestOptions = {
            ...nameConnection(operation),
            credential: 'none',
            headers: [[name, value === '*' ? await readTag(request(args.api)) : value]],
          };
          await request(args.api.with(options));
        },
      );

    test(
      'refuses a request without a key after a valid one on the same connection',
      verifies('authentication.every-request'),
      async ({ args }) => {
        // Requests with one `connection` share one: the request without a key comes behind a valid one.
        const connection = `${operation} after`;
        const { pet } = await args.given.pet();
        const kept = args.api.with({ connection });
        const valid = [() => kept.listPets({ limit: 1 }), () => kept.getPet(pet.id)];
        for (const [turn, served] of valid.entries()) {
          await served();
          await askWithout(args, dealKeyless(operation, turn, args.facts.seed), { connection });
        }
        // Some gateways trust a connection after some valid requests. One operation is enough to see it.
        if (operation !== 'listPets') return;
        for (let nth = 0; nth < TRUSTED_AFTER; nth += 1) await kept.listPets({ limit: 1 });
        await askWithout(args, dealKeyless(operation, 4, args.facts.seed), { connection });
      },
    );

    test(
      'refuses a request without a key beside a createPet, and after it on the same connection',
      verifies('authentication.every-request'),
      async ({ args }) => {
        const connection = `${operation} after createPet`;
        // The test ends here if MAX_ANIMALS has no room for one more animal.
        await args.given.requireRoomBesideExamples(1);
        const served = args.api.with({ connection }).createPet(await args.given.newPet('sold'));
        // The test above has the turns 0 and 1: other turns get other queries.
        const [beside, after] = [2, 3].map((turn) => dealKeyless(operation, turn, args.facts.seed));
        await Promise.all([served, askWithout(args, beside!)]);
        await askWithout(args, after!, { connection });
      },
    );
  });
}

test.describe('Authentication of getPet, whatever is around the key', () => {
  for (const [title, credential] of [
    ['in quotation marks', WRAPPED.quoted],
    ['behind another word', WRAPPED.secondWord],
    ['before another word', WRAPPED.firstWord],
  ] as const)
    test(`does not serve the key ${title}`, verifies('authentication.wrapped-key'), async ({ args }) => {
      // A certified run may send few wrong keys too, and needs all of them for promises of the level must.
      if (args.facts.repeatsAsClient) args.scope.notApplicable({ kind: 'mode', mode: 'certification' });
      await askWith(args, 'getPet', credential);
    });
});

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
  for (const query of ['limit=0', 'limit=101', 'limit=abc', 'status=unheard-of', 'unheard-of=1'])
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
      const bodies = [{ name, categoryId, status: 'unheard-of' }, { categoryId }, '{"name":', ''];
      for (const body of bodies) {
        await api.with({ credential: 'none' }).createPet(body);
      }
    },
  );

  // `expectNothingAdded` sends the requests between two ordinary animals, and then searches lists for the refused names.
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
        await Promise.all([
          api.with({ credential: 'none', headers: [['Transfer-Encoding', 'chunked']] }).createPet(one),
          api.with({ credential: WORD_CREDENTIALS.constructor }).createPet(other).answers(401, 'Error'),
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
