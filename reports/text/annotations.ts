import { onlyCommand, startOf } from '../words/commands.ts';
import { withoutAzureCommands, workflowData, workflowProperty } from '../words/escape.ts';
import { shortFailure } from '../words/failure-text.ts';
import { failuresOf } from '../document/causes.ts';
import type { Report } from '../document/report.ts';

/** GitHub shows no more than this per step. */
const MOST = 10;

/** GitHub workflow commands for the first ten failures, one per line; in strict mode warnings are failures too. Empty where nothing failed. */
export function annotations(report: Report): string {
  return failuresOf(report)
    .slice(0, MOST)
    .map(([each]) => {
      const title = workflowProperty(`${each.id}${each.waiver === null ? '' : ' (waived)'}`);
      const text = [
        each.statement,
        shortFailure(each),
        `Run again: ${onlyCommand(startOf(report), each.id)}`,
      ].join('\n');
      return `::error title=${title}::${withoutAzureCommands(workflowData(text))}\n`;
    })
    .join('');
}
