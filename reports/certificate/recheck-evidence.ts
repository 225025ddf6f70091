/** Evidence judged again: the report follows from it, and what is missing or wrong in it is told. Pure. */
import schema from '../../schemas/suite/evidence.schema.json' with { type: 'json' };
import reasonSchema from '../../schemas/suite/reason.schema.json' with { type: 'json' };
import {
  bindingMistakes,
  clockApart,
  generatedMistakes,
  secondAsking,
  unannouncedMistakes,
} from '../../fixtures/evidence/binding.ts';
import { evidenceMistakes } from '../../fixtures/evidence/completeness.ts';
import { spelled, type EvidenceRecord, type HeadRecord } from '../../fixtures/evidence/log.ts';
import { recompute } from '../../fixtures/evidence/recompute.ts';
import type { ExchangeRecord } from '../../fixtures/evidence/record.ts';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { checkAgainst, readChecked, type Check } from '../document/checked-json.ts';
import type { Report } from '../document/report.ts';
import { certifiedReport, type PlannedCase } from './certified-report.ts';

/** The file is not the evidence of a run. The message says where and why. */
export class NoEvidence extends Error {}

/** What a complete run of this suite has in its evidence: every case, and the generated requests that follow from its seeds. */
export interface Plan {
  cases: readonly PlannedCase[];
  asks: readonly string[];
}

/** What came of it. `contradictions`: where the evidence contradicts itself. */
export interface EvidenceRecheck {
  head: HeadRecord;
  report: Report;
  contradictions: string[];
  /** What a complete run would have in its evidence and this has not, or has and may not. */
  gaps: string[];
  attested: Record<string, string[]>;
  demands: { computed: number; attested: number };
  /** Requests that were sent as an ordinary client sends them, and those of them that a gateway refused. */
  unannounced: { asked: number; refused: number };
  /** Seconds by which the clocks of run and target are apart, where that is a minute or more. */
  clockApart: number | null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const CHECKS = new Map<unknown, Check>(
  (['head', 'exchange', 'demands', 'judgement', 'sighting', 'end', 'done'] as const).map((kind) => [
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

/** Judges the evidence again. `challenge`: what it has to answer, or null where it answers none that can be read. @throws NoEvidence */
export function recheckEvidence(
  evidence: string | Uint8Array,
  plan: Plan,
  challenge: Challenge | null,
): EvidenceRecheck {
  return recheckRecords(evidenceLines(evidence), plan, challenge);
}

/** As `recheckEvidence`, of evidence that was read. */
export function recheckRecords(
  records: readonly EvidenceRecord[],
  { cases, asks }: Plan,
  challenge: Challenge | null,
): EvidenceRecheck {
  const [head] = records as readonly [HeadRecord];
  const exchanges = records.filter((each): each is ExchangeRecord => each.kind === 'exchange');
  const { contradictions, attested, demands, ...judged } = recompute(records);
  return {
    head,
    report: certifiedReport(records, judged, cases),
    contradictions,
    attested,
    demands,
    gaps: [
      ...evidenceMistakes(records, cases),
      ...(challenge === null ? [] : bindingMistakes(challenge, head, exchanges)),
      ...generatedMistakes(exchanges, asks),
      ...unannouncedMistakes(exchanges),
    ],
    unannounced: secondAsking(exchanges),
    clockApart: clockApart(exchanges),
  };
}

/** The first line of the file. @throws NoEvidence */
export function headIn(file: Uint8Array): HeadRecord {
  const end = file.indexOf(10);
  const [head] = evidenceLines(file.subarray(0, end < 0 ? file.length : end + 1)) as [HeadRecord];
  return head;
}

/** The records of the file, each line in its one spelling. @throws NoEvidence */
function evidenceLines(file: string | Uint8Array): EvidenceRecord[] {
  const lines = textOf(file).split('\n');
  if (lines.pop() !== '') throw new NoEvidence('its last line has no end');
  const records = lines.map((line, index): EvidenceRecord => {
    const read = recordIn(line);
    if ('why' in read) throw new NoEvidence(`line ${index + 1}${read.why}`);
    return read.record;
  });
  if (records[0]?.kind !== 'head') throw new NoEvidence('it does not begin with its head');
  return records;
}

/** The record of a line, or why it is none, behind the number of the line. */
export function recordIn(line: string): { record: EvidenceRecord } | { why: string } {
  const read = readChecked<EvidenceRecord>(line, byKind);
  if ('mistakes' in read) return { why: `: ${read.mistakes[0]}` };
  return spelled(read.value) === line
    ? { record: read.value }
    : { why: ' is not spelled in the one way in which the suite writes it' };
}

function textOf(file: string | Uint8Array): string {
  if (typeof file === 'string') return file;
  try {
    return UTF8.decode(file);
  } catch {
    throw new NoEvidence('it is not UTF-8');
  }
}
