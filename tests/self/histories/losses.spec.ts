/** Animals that the store has lost: to others, one by one, or all at once when the service starts again. */
import { expect, test } from '@playwright/test';
import { spellCount } from '../../../fixtures/judgement/store/run-mark.ts';
import { added, found, judgeOf, list, missing, rex, WINDOW, type HistoryRow, type Told } from './rows.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7].map((id) => rex(id));
const STRAYS = [21, 22, 23].map((id) => ({ ...rex(id), name: `Stray ${id}` }));
/** An animal that gets the identifier of another one. */
const again = (at: number, { id }: HistoryRow) => added(at, { ...rex(id), name: `Again${id}` });

/** The animals are added and read, with all that lists show besides. */
const before = (animals: readonly HistoryRow[] = ALL, others: readonly HistoryRow[] = []): Told[] => [
  ...animals.flatMap((row, index) => [added(10 * index, row), found(10 * index + 5, row)]),
  list(200, [...others, ...animals]),
];
const AFTER = 200 + 2 * WINDOW;

/** Returns the judge's finding on kept animals: the verdict, and why. */
function verdictOf(told: readonly Told[]): unknown {
  const [finding] = judgeOf(told)
    .findings()
    .filter(({ requirement }) => requirement === 'create-pet.kept');
  const { kind, animals } = { animals: null, ...(finding?.reason ?? { kind: null }) };
  return [finding?.verdict, kind, animals];
}

test.describe('animals that are all gone from one moment on', () => {
  const RESTART = ['inconclusive', 'restart', ALL.length];

  test('are lost in a restart, told as one, on any store', () => {
    expect(verdictOf([...before(), list(AFTER, [])])).toEqual(RESTART);
    expect(verdictOf([...before(ALL, STRAYS), list(AFTER, STRAYS)])).toEqual(RESTART);
  });

  test('are so too if there were few, if some were gone before, and if others are added since', () => {
    const [first, ...three] = ALL.slice(0, 4) as [HistoryRow, HistoryRow, HistoryRow, HistoryRow];
    expect(verdictOf([...before(three), list(AFTER, [])])).toEqual(['inconclusive', 'restart', 3]);
    const next = rex(9);
    expect(
      verdictOf([
        ...before([first, ...three]),
        list(AFTER, three),
        list(AFTER + 10, []),
        added(AFTER + 20, next),
        list(AFTER + 200, [next]),
      ]),
    ).toEqual(['inconclusive', 'restart', 4]);
  });

  test('are so if each identifier is given again: each of these animals is lost', () => {
    const replaced = ALL.map((row, index) => again(AFTER + 10 * index, row));
    expect(verdictOf([...before(), ...replaced])).toEqual(RESTART);
    expect(verdictOf([...before(ALL, STRAYS), list(AFTER - 10, STRAYS), ...replaced])).toEqual(RESTART);
  });

  test('are so if one has a name that services may change, and its identifier is shown again', () => {
    const odd = { ...rex(4), name: 'Rex4 one\ttwo' };
    const animals = ALL.map((row) => (row.id === odd.id ? odd : row));
    const [replaced, shown] = [
      animals.map((row, index) => again(AFTER + 10 * index, row)),
      list(AFTER + 200, [rex(4)]),
    ];
    const [, kind] = verdictOf([
      ...before(animals),
      ...replaced,
      { ...shown, body: [{ ...rex(4), name: 'Again4' }] },
    ]) as [unknown, unknown];
    expect(kind).toBe('restart');
  });

  test('are deleted by others if these are two', () => {
    expect(verdictOf([...before(ALL.slice(0, 2)), list(AFTER, [])])).toEqual(['pass', 'assumed', 2]);
  });

  test('are no restart if one of them is still there', () => {
    const [first] = ALL as [HistoryRow];
    expect(verdictOf([...before(), list(AFTER, [first])])).toEqual(['inconclusive', 'assumed', 6]);
    expect(verdictOf([...before(ALL, STRAYS), list(AFTER, [...STRAYS, first])])).toEqual([
      'inconclusive',
      'assumed',
      6,
    ]);
  });

  test('are all there if a list is an array within an array', () => {
    const nested: Told = { at: AFTER, path: '/pets?limit=100', body: [ALL] };
    const findings = judgeOf([...before(), nested, list(AFTER + 2 * WINDOW, ALL)]).findings();
    expect(findings.flatMap(({ requirement, verdict }) => (verdict === 'fail' ? requirement : []))).toEqual([
      'list-pets.bare-array',
    ]);
  });

  test('are no restart if they went one by one', () => {
    const one = ALL.map((_, index) => list(AFTER + 10 * index, [...STRAYS, ...ALL.slice(index + 1)]));
    expect(verdictOf([...before(ALL, STRAYS), ...one])).toEqual(['inconclusive', 'assumed', 7]);
  });

  test('are not kept if no read ever showed one', () => {
    const never = ALL.map((row, index) => added(10 * index, row));
    expect(verdictOf([...never, list(AFTER, []), missing(AFTER, rex(1))])).toEqual(['fail', null, null]);
  });
});

