#!/usr/bin/env node
/** `npm run keygen -- key.pem`: a pair of Ed25519 keys to try certificates out with. 0 made, 2 not. */
import { writeFileSync } from 'node:fs';
import { createPublicKey } from 'node:crypto';
import { keyId } from '../reports/certificate/envelope.ts';
import { newKeys } from '../reports/certificate/keys.ts';
import { ends, Mistake } from './certificate/command.ts';
import { program } from './commands/keygen.ts';
import { out } from './output/print.ts';

program.parse();

await ends(() => {
  const [file = ''] = program.args;
  const keys = newKeys();
  for (const [path, text, mode] of [[file, keys.privateKey, 0o600], [`${file}.pub`, keys.publicKey, 0o644]] as const) {
    try {
      // an existing key is never overwritten
      writeFileSync(path, text, { mode, flag: 'wx' });
    } catch (error) {
      throw new Mistake((error as NodeJS.ErrnoException).code === 'EEXIST' ? `${path} exists already and is left as it is` : `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }
  out(`${file}, ${file}.pub\n  key ${keyId(createPublicKey(keys.publicKey))}\n`);
  return 0;
});
