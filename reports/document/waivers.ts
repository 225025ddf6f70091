/** Reads the file of waivers and applies it to a report. A waiver is a known failure that does not fail a run until a day. */
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import { attribute } from '../../fixtures/judgement/attribute.ts';
import schema from '../../schemas/suite/waivers.schema.json' with { type: 'json' };
import { makeSchemaCheck, nameEntry, readChecked } from './checked-json.ts';
import type { Report, RequirementResult } from './report-document.ts';
import { findBlockers } from './cause-order.ts';
import { judgeRun } from './verdicts.ts';

/** A known failure for which somebody is responsible until a day (docs/ci.md, "Known failures"). */
export interface Waiver extends NonNullable<RequirementResult['waiver']> {
  requirement: string;
  /** If present, the waiver covers only a failure with exactly this text as `expected` or `received`. */
  expected?: string;
}

/** A message names a waiver by its requirement: `waiver 1 (list-pets.limit)`. */
const ENTRIES = { noun: 'waiver', by: 'requirement' };
const check = makeSchemaCheck(schema, 'all', ENTRIES);

/**
 * Reads a waiver file. One malformed, unknown or expired waiver makes the whole file a mistake.
 * @param today the suite's clock
 */
export function readWaivers(text: string, today: Date): { waivers: Waiver[] } | { mistakes: string[] } {
  const read = readChecked<Waiver[]>(text, check);
  if ('mistakes' in read) return read;
  const day = today.toISOString().slice(0, 10);
  const mistakes = read.value.flatMap((waiver, index) => {
    const { requirement, expires, owner, ticket } = waiver;
    const place = nameEntry(ENTRIES, index, waiver);
    if (!Object.hasOwn(requirements, requirement)) return [`${place} names no requirement`];
    return expires < day ? [`${place} ended on ${expires}: ask ${owner} (${ticket})`] : [];
  });
  return mistakes.length > 0 ? { mistakes } : { waivers: read.value };
}

/**
 * Marks waived failures and adapts the exit code. Verdicts stay: a waiver never makes a target conforming. A waiver is stale if its
 * requirement passes in full; a stale waiver fails the run. Call `applyWaivers` first, and then `applyProfileLock`: else the exit code 1
 * of a changed behaviour profile (`--lock`) is lost.
 * @param accept true with `--accept-waivers`: a run with no other failures may then end with 0
 */
export function applyWaivers(
  report: Report,
  waivers: readonly Waiver[],
  { accept }: { accept: boolean },
): Report {
  const isFailing = (result: RequirementResult) =>
    result.verdict === 'fail' || (result.verdict === 'warn' && report.run.strict);
  const findWaiverOf = matchWaivers(report, report.requirements.filter(isFailing), waivers);
  const results = report.requirements.map((result) =>
    isFailing(result) ? { ...result, waiver: findWaiverOf(result.id) } : result,
  );
  const failures = results.filter(isFailing);
  const waived = failures.filter(({ waiver }) => waiver !== null);
  const passing = new Set(report.requirements.filter(isFullPass).map(({ id }) => id));
  const stale = waivers.filter(({ requirement }) => passing.has(requirement));

  const allWaived = failures.length > 0 && waived.length === failures.length;
  const text = `waived: ${waived.length} of ${failures.length} (${waived.map(({ id }) => id).join(', ')})`;
  const reasons = [
    // The run is judged again: its reason must not name a waived failure first.
    waived.length === 0 ? report.reason : judgeRun(results, report.run, report.exchanges).reason,
    ...(waived.length === 0 ? [] : [report.verdict === 'nonconforming' ? `nonconforming, ${text}` : text]),
    ...(allWaived && !accept ? ['waivers count for the exit code only with --accept-waivers'] : []),
    ...stale.map(
      ({ requirement, owner, ticket }) =>
        `a waiver is stale: ${requirement} passes now, remove it (${owner}, ${ticket})`,
    ),
  ];
  const accepted = allWaived && accept ? computeExitCodeWithout(failures, report) : report.exitCode;
  return {
    ...report,
    requirements: results,
    ...(stale.length > 0 && { staleWaivers: stale.map(({ requirement }) => requirement) }),
    exitCode: stale.length > 0 ? 1 : accepted,
    reason: reasons.join('; '),
  };
}

/**
 * Returns a function that finds the waiver of a failure, by its id. Each failure needs its own waiver, so that no new defect hides
 * behind an accepted one. But a quick run may show a consequence that other runs do not show: if all its causes are waived, it has the
 * waiver of the first one.
 */
function matchWaivers(
  { run }: Report,
  failures: readonly RequirementResult[],
  waivers: readonly Waiver[],
): (id: string) => RequirementResult['waiver'] {
  const own = new Map(failures.map((result) => [result.id, findWaiver(result, waivers)]));
  const explained = run.profile?.name === 'quick' ? attribute(failures) : new Map<string, string[]>();
  return (id) => {
    const waiver = own.get(id) ?? null;
    const ofCauses = explained.get(id)?.map((each) => own.get(each) ?? null) ?? [];
    // Without a waiver of its own, a failure is waived if all its causes are.
    return waiver ?? (ofCauses.includes(null) ? null : (ofCauses[0] ?? null));
  };
}

/**
 * True if every case of the requirement was asked and passed, so the waived case too. `blocked-by`: another broken promise ended one of its
 * tests. Other causes of a pass, e.g. assumed actions of others, leave no case out.
 */
function isFullPass({ verdict, partial, cause }: RequirementResult): boolean {
  return verdict === 'pass' && partial == null && cause?.kind !== 'blocked-by';
}

function findWaiver(
  { id, expected, received }: RequirementResult,
  waivers: readonly Waiver[],
): RequirementResult['waiver'] {
  const covers = (waiver: Waiver) =>
    waiver.expected === undefined || waiver.expected === expected || waiver.expected === received;
  const found = waivers.find((each) => each.requirement === id && covers(each));
  if (found === undefined) return null;
  const { owner, ticket, expires, reason } = found;
  return { owner, ticket, expires, reason };
}

/** Returns the exit code that the run would have without these failures, and without what only they kept undecided. */
function computeExitCodeWithout(
  failures: readonly RequirementResult[],
  { requirements: all, run }: Report,
): Report['exitCode'] {
  const ids = failures.map(({ id }) => id);
  const blockersOf = findBlockers(all);
  // True if only these failures keep the requirement undecided.
  const isExplained = (each: RequirementResult) =>
    each.verdict === 'inconclusive' &&
    blockersOf(each).length > 0 &&
    blockersOf(each).every((blocker) => ids.includes(blocker));
  const others = all.filter((each) => !ids.includes(each.id) && !isExplained(each));
  return judgeRun(others, run).exitCode;
}
