/**
 * Looks for a secret in all files that a run left. It shares no code with the redactor of the suite: a mistake of the
 * redactor must not be repeated here.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Parts of the secret with this many characters are looked for. */
const PART_LENGTH = 12;
/** Data inside data is opened this many times, e.g. base64 in gzip. */
const MOST_DEPTH = 4;
/** Decompression stops at this size. */
const MOST = { maxOutputLength: 64 * 1024 * 1024 };

/**
 * Finds any 12 characters in a row of the secret in the files of the folder and in the texts. Returns the paths of the files
 * and the names of the texts that have some.
 */
export function findLeaks(secret: string, folder: string, texts: Record<string, string>): string[] {
  const forms = listForms(secret);
  const wanted: Wanted = { forms, beginnings: markBeginnings(forms) };
  const inFiles = listFiles(folder).filter(
    (path) => hasPart(readFileSync(path), wanted) || hasPart(Buffer.from(path), wanted),
  );
  const inTexts = Object.entries(texts).filter(([, text]) => hasPart(Buffer.from(text), wanted));
  return [...inFiles.map((path) => path.slice(folder.length + 1)), ...inTexts.map(([name]) => name)];
}

/** The parts of the secret to look for. */
interface Wanted {
  /** The parts in lower case, 12 characters each. */
  forms: ReadonlySet<string>;
  /** By a number of three bytes: 1 if a part begins with them. It saves time: few places of a file need a closer look. */
  beginnings: Uint8Array;
}

function markBeginnings(forms: ReadonlySet<string>): Uint8Array {
  const beginnings = new Uint8Array(2 ** 24);
  for (const form of forms) beginnings[readThreeBytes(Buffer.from(form, 'latin1'), 0)] = 1;
  return beginnings;
}

function readThreeBytes(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

/**
 * Returns all parts of the secret in each form: plain, reversed, hexadecimal, and base64. Base64 writes three bytes as four
 * characters. So the base64 of a secret has three forms: it begins at the 1st, 2nd or 3rd byte of a group.
 */
function listForms(secret: string): Set<string> {
  const forms = new Set<string>();
  const reversed = [...secret].reverse().join('');
  const hex = Buffer.from(secret).toString('hex');
  const encoded = ['x', 'xx', 'xxx'].map((before) =>
    Buffer.from(before + secret)
      .toString('base64')
      // The first group, 4 characters, has the bytes before the secret. The last group would differ if other bytes followed the secret.
      .slice(4, -4),
  );
  for (const form of [secret, reversed, hex, ...encoded]) {
    for (let at = 0; at + PART_LENGTH <= form.length; at += 1)
      forms.add(form.slice(at, at + PART_LENGTH).toLowerCase());
  }
  return forms;
}

function hasPlainPart(text: string, { beginnings, forms }: Wanted): boolean {
  const lower = text.toLowerCase();
  const bytes = Buffer.from(lower, 'latin1');
  for (let at = 0; at + PART_LENGTH <= bytes.length; at += 1) {
    const mayBegin = beginnings[readThreeBytes(bytes, at)] === 1;
    if (mayBegin && forms.has(lower.slice(at, at + PART_LENGTH))) return true;
  }
  return false;
}

/**
 * True if the bytes have a part of the secret: as they are, percent-decoded, or inside base64 or compressed data.
 * @param depth how many times data inside data may still be opened
 */
function hasPart(bytes: Uint8Array, wanted: Wanted, depth = MOST_DEPTH): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  if (hasPlainPart(text, wanted)) return true;
  if (depth === 0) return false;
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  // The depth 0: data inside percent-encoded text is not opened.
  if (decoded !== text && hasPart(Buffer.from(decoded, 'latin1'), wanted, 0)) return true;
  // Texts of 40 or more characters of base64 or base64url.
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{40,}={0,2}/g))
    if (hasPart(Buffer.from(run, 'base64'), wanted, depth - 1)) return true;
  return unpackAll(Buffer.from(bytes)).some((each) => hasPart(each, wanted, depth - 1));
}

/** Returns the contents of compressed bytes: gzip, zlib, brotli, and every member of a zip. */
function unpackAll(bytes: Buffer): Uint8Array[] {
  const inside: Uint8Array[] = [];
  const attempt = (open: () => Uint8Array) => {
    try {
      inside.push(open());
    } catch {
      // The bytes do not have this format.
    }
  };
  // Gzip begins with the bytes 1f 8b, zlib mostly with 78. Brotli has no mark, so it is tried on data that is not too long.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) attempt(() => gunzipSync(bytes, MOST));
  if (bytes[0] === 0x78) attempt(() => inflateSync(bytes, MOST));
  if (bytes.length < 100_000) attempt(() => brotliDecompressSync(bytes, MOST));
  const findMember = (from: number) => bytes.indexOf('PK\x03\x04', from, 'latin1');
  for (let at = findMember(0); at >= 0; at = findMember(at + 4)) {
    // A member of a zip: a header of 30 bytes, then its name and an extra field, then the data. The header has both lengths.
    attempt(() => {
      const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
      return inflateRawSync(bytes.subarray(from), MOST);
    });
  }
  return inside;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
