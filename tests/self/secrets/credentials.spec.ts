/** Credentials that are made of a key by edits: the Authorization header of each, and that none is the key itself. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  findSecretPart,
  mayDifferFromKey,
  isWrongToken,
  readKeyTraits,
  spellToken,
  writeAuthorization,
} from '../../../fixtures/situations/credentials/credentials.ts';
import { nameCredential, saltCredential } from '../../../fixtures/situations/credentials/salted.ts';
import type { Credential, KeyEdit } from '../../../fixtures/exchange/exchange.ts';

const KEY = 'sk_Live-0a1B2c3D4e5F6g7H';
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const keys = fc.oneof(
  fc.string({ unit: visible, minLength: 6, maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 6, maxLength: 200 }),
  fc.base64String({ minLength: 8, maxLength: 200 }),
  fc.uuid(),
);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
/** The token of a key with these edits. */
const edited = (key: string, ...edits: KeyEdit[]) => spellToken({ scheme: 'Bearer', edits }, key);
/** Fails unless the property holds for 300 drawn keys. */
const checkAll = <Values>(property: fc.IProperty<Values>) => fc.assert(property, { seed: 7, numRuns: 300 });

const bearer = (...edits: KeyEdit[]) => ({ scheme: 'Bearer', edits });
const HALF: KeyEdit = { edit: 'keep', from: 0, to: 0.5 };
const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The header of each credential; undefined: there is none. */
const HEADERS: readonly (readonly [Credential, string | undefined])[] = [
  ['key', `Bearer ${KEY}`],
  ['none', undefined],
  [{ scheme: 'Basic', edits: [] }, `Basic ${KEY}`],
  [{ scheme: null, edits: [] }, KEY],
  [bearer({ edit: 'empty' }), 'Bearer'],
  [bearer({ edit: 'add', where: 'before', text: 'abcd1234' }), `Bearer abcd1234${KEY}`],
  [bearer({ edit: 'add', where: 'behind', text: 'abcd1234' }), `Bearer ${KEY}abcd1234`],
  [bearer({ edit: 'flip-case' }), 'Bearer SK_lIVE-0A1b2C3d4E5f6G7h'],
  [bearer(HALF, { edit: 'flip-case' }), 'Bearer SK_lIVE-0A1b'],
  [{ scheme: 'Basic', edits: [{ edit: 'basic', as: 'user' }] }, `Basic ${base64(`${KEY}:`)}`],
  [{ scheme: 'Basic', edits: [{ edit: 'basic', as: 'password' }] }, `Basic ${base64(`:${KEY}`)}`],
  [bearer({ edit: 'bytes', latin1: 'schl\u00fcssel' }), 'Bearer schl\u00fcssel'],
  [bearer({ edit: 'wrap', before: '"', behind: '"' }), `Bearer "${KEY}"`],
  [bearer({ edit: 'wrap', before: 'x ', behind: '' }), `Bearer x ${KEY}`],
  [bearer({ edit: 'change', at: [0, 0.5] }), 'Bearer tk_Live-0a1B1c3D4e5F6g7H'],
  [bearer({ edit: 'rotate' }), `Bearer ${KEY.slice(1)}s`],
];

test('words around the key in a token are no secret: an answer may show them', () => {
  const word: KeyEdit = { edit: 'add', where: 'before', text: 'constructor' };
  const part = (...edits: KeyEdit[]) => findSecretPart(bearer(...edits), KEY);
  expect([part(word), part({ edit: 'word', word: 'undefined' })]).toEqual(['', '']);
  expect(part(HALF, word)).toBe('sk_Live-0a1B');
});

test.describe('the Authorization header', () => {
  test('of each credential', () => {
    for (const [credential, header] of HEADERS)
      expect(writeAuthorization(credential, KEY), JSON.stringify(credential)).toBe(header);
  });

  test('never carries the key by accident', () => {
    expect(() => edited('123456-7890', { edit: 'flip-case' })).toThrow('the key itself');
    // 12 of 36 characters are the added text: the last two thirds are the key.
    const added = { edit: 'add', where: 'before', text: 'abcdefghijkl' } as const;
    expect(() => edited(KEY, added, { edit: 'keep', from: 1 / 3, to: 1 })).toThrow('the key itself');
    expect(() => edited(KEY, { edit: 'add', where: 'behind', text: 'line\r\nfeed' })).toThrow(
      'visible ASCII',
    );
  });
});

