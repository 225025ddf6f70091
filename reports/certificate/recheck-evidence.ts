/** A report held against the evidence of its run: what the report says has to follow from the evidence. Pure. */
import schema from '../../schemas/suite/evidence.schema.json' with { type: 'json' };
import reasonSchema from '../../schemas/suite/reason.schema.json' with { type: 'json' };
import { recompute } from '../../fixtures/evidence/recompute.ts';
import { evidenceMistakes, type Case } from '../../fixtures/evidence/completeness.ts';
import type { EvidenceRecord, HeadRecord } from '../../fixtures/evidence/log.ts';
import { checkAgainst, readChecked, type Check } from '../document/checked-json.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { countVerdicts, judgedRun, requirementResults, targetVerdict } from '../document/verdicts.ts';
import { runDifferences } from './run-differences.ts';

/** The file is not the evidence of a run. The message says where and why. */
export class NoEvidence extends Error {}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const CHECKS = new Map<unknown, Check>(
  (['head', 'exchange', 'demands', 'judgement', 'end'] as const).map((kind) => [
    kind,
    checkAgainst({ ...schema.$defs[kind], $defs: { ...schema.$defs, ...reasonSchema.$defs } }, 'first'),
  ]),
);

/** A line of another kind is told later, by what a complete run has. */
const byKind: Check = (line) => {
  if (typeof line !== 'object' || line === null || !('kind' in line) || typeof line.kind !== 'string')
    return ['it has no kind'];
  return CHECKS.get(line.kind)?.(line) ?? [];
};

/** What came of it. `differences`: where the report says what does not follow; `contradictions`: where the evidence contradicts itself. */
export interface EvidenceRecheck {
  head: HeadRecord;
  results: RequirementResult[];
  differences: string[];
  contradictions: string[];
  /** What a complete run would have in its evidence and this has not, or has and may not. */
  gaps: string[];
  attested: Record<string, string[]>;
  demands: { computed: number; attested: number };
}

/** Texts of a failure are cut in reports; beyond that length they are not compared. */
const COMPARED = 1_500;

/** Computes the verdicts of the run again. `plan`: every case of the suite. @throws NoEvidence */
export function recheckEvidence(
  report: Report,
  evidence: string | Uint8Array,
  plan: readonly Case[],
): EvidenceRecheck {
  const records = evidenceLines(evidence);
  const [head] = records as [HeadRecord];
  const { findings, contradictions, attested, demands } = recompute(records);
  const results = requirementResults(findings);
  return {
    head,
    results,
    contradictions,
    attested,
    demands,
    gaps: evidenceMistakes(records, plan),
    differences: [
      ...ofRequirements(report, results),
      ...ofTarget(report, results),
      ...runDifferences(report, head, records),
    ],
  };
}

function ofRequirements(report: Report, results: readonly RequirementResult[]): string[] {
  const told = new Map(report.requirements.map((each) => [each.id, each]));
  const twice = report.requirements.length === told.size ? [] : ['a requirement stands in the report twice'];
  const unknown = report.requirements
    .filter(({ id }) => !results.some((each) => each.id === id))
    .map(({ id }) => `${id}: the report judges it, and no catalogue of this suite has it`);
  return [
    ...twice,
    ...unknown,
    ...results.flatMap((now) => {
      const then = told.get(now.id);
      if (then === undefined) return [`${now.id}: the report does not account for it`];
      const same = (one: string | null, other: string | null) =>
        one === other || (one?.length ?? 0) > COMPARED;
      if (then.verdict !== now.verdict)
        return [
          `${now.id}: the report says ${then.verdict}, the evidence gives ${now.verdict}${now.received === null ? '' : ` (received ${now.received.slice(0, 200)})`}`,
        ];
      if ((then.partial === null) !== (now.partial === null))
        return [`${now.id}: whether it was judged in part is told wrong`];
      if (then.level !== now.level || then.section !== now.section || then.statement !== now.statement)
        return [`${now.id}: the report words it differently from the catalogue`];
      return same(now.expected, then.expected) && same(now.received, then.received)
        ? []
        : [`${now.id}: the report tells of another failure than the evidence`];
    }),
  ];
}

function ofTarget(report: Report, results: readonly RequirementResult[]): string[] {
  const { run, counts } = report;
  const { verdict, exitCode } = targetVerdict(results, judgedRun(run));
  const differs = (level: 'must' | 'should') =>
    Object.entries(countVerdicts(results, level)).some(
      ([name, count]) => counts[level][name as keyof typeof counts.must] !== count,
    );
  return [
    ...(verdict === report.verdict
      ? []
      : [`the report calls the target ${report.verdict}, the evidence makes it ${verdict}`]),
    ...(exitCode === report.exitCode
      ? []
      : [`the report ends with ${report.exitCode}, the evidence with ${exitCode}`]),
    ...(differs('must') || differs('should')
      ? ['the counts of the report do not follow from the evidence']
      : []),
  ];
}

/** The records of the file. @throws NoEvidence */
function evidenceLines(file: string | Uint8Array): EvidenceRecord[] {
  const records = textOf(file)
    .split('\n')
    .flatMap((line, index): EvidenceRecord[] => {
      if (line === '') return [];
      const read = readChecked<EvidenceRecord>(line, byKind);
      if ('mistakes' in read) throw new NoEvidence(`line ${index + 1}: ${read.mistakes[0]}`);
      return [read.value];
    });
  if (records[0]?.kind !== 'head') throw new NoEvidence('it does not begin with its head');
  return records;
}

function textOf(file: string | Uint8Array): string {
  if (typeof file === 'string') return file;
  try {
    return UTF8.decode(file);
  } catch {
    throw new NoEvidence('it is not UTF-8');
  }
}
