/** A signed list of attestations that hold no longer. It has a number and an end: an old one cannot be passed off as the newest. */
import type { KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/revocations.schema.json' with { type: 'json' };
import { checkAgainst, readChecked } from '../../document/checked-json.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { open, seal } from './envelope.ts';

/** Payload type of the envelope of the list. */
export const REVOCATIONS_TYPE = 'application/vnd.animal-store-conformance.revocations+json';

/** The list: which files, by the SHA-256 of attestation.json, hold no longer, why and since when. Times are ISO 8601 in UTC. */
interface Revocations {
  version: 2;
  /** One more than that of the list before it. */
  number: number;
  issuedAt: string;
  /** When a newer list has to be there. */
  notAfter: string;
  revoked: { attestation: string; reason: string; since: string }[];
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

/** What is revoked, why, and when; `attestation` null: nothing more, and the list gets a new end. */
interface Revoking {
  attestation: Uint8Array | null;
  reason: string;
  now: Date;
  validDays: number;
}

/** The list with one attestation more, signed anew: the text of its file. An attestation that is in it already stays as it is. */
export function revoke(
  list: Revocations | null,
  { attestation, reason, now, validDays }: Revoking,
  privateKey: KeyObject,
): string {
  const issuedAt = now.toISOString();
  const notAfter = new Date(now.getTime() + validDays * 86_400_000).toISOString();
  const before = list?.revoked ?? [];
  const id = attestation && sha256(attestation);
  const isNew = id !== null && !before.some((each) => each.attestation === id);
  const revoked = isNew ? [...before, { attestation: id, reason, since: issuedAt }] : before;
  const number = (list?.number ?? 0) + 1;
  return seal(
    REVOCATIONS_TYPE,
    canonicalJson({ version: 2, number, issuedAt, notAfter, revoked }),
    privateKey,
  );
}

/** What the list says of an attestation, or null. */
export function revocationOf(
  { revoked }: Revocations,
  attestation: Uint8Array,
): Revocations['revoked'][number] | null {
  const id = sha256(attestation);
  return revoked.find((each) => each.attestation === id) ?? null;
}
