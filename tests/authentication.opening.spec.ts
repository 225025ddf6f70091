/** Tests that the right key works on a connection on which other credentials were refused before. */
import type { Client } from '../fixtures/asking/client/client.ts';
import { WRONG_KEYS } from '../fixtures/situations/credentials/wrong-keys.ts';
import {
  isAnswered,
  type AnsweredExchange,
  type Credential,
  type Exchange,
} from '../fixtures/exchange/exchange.ts';
import { describeStatus } from '../fixtures/judgement/describe-answer.ts';
import { isPutOff } from '../fixtures/exchange/retry-after.ts';
import { test, verifies } from '../fixtures/test.ts';

/** The rule `keys` blames the service if the right key fails three times, while it works on fresh connections. */
const FAILURES_TO_BLAME = 3;

// Tests in the slot `opening-reads` run before any other wrong key is sent: a lock after many wrong keys cannot be the cause.
// The rule `credentials` judges requests without the key after one with it (authentication.every-request).
test.describe('Authentication, first of all', () => {
  test(
    'takes the right key on a connection on which others were refused, and nothing else behind it',
    verifies.at('opening-reads', 'authentication.after-refusals', 'authentication.every-request'),
    async ({ api, scope }) => {
      for (let time = 1; time <= FAILURES_TO_BLAME; time += 1) {
        const refused = await findFirstRefusal(api, time);
        if (refused === null) return;
        // If the key fails on a fresh connection too, the service has locked the key, and the test is undecided.
        const elsewhere = api.with({ connection: `beside refusals ${time}` }).listPets({ limit: 1 });
        const { id, response } = await elsewhere;
        if (response?.status === 401 || response?.status === 403)
          scope.inconclusive({ kind: 'refused-key', answer: describeStatus(refused.response) }, [
            refused.id,
            id,
          ]);
        await elsewhere.answers(200, 'Pets');
      }
    },
  );
});

/**
 * Sends on one connection: a list without a key, the right key, a wrong key, a createPet without a key, the right key again. Returns
 * the first refusal of the right key; null if it works. An answer such as 429 (`isPutOff`) is no refusal.
 */
async function findFirstRefusal(api: Client, time: number): Promise<AnsweredExchange | null> {
  const kept = api.with({ connection: `after refusals ${time}` });
  const list = (credential: Credential) => kept.with({ credential }).listPets({ limit: 1 });
  const right: Exchange[] = [];
  await list('none');
  right.push(await list('key'));
  // A faulty service may take any token of this length on a connection that has had the right key.
  await list(WRONG_KEYS.other.credential);
  // The body comes last: a service that does not read it may take it for the next request.
  await kept.with({ credential: 'none' }).createPet('{}');
  right.push(await list('key'));
  return (
    right.filter(isAnswered).find(({ response }) => !isPutOff(response) && response.status !== 200) ?? null
  );
}
