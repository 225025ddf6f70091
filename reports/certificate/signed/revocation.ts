/** Reads and writes the signed list of revoked runs. It has a number and an end, so that nobody can present an old list as the newest. */
import type { KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/revocations.schema.json' with { type: 'json' };
import { makeSchemaCheck } from '../../document/checked-json.ts';
import { writeCanonicalJson, hashBytes } from './canonical.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { getNewestKey, type IssuerKey } from './key-list.ts';

/** The list as a kind of signed file. */
export const REVOCATIONS = {
  payloadType: 'application/vnd.animal-store-conformance.revocations+json',
  check: 'revocation',
  reasonPrefix: 'the list of revocations is not usable: ',
  findMistakes: makeSchemaCheck(schema, 'first'),
};

/** A list of revocations, each with its reason and start. Times are ISO 8601 in UTC. */
export interface Revocations {
  version: 3;
  /** One more than the number of the list before. */
  number: number;
  issuedAt: string;
  /** The issuer publishes a newer list before this time. */
  notAfter: string;
  /** SHA-256 of the newest list of keys; null if no list is named. */
  keys: string | null;
  /** Runs by the SHA-256 of their evidence.jsonl: no certificate of a revoked run is valid. */
  revoked: { evidence: string; reason: string; since: string }[];
}

/** The newest list of an issuer that was seen before. */
export interface SeenList {
  number: number;
  /** SHA-256 of the file of the list. */
  sha256: string;
}

/** The files of an issuer that a verifier knows, as bytes, and what was read from them; null: not given. */
export interface Trust {
  /** In order. The last key must come from a trusted source. */
  issuerKeys: readonly IssuerKey[];
  /** The signed list of these keys. */
  keyListFile: Uint8Array | null;
  /** The signed list of revocations. */
  revoked: Uint8Array | null;
  /** The newest list of revocations that was seen before. */
  seen: SeenList | null;
}

/**
 * Reads a list that the last of these keys must have signed.
 * @throws Rejected
 */
export function readRevocations(file: Uint8Array, issuer: readonly IssuerKey[]): Revocations {
  return openEnvelope<Revocations>(file, REVOCATIONS, getNewestKey(issuer));
}

/** Says why the list of an issuer is not the newest one at this time; null if nothing says so. */
export function explainOutdated(
  { number, notAfter, keys: keysDigest }: Revocations,
  { revoked, keyListFile, seen }: Trust,
  at: Date,
): string | null {
  if (at.getTime() > Date.parse(notAfter))
    return `the list of revocations ended at ${notAfter}: take a newer one`;
  if (keysDigest !== null && keyListFile !== null && keysDigest !== hashBytes(keyListFile))
    return 'the list of revocations names another list of keys: take the newest one';
  if (seen === null || number > seen.number) return null;
  if (number < seen.number)
    return `the list of revocations is number ${number}, and number ${seen.number} was seen before`;
  // Both have the same number: the file must be the seen one, byte for byte.
  return revoked !== null && hashBytes(revoked) === seen.sha256
    ? null
    : `two lists of revocations bear the number ${number}`;
}

interface NewList {
  /** The run to revoke: the SHA-256 of its evidence.jsonl. Null if the list only gets a new end. */
  run: string | null;
  /** The file of the newest list of keys, whose SHA-256 the new list names. If it is null, the SHA-256 of the list before stays. */
  keys: Uint8Array | null;
  reason: string;
  now: Date;
  validDays: number;
}

/** Adds a run to the list and signs it. Returns the text of its file. A run that is in the list already keeps its entry. */
export function revoke(
  list: Revocations | null,
  { run, keys, reason, now, validDays }: NewList,
  privateKey: KeyObject,
): string {
  const issuedAt = now.toISOString();
  const before = list?.revoked ?? [];
  const isNew = run !== null && !before.some(({ evidence }) => evidence === run);
  const next: Revocations = {
    version: 3,
    number: (list?.number ?? 0) + 1,
    issuedAt,
    notAfter: new Date(now.getTime() + validDays * 86_400_000).toISOString(),
    keys: keys === null ? (list?.keys ?? null) : hashBytes(keys),
    revoked: isNew ? [...before, { evidence: run, reason, since: issuedAt }] : before,
  };
  return sealEnvelope(REVOCATIONS.payloadType, writeCanonicalJson(next), privateKey);
}
