import { expect, test } from '@playwright/test';
import { added, judgeOf, list, rex, type Row } from './rows.ts';

const rows = (...ids: number[]): Row[] =>
  ids.map((id) => ({
    id,
    name: `csmark${id}`,
    categoryId: 1,
    status: id % 2 === 0 ? 'sold' : 'available',
  }));

/** Whether the list of that place may lack the animal because it was cut: the animals were added in this order, then the lists came. */
function mayBeCut(
  animals: readonly Row[],
  lists: readonly (readonly [string, readonly Row[]])[],
  index: number,
  id: number,
): boolean {
  const { model, presence } = judgeOf([
    ...animals.map((row, place) => added(10 * place, row)),
    ...lists.map(([path, shown], place) => list(1_000 + 10 * place, shown, path)),
  ]);
  const [page, animal] = [model.pages[index], model.animals.get(String(id))];
  if (page === undefined || animal === undefined) throw new Error('there is no such list or animal');
  return presence.truncation.mayBeCut(page, animal);
}

const SEVEN = rows(1, 2, 3, 4, 5, 6, 7);
const WHOLE = ['/pets?limit=100', SEVEN] as const;

test.describe('a list that lacks an animal may be cut', () => {
  test('where it is as long as its limit', () => {
    expect(mayBeCut(SEVEN, [['/pets?limit=3', rows(1, 2, 3)], WHOLE], 0, 7)).toBe(true);
  });

  test('at a number of rows that no list of its kind has passed', () => {
    const lists = [
      ['/pets?limit=50', rows(1, 2, 3)],
      ['/pets?limit=100', rows(1, 2, 3)],
    ] as const;
    expect(mayBeCut(SEVEN, lists, 0, 7)).toBe(true);
  });

  test('at a share of its limit, or at its limit less a constant', () => {
    const half = [
      ['/pets?limit=4', rows(1, 2)],
      ['/pets?limit=8', rows(1, 2, 3, 4)],
    ] as const;
    expect(mayBeCut(SEVEN, half, 0, 7)).toBe(true);
    const less = [
      ['/pets?limit=4', rows(1, 2, 3)],
      ['/pets?limit=6', rows(1, 2, 3, 4, 5)],
    ] as const;
    expect(mayBeCut(SEVEN, less, 0, 7)).toBe(true);
  });

  test('where the next animal would be too large', () => {
    const large = { ...rex(8), name: 'x'.repeat(500) };
    const animals = [...SEVEN.slice(0, 3), large, ...SEVEN.slice(3)];
    const lists = [
      ['/pets?limit=50', rows(1, 2, 3)],
      ['/pets?limit=100', rows(4, 5, 6, 7)],
    ] as const;
    expect(mayBeCut(animals, lists, 0, 4)).toBe(true);
  });

  test('where a filter looks at the first animals only', () => {
    const lists = [WHOLE, ['/pets?limit=50&status=sold', rows(2, 4)]] as const;
    expect(mayBeCut(SEVEN, lists, 1, 6)).toBe(true);
  });

  test('by time, where an equal request showed more, and later again', () => {
    const lists = [
      ...Array<typeof WHOLE>(12).fill(WHOLE),
      ['/pets?limit=100', rows(1, 2, 3)],
      WHOLE,
    ] as const;
    expect(mayBeCut(SEVEN, lists, 12, 7)).toBe(true);
  });
});

test.describe('a list that lacks an animal was not cut', () => {
  test('where a list of its kind was longer, whatever its limit', () => {
    expect(
      mayBeCut(
        SEVEN,
        [
          ['/pets?limit=50', rows(1, 2, 3)],
          ['/pets?limit=8', SEVEN],
        ],
        0,
        7,
      ),
    ).toBe(false);
  });

  test('where it is empty', () => {
    expect(mayBeCut(SEVEN, [['/pets?limit=50', []]], 0, 7)).toBe(false);
  });

  test('where it goes on behind the place of the animal in the order that lists keep', () => {
    const lists = [['/pets?limit=50', rows(1, 2, 4, 5, 6, 7, 8, 9)]] as const;
    expect(mayBeCut(rows(1, 2, 3, 4, 5, 6, 7, 8, 9), lists, 0, 3)).toBe(false);
  });

  test('where a filter lacks the first animal of its status, which lists show before and after', () => {
    const lists = [WHOLE, ['/pets?limit=50&status=available', []], WHOLE] as const;
    expect(mayBeCut(SEVEN, lists, 1, 7)).toBe(false);
    expect(mayBeCut(SEVEN, lists.slice(0, 2), 1, 7)).toBe(true);
  });

  test('but in an order that few rows have shown it may be', () => {
    const lists = [['/pets?limit=50', rows(1, 2, 4, 5, 6, 7)]] as const;
    expect(mayBeCut(SEVEN, lists, 0, 3)).toBe(true);
  });

  test('where a filter has looked further', () => {
    const lists = [
      WHOLE,
      ['/pets?limit=50&status=sold', rows(2, 6)],
      ['/pets?limit=50&status=available', rows(1, 3, 5, 7)],
    ] as const;
    expect(mayBeCut(SEVEN, lists, 1, 4)).toBe(false);
  });

  test('by time, where somebody deleted what it lacks', () => {
    const gone = ['/pets?limit=100', rows(1, 2, 3)] as const;
    const lists = [...Array<typeof WHOLE>(12).fill(WHOLE), gone, gone] as const;
    expect(mayBeCut(SEVEN, lists, 12, 7)).toBe(false);
  });
});