test.describe('an animal whose identifier another one has got', () => {
  const five = ALL.slice(0, 5);
  const gone = (rows: readonly HistoryRow[]) => [
    ...before(),
    list(
      AFTER,
      ALL.filter((row) => !rows.includes(row)),
    ),
    ...rows.map((row, index) => again(AFTER + 10 + 10 * index, row)),
  ];

  test('is lost like any other', () => {
    expect(verdictOf(gone(five))).toEqual(['pass', 'assumed', 5]);
    expect(verdictOf(gone(ALL.slice(0, 6)))).toEqual(['inconclusive', 'assumed', 6]);
  });

  test('is not lost while it is shown', () => {
    const shown = ALL.slice(0, 6).map((row) => found(AFTER + 200, row));
    expect(verdictOf([...gone(ALL.slice(0, 6)), ...shown])).toEqual(['pass', null, null]);
  });
});

test('what others must have done is counted over all promises', () => {
  const three = ALL.slice(0, 3);
  const left = ALL.slice(6);
  const archived = ALL.slice(3, 6);
  const told = (others: readonly HistoryRow[]) => [
    ...before(ALL, others),
    list(AFTER, [...others, ...left]),
    ...three.map((row) => missing(AFTER + 10, row)),
    ...archived.map((row) => found(AFTER + 10, row)),
  ];
  expect(verdictOf(told([]))).toEqual(['inconclusive', 'assumed', 3]);
  expect(verdictOf(told(STRAYS))).toEqual(['inconclusive', 'assumed', 3]);
});

test('what others must have done on their store may be a tenth of the animals of the run', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...rex(index + 1),
    name: `Rex${spellCount(index)}`,
  }));
  const verdictOn = (count: number, others: readonly HistoryRow[]) =>
    verdictOf([
      ...many.map((row, index) => added(index, row)),
      ...[0, count].map((gone) => list(AFTER * (gone + 1), [...others, ...many.slice(gone)])),
    ]);
  const strays = STRAYS.map((row) => ({ ...row, id: row.id + 100 }));
  expect(verdictOn(6, strays)).toEqual(['pass', 'assumed', 6]);
  expect(verdictOn(7, strays)).toEqual(['inconclusive', 'assumed', 7]);
  expect(verdictOn(6, [])).toEqual(['inconclusive', 'assumed', 6]);
});

test('a verdict that assumes actions of others names the animals in the order in which they went', () => {
  const [one, two, ...rest] = ALL as [HistoryRow, HistoryRow, ...HistoryRow[]];
  const [finding] = judgeOf([...before(), list(AFTER, [one, ...rest]), list(AFTER + 20, rest)])
    .findings()
    .filter(({ reason }) => reason?.kind === 'assumed');
  expect(finding?.reason).toMatchObject({ named: [String(two.id), String(one.id)] });
});
