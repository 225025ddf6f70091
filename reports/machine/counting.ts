import { failuresOf } from '../document/causes.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { isBlocked } from '../words/blocked.ts';

/** How a requirement counts if each is a test. `why`: what an undecided or skipped one says. */
export interface Counted {
  as: 'passed' | 'warned' | 'failed' | 'undecided' | 'skipped';
  why: string;
}

/** One failure for each cause: what the same cause breaks as well, and what a failure blocks, is skipped and says so. */
export function counting(report: Report): (result: RequirementResult) => Counted {
  const firsts = new Map(failuresOf(report).flatMap((cause) => cause.map(({ id }) => [id, cause[0].id])));
  return (result) => {
    const { id, verdict, reason } = result;
    const why = reason ?? 'no reason was given';
    const first = firsts.get(id);
    if (first !== undefined)
      return first === id
        ? { as: 'failed', why }
        : { as: 'skipped', why: `broken by the same cause as ${first}` };
    if (verdict === 'pass') return { as: 'passed', why };
    if (verdict === 'warn') return { as: 'warned', why };
    if (verdict === 'inconclusive') return { as: isBlocked(report, result) ? 'skipped' : 'undecided', why };
    return { as: 'skipped', why: `${verdict}: ${why}` };
  };
}
