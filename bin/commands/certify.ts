import { LONGEST_VALIDITY } from '../../reports/certificate/issue.ts';
import { command } from '../command-line/command.ts';

/** `certify`: a certificate for a run. */
export const program = command(
  'certify',
  'Signs what a complete run under PROFILE=certification has shown. CERTIFICATION.md has the rules.',
  {
    examples: ['--report reports/out --key issuer.pem --subject-name "Rex Pets 2.3"'],
    exits: ['signed', 'something is missing; it is listed, with what would bring it', 'bad input'],
  },
)
  .summary('sign what a run has shown')
  .requiredOption('--report <dir>', 'folder of report.json and evidence.jsonl')
  .requiredOption('--key <file>', 'private Ed25519 key (PEM) that nobody else may read')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .requiredOption('--subject-name <name>', 'who or what was judged, such as "Rex Pets 2.3"')
  .option('--subject-digest <digest>', 'digest of the build that was judged: sha256:<64 hexadecimal digits>')
  .option('--valid-days <days>', `days for which it holds, up to ${LONGEST_VALIDITY}`, '90')
  .option('--out <dir>', 'folder of the certificate; default: certificate/ in the folder of the report');
