/** Writes lines about the number of wrong answers and the traits that they share. Pure. */
import type { CauseSummary, Report } from '../../document/report-document.ts';
import type { Cause } from '../../document/causes.ts';

type Counted = CauseSummary & { wrong: number; of: number };

/** Returns at most three lines: `9 of 40 answers to such requests are wrong`, then a line for each shared trait. */
export function writeShareLines({ causes }: Pick<Report, 'causes'>, [first]: Cause): string[] {
  const summary = causes?.find(({ id }) => id === first.id);
  if (summary === undefined || !isCounted(summary)) return [];
  const { wrong, of, shares } = summary;
  return [
    wrong === of
      ? `all ${of} answers to such requests are wrong`
      : `${wrong} of ${of} answers to such requests are wrong`,
    ...shares.map((each) => writeShare(each)),
  ];
}

function isCounted(summary: CauseSummary): summary is Counted {
  return summary.wrong !== null && summary.of !== null && summary.wrong > 0;
}

/** Names one trait, such as `x-pod: 3`. Equal requests are one group: groups whose answers are all right, or all wrong, are not counted. */
function writeShare({ factor, value, wrong, right }: CauseSummary['shares'][number]): string {
  const others =
    right === 0 ? 'no right answer to the same requests has it' : `${right} right answers have it too`;
  return `${wrong} wrong answers share ${factor}: ${value}; ${others}`;
}
