import { command } from '../command.ts';

/** `compare`: two runs. */
export const program = command('compare', 'Shows what changed between two runs: verdicts, behaviour profile, latency, error codes.', {
  examples: ['june/report.json july/report.json', 'before.json after.json --html changes.html --json'],
  exits: ['equal: the same verdicts and the same profile', 'different', 'bad input'],
})
  .summary('what changed between two runs')
  .argument('<before>', 'report.json of the earlier run')
  .argument('<after>', 'report.json of the later run')
  .option('--markdown <file>', 'write it as Markdown, too')
  .option('--html <file>', 'write it as one HTML page, too')
  .option('--json', 'print it as JSON');
