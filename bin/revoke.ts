#!/usr/bin/env node
/**
 * `npm run revoke -- attestation.json --list revoked.json --issuer-key issuer.pem --reason TEXT`: adds an
 * attestation to the signed list. Exit codes: 0 done, 2 not done.
 */
import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { PAYLOAD_TYPE, statementMistakes, type Statement } from '../reports/certificate/statement.ts';
import { openEnvelope } from '../reports/certificate/signed/envelope.ts';
import { LONGEST_VALIDITY } from '../reports/certificate/issue.ts';
import { findSigner, type IssuerKey } from '../reports/certificate/signed/key-list.ts';
import { findEvidenceDigest } from '../reports/certificate/verify-certificate.ts';
import { readRevocations, revoke } from '../reports/certificate/signed/revocation.ts';
import {
  endWithCode,
  Mistake,
  readNow,
  readFile,
  readPrivateKey,
  writeOrRefuse,
} from './certificate/certificate-files.ts';
import { issuerIn } from './certificate/issuer.ts';
import { program } from './commands/revoke.ts';
import { replaceFile } from './files/own-file.ts';
import { printText } from './output/print.ts';

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
  const validDays = daysIn(options.validDays);
  if (path !== undefined && options.reason === undefined) throw new Mistake('revoke needs --reason');
  const keys = options.keys === undefined ? null : readFile(options.keys);
  const issuer = issuerIn(keys, createPublicKey(key), options.keys);
  const revoking = {
    signed: path === undefined ? null : signedIn(path, issuer),
    keys,
    reason: options.reason ?? '',
    now: readNow(),
    validDays,
  };
  const next = revoke(listBefore(issuer), revoking, key);
  writeOrRefuse(options.list, () => replaceFile(options.list, next));
  printText(`${options.list}\n`);
  return 0;
});

/**
 * Returns the attestation in a file, and the digest of its run's evidence.
 * @throws Mistake if the issuer has not signed it
 */
function signedIn(path: string, issuer: readonly IssuerKey[]): { attestation: Buffer; evidence: string } {
  const attestation = readFile(path);
  const opened = openEnvelope(attestation, PAYLOAD_TYPE, findSigner(attestation, issuer).key);
  if ('check' in opened)
    throw new Mistake(`${path} is not an attestation signed with this key: ${opened.why}`);
  const statement = JSON.parse(opened.payload.toString('utf8')) as Statement;
  const [mistake] = statementMistakes(statement);
  if (mistake !== undefined) throw new Mistake(`${path} is not an attestation: ${mistake}`);
  return { attestation, evidence: findEvidenceDigest(statement) };
}

/**
 * Returns the existing list, which an earlier key may have signed; null if there is none.
 * @throws Mistake
 */
function listBefore(issuer: readonly IssuerKey[]) {
  if (!existsSync(options.list)) return null;
  const file = readFile(options.list);
  const before = readRevocations(file, [findSigner(file, issuer)]);
  if ('problem' in before) throw new Mistake(before.problem);
  return before.list;
}

/** @throws Mistake */
function daysIn(text: string): number {
  const days = Number(text);
  if (!/^\d{1,3}$/.test(text) || days < 1 || days > LONGEST_VALIDITY)
    throw new Mistake(`--valid-days must be a whole number from 1 to ${LONGEST_VALIDITY}`);
  return days;
}
