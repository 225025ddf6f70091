/** Where lists may end before they show an animal, and what is told of it. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { added, judgeOf, list, rex, WINDOW, type HistoryRow, type Told } from './rows.ts';

const AVAILABLE = '/pets?limit=100&status=available';
const SOLD = '/pets?limit=100&status=sold';
const rows = (...ids: number[]): HistoryRow[] =>
  ids.map((id) => ({ id, name: `csmark${id}`, categoryId: 1, status: id % 2 === 0 ? 'sold' : 'available' }));
const upTo = (last: number) => rows(...Array.from({ length: last }, (_, index) => index + 1));
const ofStatus = (status: string, of: readonly HistoryRow[]) => of.filter((row) => row.status === status);

/** The animals are added in this order. Then the lists come, a window later. */
const tell = (animals: readonly HistoryRow[], ...lists: readonly Told[]): Told[] => [
  ...animals.map((row, place) => added(place, row)),
  ...lists.map((each, place) => ({ ...each, at: 1_000 + 2 * WINDOW * place })),
];
const shows = (path: string, shown: readonly HistoryRow[], ...headers: [string, string][]): Told => ({
  ...list(0, shown, path),
  headers,
});
const all = (shown: readonly HistoryRow[]) => shows('/pets?limit=100', shown);

/** True if the first list owes the animal nothing. */
function owesNothing(told: readonly Told[], id: number): boolean {
  const { model, presence } = judgeOf(told);
  const [page, animal] = [model.pages[0], model.animals.get(String(id))];
  if (page === undefined || animal === undefined) throw new Error('there is no such list or animal');
  return presence.owesNothing(animal, page);
}

const SEVEN = upTo(7);
const LARGE = { ...rex(8), name: 'x'.repeat(500) };
const LINK: [string, string] = ['Link', '</v1/pets?page=2>; rel="next"'];

type Story = [animals: readonly HistoryRow[], ...lists: Told[]];
/** Lists that may lack animal 7. The list is the first of each story. */
const EXCUSED: Record<string, Story> = {
  'as long as its limit': [SEVEN, shows('/pets?limit=3', rows(1, 2, 3)), all(SEVEN)],
  'as many rows as the longest': [SEVEN, shows('/pets?limit=50', rows(1, 2, 3)), all(rows(4, 5, 6))],
  'a list without a limit, as many rows as the longest': [SEVEN, shows('/pets', rows(1, 2, 3))],
  'as many rows as a list by another status': [
    SEVEN,
    shows(AVAILABLE, rows(1, 3, 5)),
    shows(SOLD, rows(2, 4, 6)),
  ],
  'fewer rows than a list without a status': [SEVEN, shows(AVAILABLE, rows(1, 3)), all(SEVEN)],
  'fewer rows, where a larger animal may be the next': [
    [...SEVEN, LARGE],
    all(rows(1, 2, 3)),
    all(rows(5, 7, 6, 1)),
  ],
  'no rows, announced': [SEVEN, shows(AVAILABLE, [], LINK), shows(SOLD, rows(2, 4, 6))],
  'announced by a cursor': [
    SEVEN,
    shows(AVAILABLE, [], ['X-Next-Cursor', 'b3Bh']),
    shows(SOLD, rows(2), ['X-Next-Cursor', '']),
  ],
  'announced by a flag': [
    SEVEN,
    shows(AVAILABLE, [], ['X-Has-More', 'true']),
    shows(SOLD, rows(2), ['X-Has-More', 'false']),
  ],
};
const OWED: Record<string, Story> = {
  'fewer rows than a list with another limit': [
    SEVEN,
    shows('/pets?limit=50', rows(1, 2, 3)),
    shows('/pets?limit=8', SEVEN),
  ],
  'fewer rows than a list without a limit': [
    SEVEN,
    shows('/pets?limit=50', rows(1, 2, 3)),
    shows('/pets', SEVEN),
  ],
  'half of its limit': [SEVEN, shows('/pets?limit=4', rows(1, 2)), shows('/pets?limit=8', rows(1, 2, 3, 4))],
  'fewer rows than a list by another status': [SEVEN, shows(AVAILABLE, rows(1)), shows(SOLD, rows(2, 4, 6))],
  'fewer rows, where no animal is so large': [SEVEN, all(rows(1, 2, 3)), all(rows(5, 7, 6, 1))],
  'no rows': [SEVEN, all([])],
  'announced by every list of its kind': [
    SEVEN,
    shows(AVAILABLE, [], LINK),
    shows(SOLD, rows(2, 4, 6), LINK),
    all(SEVEN),
  ],
  'a flag that says the end': [SEVEN, shows(AVAILABLE, [], ['X-Has-More', 'false']), shows(SOLD, rows(2))],
  'a Link to the last page': [
    SEVEN,
    shows(AVAILABLE, [], ['Link', '</v1/pets>; rel="last"']),
    shows(SOLD, rows(2)),
  ],
};

