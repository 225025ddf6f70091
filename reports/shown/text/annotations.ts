/** Writes failures as annotations: GitHub shows them on the page of a job. */
import { writeCauseLine } from '../words/blocked.ts';
import { spellOnlyCommand, findStart } from '../words/commands.ts';
import { breakAzureCommands, escapeWorkflowData, escapeWorkflowProperty } from '../words/escape.ts';
import { writeShortFailure } from '../words/failure-text.ts';
import { findFailures } from '../../document/causes.ts';
import type { Report } from '../../document/report-document.ts';

/** GitHub shows at most ten annotations for one step. */
const MOST_ANNOTATIONS = 10;

/**
 * Returns a GitHub workflow command for each of the first ten failures, one per line. In strict mode warnings are failures too.
 * Empty if nothing failed.
 */
export function renderAnnotations(report: Report): string {
  const causes = findFailures(report);
  return causes
    .slice(0, MOST_ANNOTATIONS)
    .map((cause, index) => {
      const [first] = cause;
      const place = causes.length === 1 ? '' : `${index + 1} of ${causes.length}: `;
      const title = escapeWorkflowProperty(`${place}${writeCauseLine(report, cause)}`);
      const text = [
        `${first.id}: ${first.statement}`,
        writeShortFailure(first),
        `Run again: ${spellOnlyCommand(findStart(report), first.id)}`,
      ].join('\n');
      return `::error title=${title}::${breakAzureCommands(escapeWorkflowData(text))}\n`;
    })
    .join('');
}
