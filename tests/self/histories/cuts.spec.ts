/** A list may end before it shows an animal, e.g. at its limit. The tests say when this is an excuse, and how a report says it. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { added, judgeOf, list, rex, WINDOW, type Entry, type ShownAnimal, type Story } from './rows.ts';

const AVAILABLE = '/pets?limit=100&status=available';
const SOLD = '/pets?limit=100&status=sold';
/** Animals of the run with these identifiers: those with an even one are sold, the others available. */
const rows = (...ids: number[]): ShownAnimal[] =>
  ids.map((id) => ({ id, name: `csmark${id}`, categoryId: 1, status: id % 2 === 0 ? 'sold' : 'available' }));
const upTo = (last: number) => rows(...Array.from({ length: last }, (_, index) => index + 1));
const filterStatus = (status: string, of: readonly ShownAnimal[]) =>
  of.filter((row) => row.status === status);

/** The animals are added in this order. Then the lists come, a window later. */
const addThenList = (animals: readonly ShownAnimal[], ...lists: Story): Entry[] => [
  ...animals.map((row, place) => added(place, row)),
  ...lists.map((each, place) => ({ ...each, at: 1_000 + 2 * WINDOW * place })),
];
const listWith = (path: string, shown: readonly ShownAnimal[], ...headers: [string, string][]): Entry => ({
  ...list(0, shown, path),
  headers,
});
const listAll = (shown: readonly ShownAnimal[]) => listWith('/pets?limit=100', shown);

/** True if the first list may lack the animal. */
function isExcused(story: Story, id: number): boolean {
  const { model, presence } = judgeOf(story);
  const [page, animal] = [model.pages[0], model.animals.get(String(id))];
  if (page === undefined || animal === undefined) throw new Error('there is no such list or animal');
  return !presence.findMissing(page).includes(animal);
}

const SEVEN = upTo(7);
const LARGE = { ...rex(8), name: 'x'.repeat(500) };
const LINK: [string, string] = ['Link', '</v1/pets?page=2>; rel="next"'];
const HEADERS: Readonly<Record<string, [string, string]>> = {
  LINK,
  LAST: ['Link', '</v1/pets>; rel="last"'],
  CURSOR: ['X-Next-Cursor', 'b3Bh'],
  CURSORLESS: ['X-Next-Cursor', ''],
  MORE: ['X-Has-More', 'true'],
  NO_MORE: ['X-Has-More', 'false'],
};
/** Reads lists: the query or the status, the animals that the list shows, and a name in `HEADERS`: `limit=3 [1 2 3]; sold [] LINK`. */
const readLists = (lists: string) =>
  lists.split('; ').map((each) => {
    const [, of = '', ids = '', header = ''] = /^(\S*) ?\[([\d ]*)\] ?(\w*)$/.exec(each) ?? [];
    const path =
      { all: '/pets?limit=100', available: AVAILABLE, sold: SOLD, '': '/pets' }[of] ?? `/pets?${of}`;
    const shown = rows(...ids.split(' ').filter(Boolean).map(Number));
    return listWith(path, shown, ...(HEADERS[header] === undefined ? [] : [HEADERS[header]]));
  });

/** Lists of a store with seven animals, by the reason. In `EXCUSED` the first list may lack animal 7, in `OWED` it must not. */
const EXCUSED: Record<string, string> = {
  'as long as its limit': 'limit=3 [1 2 3]; all [1 2 3 4 5 6 7]',
  'as many rows as the longest': 'limit=50 [1 2 3]; all [4 5 6]',
  'a list without a limit, as many rows as the longest': '[1 2 3]',
  'as many rows as a list by another status': 'available [1 3 5]; sold [2 4 6]',
  'fewer rows than a list without a status': 'available [1 3]; all [1 2 3 4 5 6 7]',
  'no rows, announced': 'available [] LINK; sold [2 4 6]',
  'announced by a cursor': 'available [] CURSOR; sold [2] CURSORLESS',
  'announced by a flag': 'available [] MORE; sold [2] NO_MORE',
};
const OWED: Record<string, string> = {
  'fewer rows than a list with another limit': 'limit=50 [1 2 3]; limit=8 [1 2 3 4 5 6 7]',
  'fewer rows than a list without a limit': 'limit=50 [1 2 3]; [1 2 3 4 5 6 7]',
  'half of its limit': 'limit=4 [1 2]; limit=8 [1 2 3 4]',
  'fewer rows than a list by another status': 'available [1]; sold [2 4 6]',
  'fewer rows, and no animal is large': 'all [1 2 3]; all [5 7 6 1]',
  'no rows': 'all []',
  'announced by every list of its kind': 'available [] LINK; sold [2 4 6] LINK; all [1 2 3 4 5 6 7]',
  'a flag that says the end': 'available [] NO_MORE; sold [2]',
  'a Link to the last page': 'available [] LAST; sold [2]',
};

