#!/usr/bin/env node
/**
 * `npm run revoke -- attestation.json --list revoked.json --issuer-key issuer.pem --reason TEXT`: adds a certificate to the issuer's signed
 * list of revoked certificates. Without an attestation, the list gets a new number and a new end. Exit codes: 0 done, 2 not done.
 */
import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ATTESTATION, type Statement } from '../reports/certificate/statement.ts';
import { openEnvelope } from '../reports/certificate/signed/envelope.ts';
import { LONGEST_VALIDITY } from '../reports/certificate/issue.ts';
import { findSigner, type IssuerKey } from '../reports/certificate/signed/key-list.ts';
import { findEvidenceDigest } from '../reports/certificate/verify-certificate.ts';
import { readRevocations, revoke, type Revocations } from '../reports/certificate/signed/revocation.ts';
import {
  endWithCode,
  Mistake,
  readNow,
  readFile,
  readPrivateKey,
  readWholeNumber,
  writeOrRefuse,
} from './certificate/certificate-files.ts';
import { readIssuer } from './certificate/issuer.ts';
import { revokeCommand as program } from './command-descriptions.ts';
import { replaceFile } from './command-line/files/own-file.ts';
import { printText } from './command-line/output/print.ts';

interface Options {
  list: string;
  issuerKey: string;
  keys?: string;
  passphraseFile?: string;
  reason?: string;
  validDays: string;
}

const options = program.parse().opts<Options>();

await endWithCode(() => {
  const key = readPrivateKey(options.issuerKey, options.passphraseFile);
  const [path] = program.args;
  const validDays = readWholeNumber(options.validDays, '--valid-days', LONGEST_VALIDITY);
  if (path !== undefined && options.reason === undefined) throw new Mistake('revoke needs --reason');
  const keys = options.keys === undefined ? null : readFile(options.keys);
  const issuer = readIssuer(keys, createPublicKey(key));
  const revoking = {
    run: path === undefined ? null : findRun(path, issuer),
    keys,
    reason: options.reason ?? '',
    now: readNow(),
    validDays,
  };
  const next = revoke(readListBefore(issuer), revoking, key);
  writeOrRefuse(options.list, () => replaceFile(options.list, next));
  printText(`${options.list}\n`);
  return 0;
});

/**
 * Returns the SHA-256 of the evidence that an attestation names: the list revokes the run, with all its certificates.
 * @throws Rejected if the issuer has not signed it
 */
function findRun(path: string, issuer: readonly IssuerKey[]): string {
  const attestation = readFile(path);
  const kind = { ...ATTESTATION, reasonPrefix: `${path} is not an attestation signed with this key: ` };
  return findEvidenceDigest(openEnvelope<Statement>(attestation, kind, findSigner(attestation, issuer).key));
}

/**
 * Returns the list before the change; null if there is none. Any key of the issuer may have signed it.
 * @throws Mistake
 */
function readListBefore(issuer: readonly IssuerKey[]): Revocations | null {
  if (!existsSync(options.list)) return null;
  const file = readFile(options.list);
  return readRevocations(file, [findSigner(file, issuer)]);
}
