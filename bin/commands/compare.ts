import { command } from '../command-line/command.ts';

/** `compare`: two runs. */
export const program = command(
  'compare',
  'Shows what changed between two runs: verdicts, behaviour profile, latency, error codes. Of more runs: how each verdict has changed over time, regressions first.',
  {
    examples: [
      'june/report.json july/report.json',
      '*/report.json',
      'before.json after.json --html changes.html --json',
    ],
    exits: ['equal: the same verdicts and, of two runs, the same profile', 'different', 'bad input'],
  },
)
  .summary('what changed between two runs, or over more')
  .argument('<before>', 'report.json of the earliest run')
  .argument('<after...>', 'report.json of later runs, in any order')
  .option('--markdown <file>', 'write it as Markdown, too')
  .option('--html <file>', 'write it as one HTML page, too')
  .option('--json', 'print it as JSON');
