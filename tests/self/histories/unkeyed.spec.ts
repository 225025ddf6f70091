/** Answers without the right key, and lists that a cache may have answered: which promise each breaks. */
import { expect, test } from '@playwright/test';
import { WRONG_KEYS } from '../../../fixtures/situations/credentials/wrong-keys.ts';
import { WINDOW, added, brokenOf, found, judgeOf, list, missing, refused, rex, type Entry } from './rows.ts';
import { failsWith } from './rows.ts';

const wrong = WRONG_KEYS.other.credential;
const one = rex(1, 'sold');

/** Returns the promises that exchanges break, without those about the challenge (WWW-Authenticate). */
const broken = brokenOf(/^(?!.*challenge)/);

/** The same exchange, with a request without the key or with another credential. */
const without = (entry: Entry, credential: Entry['credential'] = 'none'): Entry => ({ ...entry, credential });

test.describe('an answer to what is not the key', () => {
  test('breaks the promise about the plainest request that got such an answer', () => {
    const withCutKey = without(list(10, [], '/pets?limit=7'), WRONG_KEYS.withoutEnd.credential);
    expect(broken(withCutKey)).toEqual(['authentication.truncated-key']);
    expect(broken(withCutKey, without(list(20, [], '/pets?limit=7'), wrong))).toEqual([
      'authentication.list-pets-wrong-key',
    ]);
  });

  test('may be 400 or 401 to an invalid body, and may not be 200 to an invalid query', () => {
    const invalid = (status: number) =>
      failsWith(status, { ...without(refused(10, '/pets')), method: 'POST', sent: '{}' });
    expect(broken(invalid(400))).toEqual([]);
    expect(broken(invalid(401))).toEqual([]);
    expect(broken(invalid(422))).toEqual(['authentication.create-pet-missing-key']);
    expect(broken({ ...without(list(10, [], '/pets?limit=0')), status: 200 })).not.toEqual([]);
  });

  test('may be a 404, unless getPet finds the animal before and after, and no getPet lags', () => {
    const later = 2 * WINDOW;
    const keyless = (at: number) => without(missing(at, one), wrong);
    const seen = (at: number) => found(at, one);
    expect(broken(added(0, one), seen(later), keyless(later + 20), seen(later + 40))).toEqual([
      'authentication.get-pet-wrong-key',
    ]);
    const early = [added(0, one), seen(10), keyless(20), seen(40)];
    expect(broken(...early)).toEqual(['authentication.get-pet-wrong-key']);
    expect(broken(...early, added(50, rex(2)), missing(60, rex(2)))).toEqual([]);
    expect(broken(added(0, one), seen(later), keyless(later + 20))).toEqual([]);
  });
});

test.describe('a list that is shown without the key at addresses that the key has asked for', () => {
  // Lists with the key, the same addresses without it, and another address without it, which gets 401
  const keyed = [list(10, [one], '/pets?limit=61'), list(20, [one], '/pets?limit=62')];
  const same = keyed.map((each) => without({ ...each, at: each.at + 100 }));
  const fresh = without(refused(150, '/pets?limit=63&status=sold'));

  test('comes from a cache, if other addresses are refused', () => {
    expect(broken(...keyed, ...same, fresh)).toEqual(['authentication.shared-cache']);
    const [finding] = judgeOf([...keyed, ...same, fresh])
      .findings()
      .filter(({ requirement }) => requirement === 'authentication.shared-cache');
    expect(finding?.flaw?.received).toContain('from a cache');
  });

  test('comes from no cache, if some of these addresses are refused too, or other addresses are not', () => {
    const refusals = [40, 50, 60].map((limit) => list(30, [one], `/pets?limit=${limit}`));
    const refusedToo = refusals.map(({ path }) => without(refused(160, path)));
    expect(broken(...keyed, ...refusals, ...same, ...refusedToo, fresh)).toEqual([
      'authentication.list-pets-missing-key',
    ]);
    expect(broken(...keyed, ...same, { ...fresh, status: 200, body: [] })).toEqual([
      'authentication.list-pets-missing-key',
    ]);
  });
});

test.describe('a list that a cache may have answered', () => {
  /** The request lacks `Cache-Control: no-cache`, so a cache may answer it. */
  const cacheable = (entry: Entry): Entry => ({ ...entry, without: ['cache-control'] });

  test('may show an animal twice within the window, and may lack an animal after it', () => {
    expect(broken(added(10, one), found(20, one), cacheable(list(30, [one, one])))).toEqual([]);
    expect(broken(added(10, one), found(20, one), cacheable(list(20 + WINDOW, [])))).toEqual([]);
  });

  test('with a row of another status is asked again as a list, and getPet is not asked', () => {
    const odd = cacheable(list(30, [one], '/pets?limit=100&status=available'));
    const { questions } = judgeOf([added(10, one), odd]);
    const asked = questions.find(({ promise }) => promise === 'list-pets.status')?.reads ?? [];
    expect([...new Set(asked.map(({ path }) => path.split('?')[0]))]).toEqual(['/pets']);
  });

  test('breaks a promise if it never shows a new animal, and none if it is one animal behind', () => {
    const animals = [1, 2, 3, 4, 5].map((id) => rex(id));
    // Each animal: createPet, a fresh list, a list of the cache, which shows `countKept` animals, and a fresh list again
    const listAround = (countKept: (count: number) => number) =>
      animals.flatMap((row, index) => {
        const fresh = (at: number) => list(1_000 * index + at, animals.slice(0, index + 1));
        const kept = cacheable(list(1_000 * index + 500, animals.slice(0, countKept(index))));
        return [added(1_000 * index, row), fresh(400), kept, fresh(600)];
      });
    expect(broken(...listAround(() => 0))).toEqual(['list-pets.shows-added']);
    expect(broken(...listAround((count) => count))).toEqual([]);
  });
});