test.describe('of any key', () => {
  test('another token has its length and nothing else of it', () => {
    checkAll(
      fc.property(keys, fc.nat(), (key, seed) => {
        const other = edited(key, { edit: 'other', seed });
        // No six characters of the token are in the key
        const parts = Array.from({ length: Math.max(0, other.length - 5) }, (_, at) =>
          other.slice(at, at + 6).toLowerCase(),
        );
        return (
          other.length === key.length &&
          /^[a-zA-Z0-9]+$/.test(other) &&
          !parts.some((part) => key.toLowerCase().includes(part))
        );
      }),
    );
  });

  test('a kept part has lost a quarter at least, and stands in the key', () => {
    checkAll(
      fc.property(keys, fraction, fraction, (key, one, two) => {
        const part = edited(key, { edit: 'keep', from: Math.min(one, two), to: Math.max(one, two) });
        return part.length > 0 && key.length - part.length >= key.length / 4 && key.includes(part);
      }),
    );
  });

  test('a changed character is another of its class, and never only at the end', () => {
    checkAll(
      fc.property(keys, fraction, (key, at) => {
        const changed = edited(key, { edit: 'change', at: [at] });
        const places = [...key].flatMap((character, place) => (changed[place] === character ? [] : [place]));
        // The last character of base64 has bits that nobody reads: a key that differs there only may be the same key.
        const lastOfValue = Math.max(1, key.replace(/=+$/, '').length - 1);
        const sameClass = (place: number) =>
          [/[0-9]/, /[a-z]/, /[A-Z]/].every(
            (each) => !each.test(key[place] ?? '') || each.test(changed[place] ?? ''),
          );
        return (
          changed.length === key.length &&
          places.some((place) => place < lastOfValue) &&
          places.every(sameClass)
        );
      }),
    );
  });

  test('a key in the other letter case differs from the key if it has letters', () => {
    checkAll(
      fc.property(
        keys.filter((key) => readKeyTraits(key).hasLetters),
        (key) => {
          const flipped = edited(key, { edit: 'flip-case' });
          return flipped !== key && flipped.toLowerCase() === key.toLowerCase();
        },
      ),
    );
  });
});

test('only a token that is not the key counts as a guess', () => {
  const guesses = [bearer({ edit: 'other', seed: 1 }), bearer({ edit: 'bytes', latin1: '\u00fc' })];
  const others = [
    ...(['key', 'none', bearer({ edit: 'empty' })] as const),
    ...[
      { scheme: 'BEARER', edits: [] },
      { scheme: null, edits: [] },
      { scheme: 'Basic', edits: [] },
    ],
    { scheme: 'Basic', edits: [{ edit: 'basic', as: 'user' }] },
  ] as Credential[];
  expect(guesses.filter(isWrongToken)).toEqual(guesses);
  expect(others.filter(isWrongToken)).toEqual([]);
});

test('a renewed key may be one that a chosen credential does not change', () => {
  const flipped = { scheme: 'Bearer', edits: [{ edit: 'flip-case' }] } as const;
  expect([
    mayDifferFromKey(flipped, KEY),
    mayDifferFromKey(flipped, '123456-7890'),
    mayDifferFromKey('none', KEY),
  ]).toEqual([true, false, true]);
});

test('the same seed gives the same token, another seed another', () => {
  expect(edited(KEY, { edit: 'other', seed: 1 })).toBe(edited(KEY, { edit: 'other', seed: 1 }));
  expect(edited(KEY, { edit: 'other', seed: 1 })).not.toBe(edited(KEY, { edit: 'other', seed: 2 }));
  expect(edited('1234567890', { edit: 'other', seed: 1 })).toMatch(/^\d{10}$/);
});

test('a credential has one name, with the salt of a run and without', () => {
  const [one, other] = [1, 2].map((seed) => bearer({ edit: 'other', seed }));
  const all = [one!, saltCredential(one!, 7), other!, 'key' as const];
  expect(new Set(all.map((each) => nameCredential(each))).size).toBe(3);
});

test('traits of a key', () => {
  // `caseMayNotMatter`: hexadecimal, a UUID, or no letters. `singleCase`: letters of one case, and not hexadecimal.
  for (const [key, hasLetters, caseMayNotMatter, singleCase] of [
    [KEY, true, false, false],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', true, false, true],
    ['mfrggzdfmztwq2lk', true, false, true],
    ['deadbeef01', true, true, false],
    ['0xDEADBEEF', true, true, false],
    ['de:ad:be:ef', true, true, false],
    ['7d444840-9dc0-11d1-b245-5ffdce74fad2', true, true, false],
    ['{7D444840-9DC0-11D1-B245-5FFDCE74FAD2}', true, true, false],
    ['urn:uuid:7d444840-9dc0-11d1-b245-5ffdce74fad2', true, true, false],
    ['123-456_789', false, true, false],
  ] as const)
    expect(readKeyTraits(key)).toEqual({ length: key.length, hasLetters, caseMayNotMatter, singleCase });
});
