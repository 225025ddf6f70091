/** Lists the other requests that fail for the same cause: a vendor who mends one kind only would meet them in the next run. */
import { findExamples, type Cause } from '../../document/causes.ts';
import { makeEvidenceFinder, writeKeyLine, writeRequestLine } from './evidence-lines.ts';
import { shortenBody } from './failure-text.ts';
import type { Report } from '../../document/report-document.ts';
import { findShowing } from '../../document/shown-exchange.ts';

/** Returns a line for each other kind of request that fails for the same cause: `POST /pets null: 422`. */
export function writeExampleLines(report: Report, cause: Cause): string[] {
  const shown = findShowing(makeEvidenceFinder(report)(cause[0]), cause[0]);
  return findExamples(report, cause)
    .filter((each) => each !== shown)
    .map((each) => {
      const { body } = each.request;
      const asked = [
        writeRequestLine(each),
        writeKeyLine(each),
        body === null ? null : shortenBody(body, LONGEST_BODY),
      ];
      return `${asked.filter((part) => part !== null).join(' ')}: ${each.response?.status ?? 'no answer'}`;
    });
}

/** The most characters of a body in a line. */
const LONGEST_BODY = 80;
