/** What somebody who verifies knows of an issuer: its keys, and the newest list of revocations that was seen. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { sha256 } from '../../reports/certificate/signed/canonical.ts';
import { keyId } from '../../reports/certificate/signed/envelope.ts';
import { keysIn, onlyKey, type IssuerKey } from '../../reports/certificate/signed/key-list.ts';
import { readRevocations, type SeenList } from '../../reports/certificate/signed/revocation.ts';
import { replaceFile } from '../files/own-file.ts';
import { Mistake, readFile, readPublicKey, writing } from './command.ts';

/** Files that are named on the command line. */
export interface TrustOptions {
  keys?: string;
  revoked?: string;
  revokedSeen?: string;
}

/** The keys of an issuer, its lists as files, and the newest list of revocations that was seen before; null: not given. */
export interface Trust {
  issuer: IssuerKey[];
  keys: Buffer | null;
  revoked: Buffer | null;
  seen: SeenList | null;
}

/** @throws Mistake */
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

/** The keys in a list whose last one is known. `path`: as people named it. @throws Mistake */
export function issuerIn(list: Buffer | null, last: KeyObject, path = ''): IssuerKey[] {
  if (list === null) return onlyKey(last);
  const read = keysIn(list, last);
  if ('problem' in read) throw new Mistake(`${path}: ${read.problem}`);
  return read.keys;
}

/** The newest list of this issuer that the file remembers, or null. @throws Mistake */
function seenIn(path: string, issuer: readonly IssuerKey[]): SeenList | null {
  const all = existsSync(path) ? remembered(path) : {};
  // a new key goes on with the numbers of the one before it
  const seen = issuer.flatMap(({ key }) => all[keyId(key)] ?? []);
  return seen.sort((one, other) => other.number - one.number)[0] ?? null;
}

/** Remembers the list of revocations if it can be read and is newer. `path`: undefined if nothing is to be remembered. @throws Mistake */
export function rememberList(path: string | undefined, { issuer, revoked: file }: Trust): void {
  const last = issuer.at(-1);
  if (path === undefined || file === null || last === undefined) return;
  const read = readRevocations(file, last.key);
  if ('problem' in read) return;
  const { number } = read.list;
  if (number <= (seenIn(path, issuer)?.number ?? 0)) return;
  const all = existsSync(path) ? remembered(path) : {};
  const next = { ...all, [keyId(last.key)]: { number, sha256: sha256(file) } };
  writing(path, () => replaceFile(path, `${JSON.stringify(next, null, 2)}\n`));
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
