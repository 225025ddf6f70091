/** Reads the facts about an issuer that a verification needs: its keys, and its newest list of revocations. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hashBytes } from '../../reports/certificate/signed/canonical.ts';
import { computeKeyId, Unusable } from '../../reports/certificate/signed/envelope.ts';
import {
  getNewestKey,
  readKeyList,
  listOneKey,
  type IssuerKey,
} from '../../reports/certificate/signed/key-list.ts';
import { readRevocations, type SeenList, type Trust } from '../../reports/certificate/signed/revocation.ts';
import { replaceFile } from '../files/own-file.ts';
import { Mistake, readFile, readPublicKey, writeOrRefuse } from './certificate-files.ts';

/** Paths from the command line. */
export interface TrustOptions {
  keys?: string;
  revoked?: string;
  revokedSeen?: string;
}

/**
 * Reads the files of an issuer.
 * @throws Mistake, Unusable
 */
export function readTrust(publicKey: string, { keys, revoked, revokedSeen }: TrustOptions): Trust {
  if (revokedSeen !== undefined && revoked === undefined) throw new Mistake('--revoked-seen needs --revoked');
  const list = keys === undefined ? null : readFile(keys);
  const issuer = issuerIn(list, readPublicKey(publicKey));
  return {
    issuer,
    keys: list,
    revoked: revoked === undefined ? null : readFile(revoked),
    seen: revokedSeen === undefined ? null : seenIn(revokedSeen, issuer),
  };
}

/**
 * Returns the keys of a list whose last key is known.
 * @throws Unusable
 */
export function issuerIn(list: Buffer | null, last: KeyObject): IssuerKey[] {
  return list === null ? listOneKey(last) : readKeyList(list, last);
}

/**
 * Returns the newest list of this issuer that the file names, or null.
 * @throws Mistake
 */
function seenIn(path: string, issuer: readonly IssuerKey[]): SeenList | null {
  const all = readRemembered(path);
  // A new key continues the numbers of the key before it.
  const seen = issuer.flatMap(({ key }) => all[computeKeyId(key)] ?? []);
  return seen.sort((one, other) => other.number - one.number)[0] ?? null;
}

/**
 * Writes the number of the list of revocations to a file, if the list is valid and newer than the one there.
 * @param path undefined if nothing is to be written
 * @throws Mistake
 */
export function rememberList(path: string | undefined, { issuer, revoked: file }: Trust): void {
  if (path === undefined || file === null) return;
  try {
    const { number } = readRevocations(file, issuer);
    if (number <= (seenIn(path, issuer)?.number ?? 0)) return;
    const own = { [computeKeyId(getNewestKey(issuer))]: { number, sha256: hashBytes(file) } };
    const next = JSON.stringify({ ...readRemembered(path), ...own }, null, 2);
    writeOrRefuse(path, () => replaceFile(path, `${next}\n`));
  } catch (error) {
    // The verification says that the list is not usable.
    if (!(error instanceof Unusable)) throw error;
  }
}

function readRemembered(path: string): Record<string, SeenList> {
  if (!existsSync(path)) return {};
  const text = readFile(path).toString('utf8');
  try {
    const value = JSON.parse(text) as Record<string, SeenList>;
    const isRight = Object.entries(value).every(
      ([id, seen]) =>
        /^[0-9a-f]{64}$/.test(id) && Number.isSafeInteger(seen.number) && /^[0-9a-f]{64}$/.test(seen.sha256),
    );
    if (isRight && !Array.isArray(value)) return value;
  } catch {
    // The error below says it.
  }
  throw new Mistake(`${path} does not remember lists of revocations`);
}
