/** The redactor takes a key out of any text, however the key is encoded, and says if one is left. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { writeRecord } from '../../../fixtures/evidence/record.ts';
import { Redactor } from '../../../fixtures/evidence/redaction/redactor.ts';
import { exchangeWith } from '../samples/sample-exchanges.ts';

const KEY = 'sk+Live/0a1B2c3D4e=5F6g7"\\&H';
const SHORT = 'pa55-W/d';
/** The key in each form in which an answer may show it. */
const encodeKey = (key: string) => ({
  plain: key,
  'letter case changed': key.toUpperCase(),
  reversed: [...key].reverse().join(''),
  hex: Buffer.from(key).toString('hex'),
  'hex in capitals': Buffer.from(key).toString('hex').toUpperCase(),
  base64: Buffer.from(key).toString('base64'),
  'base64 of Bearer': Buffer.from(`Bearer ${key}`).toString('base64'),
  'base64 of user and password': Buffer.from(`ab:${key}`).toString('base64'),
  'base64url behind one byte': Buffer.from(`?${key}~~~`).toString('base64url'),
  'URL-encoded': encodeURIComponent(key),
  'URL-encoded throughout': escapeEach(key, (code) => `%${code}`),
  'URL-encoded in part': key.replace(/[a-f0-9]/g, (each) => `%${each.charCodeAt(0).toString(16)}`),
  'URL-encoded twice': encodeURIComponent(encodeURIComponent(key)),
  'URL-encoded base64': encodeURIComponent(Buffer.from(key).toString('base64')),
  'a JSON string': JSON.stringify(key),
  'a JSON string with slashes escaped': JSON.stringify(key).replaceAll('/', '\\/'),
  'JSON escapes': escapeEach(key, (code) => `\\u00${code}`),
  'JavaScript escapes': escapeEach(key, (code) => `\\x${code}`),
  'JSON in JSON': JSON.stringify(JSON.stringify({ key })),
  'HTML entities': escapeEach(key, (code) => `&#x${code};`),
  'decimal HTML entities': [...key].map((each) => `&#${each.charCodeAt(0)};`).join(''),
  'named HTML entities': key.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replaceAll('/', '&sol;'),
  'JSON in HTML': JSON.stringify(key).replace(/&/g, '&amp;').replace(/"/g, '&quot;'),
  'quoted-printable': escapeEach(key, (code) => `=${code.toUpperCase()}`),
  'quoted-printable over lines': `${key.slice(0, 5)}=\r\n${key.slice(5)}`,
});

test('a secret is removed in every form', () => {
  for (const key of [KEY, SHORT]) for (const shown of Object.values(encodeKey(key))) expectHidden(key, shown);
});

test('twelve letters of a long secret are removed; a short secret is removed only as a whole', () => {
  expect(redactorOf(KEY).redact(`<${KEY.slice(3, 15)}>`)).toBe('<[key]>');
  expect(redactorOf(KEY).redact(`<${KEY.slice(3, 14)}>`)).toBe(`<${KEY.slice(3, 14)}>`);
  expect(redactorOf(SHORT).redact(`<${SHORT}> <${SHORT.slice(1)}>`)).toBe(`<[key]> <${SHORT.slice(1)}>`);
  expect(redactorOf('abc%2d!').redact('?token=abc%252D%21&x=1')).toBe('?token=[key]&x=1');
});

test('ordinary text stays', () => {
  const redactor = redactorOf(KEY, SHORT, 'aaaaaaaaaaaaaaaa');
  // `data` is base64 of `sk-Live`. The letters of `name` after é have a lower case of two characters, or one within ASCII.
  const ordinary = JSON.stringify({
    name: 'cs-1 "Rex" é\u0130\u212a',
    href: '/v1/pets?status=%61vailable',
    data: 'c2stTGl2ZQ==',
  });
  expect(redactor.redact(ordinary)).toBe(ordinary);
  expect(redactor.hasSecret(ordinary)).toBe(false);
  expect(redactorOf('cat').redact('a cat, too short to be known from a word')).toContain('cat');
});

test('the secret alone is removed behind characters with a longer lower case', () => {
  expect(redactorOf(KEY).redact(`\u0130\u0130\u1e9e ${KEY} \u0130`)).toBe('\u0130\u0130\u1e9e [key] \u0130');
});

test('a secret with letters beyond ASCII is removed too', () => {
  const secret = 'grüße-über-straße';
  expect(redactorOf(secret).redact(encodeURIComponent(secret))).toBe('[key]');
  expect(redactorOf(secret).redact(JSON.stringify(secret))).toBe('"[key]"');
});

test('JSON stays JSON, and free of any secret', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const secret = fc.string({
    unit: fc.oneof(visible, fc.constantFrom(...'\\/u0041&%="n')),
    minLength: 6,
    maxLength: 30,
  });
  const around = fc.string({
    unit: fc.oneof(visible, fc.constantFrom('\\', '\n', '"', '\u0001', '%', '&', '=')),
    maxLength: 6,
  });
  fc.assert(
    fc.property(secret, fc.array(fc.tuple(around, around)), fc.boolean(), (key, places, nested) => {
      const value = places.map(([before, behind]) => before + key + behind);
      const redactor = redactorOf(key);
      const redacted = redactor.redact(JSON.stringify(nested ? [JSON.stringify(value)] : value));
      return Array.isArray(JSON.parse(redacted)) && !redacted.includes(key) && !redactor.hasSecret(redacted);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test('one secret of many is found in ten million characters', () => {
  const redactor = redactorOf(...Array.from({ length: 50 }, (_, at) => `${at}-${KEY}-${at * 7919}`));
  const ordinary = '{"name":"Rex \\"the\\" dog","href":"/v1/pets?limit=20"},'.repeat(200_000);
  expect(redactor.redact(`${ordinary}7-${KEY}-${7 * 7919}`)).toBe(`${ordinary}[key]`);
});

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

/** Expects that the secret is redacted. A few letters around it may stay: a letter of base64 has bits of two bytes. */
function expectHidden(secret: string, shown: string): void {
  const redactor = redactorOf(secret);
  const redacted = redactor.redact(`before ${shown} behind`);
  expect(redactor.hasSecret(shown), shown).toBe(true);
  expect(redactor.hasSecret(redacted), shown).toBe(false);
  expect(redacted).toMatch(/^before \S{0,15}\[key\]\S{0,8} behind$/);
}

function escapeEach(key: string, one: (hexCode: string) => string): string {
  return [...key].map((each) => one(each.charCodeAt(0).toString(16))).join('');
}

/** Writes the bytes of a key in hex, with a text between them. */
const writeHex = (key: string, between: string, as: BufferEncoding = 'utf8') =>
  Buffer.from(key, as).toString('hex').match(/../g)?.join(between) ?? '';

/** An answer that shows a text in its reason and in a header. */
const answeredWith = (shown: string) => {
  const headers = [
    ['X-Echo', shown],
    ['X-Request-Id', '0a8f6c1e-1c1b-4d4e-9f5e-1f9d3c0b7a21'],
  ] as const;
  return exchangeWith({ statusText: shown, headers }, {});
};

/** The key in forms that `redact` does not find, e.g. in gzip. `isSecretLeft` has to find them. */
const disguiseKey = (key: string) => {
  const pieces = key.match(/.{1,4}/g) ?? [];
  const gzipped = gzipSync(`{"token":"${key}"}`);
  const twice = (text: string) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64');
  return {
    'over strings of a body': JSON.stringify(Object.fromEntries(pieces.map((each, at) => [`m${at}`, each]))),
    'over an array': JSON.stringify([...key]),
    'joined by dashes': [...key].join('-'),
    'joined by blanks': [...key].join(' '),
    'twice in base64': twice(key),
    'twice in base64, behind something': twice(`?${key}`),
    'gzip in base64': gzipped.toString('base64'),
    'gzip in hex': gzipped.toString('hex'),
    'gzip in hex with colons': writeHex(gzipped.toString('hex'), ':', 'hex'),
    'bytes in hex with colons': writeHex(key, ':'),
    'bytes in hex with blanks': writeHex(key, ' '),
    'bytes in hex as in a program': writeHex(key, ', ').replace(/\b(?=\w\w\b)/g, '0x'),
    'in base32': base32(key),
    'in base32, small letters, behind something': base32(`??${key}`).toLowerCase(),
    // SHORT has only 6 letters and digits. It is found with one separator between all its characters, but not in groups (`pa55 -W/d`).
    ...(key === SHORT ? {} : { 'in groups': pieces.join(' ') }),
  };
};

test.describe('isSecretLeft, after redaction', () => {
  test('finds a disguised key; a reason or header with one is withheld', () => {
    const id = ['X-Request-Id', '0a8f6c1e-1c1b-4d4e-9f5e-1f9d3c0b7a21'];
    for (const key of [KEY, 'abc9xZ12q', 'abc-9xZ-12', SHORT])
      for (const [form, shown] of Object.entries(disguiseKey(key))) {
        const redactor = redactorOf(key);
        const left = redactor.redact(`{"echo":${JSON.stringify(shown)}} ${shown}`);
        expect(redactor.isSecretLeft(left), `${key}: ${form}`).toBe(true);
        const { response } = writeRecord(answeredWith(shown), redactor);
        expect([response?.statusText, response?.headers], form).toEqual(['[key]', [['X-Echo', '[key]'], id]]);
      }
  });
  test('finds nothing in a text from which the key was taken, or in ordinary text', () => {
    for (const key of [KEY, 'abc9xZ12q', SHORT]) {
      const redactor = redactorOf(key);
      for (const [form, shown] of Object.entries(encodeKey(key)))
        expect(redactor.isSecretLeft(redactor.redact(`<${shown}>`)), form).toBe(false);
      expect(
        redactor.isSecretLeft(
          JSON.stringify({ name: 'csbcdfgaa', id: 9007199254740992, more: 'Rex '.repeat(99) }),
        ),
      ).toBe(false);
    }
    // A key with fewer than 8 letters and digits is searched with its other characters. This text has none of them.
    expect(redactorOf('P4-55/w0!\\1').isSecretLeft('p4 55 w01')).toBe(false);
  });
});

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}
