/**
 * Reads the files about an issuer of certificates that `verify`, `revoke` and `matrix` need: its keys, and its signed list of
 * revoked certificates. A user may also keep a file with the number of the newest list that he has seen.
 */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hashBytes } from '../../reports/certificate/signed/canonical.ts';
import { computeKeyId, Rejected } from '../../reports/certificate/signed/envelope.ts';
import {
  getNewestKey,
  readKeyList,
  listOneKey,
  type IssuerKey,
} from '../../reports/certificate/signed/key-list.ts';
import { readRevocations, type SeenList, type Trust } from '../../reports/certificate/signed/revocation.ts';
import { replaceFile } from '../command-line/files/own-file.ts';
import { Mistake, readFile, readPublicKey, writeOrRefuse } from './certificate-files.ts';

/** Paths from the command line. */
export interface TrustOptions {
  /** The signed list of the issuer's keys. */
  keys?: string;
  /** The signed list of revocations. */
  revoked?: string;
  /** The file of this user with the number of the newest list of revocations. An older list is then refused. */
  revokedSeen?: string;
}

/**
 * Reads the files of an issuer, with which a certificate is verified. Absent files are null in the result.
 * @param publicKey the file of the issuer's newest key
 * @throws Mistake, Rejected
 */
export function readTrust(publicKey: string, { keys, revoked, revokedSeen }: TrustOptions): Trust {
  if (revokedSeen !== undefined && revoked === undefined) throw new Mistake('--revoked-seen needs --revoked');
  const keyListFile = keys === undefined ? null : readFile(keys);
  const issuerKeys = readIssuer(keyListFile, readPublicKey(publicKey));
  return {
    issuerKeys,
    keyListFile,
    revoked: revoked === undefined ? null : readFile(revoked),
    seen: revokedSeen === undefined ? null : readSeenList(revokedSeen, issuerKeys),
  };
}

/**
 * Returns the keys of an issuer; without a list, only the known key.
 * @param newest the issuer's newest key, which must have signed the list
 * @throws Rejected
 */
export function readIssuer(list: Buffer | null, newest: KeyObject): IssuerKey[] {
  return list === null ? listOneKey(newest) : readKeyList(list, newest);
}

/**
 * Returns number and digest of the newest list of this issuer that the file of the user names; null if it names none.
 * @throws Mistake
 */
function readSeenList(path: string, issuer: readonly IssuerKey[]): SeenList | null {
  const all = readSeenFile(path);
  // A new key of the issuer continues the numbers of its lists: after list 7 of the old key comes list 8. So all keys count.
  const seen = issuer.flatMap(({ key }) => all[computeKeyId(key)] ?? []);
  return seen.sort((one, other) => other.number - one.number)[0] ?? null;
}

/**
 * Writes the number of the list of revocations to the user's file, if the list is valid and newer than each list there.
 * @param path the file; undefined if the user keeps none
 * @throws Mistake
 */
export function rememberList(path: string | undefined, { issuerKeys, revoked: file }: Trust): void {
  if (path === undefined || file === null) return;
  try {
    const { number } = readRevocations(file, issuerKeys);
    if (number <= (readSeenList(path, issuerKeys)?.number ?? 0)) return;
    const entry = { [computeKeyId(getNewestKey(issuerKeys))]: { number, sha256: hashBytes(file) } };
    const next = JSON.stringify({ ...readSeenFile(path), ...entry }, null, 2);
    writeOrRefuse(path, () => replaceFile(path, `${next}\n`));
  } catch (error) {
    // The verification has already said that the list is not usable.
    if (!(error instanceof Rejected)) throw error;
  }
}

/**
 * Reads the file of the user: by the id of each key, the newest seen list that the key signed. Empty if the file does not exist.
 * @throws Mistake if the file has another form
 */
function readSeenFile(path: string): Record<string, SeenList> {
  if (!existsSync(path)) return {};
  const text = readFile(path).toString('utf8');
  try {
    const value = JSON.parse(text) as Record<string, SeenList>;
    const hasSeenLists = Object.entries(value).every(
      ([id, seen]) =>
        /^[0-9a-f]{64}$/.test(id) && Number.isSafeInteger(seen.number) && /^[0-9a-f]{64}$/.test(seen.sha256),
    );
    if (hasSeenLists && !Array.isArray(value)) return value;
  } catch {
    // JSON.parse or a check of its value has failed, e.g. for `null`. The error below names the file.
  }
  throw new Mistake(`${path} does not remember lists of revocations`);
}
