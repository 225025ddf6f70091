import { WRONG } from '../fixtures/credentials/wrong-credentials.ts';
import { statusLine } from '../fixtures/judgement/documented-answer.ts';
import { saysLater } from '../fixtures/exchange/retry-after.ts';
import { test, verifies } from '../fixtures/test.ts';

/** The right key must fail this often behind refusals, while it works elsewhere. */
const TIMES = 3;

// Before any other wrong key: a lock that many of them bring about cannot be the cause.
test.describe('Authentication, first of all', () => {
  test(
    'takes the right key on a connection on which others were refused',
    verifies.at('opening-reads', 'authentication.after-refusals'),
    async ({ api, scope }) => {
      for (let time = 1; ; time += 1) {
        const refusing = api.with({ connection: `after refusals ${time}` });
        await refusing.with({ credential: WRONG.other }).listPets({ limit: 1 });
        // last: a body that a refusal leaves unread is taken for the next request
        await refusing.with({ credential: 'none' }).createPet('{}');
        const { id, response } = await refusing.listPets({ limit: 1 });
        if (response === null || saysLater(response) || response.status === 200)
          return void (await api.listPets({ limit: 1 }).answers(200, 'Pets'));
        const elsewhere = await api.with({ connection: `beside refusals ${time}` }).listPets({ limit: 1 });
        if (elsewhere.response?.status !== 200)
          scope.inconclusive({ kind: 'refused-key', answer: statusLine(response) }, [id, elsewhere.id]);
        if (time === TIMES)
          scope.reject([
            {
              requirement: 'authentication.after-refusals',
              expected: '200, as on a fresh connection',
              received: statusLine(response),
              pointer: null,
              evidence: [id, elsewhere.id],
            },
          ]);
      }
    },
  );
});
