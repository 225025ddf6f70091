import { command } from '../command-line/command.ts';
import { withVariables } from '../command-line/variable-options.ts';

/** `report`: the Allure report anew. */
export const program = withVariables(
  command(
    'report',
    'Makes the Allure report anew from what the last run left in REPORT_DIR, and opens it on a terminal.',
    {
      examples: ['', '--report-dir reports/out/partial'],
      exits: ['made; its path is printed', '', 'there are no results', 'Allure could not make it'],
    },
  )
    .summary('make the Allure report again, and open it')
    .option('--open', 'open it in any case'),
  ['REPORT_DIR', 'ALLURE_HISTORY'],
);
