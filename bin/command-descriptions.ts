/** All commands. A description has options, arguments and help; the script `bin/<name>.ts` does the work. */
import type { Command } from 'commander';
import suite from '../package.json' with { type: 'json' };
import { describeRun } from './command-line/options.ts';
import { makeCommand } from './command-line/make-command.ts';
import { printText } from './command-line/output/print.ts';
import { addVariables } from './command-line/variable-options.ts';

/** Describes `list`, which prints the catalogue. */
export const listCommand = makeCommand(
  'list',
  'Lists requirements with their statement, their level and the number of faults that prove their tests; then open questions, whose answers are observed, and judged only by standards.',
  {
    examples: ['', 'list-pets', '--sections', 'errors --json'],
    exits: { 0: 'listed', 2: 'an unknown option, or nothing of that name' },
  },
)
  .summary('requirements and open questions')
  .argument('[part]', 'only those whose id or section contains this')
  .option(
    '--sections',
    'every sentence of the document, in a few words, with its promises, or why there is nothing to test',
  )
  .option('--json', 'as JSON');

/** Describes `explain`, which prints one entry of the catalogue. */
export const explainCommand = makeCommand(
  'explain',
  'Prints all that the project knows of a requirement or an open question: statement, requests that are sent, a failure or the possible answers, tests and rules with their files, faults and freedoms. Of a section it prints the sentences, as `list --sections` does.',
  {
    examples: ['list-pets.default-limit', 'list-pets.limit-zero', 'list-pets.limit --all', 'Limits'],
    exits: { 0: 'printed', 2: 'there is none of that name' },
  },
)
  .summary('all about one of them')
  .argument('<id>', 'as `list` names it, or a heading of `list --sections`')
  .option('--all', 'every line of each part; only the first six otherwise')
  .option('--json', 'as JSON');

/** Describes `compare`, which compares runs. */
export const compareCommand = makeCommand(
  'compare',
  'Shows what changed between two runs: verdicts and behaviour profile.',
  {
    examples: [
      'june/report.json july/report.json',
      '--baseline release-2.3/report.json reports/out --markdown changes.md',
    ],
    exits: {
      0: 'equal or better; or different, if nothing is worse',
      1: 'worse; with --lock, different too',
      2: 'bad input',
    },
  },
)
  .summary('what changed between two runs')
  .argument('<report...>', 'report.json of each run, or its folder; the earlier first')
  .option('--baseline <file>', 'report.json of the earlier run')
  .option('--markdown <file>', 'write it as Markdown, too')
  .option('--lock', 'exit 1 also if the behaviour profile or another verdict differs')
  .option('--json', 'print it as JSON');

/** Describes `judge`, which judges the evidence of a run again, offline. */
export const judgeCommand = makeCommand(
  'judge',
  'Judges the evidence of earlier runs again, by the rules of this version; sends nothing. Shows what differs from the report next to it: what an upgrade would change.',
  {
    examples: ['reports/out', 'june/evidence.jsonl july/evidence.jsonl'],
    exits: { 0: 'conforming', 1: 'nonconforming', 2: 'not evidence of a run', 3: 'inconclusive' },
  },
)
  .summary('judge the evidence of a run again, offline')
  .argument('<evidence...>', 'evidence.jsonl of a run, or its folder')
  .option('--json', 'as JSON, a line for each run');

/** Describes `report`, which makes the Allure report again. */
export const reportCommand = addVariables(
  makeCommand(
    'report',
    'Makes the Allure report anew from what the last run left in REPORT_DIR, and opens it on a terminal; or takes waivers or identifiers from its report.json.',
    {
      examples: [
        '',
        '--report-dir reports/out/partial',
        '--waivers-for-failures --owner "pets team" --ticket PETS-17 --until 2027-01-31',
        '--footprint-ids',
      ],
      exits: {
        0: 'made; its path is printed',
        2: 'there are no results, or bad input',
        3: 'Allure could not make it',
      },
    },
  )
    .summary('make the Allure report again, and open it')
    .option('--open', 'open it in any case')
    .option('--waivers-for-failures', 'write waivers.json: a waiver for each failure of the last report')
    .option('--owner <name>', 'who answers for these failures')
    .option('--ticket <id>', 'the ticket of their repair')
    .option('--until <day>', 'last day on which they are waived, YYYY-MM-DD')
    .option('--footprint-ids', 'print the identifier of each animal that the last run left, one a line'),
  ['REPORT_DIR', 'ALLURE_HISTORY'],
);

/** Describes `reference`, which serves the reference service. */
export const referenceCommand = makeCommand(
  'reference',
  'Serves the reference service for people to play with, until Ctrl-C; address and key are printed. PORT, HOST, API_KEY and API_KEY_FILE are honoured.',
  {
    examples: ['', '--port 8080', '--host 0.0.0.0 --port 8080', '--health --port 8080'],
    exits: {
      0: 'it has ended, or with --health: it answers',
      1: 'with --health: it does not answer',
      2: 'not possible as configured',
    },
  },
)
  .summary('serve the reference service')
  .option('--port <number>', 'port to listen on; default: PORT, or any that is free')
  .option('--host <address>', 'address to listen on; default: HOST, or 127.0.0.1')
  .option('--health', 'ask the reference on this machine and port whether it answers, and end');

