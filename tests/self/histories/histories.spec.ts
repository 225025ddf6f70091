/**
 * Stories of requests and answers. Each row is a story and what the rules find in it, e.g. how often it breaks a promise.
 * - `0 +1; 20 []`: at 0 ms animal 1 is added, at 20 ms a list is empty. `30 get 1` finds it, `40 404 1` does not (`readStory` in rows.ts).
 * - `+1=Rex#7:sold`: its name is Rex, its category 7, its status sold. A list without a path has limit=100.
 * - `20 400 +2`: at 20 ms createPet refuses animal 2. `20 401 /pets`: this read gets 401. `20 keyless /pets`: it is sent without the key.
 * - Each exchange takes 5 ms, so two that begin 2 ms apart overlap. The window is 100 ms. Animals `s11`, `s12` ... belong to others.
 */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { added, found, judgeOf, readStory, rex, testStories, WINDOW } from './rows.ts';
import type { Entry, Story } from './rows.ts';
import { measureLag } from '../../../fixtures/judgement/store/presence.ts';

function countBroken(requirement: RequirementId, story: Story): number {
  return judgeOf(story)
    .findings()
    .filter((finding) => finding.requirement === requirement && finding.verdict === 'fail').length;
}

/** Lists the requirements that a story leaves undecided. */
function listUndecided(story: Story): string[] {
  return judgeOf(story)
    .findings()
    .filter(({ verdict }) => verdict === 'inconclusive')
    .map(({ requirement }) => requirement);
}

/** Makes a judge for `testStories`: it counts how often a story breaks the promise. */
const countOf = (promise: RequirementId) => (story: Story) => countBroken(promise, story);

/** Animals of others, and lists of them. `listTwice(10, 11)` shows s11 twice. `LATE` is long after the window of a read at 20 ms. */
const OTHERS = 's11:sold s12:sold s13:sold';
const listOthers = (at: number) => `${at} [${OTHERS}]`;
const listTwice = (at: number, id: number) => `${at} [${OTHERS} s${id}:sold]`;
const PENDING = '/pets?limit=100&status=pending';
const LATE = 20 + 2 * WINDOW;

testStories('on a store of others', (story) => countBroken('list-pets.unique-ids', story) > 0, {
  'a row twice counts if two of three equal requests in turn show one, whichever row it is': {
    [`${listTwice(10, 11)}; ${listOthers(20)}`]: false,
    [`${listTwice(10, 11)}; ${listTwice(20, 12)}`]: true,
    [`${listTwice(10, 11)}; ${listOthers(20)}; ${listTwice(30, 12)}`]: true,
    [`${listTwice(10, 11)}; ${listOthers(20)}; ${listOthers(30)}; ${listTwice(40, 12)}`]: false,
    [`${listTwice(10, 11)}; ${listTwice(12, 12)}; ${listOthers(20)}; ${listOthers(30)}`]: false,
  },
});
const breaksStatus = (story: Story) =>
  countBroken('list-pets.status', story) + countBroken('list-pets.limit-and-status', story) > 0;
