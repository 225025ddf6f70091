/** The oracle of bodies (`expectAnswer`): it agrees with ajv, and says for each body if it is accepted, refused or open. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { badIntegers, fillTemplate } from '../../../fixtures/asking/arbitraries/generated-bodies.ts';
import { spoiltBodies, validBodies } from '../../../fixtures/asking/arbitraries/generated-bodies.ts';
import { spellings, spellAnimal } from '../../../fixtures/asking/arbitraries/spellings.ts';
import { fillText, makeRefusedTexts } from '../../../fixtures/asking/arbitraries/texts.ts';
import { writeName, nameParts } from '../../../fixtures/asking/arbitraries/names.ts';
import { FRACTIONS, WRONG_KINDS } from '../../../fixtures/asking/arbitraries/wrong-values.ts';
import { MISTAKE_PROMISES } from '../../../fixtures/interface/blame.ts';
import { findBodyFlaws } from '../../../fixtures/interface/bodies.ts';
import { readJson } from '../../../fixtures/exchange/json.ts';
import { expectAnswer, isPlainName, isWellFormed } from '../../../fixtures/interface/request-oracle.ts';
import { explainInvalidBody, REFUSED_BY } from '../../../fixtures/interface/request-oracle.ts';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';

const FIELDS = { name: 'csabcdbone', categoryId: 1 };
const RUNS = { numRuns: 4_000, seed: 1 };

/** Returns the verdict of ajv on a body: a NewPet, another JSON value, or no JSON. */
function judgeByAjv(text: string): 'valid' | 'invalid' | 'unreadable' {
  try {
    return findBodyFlaws('NewPet', readJson(text).value).length === 0 ? 'valid' : 'invalid';
  } catch {
    return 'unreadable';
  }
}

test('every valid body is to be accepted', () => {
  fc.assert(
    fc.property(
      validBodies,
      (template) =>
        expectAnswer(fillTemplate(template, FIELDS)).answer === 'accepted' &&
        judgeByAjv(fillTemplate(template, FIELDS)) === 'valid',
    ),
    RUNS,
  );
});

test('every way to write a body is to be accepted', () => {
  fc.assert(
    fc.property(spellings, ({ spelling, status }) => {
      const text = spellAnimal({ ...FIELDS, status }, spelling);
      expect(expectAnswer(text).answer).toBe('accepted');
      expect(readJson(text).value).toEqual({ ...FIELDS, status });
    }),
    { ...RUNS, numRuns: 500 },
  );
});

test('a body with one wrong member must be refused for one reason, and every reason is drawn', () => {
  const reasons = new Map<string, number>();
  for (const arbitrary of [spoiltBodies, badIntegers])
    fc.assert(
      fc.property(arbitrary, (template) => {
        const text = fillTemplate(template, FIELDS);
        const expected = expectAnswer(text);
        if (expected.answer !== 'refused') return false;
        reasons.set(expected.promise, (reasons.get(expected.promise) ?? 0) + 1);
        return judgeByAjv(text) === 'invalid' && findBodyFlaws('NewPet', readJson(text).value).length === 1;
      }),
      RUNS,
    );
  expect(Math.min(...reasons.values())).toBeGreaterThan(100);
  const known = Object.values(MISTAKE_PROMISES).flatMap((each) => Object.values(each));
  expect([...reasons.keys()].toSorted()).toEqual(known.toSorted());
  expect(WRONG_KINDS.filter(({ breaks }) => !reasons.has(breaks))).toEqual([]);
});

test('every text without both members is to be refused', () => {
  const reasons = new Set<string>();
  fc.assert(
    fc.property(makeRefusedTexts(), (text) => {
      const expected = expectAnswer(fillText(text, FIELDS.name));
      if (expected.answer === 'refused') reasons.add(expected.promise);
      return expected.answer === 'refused' && judgeByAjv(fillText(text, FIELDS.name)) !== 'valid';
    }),
    RUNS,
  );
  expect([...reasons].sort()).toEqual([
    'create-pet.body-malformed',
    'create-pet.body-missing',
    'create-pet.body-not-object',
  ]);
});

test('the oracle accepts the JSON that ajv takes, and refuses any other', () => {
  const seen = { accepted: 0, refused: 0, open: 0 };
  const member = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<fc.JsonValue>('Bonnie', 1, 7, 'sold'),
  );
  const body = fc.oneof(
    fc.record({ name: member, categoryId: member, status: member }, { requiredKeys: [] }),
    fc.record(
      {
        name: fc.constantFrom('Bonnie', 'Shadow', ''),
        categoryId: fc.constantFrom(1, 2, 1.5),
        status: fc.constantFrom('sold', 'SOLD'),
      },
      { requiredKeys: ['name'] },
    ),
    fc.dictionary(fc.constantFrom('name', 'categoryId', 'status', 'more'), member),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(body, (value) => {
      const text = JSON.stringify(value);
      const { answer } = expectAnswer(text);
      seen[answer] += 1;
      if (answer === 'accepted') expect(judgeByAjv(text)).toBe('valid');
      if (answer === 'refused') expect(judgeByAjv(text)).toBe('invalid');
    }),
    RUNS,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});

