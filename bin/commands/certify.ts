import { LONGEST_VALIDITY } from '../../reports/certificate/issue.ts';
import { makeCommand } from '../command-line/make-command.ts';
import { addVariables } from '../command-line/variable-options.ts';

/** Describes `certify`, which makes a certificate for a run. */
export const program = makeCommand(
  'certify',
  'Runs the suite under the certification profile and signs the result; or signs the report of a vendor that ran the suite with your challenge. CERTIFICATION.md has the rules.',
  {
    examples: [
      '--base-url URL --issuer-key issuer.pem --subject-name Rex',
      'challenge --issuer-key issuer.pem --subject-name Rex',
      '--report reports/out --issuer-key issuer.pem --used used.jsonl',
    ],
    exits: {
      0: 'signed',
      1: 'something is missing; the output says what, and what to do',
      2: 'bad input',
      3: 'the target could not be judged',
    },
  },
)
  .summary('judge a service and sign the result')
  // Options after a subcommand belong to the subcommand.
  .enablePositionalOptions()
  .option('--base-url <url>', 'run the suite against this address; the key is read as in every run')
  .option('--report <dir>', "folder of a vendor's run that answers a challenge: its evidence.jsonl is taken")
  .option('--issuer-key <file>', 'private Ed25519 key (PEM) that nobody else may read')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .option('--subject-name <name>', 'who or what is judged, such as "Rex Pets 2.3"; a challenge names it')
  .option('--subject-digest <digest>', 'digest of the build that was judged: sha256:<64 hexadecimal digits>')
  .option('--valid-days <days>', `days for which it holds, up to ${LONGEST_VALIDITY}`, '90')
  .option(
    '--used <file>',
    'your record of the challenges that have an answer: each is accepted once; needed with --report',
  )
  .option('--out <dir>', 'folder of the certificate; default: certificate/ in the folder of the report')
  // Without an action, commander would print the help when no subcommand is given. bin/certify.ts runs the commands.
  .action(() => undefined);
addVariables(program, ['API_KEY_FILE', 'REPORT_DIR']);

/** Describes `certify challenge`. */
export const challengeCommand = program
  .command('challenge')
  .description("Prints a challenge that a vendor's run has to answer, with CHALLENGE=<file>.")
  .requiredOption('--issuer-key <file>', 'private Ed25519 key (PEM) that nobody else may read')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .requiredOption('--subject-name <name>', 'who or what is to be judged, such as "Rex Pets 2.3"')
  .option('--valid-hours <hours>', 'hours within which the run has to be made and handed in, up to 720', '72')
  .allowExcessArguments(false)
  .action(() => undefined);

/** Describes `certify keys`. */
export const keysCommand = program
  .command('keys')
  .description(
    'Writes the list of the keys of an issuer, one after the other, signed by the new one. For each ended key, it names the certificates that stay valid; all others of that key are invalid.',
  )
  .requiredOption('--list <file>', 'the list; made if it does not exist')
  .requiredOption('--issuer-key <file>', 'the new private key')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .requiredOption('--previous <file>', 'public key (PEM) that signed until now, or ended before')
  .option(
    '--issued <file...>',
    'each attestation.json that the previous key issued and that is to hold on',
    [],
  )
  .option('--compromised-since <date>', 'from when on somebody else may have signed with the previous key')
  .allowExcessArguments(false)
  .action(() => undefined);
