#!/usr/bin/env node
/** `npm run revoke -- attestation.json --list revoked.json --key key.pem --reason TEXT`: puts an attestation on the signed list. 0 done, 2 not. */
import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { PAYLOAD_TYPE } from '../reports/certificate/statement.ts';
import { open } from '../reports/certificate/envelope.ts';
import { readRevocations, revoke } from '../reports/certificate/revocation.ts';
import { ends, Mistake, now, readFile, readPrivateKey, writing } from './certificate/command.ts';
import { program } from './commands/revoke.ts';
import { replaceFile } from './files/own-file.ts';
import { out } from './output/print.ts';

interface Options {
  list: string;
  key: string;
  passphraseFile?: string;
  reason: string;
}

const options = program.parse().opts<Options>();

await ends(() => {
  const key = readPrivateKey(options.key, options.passphraseFile);
  const publicKey = createPublicKey(key);
  const attestation = readFile(program.args[0] ?? '');
  const opened = open(attestation, PAYLOAD_TYPE, publicKey);
  if ('check' in opened) throw new Mistake(`${program.args[0]} is no attestation of this key: ${opened.why}`);
  const before = existsSync(options.list) ? readRevocations(readFile(options.list), publicKey) : null;
  if (before !== null && 'problem' in before) throw new Mistake(before.problem);
  const revoking = { attestation, reason: options.reason, now: now() };
  writing(options.list, () => replaceFile(options.list, revoke(before?.list ?? null, revoking, key)));
  out(`${options.list}\n`);
  return 0;
});
