/** Pictures with few colours: a quarter of the size, and nobody sees the difference. */
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** Colours of a picture. */
const COLOURS = 64;

/** The answer of the browser: an index for each pixel, row by row, and the colours. */
interface Indexed {
  width: number;
  height: number;
  /** base64. */
  pixels: string;
  palette: number[];
}

/** The picture as a PNG with a palette: its most frequent colours, every other pixel in the nearest of them. */
export async function withPalette(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, pixels, palette } = await page.evaluate<Indexed>(
    `(${IN_THE_BROWSER})("${png.toString('base64')}", ${COLOURS})`,
  );
  const indices = Buffer.from(pixels, 'base64');
  const rows = Buffer.concat(
    Array.from({ length: height }, (_, row) =>
      Buffer.concat([Buffer.from([0]), indices.subarray(row * width, (row + 1) * width)]),
    ),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum, body] = [
    Buffer.alloc(4),
    Buffer.alloc(4),
    Buffer.concat([Buffer.from(type, 'latin1'), data]),
  ];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, sum]);
}

/** Runs in the page, which can read a PNG. */
const IN_THE_BROWSER = `async (base64, most) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + base64)).blob());
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const count = new Map();
  const at = (i) => (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
  for (let i = 0; i < data.length; i += 4) count.set(at(i), (count.get(at(i)) ?? 0) + 1);
  const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const far = (one, other) => channels(one).reduce((sum, each, i) => sum + (each - channels(other)[i]) ** 2, 0);
  const chosen = [];
  for (const [colour] of [...count].sort((a, b) => b[1] - a[1])) {
    if (chosen.length === most) break;
    if (chosen.every((each) => far(each, colour) > 60)) chosen.push(colour);
  }
  const nearest = new Map();
  for (const colour of count.keys()) nearest.set(colour, chosen.reduce((best, each, i) => (far(each, colour) < far(chosen[best], colour) ? i : best), 0));
  let text = '';
  for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(nearest.get(at(i)));
  return { width, height, pixels: btoa(text), palette: chosen.flatMap(channels) };
}`;