testStories('on a store of others', breaksStatus, {
  'a row of another status counts if the filter shows the same row again after the window': {
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}`]: false,
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}; 20 [s11:sold]${PENDING}; 50 [s12:sold]${PENDING}`]: false,
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}; ${LATE} [s12:sold]${PENDING}`]: false,
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}; ${LATE} [s11:sold]${PENDING}`]: true,
  },
});
testStories('on a store of others', listUndecided, {
  'an odd list that was not asked again is no pass': {
    [listTwice(10, 11)]: ['list-pets.unique-ids'],
    [`${listTwice(10, 11)}; ${listOthers(20)}`]: ['list-pets.unique-ids'],
    [`${listTwice(10, 11)}; ${listOthers(20)}; ${listOthers(30)}`]: [],
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}`]: ['list-pets.status'],
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}; 20 [s12:pending]${PENDING}`]: ['list-pets.status'],
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}; ${LATE} [s12:pending]/pets?limit=50&status=pending`]: [
      'list-pets.status',
    ],
    [`${listOthers(0)}; 10 [s11:sold]${PENDING}; ${LATE} [s12:pending]${PENDING}`]: [],
  },
});

const SOLD = '/pets?limit=100&status=sold';
const [STATUS, GET, ALL] = ['create-pet.status', 'get-pet.answers-200', 'list-pets.shows-added'];
const [FILTERED, KEPT] = ['list-pets.shows-added-by-status', 'create-pet.kept'];

testStories('an animal whose history is open leaves open', listUndecided, {
  'a read within the window, if no later read of its kind shows the animal': {
    '0 +1:sold; 20 []': [STATUS, ALL, KEPT],
  },
  'the same read, if another kind of list shows the animal': { '0 +1:sold; 20 []; 30 [1:sold]/pets': [ALL] },
  'a getPet, if lists show the animal': { '0 +1:sold; 20 404 1; 40 [1:sold]': [GET] },
  'a list by status, if others show the animal': { [`0 +1:sold; 20 []${SOLD}; 40 [1:sold]`]: [FILTERED] },
  'nothing, if a later read of its kind shows the animal': {
    [`0 +1:sold; 20 []${SOLD}; 30 [1:sold]${SOLD}; 40 [1:sold]`]: [],
  },
  'nothing, if a longer list shows the animal later': { '0 +1:sold; 20 []/pets?limit=5; 40 [1:sold]': [] },
  'a getPet after the window, if the last list showed the animal': {
    '0 +1:sold; 40 [1:sold]; 200 404 1': [GET, KEPT],
  },
  'a getPet, if a list that may be behind the deletion shows the animal': {
    '0 +1:sold; 200 404 1; 210 [1:sold]': [GET, KEPT],
  },
  'nothing, if a list agrees with the getPet': { '0 +1:sold; 40 [1:sold]; 200 404 1; 210 []': [] },
  'nothing, if a later list shows the animal again': {
    '0 +1:sold; 40 [1:sold]; 200 404 1; 400 [1:sold]': [],
  },
  'a list by status after the window, before any other': {
    [`0 +1:sold; 40 [1:sold]; 200 []${SOLD}`]: [FILTERED, KEPT],
  },
  'an animal that no list shows, before getPet is asked for it': { '0 +1:sold; 200 []': [STATUS, ALL, KEPT] },
});

/** Lists with the limits 76 and 78. The longer limit shows fewer animals. */
const short = (at: number) => `${at} [1 2 3]/pets?limit=76`;
const long = (at: number) => `${at} [1 2]/pets?limit=78`;
const PAIRS = [200, 220, 240].map((at) => `${long(at)}; ${short(at + 10)}`).join('; ');

testStories('a longer limit that shows fewer animals', countOf('list-pets.longer-limit'), {
  'is a failure where it does so each time it is asked in turn': {
    [[short(10), long(20), short(30), long(40), short(50), long(60)].join('; ')]: 1,
  },
  'is none where one animal left the lists once, however often both were asked': {
    [[short(10), short(20), short(30), long(40), long(50), long(60)].join('; ')]: 0,
  },
  'is none where an animal came late and the longer limit was asked first each time': {
    [`0 +3; ${PAIRS}; 400 [1 2 3]/pets?limit=78`]: 0,
    [PAIRS]: 1,
  },
});
testStories('a longer limit that shows fewer animals', listUndecided, {
  'is no pass where it was not asked again': {
    [`${short(10)}; ${long(20)}`]: ['list-pets.longer-limit'],
    [`${short(10)}; ${long(20)}; ${short(30)}; ${long(40)}`]: ['list-pets.longer-limit'],
    [`${short(10)}; ${long(20)}; 30 [1 2]/pets?limit=76`]: [],
  },
});

testStories('a list that disagrees with getPet before and after it', countOf('get-pet.agrees-with-list'), {
  'is a failure where it does so between several pairs of getPets': {
    '10 get 7:available; 20 [7:sold]; 30 get 7:available; 100 [7:sold]; 110 get 7:available; 200 [7:sold]; 210 get 7:available': 1,
  },
  'is none where others may have changed the animal once, and undone it': {
    '10 get 7:available; 20 [7:sold]; 100 [7:sold]; 200 [7:sold]; 300 [7:sold]; 310 get 7:available': 0,
  },
});

/**
 * Adds three animals with the status `from`. A getPet shows `to`, `after` milliseconds after the 201, which comes 5 ms after its
 * request: `4000 +1:sold; 4015 get 1:available`. `unaware`: half a second before the read, another getPet gets 404.
 */
const three = (from: string, to = '', { after = 10, unaware = false, first = 1 } = {}) =>
  [first, first + 1, first + 2].flatMap((id) => {
    const sent = 4_000 * id;
    const early = unaware ? [`${sent + after - 500} 404 ${id}`] : [];
    return [`${sent} +${id}:${from}`, ...early, `${sent + 5 + after} get ${id}${to && `:${to}`}`];
  });
const joinParts = (...parts: readonly (string | readonly string[])[]) => parts.flat().join('; ');
/** Animals that are read with another status; and animal 20, which is sent without a status and read without one. */
const [SOLD_THREE, UNSENT] = [three('sold', 'available'), '10 +20; 30 get 20'];
/** The addition of animal 4 and its getPet. */
const ONE_PENDING = three('pending', 'available', { first: 4 }).slice(0, 2);
const LATE_THREE = joinParts(three('sold', 'pending', { after: 2_100 }), UNSENT);

testStories('the first read after a 201 that shows another status', countOf('get-pet.agrees-with-create'), {
  'is a failure where three of a status differ, and one of another status': {
    [joinParts(SOLD_THREE)]: 0,
    [joinParts(SOLD_THREE.slice(0, -1), ONE_PENDING)]: 0,
    [joinParts(SOLD_THREE, ONE_PENDING)]: 3,
  },
  'is one where three show the status of animals that were sent without one': {
    [joinParts(SOLD_THREE, '10 +20; 30 get 20:available')]: 3,
    [joinParts(SOLD_THREE, UNSENT)]: 0,
    [joinParts(three('sold'), UNSENT)]: 3,
    // A queue has changed these too: their 201 show the first status.
    [joinParts(three('available', 'pending'), '10 +20; 30 get 20:pending')]: 3,
  },
  'is none later than two seconds, unless a read just before did not know the animal': {
    [joinParts(three('sold', '', { after: 1_900 }), UNSENT)]: 3,
    [joinParts(three('sold', '', { after: 2_100 }), UNSENT)]: 0,
    [joinParts(three('sold', '', { after: 2_100, unaware: true }), UNSENT)]: 3,
  },
});
testStories('the first read after a 201', listUndecided, {
  'leaves the promise open where no animal of a status was read in time': {
    [LATE_THREE]: ['create-pet.status'],
    [joinParts(LATE_THREE, '30000 +9:sold; 30010 get 9:sold')]: [],
  },
});

/** Seven available animals. Lists show the first `count` of them as sold: `10 +1:available; 16 get 1:available; 1001 [1:sold]`. */
const movedOn = (count: number, others = '') =>
  [1, 2, 3, 4, 5, 6, 7]
    .map((id) => {
      const listed = `${id}:${id <= count ? 'sold' : 'available'}`;
      return `${10 * id} +${id}:available; ${10 * id + 6} get ${id}:available; ${1_000 + id} [${others}${listed}]`;
    })
    .join('; ');
testStories('statuses that change after the first read', listUndecided, {
  'are assumed to be changed by others, if they are few, also on a store that others use': {
    [movedOn(5)]: [],
    [movedOn(6)]: ['create-pet.status'],
    [movedOn(6, 's20 ')]: ['create-pet.status'],
  },
});
test('statuses that others must have changed are explained', () => {
  expect(judgeOf(readStory(movedOn(5))).explanations()).toMatchObject(
    [1, 2, 3, 4, 5].map((id) => ({ animal: String(id), assumed: ['changed'] })),
  );
});

// `YOUNG`: getPet finds animal 2, and no list shows it. `CAME_LATE`: lists show animal 1 only at 600. Each list is longer than the
// one before. Else the excuse would be possible that the service shows no more rows.
const YOUNG = '2000 +2; 2300 [1 11 12 13]; 2310 get 2; 2320 +3; 2330 [1 3 11 12 13]';
const CAME_LATE = '0 +1; 300 [11 12]; 600 [1 11 12]';
const statesOf = (story: Story) =>
  Object.fromEntries(
    judgeOf(story)
      .presence.histories()
      .map(({ animal, state }) => [animal.id, state]),
  );
testStories('an animal that lists lack and getPet finds', statesOf, {
  'is accused where no other one came late': { [YOUNG]: expect.objectContaining({ 2: 'unexplained' }) },
  'is accused where another one came late': {
    [`${CAME_LATE}; ${YOUNG}; 2900 [1 3 11 12 13]; 2910 +4; 2920 [1 3 4 11 12 13]`]: expect.objectContaining({
      2: 'unexplained',
    }),
  },
});

/** getPet finds animal 1, and no list shows it. The first list comes at `at`. */
const archivedBy = (at: number) =>
  `0 +1; 10 get 1; ${at} [11 12 13]; 10000 +2; 10010 [11 12 13 2]; 10020 get 1`;
testStories('an animal in no list', countOf('list-pets.shows-added'), {
  'may be archived, if no list was asked for within five seconds of its 201': {
    [archivedBy(4_000)]: 1,
    [archivedBy(6_000)]: 0,
  },
});
test('an animal that is archived is one of the explanations', () => {
  const [explained] = judgeOf(readStory(archivedBy(6_000))).explanations();
  expect(explained).toMatchObject({ animal: '1', assumed: ['archived'] });
});

testStories('an identifier that another animal had before', countOf('list-pets.name-exact'), {
  'may be shown with the former animal by a list that was under way, or that lags': {
    '10 +1; 12 [1=Former]; 300 [1]': 0,
    '0 [1=Former]; 10 +1; 60 [1=Former]; 300 [1]': 0,
  },
  'is not shown with another animal later': {
    '10 +1; 20 [1=Former]; 300 [1]': 1,
    '0 [1=Former]; 10 +1; 120 [1=Former]; 300 [1]': 1,
  },
});

/** `count` animals. getPet finds each before an empty list and after it: `1 +1; 301 get 1; 400 []; 501 get 1`. */
const aroundEmpty = (count: number) =>
  [1, 2, 3, 4, 5, 6]
    .slice(0, count)
    .map((id) => `${id} +${id}; ${300 + id} get ${id}; ${500 + id} get ${id}; `)
    .join('') + '400 []';
const listVerdicts = (story: Story) =>
  judgeOf(story)
    .findings()
    .flatMap(({ requirement, verdict }) => (requirement === 'list-pets.not-empty' ? [verdict] : []));
testStories('an empty list while getPet finds animals', listVerdicts, {
  'is a failure where lists never showed them, or show them again': {
    [aroundEmpty(1)]: ['fail'],
    [`${aroundEmpty(1)}; 200 [1]; 600 [1]`]: ['fail'],
  },
  'is one where lists showed all of them but one': { [`${aroundEmpty(2)}; 200 [1]`]: ['fail'] },
  'is none where lists showed them before and no longer do: they are archived': {
    [`${aroundEmpty(5)}; 200 [1 2 3 4 5]`]: ['pass'],
  },
  'is undecided where more are archived than others may have touched on a store of our own': {
    [`${aroundEmpty(6)}; 200 [1 2 3 4 5 6]`]: ['inconclusive'],
    [`${aroundEmpty(6)}; 100 [s11]; 200 [1 2 3 4 5 6]`]: ['inconclusive'],
  },
});

const UNIQUE_IDS = ['create-pet.unique-id', 'create-pet.unique-id-concurrent'] as const;
const TWO = '0 +1; 10 +2';
const STRAYS = 's11 s12 s13';
/** Identifiers 1 and 2 are given again. A list between both createPets shows which animals exist. */
const BOTH = `500 +1=Again; 510 [2 ${STRAYS}]; 520 +2=Again`;
const SEEN = `20 [1 2 ${STRAYS}]`;

/** Counts the failures of both promises: of createPets one after the other, and of createPets that overlapped. */
const countBoth = (story: Story) => UNIQUE_IDS.map((promise) => countBroken(promise, story));
testStories('an identifier that is given again', countBoth, {
  'to two requests that overlapped is a failure at once': { '0 +1; 3 +1=Again': [0, 1] },
  'once, of an animal that was not seen gone, may have been freed by others': {
    [`${TWO}; 500 +1=Again`]: [0, 0],
  },
  'once, is a failure where getPet shows the former animal after the window': {
    [`${TWO}; 500 +1=Again; 600 get 1`]: [0, 0],
    [`${TWO}; 500 +1=Again; 700 get 1`]: [1, 0],
  },
  'twice, of animals that were not seen gone, is a failure, also if a full page lacks them': {
    [`${TWO}; ${BOTH}`]: [2, 0],
    [`${TWO}; 400 [2]/pets?limit=1; ${BOTH}`]: [2, 0],
  },
  'to animals that are added before any list is read may be what others freed, first come first served': {
    [`${TWO}; 500 +1=Again; 510 +2=Again`]: [0, 0],
    [`${TWO}; 500 +1=Again; 510 +2=Again; 520 [2]`]: [0, 0],
    // A full page does not show who was deleted.
    [`${TWO}; 500 +1=Again; 505 [2]/pets?limit=1; 510 +2=Again`]: [0, 0],
  },
  'is none where the animals were seen gone before: by 404, or in a list without them': {
    [`${TWO}; 400 404 1; 410 [3]; ${BOTH}`]: [0, 0],
    [`20 [${STRAYS}]; 400 404 11; 410 404 12; 500 +11=Again; 510 +12=Again`]: [0, 0],
  },
  'is one where they were seen gone only after the request was sent': {
    [`${TWO}; ${BOTH}; 515 404 1; 530 [3 ${STRAYS}]`]: [2, 0],
  },
  'is none where others were seen to delete as many whose identifiers were not given again': {
    [`${TWO}; ${SEEN}; 600 [1 2 s13]; ${BOTH}`]: [0, 0],
    [`${TWO}; ${SEEN}; 600 404 11; 610 404 12; ${BOTH}`]: [0, 0],
  },
  'is one where others were seen to delete fewer, or a list may have been cut': {
    [`${TWO}; ${SEEN}; 600 404 11; ${BOTH}`]: [2, 0],
    [`${TWO}; ${SEEN}; 600 [1 2 s13]/pets?limit=3; ${BOTH}`]: [2, 0],
  },
  'is one where the identifiers of those that others deleted were given again too': {
    [`${TWO}; ${SEEN}; 600 404 11; 610 404 12; 700 +11=Again; 710 +12=Again; ${BOTH}`]: [2, 0],
  },
});

const NOT_FOUND = [1, 2, 3, 4, 5, 6].map((id) => `${500 + id} 404 ${id}`).join('; ');
testStories('animals that were answered 201 and that no read shows', countOf('create-pet.kept'), {
  'are a failure where they are several': { [`10 +1; 20 +2; 30 +3; 400 [s11 s12]; ${NOT_FOUND}`]: 1 },
  'may have been deleted by others, who delete as many that were seen': {
    [`40 +4; 50 +5; 60 +6; 80 [s11 s12 4 5 6]; 110 +1; 120 +2; 130 +3; 400 [s11 s12]; ${NOT_FOUND}`]: 0,
  },
});

const ODD = '20 401 /pets?status=bogus';
const ODD_TWICE = `${ODD}; 40 401 /pets?status=bogus`;
/** The path gets 401 twice. getPet finds an animal, and lists succeed before, between and after. */
const servedAround = (path: string) =>
  `10 get 1; 10 []/pets; 20 401 ${path}; 30 []/pets; 40 401 ${path}; 50 []/pets`;
testStories('the key that gets 401', countOf('authentication.valid-key'), {
  'is a failure where the operation succeeds with it, before or after, however odd the request is': {
    [`10 []/pets; 30 []/pets; 50 []/pets; ${ODD_TWICE}`]: 2,
    [`30 []/pets; 50 []/pets; ${ODD_TWICE}`]: 2,
  },
  'is no failure in one moment, unless the same request succeeds before and after it, and no wrong key was sent':
    {
      [`10 []/pets; ${ODD}; 30 []/pets`]: 0,
      '10 []/pets; 20 401 /pets; 30 []/pets': 1,
      '5 keyless /pets; 10 []/pets; 20 401 /pets; 30 []/pets': 0,
      // A wrong key may lock the right one for a minute.
      '5 keyless /pets; 61000 []/pets; 61010 401 /pets; 61020 []/pets': 1,
    },
  'is none of an operation at a path or by a method that the document does not show': {
    [servedAround('/pets/1/x-unheard')]: 0,
    [servedAround('/pets/')]: 0,
    [servedAround('/pets/1')]: 2,
  },
  'may lack the right to an operation that never succeeds': { '10 []/pets; 20 401 /pets/abc; 30 []/pets': 0 },
  'may be locked: a plain list before it or after it is refused too, or none follows': {
    [`10 []/pets; ${ODD}; 30 401 /pets; 40 401 /pets; 50 []/pets`]: 0,
    '10 []/pets; 20 401 /pets; 30 401 /pets; 40 401 /pets?status=bogus; 50 []/pets': 0,
    [`10 []/pets; ${ODD}`]: 0,
  },
});

/** `DELETED`: x1 adds animal 1, and x5 gets 404. So others deleted it. It is one of two animals: `bits` is log2 of 2. */
const KEPT_TWO = '0 +1; 10 +2; 20 get 1; 30 get 2';
const [GONE_AT, DELETED] = [3 * WINDOW, { animal: '1', assumed: ['deleted'], bits: 1, reads: ['x1', 'x5'] }];
testStories('what others must have done', (story) => judgeOf(story).explanations(), {
  'is listed where nothing else explains what was read: when, and how unlikely it is': {
    [`${KEPT_TWO}; ${GONE_AT} 404 1; ${GONE_AT + 10} [2]`]: [
      { ...DELETED, moments: [{ after: 5, before: GONE_AT + 5 }] },
    ],
  },
  'is nothing where all is shown': { [`${KEPT_TWO}; ${GONE_AT} [1 2]`]: [] },
});

const TWELVE = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/** Twelve animals. No read ever shows the first `count` of them. */
const unseen = (count: number) =>
  joinParts(
    TWELVE.map((id) => `${10 * id} +${id}`),
    TWELVE.map((id) => `500 ${id <= count ? '404' : 'get'} ${id}`),
    `600 [${TWELVE.slice(count).join(' ')}]`,
  );
testStories('what chance may have done', countOf('create-pet.kept'), {
  'is not believed if it costs too much: three animals that no read ever showed': {
    [unseen(2)]: 0,
    [unseen(3)]: 1,
  },
});

test.describe('rows without an identifier', () => {
  const bare = (count: number) => Array.from({ length: count }, () => ({ name: 'Rex', categoryId: 1 }));
  const listBare = (count: number, path: string): Entry => ({ at: 400, path, body: bare(count) });

  test('are animals of a list all the same: it is not empty', () => {
    const seen = [added(0, rex(1)), found(300, rex(1)), found(500, rex(1))];
    expect(countBroken('list-pets.not-empty', [...seen, listBare(3, '/pets?limit=100')])).toBe(0);
    expect(countBroken('list-pets.not-empty', [...seen, listBare(0, '/pets?limit=100')])).toBe(1);
  });

  test('count for its limit', () => {
    expect(countBroken('list-pets.default-limit', [listBare(20, '/pets')])).toBe(0);
    expect(countBroken('list-pets.default-limit', [listBare(21, '/pets')])).toBe(1);
    expect(countBroken('list-pets.limit', [listBare(6, '/pets?limit=5')])).toBe(1);
  });
});

/** A row of a story, e.g. `2:sold=RoverRexb#7`. */
const rover = (id: number, status = '', category = '') =>
  `${id}${status}=RoverRex${'abcdefghi'[id - 1]}${category}`;
