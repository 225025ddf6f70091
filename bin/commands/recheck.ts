import { command } from '../command.ts';
import { withVariables } from '../variable-options.ts';

/** `recheck`: what an earlier run left. */
export const program = withVariables(
  command('recheck', 'Asks whether what an earlier run added is still served as it was. It only reads.', {
    examples: ['reports/out/footprint.json', 'footprint.json --base-url https://staging.example.org/v1 --api-key-file key.txt'],
    exits: ['all as it was, or gone', 'changed, or undecided by what was answered', 'bad input', 'the target cannot be reached'],
  })
    .summary('is what a run added still there')
    .argument('<file>', 'footprint.json of the earlier run'),
);
