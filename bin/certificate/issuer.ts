/** What somebody who verifies knows of an issuer: its keys, and the newest list of revocations that was seen. */
import { existsSync } from 'node:fs';
import { sha256 } from '../../reports/certificate/signed/canonical.ts';
import { keyId } from '../../reports/certificate/signed/envelope.ts';
import { keysIn, onlyKey, type IssuerKey } from '../../reports/certificate/signed/key-list.ts';
import { readRevocations, type SeenList } from '../../reports/certificate/signed/revocation.ts';
import { replaceFile } from '../files/own-file.ts';
import { Mistake, readFile, readPublicKey, writing } from './command.ts';

/** The keys of the issuer. @throws Mistake */
export function readIssuer(publicKey: string, list: string | undefined): IssuerKey[] {
  const last = readPublicKey(publicKey);
  if (list === undefined) return onlyKey(last);
  const read = keysIn(readFile(list), last);
  if ('problem' in read) throw new Mistake(`${list}: ${read.problem}`);
  return read.keys;
}

/** The newest list of this issuer that the file remembers, or null. @throws Mistake */
export function seenIn(path: string, issuer: readonly IssuerKey[]): SeenList | null {
  const all = existsSync(path) ? remembered(path) : {};
  // a new key goes on with the numbers of the one before it
  const seen = issuer.flatMap(({ key }) => all[keyId(key)] ?? []);
  return seen.sort((one, other) => other.number - one.number)[0] ?? null;
}

/** Remembers a list that can be read and is newer. @throws Mistake */
export function rememberList(path: string, issuer: readonly IssuerKey[], file: Uint8Array): void {
  const last = issuer.at(-1);
  const read = last === undefined ? null : readRevocations(file, last.key);
  if (last === undefined || read === null || 'problem' in read) return;
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