const refuseEach = (ids: readonly number[], ...kind: string[]) =>
  ids.map((id) => `${10 * id} 400 +${rover(id, ...kind)}`).join('; ');
/** createPets that succeed: one before all refusals, one after them. */
const [BEFORE, AFTER] = [`10 +${rover(1, ':available')}`, `90 +${rover(9, ':available')}`];
testStories('a kind of animal that is always refused', countOf('create-pet.status-accepted'), {
  'breaks the promise on its status where others of its category are taken before and after': {
    [`${BEFORE}; ${refuseEach([2, 3, 4], ':sold')}; ${AFTER}`]: 1,
    [`${BEFORE}; ${refuseEach([3, 4], ':sold')}; ${AFTER}`]: 0,
    // Then the store may be full, or the key may add no more.
    [`${BEFORE}; ${refuseEach([2, 3, 4], ':sold')}`]: 0,
    [`${BEFORE}; ${refuseEach([2, 3, 4], ':sold')}; 80 +${rover(8, ':sold')}; ${AFTER}`]: 0,
    [`${BEFORE}; ${refuseEach([2, 3, 4], ':sold', '#7')}; ${AFTER}`]: 0,
  },
});
testStories('a kind of animal that is always refused', countOf('create-pet.status-optional'), {
  'breaks the promise on animals without a status': { [`${BEFORE}; ${refuseEach([2, 3, 4])}; ${AFTER}`]: 1 },
});

