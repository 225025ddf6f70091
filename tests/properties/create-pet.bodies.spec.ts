/**
 * Properties of createPet: every generated body with one thing wrong gets 400 with an Error. A template is such a body without its own name
 * and category, which `fillTemplate` adds. Members of a `Property`: `letter` follows the mark of the run in the names of its animals,
 * `runs` is the number of examples, `classOf` names the mistake in messages. `promisesOfSomeValues`: promises that only some bodies put to
 * the test. `notePromise` notes which one an example tests, and each passes only if one of its examples was decided.
 */
import {
  badIntegers,
  classifyBody,
  fillTemplate,
  spoiltBodies,
  type Template,
} from '../../fixtures/asking/arbitraries/generated-bodies.ts';
import { WRONG_KINDS } from '../../fixtures/asking/arbitraries/wrong-values.ts';
import { fillText, makeRefusedTexts } from '../../fixtures/asking/arbitraries/texts.ts';
import { expectAnswer } from '../../fixtures/interface/request-oracle.ts';
import { OF_EVERY_ERROR } from '../../fixtures/interface/blame.ts';
import { checkProperty, type Example, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId, type RequirementId } from '../../fixtures/interface/requirements.ts';
import { dealHeaders } from '../../fixtures/asking/vocabulary/situation-requests.ts';
import { test, verifies } from '../../fixtures/test.ts';

// `weight`: how often generated bodies have this wrong value. Values without a weight are in `badIntegers`; their promises are `INTEGERS`.
const MEMBERS: readonly [RequirementId, ...RequirementId[]] = [
  'create-pet.name-missing',
  'create-pet.category-id-missing',
  ...WRONG_KINDS.flatMap(({ weight, breaks }) => (weight === undefined ? [] : breaks)),
];
const INTEGERS = ['create-pet.category-id-integer', 'create-pet.category-id-range'] as const;
const TEXTS = ['create-pet.body-missing', 'create-pet.body-not-object', 'create-pet.body-malformed'] as const;

const bodies: Property<Template> = {
  id: 'create-pet.bodies',
  letter: 'b',
  values: () => spoiltBodies,
  runs: 12,
  classOf: classifyBody,
  promisesOfSomeValues: MEMBERS,
};
const integers: Property<Template> = {
  id: 'create-pet.integers',
  letter: 'i',
  values: () => badIntegers,
  runs: 8,
  classOf: classifyBody,
  promisesOfSomeValues: INTEGERS,
};
const texts: Property<string> = {
  id: 'create-pet.texts',
  letter: 't',
  values: makeRefusedTexts,
  runs: 7,
  promisesOfSomeValues: TEXTS,
};

test.describe('POST /pets, any body with one thing wrong', () => {
  test(
    'refuses members that are missing or wrong',
    addPropertyId(bodies, verifies(...MEMBERS, ...OF_EVERY_ERROR, 'authentication.valid-key')),
    async ({ args }) => {
      const { categoryId } = await args.given.newPet();
      await checkProperty(args, bodies, (template, example) =>
        sendRefused(example, fillTemplate(template, { name: example.mark, categoryId })),
      );
    },
  );

  test(
    'refuses a categoryId that is not an int64',
    addPropertyId(integers, verifies(...INTEGERS, ...OF_EVERY_ERROR, 'authentication.valid-key')),
    async ({ args }) => {
      const { categoryId } = await args.given.newPet();
      await checkProperty(args, integers, (template, example) =>
        sendRefused(example, fillTemplate(template, { name: example.mark, categoryId })),
      );
    },
  );

  test(
    'refuses what is not an object with both members',
    addPropertyId(texts, verifies(...TEXTS, ...OF_EVERY_ERROR, 'authentication.valid-key')),
    async ({ args }) => {
      // Ends the test if not even an ordinary animal can be added.
      await args.given.newPet();
      await checkProperty(args, texts, (text, example) => sendRefused(example, fillText(text, example.mark)));
    },
  );
});

/** Sends the text if the document says that it is refused: rules demand the 400. Nothing is sent if the answer to the text is open. */
async function sendRefused({ api, facts, notePromise, turn }: Example, text: string): Promise<void> {
  const expected = expectAnswer(text);
  if (expected.answer !== 'refused') return;
  notePromise(expected.promise);
  // The number of the example (`turn`) and the seed choose Accept and Cache-Control.
  const client = api.with(dealHeaders(turn + facts.seed));
  await client.createPet(text);
}
