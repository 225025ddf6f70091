import { makeCommand } from '../command-line/make-command.ts';
import { addVariables } from '../command-line/variable-options.ts';

/** Describes `report`, which makes the Allure report again. */
export const program = addVariables(
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
