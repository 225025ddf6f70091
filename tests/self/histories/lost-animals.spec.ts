/**
 * Animals that were added and are gone: lost in a restart, deleted by others, or never kept (create-pet.kept). `readStory` in rows.ts explains
 * the stories. `rex(4)` has the name Rexd.
 */
import { expect, test } from '@playwright/test';
import { spellCount } from '../../../fixtures/judgement/store/run-mark.ts';
import { added, judgeOf, testStories, list, rex, readStory, type Story } from './rows.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7];
const STRAYS = 's21 s22 s23';

/** A story that adds and reads animals, and lists them with animals of others at 200. The window of that list ends before 400. */
const addAndList = (ids: readonly number[] = ALL, others = ''): string =>
  [
    ...ids.flatMap((id, index) => [`${10 * index} +${id}`, `${10 * index + 5} get ${id}`]),
    `200 [${others} ${ids.join(' ')}]`,
  ].join('; ');
/** createPets that give these identifiers to new animals. */
const giveAgain = (ids: readonly number[], at: number) =>
  ids.map((id, index) => `${at + 10 * index} +${id}=Again${id}`).join('; ');

/** Returns the verdict on create-pet.kept, the kind of its reason, and the number of animals in the reason. */
function verdictOf(story: Story): unknown {
  const [finding] = judgeOf(story)
    .findings()
    .filter(({ requirement }) => requirement === 'create-pet.kept');
  const { kind, animals } = { animals: null, ...(finding?.reason ?? { kind: null }) };
  return [finding?.verdict, kind, animals];
}
/** The verdict after a restart, or after deletions by others: undecided, with the number of lost animals. */
const restart = (count: number) => ['inconclusive', 'restart', count];
const assumed = (count: number, verdict = 'inconclusive') => [verdict, 'assumed', count];

testStories('animals that are all gone from one moment on', verdictOf, {
  'are lost in one restart, on any store': {
    [`${addAndList()}; 400 []`]: restart(7),
    [`${addAndList(ALL, STRAYS)}; 400 [${STRAYS}]`]: restart(7),
  },
  'are lost in a restart too if they were only three, or if one was gone before and one is added later': {
    [`${addAndList([2, 3, 4])}; 400 []`]: restart(3),
    [`${addAndList([1, 2, 3, 4])}; 400 [2 3 4]; 410 []; 420 +9; 600 [9]`]: restart(4),
  },
  'are lost in a restart too if each identifier is given again': {
    [`${addAndList()}; ${giveAgain(ALL, 400)}`]: restart(7),
    [`${addAndList(ALL, STRAYS)}; 390 [${STRAYS}]; ${giveAgain(ALL, 400)}`]: restart(7),
  },
  'are deleted by others if there are only two of them': {
    [`${addAndList([1, 2])}; 400 []`]: assumed(2, 'pass'),
  },
  'are no restart if one of them is still there': {
    [`${addAndList()}; 400 [1]`]: assumed(6),
    [`${addAndList(ALL, STRAYS)}; 400 [${STRAYS} 1]`]: assumed(6),
  },
  'are no restart if they went one by one': {
    [[
      addAndList(ALL, STRAYS),
      ...ALL.map((id, index) => `${400 + 10 * index} [${STRAYS} ${ALL.slice(id).join(' ')}]`),
    ].join('; ')]: assumed(7),
  },
  'are not kept if no read ever showed one': {
    [`${ALL.map((id) => `${10 * id} +${id}`).join('; ')}; 400 []; 400 404 1`]: ['fail', null, null],
  },
});

const FIVE = [1, 2, 3, 4, 5];
const SIX = [...FIVE, 6];
/** A story in which the list lacks these animals from 400 on, and new animals get their identifiers. */
const goneFrom = (ids: readonly number[]) =>
  `${addAndList()}; 400 [${ALL.filter((id) => !ids.includes(id)).join(' ')}]; ${giveAgain(ids, 410)}`;
testStories('an animal whose identifier another one has got', verdictOf, {
  'is lost like any other': { [goneFrom(FIVE)]: assumed(5, 'pass'), [goneFrom(SIX)]: assumed(6) },
  'is not lost while it is shown': {
    [`${goneFrom(SIX)}; ${SIX.map((id) => `600 get ${id}`).join('; ')}`]: ['pass', null, null],
  },
});

/** Others deleted 1 to 3 (getPet gets 404) and archived 4 to 6: six actions, one more than others are assumed to do (`MOST_ASSUMED`). */
const deletedAndArchived = '410 404 1; 410 404 2; 410 404 3; 410 get 4; 410 get 5; 410 get 6';
testStories('what others must have done', verdictOf, {
  'is counted over all promises': {
    [`${addAndList()}; 400 [7]; ${deletedAndArchived}`]: assumed(3),
    [`${addAndList(ALL, STRAYS)}; 400 [${STRAYS} 7]; ${deletedAndArchived}`]: assumed(3),
  },
});

test('animals are lost in a restart if one has a name that services may change, and its identifier is shown again', () => {
  // Animal 4 has a tab in its name: a service may change such a name.
  const story = readStory(`${addAndList()}; ${giveAgain(ALL, 400)}; 600 [4=Again4]`).map((each) =>
    JSON.parse(JSON.stringify(each).replaceAll('"Rexd"', JSON.stringify('Rex4 one\ttwo'))),
  );
  expect(verdictOf(story)).toContain('restart');
});

test('animals are all there if a list is an array within an array', () => {
  const nested = readStory('400 [1 2 3 4 5 6 7]').map((each) => ({ ...each, body: [each.body] }));
  const story = [...readStory(addAndList()), ...nested, ...readStory('600 [1 2 3 4 5 6 7]')];
  const findings = judgeOf(story).findings();
  expect(findings.flatMap(({ requirement, verdict }) => (verdict === 'fail' ? requirement : []))).toEqual([
    'list-pets.bare-array',
  ]);
});

test('on a store with animals of others, a tenth of the animals of the run may be gone', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...rex(index + 1),
    name: `Rex${spellCount(index)}`,
  }));
  const strays = [121, 122, 123].map((id) => ({ ...rex(id), name: `Stray ${id}` }));
  /** The first list shows all animals. The second list lacks the first `count` of them. */
  const verdictOn = (count: number, others: typeof strays) =>
    verdictOf([
      ...many.map((row, index) => added(index, row)),
      list(400, [...others, ...many]),
      list(3_000, [...others, ...many.slice(count)]),
    ]);
  expect(verdictOn(6, strays)).toEqual(assumed(6, 'pass'));
  expect(verdictOn(7, strays)).toEqual(assumed(7));
  expect(verdictOn(6, [])).toEqual(assumed(6));
});

test('a verdict that assumes actions of others names the animals in the order in which they went', () => {
  const [finding] = judgeOf(readStory(`${addAndList()}; 400 [1 3 4 5 6 7]; 420 [3 4 5 6 7]`))
    .findings()
    .filter(({ reason }) => reason?.kind === 'assumed');
  expect(finding?.reason).toMatchObject({ named: ['2', '1'] });
});
