/** Bytes that a reader of foreign files may meet, made by machine from a file that is right. Seeds are fixed. */

import { placesIn, withPlace } from './forging.ts';

/** A small generator: the same draws for a seed. */
export function drawing(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((seed ^ (seed >>> 13)) >>> 0) % below;
  };
}

const NAMES = 'constructor|__proto__|toString|hasOwnProperty|valueOf|'.split('|');
const MOMENTS =
  '2026-11-20T23:59:60Z|2026-02-31T10:00:00Z|2026-11-20T24:00:01Z|0000-00-00T00:00:00Z|2026-11-20 10:00:00Z|+275760-09-13T00:00:00Z|soon';
/** Odd values for a member of a file: dates that are none, names that every object has, numbers beyond reckoning. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, [], {}, [[]], [null], [{}], { constructor: 1 }, { length: 1e9 }],
  ...NAMES,
  ...MOMENTS.split('|'),
  ...['x1', 'x0', 'xNaN', '\x1b[2J\n::error::forged\u202e\ud800', 'x'.repeat(70_000)],
  ...[-1, 0, 0.5, 2 ** 53, 1e21, 1e308, -1e308, 8.64e15 + 1],
];

/** Texts that are no file of ours, whatever is expected. */
const NO_FILES: readonly Buffer<ArrayBuffer>[] = [
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

/** A copy with one thing in it that is odd. */
function odd(value: unknown, draw: (below: number) => number): unknown {
  const places = placesIn(value);
  const { pointer, value: old } = places[draw(places.length)] ?? { pointer: '/x', value: null };
  const kind = draw(8);
  if (kind === 0) return withPlace(value, pointer, undefined);
  if (kind === 1) {
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    return withPlace(value, `${above}/${NAMES[draw(NAMES.length)]}`, ODD_VALUES[draw(ODD_VALUES.length)]);
  }
  if (kind === 2 && Array.isArray(old)) return withPlace(value, pointer, [...old, ...old]);
  return withPlace(value, pointer, ODD_VALUES[draw(ODD_VALUES.length)]);
}

/** Deep JSON in the place of a value, a member that stands twice, bytes that are no text, or half of the file. */
function oddText(text: string, draw: (below: number) => number): Buffer<ArrayBuffer> {
  const at = draw(text.length);
  const member = /"[\w.-]+":/g;
  member.lastIndex = at;
  const place = member.exec(text)?.index ?? 0;
  const [name = '""'] = text.slice(place).split(':');
  const kind = draw(5);
  if (kind === 0) return Buffer.from(text.slice(0, at));
  if (kind === 1)
    return Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from(text.slice(at)),
    ]);
  if (kind === 2)
    return Buffer.from(
      `${text.slice(0, place)}${name}:${'['.repeat(5_000)}${']'.repeat(5_000)},${text.slice(place)}`,
    );
  if (kind === 3)
    return Buffer.from(`${text.slice(0, place)}${name}:1${'0'.repeat(draw(600))},${text.slice(place)}`);
  return Buffer.from(`${text.slice(0, at)}\u0000${text.slice(at)}`);
}

/** Files of that number. `value`: one that is right; `spell`: as a text. */
export function hostileFiles<T>(
  value: T,
  count: number,
  seed: number,
  spell: (value: unknown) => string = (each) => JSON.stringify(each),
): Buffer<ArrayBuffer>[] {
  const draw = drawing(seed);
  const right = spell(value);
  return [
    ...NO_FILES,
    ...Array.from({ length: Math.max(0, count - NO_FILES.length) }, () =>
      draw(4) === 0 ? oddText(right, draw) : Buffer.from(spell(odd(value, draw))),
    ),
  ];
}
