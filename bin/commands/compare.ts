import { makeCommand } from '../command-line/make-command.ts';

/** Describes `compare`, which compares runs. */
export const program = makeCommand(
  'compare',
  'Shows what changed between two runs: verdicts, behaviour profile, error codes.',
  {
    examples: [
      'june/report.json july/report.json',
      '--baseline release-2.3/report.json reports/out --markdown changes.md',
    ],
    exits: {
      0: 'equal or better; or different, if nothing is better or worse',
      1: 'worse; with --lock, different too',
      2: 'bad input',
    },
  },
)
  .summary('what changed between two runs')
  .argument('<report...>', 'report.json of each run, or its folder; the earlier first')
  .option('--baseline <file>', 'report.json of the run to compare the latest of the others with')
  .option('--markdown <file>', 'write it as Markdown, too')
  .option('--lock', 'exit 1 also if the behaviour profile or another verdict differs')
  .option('--json', 'print it as JSON');
