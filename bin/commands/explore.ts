import { InvalidArgumentError } from 'commander';
import { command } from '../command-line/command.ts';
import { withVariables } from '../command-line/variable-options.ts';

/** Longest that one may explore, in minutes. */
const LONGEST = 1_440;

/** `explore`: new seeds until time is up. */
export const program = withVariables(
  command(
    'explore',
    'Holds the properties against the target with ever new seeds until time or budget is up: 30,000 requests and 150 animals, unless MAX_REQUESTS and MAX_ANIMALS say otherwise. Prints what they find; there is no verdict and no report.',
    {
      examples: [
        '--minutes 10',
        '--minutes 60 --base-url https://staging.example.org/v1 --api-key-file key.txt',
      ],
      exits: [
        'no counterexample was found',
        'one was found',
        'not possible as configured',
        'the target cannot be reached, or most was not asked',
      ],
    },
  )
    .summary('look for counterexamples with new seeds')
    .option('--minutes <minutes>', 'how long', minutesOf, 10),
);

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= LONGEST)) throw new InvalidArgumentError('');
  return minutes;
}
