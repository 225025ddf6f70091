/** Finds the requirements whose verdict has changed over several runs of one vendor. Pure. */
import { isBetter, isWorse, type Change } from '../comparison/comparison.ts';
import type { Report, Verdict } from '../../document/report-document.ts';

/** One requirement with different verdicts. A verdict is null if the suite of that run lacks the requirement. */
export interface Trend {
  id: string;
  statement: string;
  verdicts: (Verdict | null)[];
  /** The direction of the last change. */
  change: 'worse' | 'better' | 'other';
  /** Index of the run that shows the last change. */
  since: number;
}

const ORDER_OF_CHANGES = ['worse', 'other', 'better'];

/** Returns the reports in the order in which their runs began. */
export function sortByTime(reports: readonly Report[]): Report[] {
  return reports.toSorted((left, right) => left.run.startedAt.localeCompare(right.run.startedAt));
}

/**
 * Returns every requirement that changed between the runs: regressions first, the latest regression at the top.
 * @param reports in the order of their runs
 */
export function findTrends(reports: readonly Report[]): Trend[] {
  // The order of the newest report counts.
  const ids = [
    ...new Set(reports.toReversed().flatMap(({ requirements }) => requirements.map(({ id }) => id))),
  ];
  const byRun = reports.map(({ requirements }) => new Map(requirements.map((each) => [each.id, each])));
  const all = ids.flatMap((id): Trend[] => {
    const verdicts = byRun.map((run) => run.get(id)?.verdict ?? null);
    const since = verdicts.findLastIndex((each, index) => index > 0 && each !== verdicts[index - 1]);
    if (since < 0) return [];
    const statement = byRun.findLast((run) => run.has(id))?.get(id)?.statement ?? '';
    return [
      {
        id,
        statement,
        verdicts,
        change: chooseChange({ id, before: verdicts[since - 1] ?? null, after: verdicts[since] ?? null }),
        since,
      },
    ];
  });
  return all.toSorted(
    (left, right) =>
      ORDER_OF_CHANGES.indexOf(left.change) - ORDER_OF_CHANGES.indexOf(right.change) ||
      right.since - left.since,
  );
}

function chooseChange(change: Change<Verdict>): Trend['change'] {
  if (isWorse(change)) return 'worse';
  return isBetter(change) ? 'better' : 'other';
}