test('names that are refused only with escapes break the promise on escapes', () => {
  const escaped = readStory('20 400 +2; 30 400 +3; 40 400 +4').map((each, nth) => ({
    ...each,
    sent: `{"name":"\\u0052over${'bcd'[nth]}","categoryId":1,"status":"\\u0073old"}`,
  }));
  expect(countBroken('representation.escapes', [...readStory(`${BEFORE}; ${AFTER}`), ...escaped])).toBe(1);
});

const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/** Nine animals on a store of others. The first `gone` of them get 404 directly after a read: `500 [...]; 520 get 1; 540 404 1`. */
const readOnce = (gone: number) => {
  const listFrom = (nth: number) => `${500 + 100 * nth} [${OTHERS} ${NINE.slice(nth).join(' ')}]`;
  const lost = NINE.slice(0, gone).map(
    (id, nth) => `${listFrom(nth)}; ${520 + 100 * nth} get ${id}; ${540 + 100 * nth} 404 ${id}`,
  );
  const adding = NINE.map((id, nth) => `${10 * nth} +${id}`);
  return joinParts(adding, lost, listFrom(gone));
};
testStories('animals of a store of others that are gone when they were read', countOf('get-pet.repeatable'), {
  'are deleted by others if they are few; reading removes them if no other is gone': {
    [readOnce(4)]: 0,
    [readOnce(8)]: 1,
  },
});