for (const [may, stories] of [
  ['may', EXCUSED],
  ['must not', OWED],
] as const)
  for (const [what, story] of Object.entries(stories))
    test(`a list without an animal ${may} be: ${what}`, () => {
      expect(owesNothing(tell(...story), 7)).toBe(may === 'may');
    });

/** The verdicts on a promise, with their reasons. */
const judged = (requirement: RequirementId, told: readonly Told[]) =>
  judgeOf(told)
    .findings()
    .filter((finding) => finding.requirement === requirement && finding.verdict !== 'pass')
    .map(({ verdict, reason }) =>
      reason?.kind === 'cut' ? [verdict, reason.lists, reason.ends, reason.hidden, reason.of] : [verdict],
    );

test.describe('what ends of lists hide is told', () => {
  const thirty = upTo(30);
  const bytes = expect.any(Number);

  test('where no list without a status goes beyond the first of them', () => {
    const told = tell(
      thirty,
      all(upTo(14)),
      shows(AVAILABLE, ofStatus('available', thirty)),
      shows(SOLD, ofStatus('sold', thirty)),
    );
    expect(judged('list-pets.shows-added', told)).toEqual([
      ['left-out', 'all', { rows: 14, bytes, header: null }, 16, 30],
    ]);
    expect(judged('list-pets.shows-added', told.with(30, { ...all(upTo(15)), at: 1_000 }))).toEqual([]);
  });

  test('where more than half of one status is hidden', () => {
    const told = tell(
      [...thirty, ...rows(31, 33, 35)],
      all(upTo(30)),
      shows(SOLD, rows(2, 4, 6, 8)),
      shows(AVAILABLE, rows(1, 3, 5, 7)),
      shows('/pets?limit=20&status=available', rows(9, 11, 13, 15)),
      shows(AVAILABLE, rows(17, 19, 21, 23)),
      shows(AVAILABLE, rows(25, 27, 29, 31)),
    );
    expect(judged('list-pets.shows-added-by-status', told)).toEqual([
      ['left-out', 'sold', { rows: 4, bytes, header: null }, 11, 15],
    ]);
  });

  test('where one list announced more, however many it hides', () => {
    const told = tell(
      SEVEN,
      all(SEVEN),
      shows(SOLD, rows(2, 4, 6)),
      shows(AVAILABLE, rows(1, 3, 5, 7)),
      shows(AVAILABLE, rows(1, 3), LINK),
    );
    expect(judged('list-pets.shows-added-by-status', told)).toEqual([
      ['left-out', 'filtered', { rows: null, bytes: null, header: 'link' }, 2, 7],
    ]);
  });
});

test.describe('a list that has room', () => {
  const short = shows('/pets?limit=50', rows(1, 2, 3));

  test('and lacks an animal breaks a must where no longer list could be asked, a should elsewhere', () => {
    for (const [path, must, should] of [
      ['/pets?limit=100', 'fail'],
      ['/pets', 'fail'],
      ['/pets?limit=50', undefined, 'fail'],
    ] as const) {
      const told = tell(SEVEN, all(SEVEN), shows(path, rows(1, 2, 3)), all(SEVEN));
      expect(judged('list-pets.shows-added', told)[0]?.[0]).toBe(must);
      expect(judged('list-pets.limit-counts-shown', told)[0]?.[0]).toBe(should);
    }
  });

  test('is a question of its limit only where limit=100 shows the animal before and after', () => {
    expect(judged('list-pets.limit-counts-shown', tell(SEVEN, short, all(SEVEN)))).toEqual([]);
    expect(judged('list-pets.limit-counts-shown', tell(SEVEN, all(SEVEN), short))).toEqual([]);
  });

  test('must show something', () => {
    const told = tell(SEVEN, all(SEVEN), shows('/pets?limit=1&status=sold', []), all(SEVEN));
    expect(judged('list-pets.shows-added-by-status', told)[0]).toEqual(['fail']);
  });
});
