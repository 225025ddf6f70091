import { makeCommand } from '../command-line/make-command.ts';

/** Describes `verify`, which checks a certificate. */
export const program = makeCommand(
  'verify',
  'Checks an attestation: signature, digests, verdicts computed again from the evidence, expiry, revocation.',
  {
    examples: [
      'reports/out/certificate --public-key issuer.pem.pub',
      'attestation.json --public-key issuer.pem.pub --evidence . --json',
    ],
    exits: {
      0: 'valid',
      1: 'invalid',
      2: 'not decided, because a file is missing or another version of the suite made it',
      3: 'the signature alone is valid: the evidence beside it decides',
    },
  },
)
  .summary('check a certificate offline')
  .argument('<attestation>', 'attestation.json, the folder that certify wrote, or the one above it')
  .requiredOption('--public-key <file>', 'public key (PEM) of the issuer, from a source that you trust')
  .option(
    '--evidence <dir>',
    'folder of report.json and evidence.jsonl; default: the folder given, else only signature, times and lists are checked',
  )
  .option('--at <date>', 'the time to check for: YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ; default: now')
  .option('--keys <file>', 'signed list of the keys of the issuer; --public-key is the newest of them')
  .option('--revoked <file>', 'signed list of revocations of the issuer')
  .option('--revoked-seen <file>', 'remembers the newest list; an older one is refused')
  .option('--json', 'print one JSON document');
