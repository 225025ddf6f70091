#!/usr/bin/env node
/**
 * `npm run keygen -- issuer.pem`: makes a pair of Ed25519 keys for trying certificates. Exit codes: 0 made, 2
 * not made.
 */
import { createPublicKey } from 'node:crypto';
import { keyId } from '../reports/certificate/signed/envelope.ts';
import { newKeys } from '../reports/certificate/signed/keys.ts';
import { ends, Mistake, writing } from './certificate/command.ts';
import { program } from './commands/keygen.ts';
import { newFile } from './files/own-file.ts';
import { out } from './output/print.ts';
import { spelled } from './output/rerun-command.ts';
import { shellWord } from '../reports/words/escape.ts';

program.parse();

await ends(() => {
  const [file = ''] = program.args;
  const keys = newKeys();
  for (const [path, text, mode] of [
    [file, keys.privateKey, 0o600],
    [`${file}.pub`, keys.publicKey, 0o644],
  ] as const) {
    // An existing key is never replaced.
    if (!writing(path, () => newFile(path, text, mode)))
      throw new Mistake(`${path} exists already and is left as it is`);
  }
  out(`${file}, ${file}.pub\n  key ${keyId(createPublicKey(keys.publicKey))}\n`);
  const words = `--base-url URL --issuer-key ${shellWord(file)} --subject-name "NAME AND VERSION"`;
  out(`Next: ${spelled('certify', words)}\n`);
  return 0;
});
