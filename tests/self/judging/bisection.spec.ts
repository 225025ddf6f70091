import { expect, test } from '@playwright/test';
import { isOfAnother } from '../../../fixtures/exchange/location.ts';
import { isHardlyText, isPlainName, isWellFormed } from '../../../fixtures/interface/request-oracle.ts';
import { INTEGERS, NAME_GROUPS, writeClassName } from '../../../fixtures/asking/vocabulary/value-classes.ts';
import {
  listAnswers,
  findLargestRight,
  findSmallestWrong,
  bisect,
} from '../../../fixtures/asking/vocabulary/bisection.ts';

const MARK = 'csbdfgh';
const BASE = 'https://store.example/v1';

/** Asks whether none of the parts is a bad one. */
function apart(parts: readonly string[], isRight: (parts: readonly string[]) => boolean) {
  return bisect(
    parts,
    (some) => Promise.resolve({ some: some.join(''), right: isRight(some) }),
    ({ right }) => right,
    (some) => [some.slice(0, Math.ceil(some.length / 2)), some.slice(Math.ceil(some.length / 2))],
  );
}

test('what is fine is asked once', async () => {
  expect(listAnswers(await apart(['a', 'b', 'c'], () => true)).map(({ some }) => some)).toEqual(['abc']);
});

test('a bad part is found by halves, and all others are asked in the largest that is right', async () => {
  const asked = await apart(['a', 'b', 'c', 'd'], (some) => !some.includes('c'));
  expect(findSmallestWrong(asked, ({ right }) => !right).map(({ some }) => some)).toEqual(['c']);
  expect(findLargestRight(asked, ({ right }) => right).map(({ some }) => some)).toEqual(['ab', 'd']);
});

test('what is wrong only together is told of the whole', async () => {
  const asked = await apart(['a', 'b', 'c'], (some) => some.length < 3);
  expect(findSmallestWrong(asked, ({ right }) => !right).map(({ some }) => some)).toEqual(['abc']);
});

for (const { title, names, preserved: kept } of NAME_GROUPS) {
  test(`names are what their group says: ${title}`, () => {
    for (const some of [names, ...names.map((each) => [each])]) {
      const name = writeClassName(MARK, some);
      expect(name.length).toBeLessThanOrEqual(256);
      expect(isPlainName(name) && isWellFormed(name)).toBe(kept === 'exact');
      expect(isHardlyText(name)).toBe(kept === 'any');
      expect(name.includes(MARK)).toBe(names[0]?.unmarked !== true);
    }
  });
}

test('every class of integers rides on an animal, and few names lack the mark', () => {
  expect(INTEGERS.filter((each) => !NAME_GROUPS.some(({ integer }) => integer === each))).toEqual([]);
  expect(NAME_GROUPS.filter(({ names }) => names[0]?.unmarked === true).length).toBeLessThanOrEqual(8);
});

for (const [location, isAnother] of [
  [`${BASE}/pets/17`, false],
  ['/v1/pets/17', false],
  ['pets/17', false],
  ['/v1/pets/17/', false],
  ['http://store.example/v1/pets/17', false],
  ['/v1/pets?id=17', false],
  ['/v1/pets/%3117', true],
  ['/v1/pets/%317', false],
  ['/v1/pets', true],
  ['/v1/pets/117', true],
  ['/v1/pets/18', true],
  ['/pets/18', false],
  ['https://elsewhere.example/v1/pets/18', false],
  ['http://[', false],
] as const) {
  test(`a Location of ${location} ${isAnother ? 'names another animal' : 'accuses nobody'}`, () => {
    expect(isOfAnother(location, 17, BASE)).toBe(isAnother);
  });
}
