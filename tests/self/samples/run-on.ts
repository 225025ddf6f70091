/** Judges variants of the reference in this process, with little generated input: all of it takes half of the time of a run. */
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { judgeVariant, SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import type { JudgedVariant, Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { describeStop } from '../../../reports/document/reasons/stop-words.ts';
import type { Verdict } from '../../../reports/document/report-document.ts';
import { judgeRun, makeResults } from '../../../reports/document/verdicts.ts';

/** True in `npm run test:full`, which asks everything. */
export const IS_FULL_TEST = process.env.SELF_TESTS === 'all';
/** PROPERTY_RUNS of a test that is not about generated input. */
export const FEW_INPUTS = IS_FULL_TEST ? SETTINGS.propertyRuns : 10;

/** `tests.filter(matchTests('create-pet.'))` picks the tests of promises whose ids begin so; `matchTests()` picks all tests. */
export function matchTests(...begins: readonly string[]): (test: CollectedTest) => boolean {
  return ({ declared }) =>
    begins.length === 0 || declared.verifies.some((id) => begins.some((each) => id.startsWith(each)));
}

/** Judges a variant in this process, over real sockets. */
export function runOn(variant: Variant, tests: readonly CollectedTest[]): Promise<JudgedVariant> {
  return judgeVariant({ ...variant, settings: { propertyRuns: FEW_INPUTS, ...variant.settings } }, tests);
}

/**
 * Judges a variant in this process by the promises whose ids begin so, or by all if there are no arguments.
 * The method `with('fail')` of the result lists the ids of broken promises.
 */
export async function judgeOn(variant: Variant, ...begins: readonly string[]) {
  const judged = await runOn(variant, (await collectSuite()).filter(matchTests(...begins)));
  const asked = new Set<string>(judged.findings.map(({ requirement }) => requirement));
  const results = makeResults(judged.findings).filter(({ id }) => asked.has(id));
  const stopped = judged.stopped && describeStop(judged.stopped);
  const run = { complete: true, stopped, strict: false, only: [] };
  const withVerdict = (verdict: Verdict) =>
    results.filter((each) => each.verdict === verdict).map(({ id }) => id);
  return { ...judged, ...judgeRun(results, run), results, with: withVerdict };
}
