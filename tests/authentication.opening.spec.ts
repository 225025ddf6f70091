/** Tests that a refusal closes nothing for the right key: it works on the connection on which other credentials were refused. */
import type { Client } from '../fixtures/asking/client/client.ts';
import { WRONG } from '../fixtures/situations/credentials/wrong-keys.ts';
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

// The place `opening-reads` runs before any other wrong key: a lock after many wrong keys cannot be the cause.
// The rule `credentials` judges the requests without the key that follow the right one (authentication.every-request).
test.describe('Authentication, first of all', () => {
  test(
    'takes the right key on a connection on which others were refused, and nothing else behind it',
    verifies.at('opening-reads', 'authentication.after-refusals', 'authentication.every-request'),
    async ({ api, scope }) => {
      for (let time = 1; time <= FAILURES_TO_BLAME; time += 1) {
        const refused = await findFirstRefusal(api, time);
        if (refused === null) return;
        // If the key fails on a fresh connection too, the service has locked it: that is undecided.
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
 * Sends the right key after a request without a key, and after a wrong key and a createPet without a key. Returns the first refusal;
 * null if the key works.
 */
async function findFirstRefusal(api: Client, time: number): Promise<AnsweredExchange | null> {
  const kept = api.with({ connection: `after refusals ${time}` });
  const list = (credential: Credential) => kept.with({ credential }).listPets({ limit: 1 });
  const right: Exchange[] = [];
  await list('none');
  right.push(await list('key'));
  // A connection that has had the right key may take any token of its length.
  await list(WRONG.other);
  // The body comes last: a service that does not read it may take it for the next request.
  await kept.with({ credential: 'none' }).createPet('{}');
  right.push(await list('key'));
  return (
    right.filter(isAnswered).find(({ response }) => !isPutOff(response) && response.status !== 200) ?? null
  );
}
