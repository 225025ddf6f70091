import { makeCommand } from '../command-line/make-command.ts';

/** Describes `revoke`, which adds to the list of revocations. */
export const program = makeCommand(
  'revoke',
  'Puts an attestation on the signed list of those that hold no longer.',
  {
    examples: [
      'attestation.json --list revoked.json --issuer-key issuer.pem --reason lost',
      '--list revoked.json --issuer-key issuer.pem',
    ],
    exits: { 0: 'done', 2: 'not done' },
  },
)
  .summary('put a certificate on the list of the revoked')
  .argument('[attestation]', 'attestation.json; without one, the list gets a new number and a new end')
  .requiredOption('--list <file>', 'the signed list; made if it does not exist')
  .requiredOption('--issuer-key <file>', 'private key of the issuer')
  .option('--keys <file>', 'signed list of the keys of the issuer, if an earlier key signed the attestation')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .option('--reason <text>', 'why it holds no longer')
  .option('--valid-days <days>', 'days within which a newer list has to be there, up to 366', '30');
