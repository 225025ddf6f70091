import { expect, test } from '@playwright/test';
import { fromRecord } from '../../../fixtures/evidence/record.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { isExplained } from '../../../fixtures/rules/explained.ts';
import { Judge } from '../../../fixtures/rules/judge.ts';

const WINDOW = 100;
const DURATION = 5;

interface Row {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

/** One exchange that began then, in milliseconds on the clock of the run. */
interface Told {
  at: number;
  method?: 'GET' | 'POST';
  path: string;
  sent?: Omit<Row, 'id'>;
  status?: number;
  body: unknown;
}

const rex = (id: number, status?: string): Row => ({ id, name: `Rex${String.fromCharCode(96 + id)}`, categoryId: 1, ...(status === undefined ? {} : { status }) });
const list = (at: number, rows: readonly Row[], path = '/pets?limit=100'): Told => ({ at, path, body: rows });
const found = (at: number, row: Row): Told => ({ at, path: `/pets/${row.id}`, body: row });
const added = (at: number, row: Row): Told => {
  const { id: _, ...sent } = row;
  return { at, method: 'POST', path: '/pets', sent, status: 201, body: row };
};

/** A judge of these exchanges, in the order of their times. */
function judgeOf(told: readonly Told[]): Judge {
  const judge = new Judge({ mark: 'csmark', window: WINDOW, clock: 0, claimed: [] });
  for (const [index, { at, method = 'GET', path, sent, status = 200, body }] of told.toSorted((left, right) => left.at - right.at).entries()) {
    judge.take(fromRecord({
      kind: 'exchange',
      id: `x${index + 1}`,
      begin: at,
      end: at + DURATION,
      at,
      ask: { operation: method === 'POST' ? 'createPet' : path.startsWith('/pets/') ? 'getPet' : 'listPets', method, path, credential: 'key', body: sent === undefined ? null : { text: JSON.stringify(sent) } },
      response: { status, statusText: '', headers: [['Content-Type', 'application/json']], body: { text: JSON.stringify(body) }, undecodable: null, rawContentLength: null },
      error: null,
    }));
  }
  return judge;
}

/** How often these exchanges break the requirement. */
function broken(requirement: RequirementId, told: readonly Told[]): number {
  return judgeOf(told).findings().filter((finding) => finding.requirement === requirement && finding.verdict === 'fail').length;
}

test.describe('a longer limit that shows fewer animals', () => {
  const [three, two] = [[rex(1), rex(2), rex(3)], [rex(1), rex(2)]];
  const short = (at: number) => list(at, three, '/pets?limit=76');
  const long = (at: number) => list(at, two, '/pets?limit=78');

  test('is a failure where it does so each time it is asked in turn', () => {
    expect(broken('list-pets.longer-limit', [short(10), long(20), short(30), long(40), short(50), long(60)])).toBe(1);
  });

  test('is none where one animal left the lists once, however often both were asked', () => {
    expect(broken('list-pets.longer-limit', [short(10), short(20), short(30), long(40), long(50), long(60)])).toBe(0);
  });
});

test.describe('a list that disagrees with getPet before and after it', () => {
  const get = (at: number) => found(at, rex(7, 'available'));
  const lists = (at: number) => list(at, [rex(7, 'sold')]);

  test('is a failure where it does so between several pairs of getPets', () => {
    expect(broken('get-pet.agrees-with-list', [get(10), lists(20), get(30), lists(100), get(110), lists(200), get(210)])).toBe(1);
  });

  test('is none where others may have changed the animal once, and undone it', () => {
    expect(broken('get-pet.agrees-with-list', [get(10), lists(20), lists(100), lists(200), lists(300), get(310)])).toBe(0);
  });
});

test.describe('an animal that lists lack and getPet finds', () => {
  // each list is longer than the one before, so that none of them but the last may end at a cap
  const others = [rex(11), rex(12), rex(13)];
  const young = [added(2_000, rex(2)), list(2_300, [rex(1), ...others]), found(2_310, rex(2)), added(2_320, rex(3)), list(2_330, [rex(1), rex(3), ...others])];
  const older = [list(2_900, [rex(1), rex(3), ...others]), added(2_910, rex(4)), list(2_920, [rex(1), rex(3), rex(4), ...others])];
  const late = [added(0, rex(1)), list(300, [rex(11), rex(12)]), list(600, [rex(1), rex(11), rex(12)])];
  const stateOf = (told: readonly Told[], id: string) => judgeOf(told).presence.histories().find(({ animal }) => animal.id === id)?.state;

  test('is accused where no other one came late', () => {
    expect(stateOf(young, '2')).toBe('unexplained');
  });

  test('is awaited while it is younger than another one was that came late', () => {
    expect(stateOf([...late, ...young], '1')).toBe('late');
    expect(stateOf([...late, ...young], '2')).toBe('awaited');
  });

  test('is accused when it is older', () => {
    expect(stateOf([...late, ...young, ...older], '2')).toBe('unexplained');
  });
});

test.describe('an identifier that another animal had before', () => {
  const former = { ...rex(1), name: 'Former' };
  const later = list(3 * WINDOW, [rex(1)]);

  test('may be shown with the former animal by a list that was under way, or that lags', () => {
    expect(broken('list-pets.name-exact', [added(10, rex(1)), list(12, [former]), later])).toBe(0);
    expect(broken('list-pets.name-exact', [list(0, [former]), added(10, rex(1)), list(10 + WINDOW / 2, [former]), later])).toBe(0);
  });

  test('is not shown with another animal later', () => {
    expect(broken('list-pets.name-exact', [added(10, rex(1)), list(20, [former]), later])).toBe(1);
    expect(broken('list-pets.name-exact', [list(0, [former]), added(10, rex(1)), list(20 + WINDOW, [former]), later])).toBe(1);
  });
});

test('an animal whose identifier was given again is gone: a test may take another one', () => {
  const told = [added(0, rex(1)), added(10, { ...rex(1), name: 'Rex again' }), added(20, rex(2))];
  expect(isExplained(judgeOf(told), '1')).toBe(true);
  expect(isExplained(judgeOf(told), '2')).toBe(false);
});
