/**
 * A signed list of revoked runs. It has a number and an end, so nobody can present an old list as the newest
 * one.
 */
import type { KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/revocations.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked } from '../../document/checked-json.ts';
import { writeCanonicalJson, hashBytes } from './canonical.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { getNewestKey, type IssuerKey } from './key-list.ts';

/** The payload type in the envelope of the list. */
export const REVOCATIONS_TYPE = 'application/vnd.animal-store-conformance.revocations+json';

/**
 * A revoked run, named by the SHA-256 of its evidence.jsonl: this revokes all certificates of the run. Version
 * 2 of the list names one attestation.json.
 */
type Revoked = { reason: string; since: string } & (
  | { evidence: string; attestation?: undefined }
  | { evidence?: undefined; attestation: string }
);

/** A list of revocations, each with its reason and start. Times are ISO 8601 in UTC. */
interface Revocations {
  version: 2 | 3;
  /** One more than the number of the list before. */
  number: number;
  issuedAt: string;
  /** The issuer publishes a newer list before this time. */
  notAfter: string;
  /** SHA-256 of the newest list of keys; null or absent if no list is named. */
  keys?: string | null;
  revoked: Revoked[];
}

/** The files by which a revocation names a run. */
interface Signed {
  attestation: Uint8Array;
  /** SHA-256 of evidence.jsonl. */
  evidence: string;
}

/** The newest list of an issuer that was seen before. */
export interface SeenList {
  number: number;
  /** SHA-256 of the file of the list. */
  sha256: string;
}

const check = makeSchemaCheck(schema, 'first');

/** Reads a list that the last of these keys must have signed. Returns the list, or the reason why it is not usable. */
export function readRevocations(
  file: Uint8Array,
  issuer: readonly IssuerKey[],
): { list: Revocations } | { problem: string } {
  const opened = openEnvelope(file, REVOCATIONS_TYPE, getNewestKey(issuer));
  if ('check' in opened)
    return { problem: `the list of revocations is not usable (${opened.check}): ${opened.why}` };
  const read = readChecked<Revocations>(opened.payload, check);
  return 'mistakes' in read
    ? { problem: `the list of revocations is not usable: ${read.mistakes[0]}` }
    : { list: read.value };
}

/**
 * Says why a list cannot be relied on at this time: it has ended, or a newer or different list was seen. Null
 * if it can.
 */
export function explainOutdated(
  { number, notAfter }: Revocations,
  file: Uint8Array,
  at: Date,
  seen: SeenList | null,
): string | null {
  if (at.getTime() > Date.parse(notAfter))
    return `the list of revocations ended at ${notAfter}: take a newer one`;
  if (seen === null || number > seen.number) return null;
  if (number < seen.number)
    return `the list of revocations is number ${number}, and number ${seen.number} was seen before`;
  return hashBytes(file) === seen.sha256 ? null : `two lists of revocations bear the number ${number}`;
}

/**
 * The run to revoke, with the reason. `signed` is null if the list only gets a new end. `keys` is the file of
 * the list of keys, or null.
 */
interface Revoking {
  signed: Signed | null;
  keys: Uint8Array | null;
  reason: string;
  now: Date;
  validDays: number;
}

/**
 * Adds a run to the list and signs it. Returns the text of its file. A run that is in the list already keeps
 * its entry.
 */
export function revoke(
  list: Revocations | null,
  { signed, keys, reason, now, validDays }: Revoking,
  privateKey: KeyObject,
): string {
  const issuedAt = now.toISOString();
  const before = list?.revoked ?? [];
  const isNew = signed !== null && !before.some(({ evidence }) => evidence === signed.evidence);
  const next: Revocations = {
    version: 3,
    number: (list?.number ?? 0) + 1,
    issuedAt,
    notAfter: new Date(now.getTime() + validDays * 86_400_000).toISOString(),
    keys: keys === null ? (list?.keys ?? null) : hashBytes(keys),
    revoked: isNew ? [...before, { evidence: signed.evidence, reason, since: issuedAt }] : before,
  };
  return sealEnvelope(REVOCATIONS_TYPE, writeCanonicalJson(next), privateKey);
}

/** Returns the entry for the run of an attestation; null if the list has none. */
export function findRevocation({ revoked }: Revocations, { attestation, evidence }: Signed): Revoked | null {
  const id = hashBytes(attestation);
  return revoked.find((each) => each.evidence === evidence || each.attestation === id) ?? null;
}

/** True if the revocations name another list of keys than this one. */
export function hasOtherKeys({ keys = null }: Revocations, list: Uint8Array | null): boolean {
  return keys !== null && list !== null && keys !== hashBytes(list);
}
