import { expect, test } from '@playwright/test';
import { readSource as read, sourcesBelow } from './imports.ts';

const VARIANTS = sourcesBelow('fixtures/implementations/faults', 'fixtures/implementations/freedoms');
/** A file says what goes wrong, or is otherwise, in its services: a sentence that ends in a full stop. */
const HEAD = /^\/\*\* [A-Za-z][^\n]*\. ?(\*\/)?\n/;
/** A generator that several rows of a file draw from: a row that comes would change those behind it. */
const SHARED_DRAWS = /^(export )?(const|let) .*new Draws\(/m;

test('every file of faults and freedoms begins with a sentence about its services', () => {
  expect(VARIANTS.length).toBeGreaterThan(30);
  expect(VARIANTS.filter((file) => !HEAD.test(read(file)))).toEqual([]);
  expect('/** Names */\nimport').not.toMatch(HEAD);
});

test('a row that comes changes no other: no generator is shared', () => {
  expect(VARIANTS.filter((file) => SHARED_DRAWS.test(read(file)))).toEqual([]);
  expect('const draws = new Draws(0x1157);').toMatch(SHARED_DRAWS);
});
