/** Reads the facts about an issuer that a verification needs: its keys, and its newest list of revocations. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hashBytes } from '../../reports/certificate/signed/canonical.ts';
import { computeKeyId } from '../../reports/certificate/signed/envelope.ts';
import {
  getNewestKey,
  readKeyList,
  listOneKey,
  type IssuerKey,
} from '../../reports/certificate/signed/key-list.ts';
import { readRevocations, type SeenList } from '../../reports/certificate/signed/revocation.ts';
import { replaceFile } from '../files/own-file.ts';
import { Mistake, readFile, readPublicKey, writeOrRefuse } from './certificate-files.ts';

/** Paths from the command line. */
export interface TrustOptions {
  keys?: string;
  revoked?: string;
  revokedSeen?: string;
}

/**
 * The keys of an issuer and its lists. `keys` and `revoked` are files, `seen` is the newest list of revocations
 * that was seen before. Null: not given.
 */
export interface Trust {
  issuer: IssuerKey[];
  keys: Buffer | null;
  revoked: Buffer | null;
  seen: SeenList | null;
}

/**
 * Reads the files of an issuer.
 * @throws Mistake
 */
export function readTrust(publicKey: string, { keys, revoked, revokedSeen }: TrustOptions): Trust {
  if (revokedSeen !== undefined && revoked === undefined) throw new Mistake('--revoked-seen needs --revoked');
  const list = keys === undefined ? null : readFile(keys);
  const issuer = issuerIn(list, readPublicKey(publicKey), keys);
  return {
    issuer,
    keys: list,
    revoked: revoked === undefined ? null : readFile(revoked),
    seen: revokedSeen === undefined ? null : seenIn(revokedSeen, issuer),
  };
}

/**
 * Returns the keys of a list whose last key is known.
 * @param path the list, as the user named it
 * @throws Mistake
 */
export function issuerIn(list: Buffer | null, last: KeyObject, path = ''): IssuerKey[] {
  if (list === null) return listOneKey(last);
  const read = readKeyList(list, last);
  if ('problem' in read) throw new Mistake(`${path}: ${read.problem}`);
  return read.keys;
}

/**
 * Returns the newest list of this issuer that the file names, or null.
 * @throws Mistake
 */
function seenIn(path: string, issuer: readonly IssuerKey[]): SeenList | null {
  const all = existsSync(path) ? remembered(path) : {};
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
  const read = readRevocations(file, issuer);
  if ('problem' in read) return;
  const { number } = read.list;
  if (number <= (seenIn(path, issuer)?.number ?? 0)) return;
  const all = existsSync(path) ? remembered(path) : {};
  const next = { ...all, [computeKeyId(getNewestKey(issuer))]: { number, sha256: hashBytes(file) } };
  writeOrRefuse(path, () => replaceFile(path, `${JSON.stringify(next, null, 2)}\n`));
}

function remembered(path: string): Record<string, SeenList> {
  try {
    const value = JSON.parse(readFile(path).toString('utf8')) as Record<string, SeenList>;
    const isRight = Object.entries(value).every(
      ([id, seen]) =>
        /^[0-9a-f]{64}$/.test(id) && Number.isSafeInteger(seen.number) && /^[0-9a-f]{64}$/.test(seen.sha256),
    );
    if (isRight && !Array.isArray(value)) return value;
  } catch (error) {
    if (error instanceof Mistake) throw error;
  }
  throw new Mistake(`${path} does not remember lists of revocations`);
}
