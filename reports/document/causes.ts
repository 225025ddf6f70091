import type { RequirementResult } from './report.ts';

/** Results that one answer of the target explains. The first one lends the cause its name. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/** Groups results by what shows them: the same exchange, the same place, the same expectation, the same answer. */
export function causesOf(results: readonly RequirementResult[]): Cause[] {
  const causes = new Map<string, [RequirementResult, ...RequirementResult[]]>();
  for (const result of results) {
    const { id, evidence, pointer, expected, received } = result;
    const key = JSON.stringify(evidence.length === 0 ? id : [evidence[0], pointer, expected, received]);
    const cause = causes.get(key);
    if (cause === undefined) causes.set(key, [result]);
    else cause.push(result);
  }
  return [...causes.values()];
}

/** The tests that a cause made fail, each once. */
export function testsOf(cause: Cause): RequirementResult['tests'] {
  return [...new Map(cause.flatMap(({ tests }) => tests).map((test) => [`${test.file}:${test.line} ${test.title}`, test])).values()];
}
