/** How many answers are wrong, and what the wrong ones have in common, as lines. Pure. */
import type { CauseSummary, Report } from '../document/report.ts';
import type { Cause } from '../document/causes.ts';

type Counted = CauseSummary & { wrong: number; of: number };

/** At most three lines: `9 of 40 answers to such requests were wrong`, then what they share. */
export function shareLines({ causes }: Pick<Report, 'causes'>, [first]: Cause): string[] {
  const summary = causes?.find(({ id }) => id === first.id);
  if (summary === undefined || !isCounted(summary)) return [];
  const { wrong, of, shares } = summary;
  return [
    wrong === of
      ? `all ${of} answers to such requests are wrong`
      : `${wrong} of ${of} answers to such requests are wrong`,
    ...shares.map((each) => shareLine(each)),
  ];
}

function isCounted(summary: CauseSummary): summary is Counted {
  return summary.wrong !== null && summary.of !== null && summary.wrong > 0;
}

/** Counts go by requests that were answered both right and wrong. */
function shareLine({ factor, value, wrong, right }: CauseSummary['shares'][number]): string {
  const others =
    right === 0 ? 'no right answer to the same requests has it' : `${right} right answers have it too`;
  return `${wrong} wrong answers share ${factor}: ${value}; ${others}`;
}
