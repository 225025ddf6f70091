import requirements from '../../schemas/requirements.json' with { type: 'json' };
import schema from '../../schemas/suite/waivers.schema.json' with { type: 'json' };
import { checkAgainst, entryInWords, readChecked } from './checked-json.ts';
import type { Report, RequirementResult } from './report.ts';
import { blockersIn } from './causes.ts';
import { judgedRun, targetVerdict } from './verdicts.ts';

/** One known failure that somebody answers for until a day (docs/ci.md, "Known failures"). */
export interface Waiver {
  requirement: string;
  reason: string;
  owner: string;
  ticket: string;
  /** Last day on which it holds: YYYY-MM-DD, UTC. */
  expires: string;
  /** Only the failure whose expectation, or whose answer, reads exactly so. */
  expected?: string;
}

/** How a waiver is called by who wrote it. */
const ENTRIES = { noun: 'waiver', by: 'requirement' };
const check = checkAgainst(schema, 'all', ENTRIES);

/**
 * Reads a waiver file. What is malformed, unknown or expired makes the whole file a mistake.
 * @param today the suite's clock
 */
export function readWaivers(text: string, today: Date): { waivers: Waiver[] } | { mistakes: string[] } {
  const read = readChecked<Waiver[]>(text, check);
  if ('mistakes' in read) return read;
  const day = today.toISOString().slice(0, 10);
  const mistakes = read.value.flatMap((waiver, index) => {
    const { requirement, expires, owner, ticket } = waiver;
    const place = entryInWords(ENTRIES, index, waiver);
    if (!Object.hasOwn(requirements, requirement)) return [`${place} names no requirement`];
    return expires < day ? [`${place} ended on ${expires}: ask ${owner} (${ticket})`] : [];
  });
  return mistakes.length > 0 ? { mistakes } : { waivers: read.value };
}

/**
 * Marks waived failures, and says what that does to the exit code. Verdicts stay as they are:
 * a waiver never makes a target conforming. A waiver of what was asked in full and passes is stale, and fails the run.
 * To be applied before a profile lock, whose exit code it does not know.
 * @param accept whether a run with nothing but waived failures may end with 0
 */
export function applyWaivers(
  report: Report,
  waivers: readonly Waiver[],
  { accept }: { accept: boolean },
): Report {
  const blocking = (result: RequirementResult) =>
    result.verdict === 'fail' || (result.verdict === 'warn' && report.run.strict);
  const results = report.requirements.map((result) =>
    blocking(result) ? { ...result, waiver: coverOf(result, waivers) } : result,
  );
  const failures = results.filter(blocking);
  const waived = failures.filter(({ waiver }) => waiver !== null);
  const passing = new Set(report.requirements.filter(passesInFull).map(({ id }) => id));
  const stale = waivers.filter(({ requirement }) => passing.has(requirement));

  const allWaived = failures.length > 0 && waived.length === failures.length;
  const text = `waived: ${waived.length} of ${failures.length} (${waived.map(({ id }) => id).join(', ')})`;
  const reasons = [
    // what is waived is not what comes first
    waived.length === 0
      ? report.reason
      : targetVerdict(results, { ...judgedRun(report.run), exchanges: report.exchanges }).reason,
    ...(waived.length === 0 ? [] : [report.verdict === 'nonconforming' ? `nonconforming, ${text}` : text]),
    ...(allWaived && !accept ? ['waivers count for the exit code only with --accept-waivers'] : []),
    ...stale.map(
      ({ requirement, owner, ticket }) =>
        `a waiver is stale: ${requirement} passes now, remove it (${owner}, ${ticket})`,
    ),
  ];
  const accepted = allWaived && accept ? exitCodeWithout(failures, report) : report.exitCode;
  return {
    ...report,
    requirements: results,
    ...(stale.length > 0 && { staleWaivers: stale.map(({ requirement }) => requirement) }),
    exitCode: stale.length > 0 ? 1 : accepted,
    reason: reasons.join('; '),
  };
}

/** Whether every case was asked and passed: the one that had failed was among them. */
function passesInFull({ verdict, partial, cause }: RequirementResult): boolean {
  return verdict === 'pass' && partial == null && cause?.kind !== 'blocked-by';
}

function coverOf(
  { id, expected, received }: RequirementResult,
  waivers: readonly Waiver[],
): RequirementResult['waiver'] {
  const covers = (waiver: Waiver) =>
    waiver.expected === undefined || waiver.expected === expected || waiver.expected === received;
  const cover = waivers.find((each) => each.requirement === id && covers(each));
  if (cover === undefined) return null;
  const { owner, ticket, expires, reason } = cover;
  return { owner, ticket, expires, reason };
}

/** What the run would have ended with, had these not failed: they, and what only they kept from being decided, are left out. */
function exitCodeWithout(
  failures: readonly RequirementResult[],
  { requirements: all, run }: Report,
): Report['exitCode'] {
  const ids = failures.map(({ id }) => id);
  const blockersOf = blockersIn(all);
  const others = all.filter((each) => !ids.includes(each.id) && !isExplained(each, blockersOf(each), ids));
  return targetVerdict(others, judgedRun(run)).exitCode;
}

/** Whether nothing but the failures of these requirements kept it from being decided. */
function isExplained(
  { verdict }: Pick<RequirementResult, 'verdict'>,
  blockers: readonly string[],
  ids: readonly string[],
): boolean {
  return verdict === 'inconclusive' && blockers.length > 0 && blockers.every((each) => ids.includes(each));
}