// Open are texts that a lenient service may take, unknown or repeated members, and bodies that are wrong in two ways.
for (const [text, answer] of [
  ['{"name":"Shadow","categoryId":1,"id":7}', 'open'],
  ['{"name":"Shadow","categoryId":1.0}', 'open'],
  ['{"name":"Shadow","categoryId":-0}', 'open'],
  ['{"name":"","categoryId":1}', 'open'],
  ['{"name":7,"categoryId":"1"}', 'open'],
  ['{"name":"Shadow","categoryId":1,}', 'open'],
  ['{"name":"Shadow","name":"Max","categoryId":1}', 'open'],
  ['{"Name":"Shadow","categoryId":1}', 'open'],
  ["{'name':'Shadow','categoryId':1", 'open'],
  ['{"n\\u0061me":"Shadow","c\\u0061tegoryId":1,', 'open'],
  ['{"name":"\\ud800","categoryId":1}', 'open'],
  ['{"name":"Shadow","categoryId":9223372036854775808}', 'refused'],
  ['{"name":"Shadow","categoryId":1e19}', 'refused'],
  ['{"name":"Shadow","categoryId":1,"status":null}', 'refused'],
  ['{"name":"Shadow"', 'refused'],
  ['', 'refused'],
  ['{"name":"Shadow","categoryId":1,"status":"sold"}', 'accepted'],
] as const) {
  test(`${answer}: ${text || 'an empty body'}`, () => {
    expect(expectAnswer(text).answer).toBe(answer);
  });
}

test('names are well-formed, keep the mark, and are of every kind', () => {
  const seen = { plain: 0, unusual: 0, long: 0 };
  fc.assert(
    fc.property(nameParts, (naming) => {
      const name = writeName('cs-abcd-n1', naming);
      seen[isPlainName(name) ? 'plain' : 'unusual'] += 1;
      if (name.length > 128) seen.long += 1;
      return name.includes('cs-abcd-n1 ') && name.length <= 256 && isWellFormed(name);
    }),
    RUNS,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(400);
});

test('a fraction that a double holds must be refused; a number beyond every double is outside int64', () => {
  const judge = (category: string) => expectAnswer(`{"name":"cs-abcd-b1","categoryId":${category}}`);
  expect(FRACTIONS).toContain('2.0001');
  for (const text of FRACTIONS)
    expect(judge(text), text).toMatchObject({ answer: 'refused', promise: 'create-pet.category-id-integer' });
  for (const text of ['9007199254740992.5', '4503599627370496.1'])
    expect(judge(text).answer, text).toBe('open');
  for (const text of ['1e400', '-1e400', '1e4000'])
    expect(judge(text), text).toMatchObject({ answer: 'refused', promise: 'create-pet.category-id-range' });
});

test('a body that must be refused is of one kind', () => {
  for (const [body, kind] of [
    ['{"name":7,"categoryId":1}', 'create-pet.name-type: number'],
    ['{"name":"Rex","categoryId":"1"}', 'create-pet.category-id-type: digits in a text'],
    ['{"name":"Rex","categoryId":1,"status":"SOLD"}', 'create-pet.status-values: letter case'],
    [
      '{"name":"Rex","categoryId":1,"status":" sold"}',
      'create-pet.status-values: text with blanks at its ends',
    ],
    ['{"title":"Rex","categoryId":1}', 'create-pet.other-members: title,categoryId'],
    ['[]', 'create-pet.body-not-object: array, empty'],
    ['name', 'create-pet.body-malformed: no object'],
    ['{"name":"Rex","categoryId":1}', undefined],
    ['{"NAME":7,"categoryId":1}', undefined],
    ['{"name":"Rex","name":7,"categoryId":1}', 'unclear'],
    ['{"name":7,"categoryId":1,"age":2}', 'create-pet.name-type: number, beside another member'],
    ['{"name":7,"categoryId":"1","age":2}', 'unclear'],
  ] as const)
    expect(explainInvalidBody(body)?.kind, body).toBe(kind);
  expect(REFUSED_BY.filter((id) => REQUIREMENTS[id] === undefined)).toEqual([]);
});
