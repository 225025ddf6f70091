/** A signed list of runs whose certificates hold no longer. It has a number and an end: an old one cannot be passed off as the newest. */
import type { KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/revocations.schema.json' with { type: 'json' };
import { checkAgainst, readChecked } from '../../document/checked-json.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { open, seal } from './envelope.ts';

/** Payload type of the envelope of the list. */
export const REVOCATIONS_TYPE = 'application/vnd.animal-store-conformance.revocations+json';

/** A run by the SHA-256 of its evidence.jsonl: a run that was signed twice falls at once. Version 2 of the list names only the file attestation.json. */
type Revoked = { reason: string; since: string } & (
  { evidence: string; attestation?: undefined } | { evidence?: undefined; attestation: string }
);

/** The list: what holds no longer, why and since when. Times are ISO 8601 in UTC. */
interface Revocations {
  version: 2 | 3;
  /** One more than that of the list before it. */
  number: number;
  issuedAt: string;
  /** When a newer list has to be there. */
  notAfter: string;
  /** SHA-256 of the newest list of keys; null or absent: none is named. */
  keys?: string | null;
  revoked: Revoked[];
}

/** A run as its certificate names it. */
interface Signed {
  attestation: Uint8Array;
  /** SHA-256 of evidence.jsonl. */
  evidence: string;
}

/** The newest list of an issuer that somebody has seen. */
export interface SeenList {
  number: number;
  /** Of its file. */
  sha256: string;
}

const check = checkAgainst(schema, 'first');

/** The list of a file, which must be signed by this key; or what is wrong with it. */
export function readRevocations(
  file: Uint8Array,
  publicKey: KeyObject,
): { list: Revocations } | { problem: string } {
  const opened = open(file, REVOCATIONS_TYPE, publicKey);
  if ('check' in opened)
    return { problem: `the list of revocations is not usable (${opened.check}): ${opened.why}` };
  const read = readChecked<Revocations>(opened.payload, check);
  return 'mistakes' in read
    ? { problem: `the list of revocations is not usable: ${read.mistakes[0]}` }
    : { list: read.value };
}

/** Why a list does not say at this time what is revoked; null: it does. */
export function outdated(
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
  return sha256(file) === seen.sha256 ? null : `two lists of revocations bear the number ${number}`;
}

/** What is revoked, why, and when; `signed` null: nothing more, and the list gets a new end. `keys`: the list of keys, or null. */
interface Revoking {
  signed: Signed | null;
  keys: Uint8Array | null;
  reason: string;
  now: Date;
  validDays: number;
}

/** The list with one run more, signed anew: the text of its file. A run that is in it already stays as it is. */
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
    keys: keys === null ? (list?.keys ?? null) : sha256(keys),
    revoked: isNew ? [...before, { evidence: signed.evidence, reason, since: issuedAt }] : before,
  };
  return seal(REVOCATIONS_TYPE, canonicalJson(next), privateKey);
}

/** What the list says of the run of an attestation, or null. */
export function revocationOf({ revoked }: Revocations, { attestation, evidence }: Signed): Revoked | null {
  const id = sha256(attestation);
  return revoked.find((each) => each.evidence === evidence || each.attestation === id) ?? null;
}

/** True if the list names a newer or another list of keys than this one. */
export function namesOtherKeys({ keys = null }: Revocations, list: Uint8Array | null): boolean {
  return keys !== null && list !== null && keys !== sha256(list);
}
