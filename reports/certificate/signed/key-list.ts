/** The keys of an issuer, one after the other: a list that the last of them has signed. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/issuer-keys.schema.json' with { type: 'json' };
import { checkAgainst, readChecked } from '../../document/checked-json.ts';
import { canonicalJson } from './canonical.ts';
import { keyId, keyIdIn, open, seal } from './envelope.ts';
import { isOfSmallOrder } from './keys.ts';

/** A key and the time in which it signs; `until` null: it signs now. */
export interface IssuerKey {
  key: KeyObject;
  from: string;
  until: string | null;
}

interface Listed {
  version: 1;
  issuedAt: string;
  keys: { spki: string; from: string; until: string | null }[];
}

const TYPE = 'application/vnd.animal-store-conformance.issuer-keys+json';
/** From when on a key signs of which nothing is shown. */
const EVER = '1970-01-01T00:00:00.000Z';
const check = checkAgainst(schema, 'first');

/** An issuer of whom only one key is known. */
export function onlyKey(key: KeyObject): IssuerKey[] {
  return [{ key, from: EVER, until: null }];
}

/** The keys of a list, the last of which has to be this one, and has to have signed it; or what is wrong. */
export function keysIn(file: Uint8Array, last: KeyObject): { keys: IssuerKey[] } | { problem: string } {
  const opened = open(file, TYPE, last);
  if ('check' in opened)
    return { problem: `the list of keys is not usable (${opened.check}): ${opened.why}` };
  const read = readChecked<Listed>(opened.payload, check);
  if ('mistakes' in read) return { problem: `the list of keys is not usable: ${read.mistakes[0]}` };
  try {
    const keys = read.value.keys.map(({ spki, ...times }) => ({ key: keyOf(spki), ...times }));
    const isInOrder = keys.every(({ from, until }, index) =>
      index === keys.length - 1
        ? until === null
        : until !== null && from < until && until === keys[index + 1]?.from,
    );
    const newest = keys.at(-1);
    return isInOrder && newest !== undefined && keyId(newest.key) === keyId(last)
      ? { keys }
      : { problem: 'the list of keys is not usable: its keys do not follow each other up to the one given' };
  } catch {
    return { problem: 'the list of keys is not usable: one of its entries is not an Ed25519 key' };
  }
}

/** The list with a new key, which signs it and all that comes from now on. */
export function succeeded(before: readonly IssuerKey[], next: KeyObject, now: Date): string {
  const at = now.toISOString();
  const ended = before.map((each) => ({ ...each, until: each.until ?? at }));
  const keys = [...ended, { key: createPublicKey(next), from: at, until: null }].map(
    ({ key, from, until }) => ({
      spki: key.export({ type: 'spki', format: 'der' }).toString('base64'),
      from,
      until,
    }),
  );
  return seal(TYPE, canonicalJson({ version: 1, issuedAt: at, keys }), next);
}

/** The key of the issuer that an envelope names, else the last one. */
export function signerOf(file: Uint8Array, keys: readonly IssuerKey[]): IssuerKey {
  const named = keyIdIn(file);
  const signer = keys.find(({ key }) => keyId(key) === named) ?? keys.at(-1);
  if (signer === undefined) throw new Error('an issuer has a key');
  return signer;
}

/** Whether the key signed at that time. */
export function signedThen({ from, until }: IssuerKey, time: string): boolean {
  return from <= time && (until === null || time < until);
}

function keyOf(spki: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519' || isOfSmallOrder(key)) throw new Error('no such key');
  return key;
}
