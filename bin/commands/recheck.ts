import { makeCommand } from '../command-line/make-command.ts';
import { addVariables } from '../command-line/variable-options.ts';

/** Describes `recheck`, which asks for the animals that an earlier run left. */
export const program = addVariables(
  makeCommand(
    'recheck',
    'Asks whether what an earlier run added is still served as it was. Only reads; target and key are variables, as for a run.',
    {
      examples: [
        'reports/out/footprint.json',
        'june/footprint.json --base-url https://staging.example.org/v1 --api-key-file key.txt',
      ],
      exits: {
        0: 'all as it was, or gone',
        1: 'changed, or undecided by the answers',
        2: 'bad input',
        3: 'the target cannot be reached',
      },
    },
  )
    .summary('is what an earlier run added still there')
    .argument('<footprint>', 'footprint.json of the earlier run, or its folder')
    .option('--json', 'as JSON'),
  [
    'BASE_URL',
    'API_KEY_FILE',
    'TARGET_ENV',
    'REQUEST_TIMEOUT',
    'MAX_REQUESTS',
    'MAX_IN_FLIGHT',
    'MAX_RPS',
    'CA_FILE',
    'CLIENT_CERT_FILE',
    'CLIENT_KEY_FILE',
    'CLIENT_KEY_PASSPHRASE_FILE',
    'HEADERS_FILE',
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
  ],
);
