/**
 * Open questions about createPet: the document does not say what is answered. `observe` records the answer as a word. The test demands
 * nothing of the answer. Rules judge if it breaks a standard, e.g. is a 5xx. Tests with a slot run late, so that tests of promises can add
 * their animals first (MAX_ANIMALS). The slot `has-broken-stores` comes last, and only if nobody else uses the store.
 */
import { classifyAnswer } from '../fixtures/asking/client/test-arguments.ts';
import { findHeader, type Answer, type Exchange } from '../fixtures/exchange/exchange.ts';
import { askGroup } from '../fixtures/asking/vocabulary/combined-values.ts';
import { createWithFreeId } from '../fixtures/asking/vocabulary/harmful-probes.ts';
import { parseBody } from '../fixtures/exchange/read-body.ts';
import { readMembers, writeJson } from '../fixtures/exchange/json.ts';
import { UNMARKED } from '../fixtures/judgement/store/run-mark.ts';
import { NAME_GROUPS } from '../fixtures/asking/vocabulary/value-classes.ts';
import { observes, test } from '../fixtures/test.ts';
import { PRODUCTION } from '../fixtures/judgement/reason.ts';

test.describe('POST /pets, open questions', () => {
  test('shows a status unasked', observes('create-pet.status-unasked'), async ({ given, observe }) => {
    const { exchange, pet } = await given.pet(null);
    observe(pet.status === undefined ? 'absent' : `defaults-to-${pet.status}`, [exchange]);
  });

  test(
    'answers unknown members',
    observes.at('own-animals-late', 'create-pet.unknown-members'),
    async ({ api, given, observe }) => {
      const exchange = await api.createPet({ ...(await given.newPet()), unheardOf: 'x' }).requireResponse();
      const shown = readMember(exchange.response, 'unheardOf');
      observe(classifyUnlessAdded(exchange) ?? (shown === undefined ? 'ignores' : 'keeps'), [exchange]);
    },
  );

  test(
    'answers a free identifier',
    observes.at('has-broken-stores', 'create-pet.free-id'),
    async ({ args, api, observe }) => {
      // `createWithFreeId` sends an `id` that no animal has, once for all tests of the run.
      const { id, exchange: sent } = await createWithFreeId(args);
      const exchange = await api.takeExchange(sent).requireResponse();
      const shown = readMember(exchange.response, 'id');
      observe(classifyUnlessAdded(exchange) ?? (String(shown) === String(id) ? 'adopts' : 'ignores'), [
        exchange,
      ]);
    },
  );

  for (const [silence, title, name] of [
    ['create-pet.empty-name', 'an empty name', ''],
    ['create-pet.blank-name', 'a name of blanks', UNMARKED.blanks],
  ] as const) {
    test(
      `answers ${title}`,
      observes.at('own-animals-late', silence),
      async ({ api, given, observe, scope, facts }) => {
        if (facts.production || facts.markedNamesOnly)
          scope.notApplicable({ kind: 'mode', mode: 'production-or-marked' });
        observe(await api.createPet({ ...(await given.newPet()), name }).requireResponse());
      },
    );
  }

  test(
    'answers control characters in a name',
    observes.at('own-animals-late', 'create-pet.control-characters'),
    async ({ args }) => {
      // The first animal has all unusual characters in its name. If it was refused, each kind follows in a name without the others. So the last
      // exchange with control characters says most.
      const group = NAME_GROUPS.find(({ title }) => title === 'unusual characters');
      const asked = group === undefined ? [] : await askGroup(args, group);
      const control = asked.findLast(({ names }) =>
        names.some(({ title }) => title === 'control characters'),
      );
      if (control !== undefined)
        args.observe(await args.api.takeExchange(control.exchange).requireResponse());
    },
  );

  test(
    'answers a name of many thousand characters',
    observes.at('own-animals-late', 'create-pet.very-long-name'),
    async ({ api, given, observe, scope, facts }) => {
      if (facts.production) scope.notApplicable(PRODUCTION);
      const draft = await given.newPet();
      observe(
        await api.createPet({ ...draft, name: `${draft.name} ${'y'.repeat(20_000)}` }).requireResponse(),
      );
    },
  );

  test(
    'answers a second animal of one name',
    observes.at('own-animals-late', 'create-pet.equal-names'),
    async ({ api, given, observe }) => {
      const { sent, pet } = await given.pet();
      const equal = { ...(await given.newPet('sold')), name: sent.name };
      observe(await api.createPet(equal).requireResponse());
      await api.getPet(pet.id);
    },
  );

  test(
    'answers a category that probably nobody has',
    observes.at('own-animals-late', 'create-pet.unknown-category'),
    async ({ api, given, observe }) => {
      observe(
        await api
          .createPet({ ...(await given.newPet()), categoryId: 7_235_813_213_455_891n })
          .requireResponse(),
      );
    },
  );

  test(
    'answers odd spellings of an integer',
    observes.at('own-animals-late', 'create-pet.integer-spelling'),
    async ({ api, given, observe }) => {
      const seen = [];
      for (const spelling of ['1.0', '1e0', '-0']) {
        const { name } = await given.newPet();
        seen.push(await api.createPet(`{"name":"${name}","categoryId":${spelling}}`).requireResponse());
      }
      observe(seen.map(classifyAnswer).join(' '), seen);
    },
  );

  test(
    'answers members in another letter case',
    observes.at('own-animals-late', 'create-pet.member-letter-case'),
    async ({ api, given, observe }) => {
      const seen = [];
      for (const [name, category] of [
        ['NAME', 'categoryId'],
        ['name', 'CategoryId'],
      ]) {
        const draft = await given.newPet();
        seen.push(
          await api
            .createPet(`{"${name}":"${draft.name}","${category}":${draft.categoryId}}`)
            .requireResponse(),
        );
      }
      observe(seen.map(classifyAnswer).join(' '), seen);
    },
  );

  for (const [silence, title, text] of [
    [
      'create-pet.duplicate-members',
      'two members of one name',
      (name: string, category: string) => `{"name":"${name}","name":"${name}b","categoryId":${category}}`,
    ],
    [
      'create-pet.lenient-json',
      'a trailing comma',
      (name: string, category: string) => `{"name":"${name}","categoryId":${category},}`,
    ],
    [
      'create-pet.deep-body',
      'a deeply nested body',
      (name: string, category: string) =>
        `{"name":"${name}","categoryId":${category},"more":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    ],
    [
      'create-pet.large-body',
      'a large body',
      (name: string, category: string) =>
        `{"name":"${name}","categoryId":${category},"more":"${'z'.repeat(300_000)}"}`,
    ],
  ] as const) {
    test(`answers ${title}`, observes.at('may-damage-animals', silence), async ({ api, given, observe }) => {
      const { name, categoryId } = await given.newPet();
      observe(await api.createPet(text(name, String(categoryId))).requireResponse());
    });
  }

  for (const [silence, title, contentType] of [
    ['create-pet.content-type', 'another content type', 'text/plain'],
    ['create-pet.content-type-missing', 'no content type', null],
  ] as const) {
    test(`answers ${title}`, observes.at('own-animals-late', silence), async ({ api, given, observe }) => {
      observe(
        await api
          .with({ contentType })
          .createPet(writeJson(await given.newPet()))
          .requireResponse(),
      );
    });
  }

  test('sends Location', observes('create-pet.location'), async ({ given, observe }) => {
    const { exchange } = await given.pet();
    observe(
      exchange.response && findHeader(exchange.response, 'location') !== undefined ? 'sends' : 'absent',
      [exchange],
    );
  });
});

/** Returns the word for an answer that adds no animal; null for a 201: then the body decides the word. */
function classifyUnlessAdded(exchange: Exchange): string | null {
  return exchange.response?.status === 201 ? null : classifyAnswer(exchange);
}

function readMember(answer: Answer, name: string): unknown {
  return readMembers(parseBody(answer))[name];
}
