/** Reads and writes the list of keys that an issuer has used, the oldest first. The newest key signs the list, and so confirms all. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/issuer-keys.schema.json' with { type: 'json' };
import { makeSchemaCheck } from '../../document/checked-json.ts';
import { writeCanonicalJson, hashBytes } from './canonical.ts';
import { computeKeyId, readKeyId, openEnvelope, sealEnvelope, Rejected } from './envelope.ts';
import { parsePublicKey } from './key-files.ts';

/** The times of a key, and facts about it after its end. */
interface Times {
  from: string;
  /** Null if the key is in use. */
  until: string | null;
  /**
   * SHA-256 of each attestation.json that the key signed before its end. Other attestations of the key are not valid, because its
   * owner can write any date.
   */
  issued: readonly string[];
  /** The time since which somebody else may have signed with the key; null if nobody else had it. */
  compromisedSince: string | null;
}

export interface IssuerKey extends Times {
  key: KeyObject;
}

/** The payload of a list of keys. `spki` is a public key in base64. */
interface KeyListPayload {
  version: 2;
  issuedAt: string;
  keys: ({ spki: string } & Times)[];
}

/** Facts that an issuer adds about an earlier key when it ends, or later. */
interface End extends Pick<Times, 'issued' | 'compromisedSince'> {
  key: KeyObject;
}

const FORM = {
  payloadType: 'application/vnd.animal-store-conformance.issuer-keys+json',
  check: 'key',
  reasonPrefix: 'the list of keys is not usable: ',
  findMistakes: makeSchemaCheck(schema, 'first'),
};
/** The `from` of a key if nobody knows when its use began: every certificate is later. */
const EVER = '1970-01-01T00:00:00.000Z';

/** Returns the keys of an issuer who gave no list: the one given key. */
export function listOneKey(key: KeyObject): IssuerKey[] {
  return [{ key, from: EVER, until: null, issued: [], compromisedSince: null }];
}

/**
 * Reads a list of keys.
 * @param last this key must have signed the list and must be its last key
 * @throws Rejected
 */
export function readKeyList(file: Uint8Array, last: KeyObject): IssuerKey[] {
  const { keys: listed } = openEnvelope<KeyListPayload>(file, FORM, last);
  const keys = listed.map(({ spki, ...times }) => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`;
    return { key: parsePublicKey('the list of keys', pem), ...times };
  });
  const isInOrder = keys.every(({ key, from, until }, index) => {
    const next = keys[index + 1];
    // Only the last key is in use, and it is the one given.
    if (next === undefined) return until === null && key.equals(last);
    // Each earlier key ends when the next one begins.
    return until !== null && from < until && until === next.from && !key.equals(last);
  });
  if (isInOrder) return keys;
  throw new Rejected(FORM.check, `${FORM.reasonPrefix}its keys do not follow each other up to the one given`);
}

/**
 * Adds the key `next` to a list, and facts about an earlier key (`end`). Signs the list with `next`, which is private. If `next` is the
 * last key already, only the facts are added. Returns the text of the file.
 */
export function addSuccessor(before: readonly IssuerKey[], next: KeyObject, now: Date, end: End): string {
  const at = now.toISOString();
  const publicKey = createPublicKey(next);
  const isKnown = before.at(-1)?.key.equals(publicKey) === true;
  // A new key begins now, and the key in use ends now.
  const earlier = isKnown ? before : before.map((each) => ({ ...each, until: each.until ?? at }));
  const added = isKnown ? [] : listOneKey(publicKey).map((each) => ({ ...each, from: at }));
  const keys = [...earlier, ...added].map(({ key, issued, compromisedSince, from, until }) => {
    const facts = key.equals(end.key) ? end : { issued: [], compromisedSince: null };
    return {
      spki: key.export({ type: 'spki', format: 'der' }).toString('base64'),
      from,
      until,
      issued: [...new Set([...issued, ...facts.issued])].sort(),
      compromisedSince: facts.compromisedSince ?? compromisedSince,
    };
  });
  return sealEnvelope(FORM.payloadType, writeCanonicalJson({ version: 2, issuedAt: at, keys }), next);
}

/** Returns the key that an envelope names as its signer. If the list lacks it, returns the last key: the check of the signature then fails. */
export function findSigner(file: Uint8Array, keys: readonly IssuerKey[]): IssuerKey {
  const named = readKeyId(file);
  return keys.find(({ key }) => computeKeyId(key) === named) ?? (keys.at(-1) as IssuerKey);
}

/** Returns the key that is in use. Every issuer has one. */
export function getNewestKey(keys: readonly IssuerKey[]): KeyObject {
  return (keys.at(-1) as IssuerKey).key;
}

/**
 * True if the key was in use at that time and nobody else had it.
 * @param time ISO 8601, UTC
 */
export function isSignedInTime({ from, until, compromisedSince }: IssuerKey, time: string): boolean {
  const ends = [until, compromisedSince].filter((each) => each !== null);
  return from <= time && ends.every((end) => time < end);
}

/** True if the key is in use, or if its list names this attestation. The date in an attestation does not count: its signer chose it. */
export function isVouchedFor({ until, issued }: IssuerKey, attestation: Uint8Array): boolean {
  return until === null || issued.includes(hashBytes(attestation));
}
