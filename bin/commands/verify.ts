import { command } from '../command-line/command.ts';

/** `verify`: whether a certificate holds. */
export const program = command(
  'verify',
  'Checks an attestation: signature, digests, verdicts computed again from the evidence, expiry, revocation.',
  {
    examples: [
      'attestation.json --public-key issuer.pub.pem --evidence .',
      'attestation.json --public-key issuer.pub.pem --evidence . --json',
    ],
    exits: ['valid', 'invalid', 'it cannot be told'],
  },
)
  .summary('check a certificate offline')
  .argument('<attestation>', 'attestation.json')
  .requiredOption('--public-key <file>', 'public key (PEM) of the issuer, from a source that you trust')
  .option(
    '--evidence <dir>',
    'folder of report.json and evidence.jsonl; without it only signature, times and lists are checked',
  )
  .option('--at <date>', 'the time to check for: YYYY-MM-DD or ISO 8601; default: now')
  .option('--keys <file>', 'signed list of the keys of the issuer, of which --public-key is the last')
  .option('--revoked <file>', 'signed list of revocations of the issuer')
  .option('--revoked-seen <file>', 'remembers the newest list; an older one is refused')
  .option('--json', 'print one JSON document');
