import { expect, test } from '@playwright/test';
import { added, judgeOf, list, rex, type HistoryRow, type Told } from './rows.ts';

const rows = (...ids: number[]): HistoryRow[] =>
  ids.map((id) => ({
    id,
    name: `csmark${id}`,
    categoryId: 1,
    status: id % 2 === 0 ? 'sold' : 'available',
  }));

/** True if the list of that place may lack the animal because it was cut: the animals were added in this order, then the lists came. */
function mayBeCut(
  animals: readonly HistoryRow[],
  lists: readonly (readonly [string, readonly HistoryRow[]])[],
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
    const halfRoundedUp = [
      ['/pets?limit=9', rows(1, 2, 3, 4, 5)],
      ['/pets?limit=3', rows(1, 2)],
      WHOLE,
    ] as const;
    expect(mayBeCut(SEVEN, halfRoundedUp, 0, 7)).toBe(true);
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

test.describe('a full list that lacks an animal was cut', () => {
  const shelf = (ids: readonly number[], status: string, name = 'csmark'): HistoryRow[] =>
    ids.map((id) => ({ id, name: `${name}${id}`, categoryId: 1, status }));
  const sold = shelf([29, 28, 27, 26, 25, 24, 23, 22, 21], 'sold');
  const newest = shelf([30], 'pending');
  const shop = [...shelf([1, 2, 3, 4, 5, 6, 7, 8, 9], 'pending'), ...sold.toReversed(), ...newest];

  test('where all that it shows has another status: the shop may sort by status first, then the newest', () => {
    expect(mayBeCut(shop, [['/pets?limit=9', sold]], 0, 30)).toBe(true);
  });

  test('where all that it shows is of others: the shop may mark them itself', () => {
    const others = shelf([29, 28, 27, 26, 25, 24, 23, 22, 21], 'pending', 'Rex');
    expect(mayBeCut(newest, [['/pets?limit=9', others]], 0, 30)).toBe(true);
  });

  test('but not where it shows what comes behind the animal and is like it', () => {
    expect(mayBeCut(shop, [['/pets?limit=8', sold.toSpliced(1, 1)]], 0, 28)).toBe(false);
  });

  test('nor where lists have shown that they are not sorted by status first', () => {
    const mixed = [...shelf([20], 'sold'), ...shelf([19], 'pending'), ...shelf([18], 'sold')];
    const lists = [
      ['/pets?limit=100', mixed],
      ['/pets?limit=9', sold],
    ] as const;
    expect(mayBeCut([...shop, ...mixed], lists, 1, 30)).toBe(false);
  });
});

test.describe('a filter that looks at as many animals as its limit says, of an index that is late', () => {
  const AT = 1_000;
  const all = rows(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  const newestFirst = all.toReversed();
  const available = (of: readonly HistoryRow[]) => of.filter(({ status }) => status === 'available');
  const old = all.slice(0, 6).map((row, index) => added(10 * index, row));
  const young = all.slice(6).map((row, index) => added(AT + 10 * index, row));
  // the index does not know the four young ones yet: it looks at animals 6, 5, 4 and 3
  const late = list(AT + 50, available(newestFirst.slice(4, 8)), '/pets?limit=4&status=available');
  const settled = list(AT + 500, available(newestFirst.slice(0, 4)), '/pets?limit=4&status=available');
  const judged = (told: readonly Told[], id: number) => {
    const { model, presence } = judgeOf(told);
    const [page, animal] = [model.pages.at(-1), model.animals.get(String(id))];
    if (page === undefined || animal === undefined) throw new Error('there is no such list or animal');
    return presence.truncation.mayBeCut(page, animal);
  };

  test('has not looked as far as a newer list seems to show', () => {
    expect(judged([...old, ...young, list(AT + 45, newestFirst), late, settled], 5)).toBe(true);
  });

  test('but has looked at what it showed when all that comes before was older than the window', () => {
    const before = [
      list(AT - 100, newestFirst.slice(4)),
      list(AT - 90, available(newestFirst.slice(4)), '/pets?limit=6&status=available'),
    ];
    const short = list(AT - 80, rows(5, 1), '/pets?limit=6&status=available');
    expect(judged([...old, ...before, short], 3)).toBe(false);
  });
});

test.describe('lists that differ by the value of their filter', () => {
  const animals = rows(1, 2, 3, 4, 5, 6, 7, 8);
  const all = ['/pets?limit=100', animals] as const;
  const sold = ['/pets?limit=100&status=sold', rows(2, 4)] as const;
  const available = ['/pets?limit=100&status=available', rows(1, 3, 5, 7)] as const;

  test('may have a cap for each value', () => {
    expect(mayBeCut(animals, [all, available, sold], 2, 8)).toBe(true);
  });

  test('but none that a list by the same value has passed', () => {
    const longer = ['/pets?limit=100&status=sold', rows(2, 4, 6)] as const;
    expect(mayBeCut(animals, [all, available, longer, sold], 3, 6)).toBe(false);
  });
});

test.describe('what cuts hide is told', () => {
  const animals = Array.from({ length: 30 }, (_, index) => rows(index + 1)[0] as HistoryRow);
  const story = (known: number): Told[] => [
    ...animals.map((row, index) => added(10 * index, row)),
    ...[1_000, 2_000].flatMap((at) => [
      list(at, animals),
      ...['sold', 'available'].map((status, index) =>
        list(
          at + 10 + index,
          animals.slice(0, known).filter((row) => row.status === status),
          `/pets?limit=100&status=${status}`,
        ),
      ),
    ]),
  ];
  const told = (known: number) =>
    judgeOf(story(known))
      .findings()
      .filter(({ requirement }) => requirement === 'list-pets.shows-added-by-status');

  test('where a filter looked at the first of them, and most are in no list by their status', () => {
    const findings = told(10);
    expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'left-out']));
    expect(findings.find(({ verdict }) => verdict === 'left-out')?.reason).toEqual({
      kind: 'cut',
      lists: 'filtered',
      cut: { by: 'scan', most: 10 },
      hidden: 20,
      of: 30,
      isSure: true,
    });
  });

  test('but not where most are shown', () => {
    expect(told(24).filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
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
      ['/pets?limit=50&status=sold', rows(2, 4, 6)],
    ] as const;
    expect(mayBeCut(SEVEN, lists, 1, 4)).toBe(false);
  });

  test('by time, where it is empty three times', () => {
    const none = ['/pets?limit=100', []] as const;
    const short = ['/pets?limit=100', rows(1, 2, 3)] as const;
    const lists = [WHOLE, short, WHOLE, short, WHOLE, none, none, none, WHOLE] as const;
    expect(mayBeCut(SEVEN, lists, 1, 7)).toBe(true);
    expect(mayBeCut(SEVEN, lists, 5, 7)).toBe(false);
    expect(mayBeCut(SEVEN, [...lists.slice(0, 6), WHOLE], 5, 7)).toBe(true);
  });

  test('by time, where the same request was asked twenty times of a quiet store and was shorter once', () => {
    const short = ['/pets?limit=100', rows(1, 2, 3)] as const;
    const lists = [WHOLE, short, ...Array<typeof WHOLE>(20).fill(WHOLE)] as const;
    expect(mayBeCut(SEVEN, lists.slice(0, 5), 1, 7)).toBe(true);
    expect(mayBeCut(SEVEN, lists, 1, 7)).toBe(false);
  });

  test('by time, where it shows as many animals older than the window as the longer list', () => {
    const sold = (...ids: number[]) => rows(...ids).map((row) => ({ ...row, status: 'sold' }));
    const longer = sold(1, 2, 3, 4, 5, 8);
    const judged = (short: readonly HistoryRow[]) => {
      const { model, presence } = judgeOf([
        ...sold(1, 2, 3, 4, 5, 6, 7).map((row, place) => added(10 * place, row)),
        ...sold(8).map((row) => added(950, row)),
        ...[longer, short, longer].map((shown, place) => list(1_000 + 10 * place, shown)),
      ]);
      const [page, animal] = [model.pages[1], model.animals.get('5')];
      if (page === undefined || animal === undefined) throw new Error('there is no such list or animal');
      return presence.truncation.mayBeCut(page, animal);
    };
    expect(judged(sold(1, 2, 3))).toBe(true);
    expect(judged(sold(1, 2, 3, 6, 7))).toBe(false);
  });

  test('by time, where it lacks fewer than an eighth of the animals, amid the others', () => {
    const twenty = rows(...Array.from({ length: 20 }, (_, index) => index + 1));
    const lacking = (...gone: number[]) =>
      ['/pets?limit=100', twenty.filter(({ id }) => !gone.includes(id))] as const;
    const whole = ['/pets?limit=100', twenty] as const;
    expect(mayBeCut(twenty, [whole, lacking(5, 6, 7), whole], 1, 5)).toBe(true);
    expect(mayBeCut(twenty, [whole, lacking(5, 6), whole], 1, 5)).toBe(false);
  });

  test('by time, where only lists by a status lacked animals amid the others', () => {
    const twenty = rows(...Array.from({ length: 20 }, (_, index) => index + 1));
    const sold = (...gone: number[]) =>
      [
        '/pets?limit=100&status=sold',
        twenty.filter(({ id, status }) => status === 'sold' && !gone.includes(id)),
      ] as const;
    const whole = ['/pets?limit=100', twenty] as const;
    const short = ['/pets?limit=100', twenty.toSpliced(4, 1)] as const;
    const lists = [whole, sold(), sold(4, 6), sold(), short, whole] as const;
    expect(mayBeCut(twenty, lists, 2, 6)).toBe(true);
    expect(mayBeCut(twenty, lists, 4, 5)).toBe(false);
  });

  test('by time, where somebody deleted what it lacks', () => {
    const gone = ['/pets?limit=100', rows(1, 2, 3)] as const;
    const lists = [...Array<typeof WHOLE>(12).fill(WHOLE), gone, gone] as const;
    expect(mayBeCut(SEVEN, lists, 12, 7)).toBe(false);
  });
});
