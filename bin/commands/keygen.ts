import { makeCommand } from '../command-line/make-command.ts';

/** Describes `keygen`, which makes keys for trying certificates. */
export const program = makeCommand(
  'keygen',
  'Makes a pair of Ed25519 keys for trying out: FILE with the private key, FILE.pub with the public one.',
  {
    examples: ['issuer.pem'],
    exits: { 0: 'made', 2: 'not made' },
  },
)
  .summary('make a pair of keys to try certificates out')
  .argument('<file>', 'file of the private key; it must not exist yet');
