/** Makes odd files from a right one, e.g. with the date 2026-02-31, or cut off. A seed always makes the same files. */
import { Draws } from '../../../fixtures/implementations/drawn.ts';
import { placesIn, withPlace } from './document-changes.ts';

/** Names of members that every object has in JavaScript, and the empty name. */
const NAMES_OF_MEMBERS = 'constructor|__proto__|toString|hasOwnProperty|valueOf|'.split('|');
/** Times that do not exist, or are not spelled as in our documents. */
const ODD_TIMES =
  '2026-11-20T23:59:60Z|2026-02-31T10:00:00Z|2026-11-20T24:00:01Z|0000-00-00T00:00:00Z|2026-11-20 10:00:00Z|+275760-09-13T00:00:00Z|soon';
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, [], {}, [[]], [null], [{}], { constructor: 1 }, { length: 1e9 }],
  ...NAMES_OF_MEMBERS,
  ...ODD_TIMES.split('|'),
  ...['x1', 'x0', 'xNaN', '\x1b[2J\n::error::forged\u202e\ud800', 'x'.repeat(70_000)],
  ...[-1, 0, 0.5, 2 ** 53, 1e21, 1e308, -1e308, 8.64e15 + 1],
];

/** Files that no document looks like, e.g. an empty one, 100,000 brackets, or bytes that are not UTF-8. */
const WRONG_FILES: readonly Buffer<ArrayBuffer>[] = [
  ...['', ' ', '\n', '\ufeff', 'null', 'true', '0', '-', '1e999', '"text"', '[]', '{}', '[', '{', '[null]'],
  ...[
    '{"__proto__":null}',
    '{"constructor":{"prototype":1}}',
    '{"kind":"head"}',
    `{"a":1${'0'.repeat(400)}}`,
  ],
  ...['['.repeat(100_000), '{"a":'.repeat(100_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ...['9'.repeat(100_000), '\0'.repeat(64), `[${'[],'.repeat(50_000)}[]]`],
  '{"payload":"","payloadType":"","signatures":[{"keyid":"","sig":""}]}',
]
  .map((text) => Buffer.from(text))
  .concat(['fffe7b00', '7b22c328223a317d', 'eda080'].map((bytes) => Buffer.from(bytes, 'hex')));

/** Returns a copy with one change: a member is left out, added or odd, or a list has its rows twice. */
function makeOddValue(value: unknown, draws: Draws): unknown {
  const { pointer, value: old } = draws.one(placesIn(value)) ?? { pointer: '/x', value: null };
  const kind = draws.between(0, 7);
  if (kind === 0) return withPlace(value, pointer, undefined);
  if (kind === 1) {
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    return withPlace(value, `${above}/${draws.one(NAMES_OF_MEMBERS)}`, draws.one(ODD_VALUES));
  }
  if (kind === 2 && Array.isArray(old)) return withPlace(value, pointer, [...old, ...old]);
  return withPlace(value, pointer, draws.one(ODD_VALUES));
}

/** Returns the text with one change: it is cut off, or has odd bytes, a member twice or a NUL. */
function makeOddText(text: string, draws: Draws): Buffer<ArrayBuffer> {
  const at = draws.between(0, text.length - 1);
  const member = /"[\w.-]+":/g;
  member.lastIndex = at;
  // The next member behind `at`
  const place = member.exec(text)?.index ?? 0;
  const [name = '""'] = text.slice(place).split(':');
  const insert = (more: string | Buffer, where: number) =>
    Buffer.concat([Buffer.from(text.slice(0, where)), Buffer.from(more), Buffer.from(text.slice(where))]);
  const kind = draws.between(0, 4);
  if (kind === 0) return Buffer.from(text.slice(0, at));
  // These bytes are not UTF-8
  if (kind === 1) return insert(Buffer.from([0xc3, 0x28, 0xff]), at);
  // The member is there twice: first with a deep list, or with a number of up to 600 digits
  if (kind === 2) return insert(`${name}:${'['.repeat(5_000)}${']'.repeat(5_000)},`, place);
  if (kind === 3) return insert(`${name}:1${'0'.repeat(draws.between(0, 599))},`, place);
  return insert('\0', at);
}

/** Makes `count` files that are odd in one place each. `value`: the right document. `spell` writes it as a text. */
export function makeOddFiles<T>(
  value: T,
  count: number,
  seed: number,
  spell: (value: unknown) => string = (each) => JSON.stringify(each),
): Buffer<ArrayBuffer>[] {
  const draws = new Draws(seed);
  const right = spell(value);
  return [
    ...WRONG_FILES,
    ...Array.from({ length: Math.max(0, count - WRONG_FILES.length) }, () =>
      draws.between(0, 3) === 0 ? makeOddText(right, draws) : Buffer.from(spell(makeOddValue(value, draws))),
    ),
  ];
}
