/** The bases of the proof: services with up to four freedoms (levels), on which variants are put. Each variant gets one that suits it. */
import { expect, test } from '@playwright/test';
import { BASES, REFERENCE, adaptFreedom, drawBase } from '../../../fixtures/implementations/bases.ts';
import { findBase } from '../../../fixtures/implementations/bases.ts';
import { explainContradiction, explainHidden } from '../../../fixtures/implementations/pairs.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { findFreedom } from '../samples/named-variants.ts';

const names = BASES.map(({ name }) => name);
const VARIANTS = [...FAULTS, ...FREEDOMS];
/** Returns the first base whose name has this part, e.g. a level. */
const findBaseWith = (part: string) => findBase(names.find((each) => each.includes(part)) ?? part);

test('each level is in three bases at least, no base is there twice, and the first is the reference', () => {
  const levels = names.slice(1).flatMap((name) => name.split('+'));
  // All levels of `LEVELS` (bases.ts).
  expect(new Set(levels).size).toBe(12);
  for (const level of levels)
    expect(levels.filter((each) => each === level).length, level).toBeGreaterThanOrEqual(3);
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toBe(REFERENCE);
});

test('no two levels of a base contradict each other', () => {
  const contradicting = BASES.flatMap(({ name, of }) =>
    of.flatMap((one, index) =>
      of.slice(index + 1).flatMap((other) => (explainContradiction(one, other) === null ? [] : [name])),
    ),
  );
  expect(contradicting).toEqual([]);
});

test('every base is drawn for many variants, the same at each call', () => {
  const drawn = VARIANTS.map((each) => drawBase(each).name);
  expect(VARIANTS.map((each) => drawBase(each).name)).toEqual(drawn);
  for (const name of names)
    expect(drawn.filter((each) => each === name).length, name).toBeGreaterThan(VARIANTS.length / 40);
});

test('a variant that contradicts the wanted base gets another base', () => {
  const newest = findBaseWith('newest-first');
  expect(drawBase(findFreedom('list-pets.limit-clamped'), newest)).toBe(newest);
  expect(drawBase(findFreedom('list-pets.by-name'), newest)).not.toBe(newest);
  // A freedom contradicts no level of its base, and no level hides a fault.
  for (const freedom of FREEDOMS)
    expect(drawBase(freedom).of.every((level) => explainContradiction(level, freedom) === null)).toBe(true);
  for (const fault of FAULTS)
    expect(drawBase(fault).of.every((level) => explainHidden(level, fault) === null)).toBe(true);
});

test('on a base, more promises may be not applicable to a freedom than on the reference', () => {
  const [freedom] = FREEDOMS;
  expect(adaptFreedom(freedom!, findBase(REFERENCE))).toBe(freedom);
  const capped = adaptFreedom(freedom!, findBaseWith('capped-by-rows'));
  expect(capped.notApplicable).toContain('list-pets.agrees-with-create');
});
