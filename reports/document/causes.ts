import type { Report, RequirementResult } from './report.ts';

/** Results that one answer of the target explains. The first one lends the cause its name. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/** What fails a run; what one answer explains is one failure. In strict mode a warning is a failure. Every report counts these. */
export function failuresOf({ requirements, run }: Report): Cause[] {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  return causesOf([
    ...failed,
    ...(run.strict ? requirements.filter(({ verdict }) => verdict === 'warn') : []),
  ]);
}

/** The warnings that fail nothing. */
export function warningsOf({ requirements, run }: Report): Cause[] {
  return run.strict ? [] : causesOf(requirements.filter(({ verdict }) => verdict === 'warn'));
}

/** Groups results by what shows them: the same exchange, the same place, the same expectation, the same answer; a waiver holds for its own. */
export function causesOf(results: readonly RequirementResult[]): Cause[] {
  const causes = new Map<string, [RequirementResult, ...RequirementResult[]]>();
  for (const result of results) {
    const { id, evidence, pointer, expected, received, waiver } = result;
    const key = JSON.stringify(
      evidence.length === 0 ? id : [evidence[0], pointer, expected, received, waiver],
    );
    const cause = causes.get(key);
    if (cause === undefined) causes.set(key, [result]);
    else cause.push(result);
  }
  return [...causes.values()];
}

/** The tests that a cause made fail, each once. */
export function testsOf(cause: Cause): RequirementResult['tests'] {
  return [
    ...new Map(
      cause.flatMap(({ tests }) => tests).map((test) => [`${test.file}:${test.line} ${test.title}`, test]),
    ).values(),
  ];
}
