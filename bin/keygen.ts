#!/usr/bin/env node
/** `npm run keygen -- issuer.pem`: makes a pair of Ed25519 keys for trying certificates. Exit codes: 0 made, 2 not made. */
import { createPublicKey } from 'node:crypto';
import { computeKeyId } from '../reports/certificate/signed/envelope.ts';
import { makeKeys } from '../reports/certificate/signed/key-files.ts';
import { endWithCode, Mistake, writeOrRefuse } from './certificate/certificate-files.ts';
import { keygenCommand as program } from './command-descriptions.ts';
import { writeNewFile } from './command-line/files/own-file.ts';
import { printText } from './command-line/output/print.ts';
import { spellCommand } from './command-line/output/rerun-command.ts';
import { quoteShell } from '../reports/shown/words/escape.ts';

program.parse();

await endWithCode(() => {
  const [file = ''] = program.args;
  const keys = makeKeys();
  for (const [path, text, mode] of [
    [file, keys.privateKey, 0o600],
    [`${file}.pub`, keys.publicKey, 0o644],
  ] as const) {
    // An existing key is never replaced.
    if (!writeOrRefuse(path, () => writeNewFile(path, text, mode)))
      throw new Mistake(`${path} exists already and is left as it is`);
  }
  printText(`${file}, ${file}.pub\n  key ${computeKeyId(createPublicKey(keys.publicKey))}\n`);
  const words = `--base-url URL --issuer-key ${quoteShell(file)} --subject-name "NAME AND VERSION"`;
  printText(`Next: ${spellCommand('certify', words)}\n`);
  return 0;
});