testStories('animals that no other answer has shown', countOf('get-pet.not-found'), {
  'are made up if three in turn are far from all others; one near another may be of others': {
    '0 +1; 10 get s2000000000001; 20 get s4000000000001; 30 get s6000000000001': 1,
    '0 +2000000000000; 10 get s2000000000001; 20 get s2000000000002; 30 get s2000000000003': 0,
  },
});

test('a Location of another animal breaks its promise', () => {
  const located = (location: string) =>
    countBroken('create-pet.location-names-it', [{ ...added(0, rex(1)), headers: [['Location', location]] }]);
  expect([located('/v1/pets/2'), located('/v1/pets/1')]).toEqual([1, 0]);
});

testStories('reads behind writes', (story) => measureLag(judgeOf(story).presence.histories()), {
  'the last read that lacked an animal says how long, whenever it was shown': {
    '0 +1; 20 []; 35 []; 40 [1]': 30,
    '0 +1; 20 []; 35 []; 90 [1]': 30,
    '0 +1; 25 404 1; 80 get 1': 20,
  },
  'an animal that is shown at once, or gone, proves no lag': {
    '0 +1; 20 [1]; 35 [1]': null,
    '0 +1; 20 [1]; 35 []; 400 []': null,
  },
  'a read that began before the 201 proves no lag': {
    '0 +1; 3 []; 20 [1]': null,
    '0 +1; 3 404 1; 20 get 1': null,
  },
});
