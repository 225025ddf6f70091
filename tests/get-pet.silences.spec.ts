/**
 * Open questions about getPet: the document does not say what is answered. `observe` records the answer as a word.
 * The tests demand nothing of the answers. Rules judge if one breaks a standard, e.g. is a 5xx.
 */
import { classifyAnswer } from '../fixtures/asking/client/test-arguments.ts';
import { observes, test } from '../fixtures/test.ts';

test.describe('GET /pets/{petId}, open questions', () => {
  for (const [silence, title, texts] of [
    ['get-pet.not-an-integer', 'what is not an integer', ['abc', '1.5', '1e3', '0x10', '%20']],
    [
      'get-pet.outside-int64',
      'what is outside int64',
      ['9223372036854775808', '-9223372036854775809', '99999999999999999999999'],
    ],
  ] as const) {
    test(`answers ${title}`, observes(silence), async ({ api, observe }) => {
      const seen = await Promise.all(texts.map((text) => api.getPet(text).requireResponse()));
      observe([...new Set(seen.map(classifyAnswer))].join(' '), seen);
    });
  }

  for (const [silence, title, spell] of [
    ['get-pet.leading-zeros', 'leading zeros', (id: string) => `00${id}`],
    ['get-pet.plus-sign', 'a plus sign', (id: string) => `+${id}`],
  ] as const) {
    test(`answers ${title}`, observes(silence), async ({ api, given, observe }) => {
      const { pet } = await given.pet();
      observe(await api.getPet(spell(String(pet.id))).requireResponse());
    });
  }

  test('sends validators', observes('get-pet.cache-headers'), async ({ api, given, observe }) => {
    const { pet } = await given.pet();
    const exchange = await api.getPet(pet.id).requireResponse();
    const sent = ['etag', 'last-modified', 'cache-control'].filter((name) =>
      exchange.response.headers.some(([each]) => each.toLowerCase() === name),
    );
    observe(sent.length === 0 ? 'none' : `sends-${sent.join(', ')}`, [exchange]);
  });
});
