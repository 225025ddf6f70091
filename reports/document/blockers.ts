import type { RequirementResult } from './report.ts';

/** Whether nothing but the failures of these requirements kept it from being decided. */
export function isBlockedOnlyBy(
  result: Pick<RequirementResult, 'verdict' | 'cause'>,
  ids: readonly string[],
): boolean {
  const blockers = blockersOf(result);
  return (
    result.verdict === 'inconclusive' && blockers.length > 0 && blockers.every((each) => ids.includes(each))
  );
}

/** The requirements that alone kept it from being decided; none where something else did too, or nobody knows: reports before version 4 do not tell. */
export function blockersOf({ cause }: Pick<RequirementResult, 'cause'>): string[] {
  return cause?.requirement === undefined ? [] : [cause.requirement, ...(cause.also ?? [])];
}