/** Describes `certify`, which makes a certificate for a run. */
export const certifyCommand = makeCommand(
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
  .option('--valid-days <days>', 'days for which it holds', '90')
  .option(
    '--used <file>',
    'your record of the challenges that have an answer: each is accepted once; needed with --report',
  )
  .option('--out <dir>', 'folder of the certificate; default: certificate/ in the folder of the report')
  // Without an action, commander would print the help when no subcommand is given. bin/certify.ts runs the commands.
  .action(() => undefined);
addVariables(certifyCommand, ['API_KEY_FILE', 'REPORT_DIR']);

export const certifyChallengeCommand = certifyCommand
  .command('challenge')
  .description("Prints a challenge that a vendor's run has to answer, with CHALLENGE=<file>.")
  .requiredOption('--issuer-key <file>', 'private Ed25519 key (PEM) that nobody else may read')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .requiredOption('--subject-name <name>', 'who or what is to be judged, such as "Rex Pets 2.3"')
  .option('--valid-hours <hours>', 'hours within which the run has to be made and handed in, up to 720', '72')
  .allowExcessArguments(false)
  .action(() => undefined);

export const certifyKeysCommand = certifyCommand
  .command('keys')
  .description(
    'Writes the list of the keys of an issuer, one after the other, signed by the new one. For each ended key, it names the certificates that stay valid; all others of that key are invalid.',
  )
  .requiredOption('--list <file>', 'the list; made if it does not exist')
  .requiredOption('--issuer-key <file>', 'the new private key')
  .option('--passphrase-file <file>', 'file that holds the passphrase of the key')
  .requiredOption('--previous <file>', 'public key (PEM) that has signed until now, or whose time has ended')
  .option('--issued <file...>', 'each attestation.json of the previous key that stays valid', [])
  .option('--compromised-since <date>', 'from when on somebody else may have signed with the previous key')
  .allowExcessArguments(false)
  .action(() => undefined);

/** Describes `verify`, which checks a certificate. */
export const verifyCommand = makeCommand(
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

/** Describes `revoke`, which adds to the list of revocations. */
export const revokeCommand = makeCommand(
  'revoke',
  'Puts an attestation on the signed list of revoked ones.',
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

/** Describes `keygen`, which makes keys for trying certificates. */
export const keygenCommand = makeCommand(
  'keygen',
  'Makes a pair of Ed25519 keys for trying out: FILE with the private key, FILE.pub with the public one.',
  {
    examples: ['issuer.pem'],
    exits: { 0: 'made', 2: 'not made' },
  },
)
  .summary('make a pair of keys to try certificates out')
  .argument('<file>', 'file of the private key; it must not exist yet');

/** Describes `targets`, which judges many vendors. `targetsRunCommand` describes its `targets run`. */
export const targetsCommand = makeCommand(
  'targets',
  'Judges many vendors, each with its own key and folder. `targets run --help` says how.',
  {
    examples: ['run targets.json', 'run targets.json --parallel 4', '--github-matrix 4'],
    exits: {
      0: 'all conform',
      1: 'at least one does not',
      2: 'not possible as configured',
      3: 'at least one could not be decided',
    },
  },
)
  .summary('judge many vendors')
  .option('--github-matrix <n>', 'print the matrix of n shards for a GitHub workflow, and do nothing else');

export const targetsRunCommand = targetsCommand
  .command('run')
  .description(
    'Judges the targets of a file. Variables of the suite apply to every target, except e.g. the address and the key, which each target has for itself.',
  )
  .argument('<file>', 'targets.json')
  .option('--out <dir>', 'folder of the folders of the vendors', 'reports/out/vendors')
  .option('--parallel <n>', 'vendors that are judged together', '2')
  .option('--time-limit <seconds>', 'time of one vendor', '900')
  .option('--shard <i/n>', 'judge only this share of the vendors')
  .option('--json', 'print how each ended as JSON, in the end')
  .allowExcessArguments(false);

/** Describes `matrix`, which compares vendors. */
export const matrixCommand = makeCommand(
  'matrix',
  'Writes vendors side by side: matrix.html and matrix.json.',
  {
    examples: ['reports/out/vendors', 'seed-1 seed-2 felix=july/felix --out side-by-side'],
    exits: { 0: 'written', 2: 'nothing to write, or bad input' },
  },
)
  .summary('show vendors side by side')
  .argument('<dir...>', 'folders with a report.json, or folders of such folders; NAME=DIR names the vendor')
  .option('--out <dir>', 'the folder to write to', 'reports/out/matrix')
  .option('--json', 'print matrix.json, too');

/** The commands by group, in the order of the overview. */
const GROUPS: Readonly<Record<string, readonly Command[]>> = {
  'Judge a service': [
    describeRun(printText),
    listCommand,
    explainCommand,
    compareCommand,
    judgeCommand,
    reportCommand,
    referenceCommand,
  ],
  Certificates: [certifyCommand, verifyCommand, revokeCommand, keygenCommand],
  'Many vendors': [targetsCommand, matrixCommand],
};
/** All commands, in the same order. */
export const COMMANDS: readonly Command[] = Object.values(GROUPS).flat();

/** Returns the help of the whole suite: all commands on one screen. */
export function writeOverview(): string {
  const width = Math.max(...COMMANDS.map((each) => each.name().length));
  const lines = Object.entries(GROUPS).flatMap(([group, commands]) => [
    '',
    `${group}:`,
    ...commands.map((each) => `  ${each.name().padEnd(width)}  ${each.summary()}`),
  ]);
  return `${[
    `Usage: ${suite.name} [command] [options]`,
    '',
    'Judges an implementation of the animal store interface over HTTP, requirement by requirement.',
    ...lines,
    '',
    'Examples:',
    `  ${suite.name} --base-url https://staging.example.org/v1 --api-key-file key.txt`,
    `  ${suite.name} explain list-pets.default-limit`,
    '',
    'Without a command it judges. `help <command>` and `<command> --help` explain one; --version prints the version.',
  ].join('\n')}\n`;
}
