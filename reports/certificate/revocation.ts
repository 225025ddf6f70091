/** A signed list of attestations that hold no longer. */
import type { KeyObject } from 'node:crypto';
import schema from '../../schemas/suite/revocations.schema.json' with { type: 'json' };
import { checkAgainst, readChecked } from '../document/checked-json.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { open, seal } from './envelope.ts';

/** Payload type of the envelope of the list. */
export const REVOCATIONS_TYPE = 'application/vnd.animal-store-conformance.revocations+json';

/** The list: which files, by the SHA-256 of attestation.json, hold no longer, why and since when (ISO 8601, UTC). */
interface Revocations {
  version: 1;
  issuedAt: string;
  revoked: { attestation: string; reason: string; since: string }[];
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

/** What is revoked, why, and when. */
interface Revoking {
  attestation: Uint8Array;
  reason: string;
  now: Date;
}

/** The list with one attestation more, signed anew: the text of its file. An attestation that stands in it already stays as it is. */
export function revoke(
  list: Revocations | null,
  { attestation, reason, now }: Revoking,
  privateKey: KeyObject,
): string {
  const id = sha256(attestation);
  const issuedAt = now.toISOString();
  const before = list?.revoked ?? [];
  const revoked = before.some((each) => each.attestation === id)
    ? before
    : [...before, { attestation: id, reason, since: issuedAt }];
  return seal(REVOCATIONS_TYPE, canonicalJson({ version: 1, issuedAt, revoked }), privateKey);
}

/** What the list says of an attestation, or null. */
export function revocationOf(
  { revoked }: Revocations,
  attestation: Uint8Array,
): Revocations['revoked'][number] | null {
  const id = sha256(attestation);
  return revoked.find((each) => each.attestation === id) ?? null;
}
