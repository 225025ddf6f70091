import { command } from '../command-line/command.ts';

/** `revoke`: the list of what holds no longer. */
export const program = command(
  'revoke',
  'Puts an attestation on the signed list of those that hold no longer.',
  {
    examples: ['attestation.json --list revoked.json --key issuer.pem --reason "the wrong build"'],
    exits: ['done', '', 'not done'],
  },
)
  .summary('put a certificate on the list of the revoked')
  .argument('<attestation>', 'attestation.json')
  .requiredOption('--list <file>', 'the signed list; made where it does not exist')
  .requiredOption('--key <file>', 'private key that has signed the attestation')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .requiredOption('--reason <text>', 'why it holds no longer');