for (const [may, stories] of [
  ['may', EXCUSED],
  ['must not', OWED],
] as const)
  for (const [what, lists] of Object.entries(stories))
    test(`a list without an animal ${may} be: ${what}`, () => {
      expect(isExcused(addThenList(SEVEN, ...readLists(lists)), 7)).toBe(may === 'may');
    });

test('a list without an animal may be: fewer rows, and the next animal may be a large one', () => {
  expect(isExcused(addThenList([...SEVEN, LARGE], ...readLists('all [1 2 3]; all [5 7 6 1]')), 7)).toBe(true);
});

/** Returns the verdicts on a promise, without passes. If lists are cut: which ones, where they end, and how many animals they hide. */
const listVerdicts = (requirement: RequirementId, story: Story) =>
  judgeOf(story)
    .findings()
    .filter((finding) => finding.requirement === requirement && finding.verdict !== 'pass')
    .map(({ verdict, reason }) =>
      reason?.kind === 'cut' ? [verdict, reason.lists, reason.ends, reason.hidden, reason.of] : [verdict],
    );

test.describe('a report says how many animals the ends of lists hide', () => {
  const thirty = upTo(30);
  const bytes = expect.any(Number);

  test('lists without a status: 16 of 30 animals', () => {
    const story = addThenList(
      thirty,
      listAll(upTo(14)),
      listWith(AVAILABLE, filterStatus('available', thirty)),
      listWith(SOLD, filterStatus('sold', thirty)),
    );
    expect(listVerdicts('list-pets.shows-added', story)).toEqual([
      ['left-out', 'all', { rows: 14, bytes, header: null }, 16, 30],
    ]);
    // The list, at index 30 of the story, shows half of the animals
    const half = story.with(30, { ...listAll(upTo(15)), at: 1_000 });
    expect(listVerdicts('list-pets.shows-added', half)).toEqual([]);
  });

  test('lists by a status: 11 of 15 sold animals', () => {
    const lists = readLists(
      'sold [2 4 6 8]; available [1 3 5 7]; limit=20&status=available [9 11 13 15]; available [17 19 21 23]; available [25 27 29 31]',
    );
    const story = addThenList([...thirty, ...rows(31, 33, 35)], listAll(upTo(30)), ...lists);
    expect(listVerdicts('list-pets.shows-added-by-status', story)).toEqual([
      ['left-out', 'sold', { rows: 4, bytes, header: null }, 11, 15],
    ]);
  });

  test('a list with a Link to more animals: 2 of 7', () => {
    const lists = readLists('sold [2 4 6]; available [1 3 5 7]; available [1 3] LINK');
    const story = addThenList(SEVEN, listAll(SEVEN), ...lists);
    expect(listVerdicts('list-pets.shows-added-by-status', story)).toEqual([
      ['left-out', 'filtered', { rows: null, bytes: null, header: 'link' }, 2, 7],
    ]);
  });
});

test.describe('a list that lacks an animal and has room for it', () => {
  const short = listWith('/pets?limit=50', rows(1, 2, 3));

  test('breaks a must with limit=100 or without a limit, and a should with limit=50', () => {
    for (const [path, must, should] of [
      ['/pets?limit=100', 'fail'],
      ['/pets', 'fail'],
      ['/pets?limit=50', undefined, 'fail'],
    ] as const) {
      const story = addThenList(SEVEN, listAll(SEVEN), listWith(path, rows(1, 2, 3)), listAll(SEVEN));
      expect(listVerdicts('list-pets.shows-added', story)[0]?.[0]).toBe(must);
      expect(listVerdicts('list-pets.limit-counts-shown', story)[0]?.[0]).toBe(should);
    }
  });

  test('breaks that should only if limit=100 shows the animal before and after', () => {
    expect(listVerdicts('list-pets.limit-counts-shown', addThenList(SEVEN, short, listAll(SEVEN)))).toEqual(
      [],
    );
    expect(listVerdicts('list-pets.limit-counts-shown', addThenList(SEVEN, listAll(SEVEN), short))).toEqual(
      [],
    );
  });

  test('breaks a must if it is empty', () => {
    const story = addThenList(
      SEVEN,
      listAll(SEVEN),
      listWith('/pets?limit=1&status=sold', []),
      listAll(SEVEN),
    );
    expect(listVerdicts('list-pets.shows-added-by-status', story)[0]).toEqual(['fail']);
  });
});
