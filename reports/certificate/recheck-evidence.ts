/** Evidence judged again: the report follows from it, and what is missing or wrong in it is shown. Pure. */
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
import { CODE, recompute, UNREPEATED } from '../../fixtures/evidence/recompute.ts';
import type { ExchangeRecord } from '../../fixtures/evidence/record.ts';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { checkAgainst, readChecked, type Check } from '../document/checked-json.ts';
import type { Report } from '../document/report.ts';
import { certifiedReport, type PlannedCase } from './certified-report.ts';

/** The file is not the evidence of a run. The message says where and why. */
export class NoEvidence extends Error {}

/** What comes of the code of the tests when it looks at the answers in the evidence. */
export interface Rerun {
  /** What a test is said not to have found, and finds; one line each. */
  contradictions: readonly string[];
  /** Requirements of passes that do not come of it again, because something is not in the evidence. */
  open: readonly string[];
  /** Of which every pass does. */
  passed: readonly string[];
}

/** What a complete run of this suite has in its evidence: every case, the generated requests that follow from its seeds, and what its tests say of it. */
export interface Plan {
  cases: readonly PlannedCase[];
  asks: readonly string[];
  again: Rerun;
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
  /** Seconds by which the clocks of run and target are apart, if that is a minute or more. */
  clockApart: number | null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const CHECKS = new Map<unknown, Check>(
  (['head', 'exchange', 'demands', 'judgement', 'sighting', 'end', 'done'] as const).map((kind) => [
    kind,
    checkAgainst({ ...schema.$defs[kind], $defs: { ...schema.$defs, ...reasonSchema.$defs } }, 'first'),
  ]),
);

/** A line of another kind is shown later, by what a complete run has. */
const byKind: Check = (line) => {
  if (typeof line !== 'object' || line === null || !('kind' in line) || typeof line.kind !== 'string')
    return ['it has no kind'];
  return CHECKS.get(line.kind)?.(line) ?? [];
};

/** Judges the evidence again. `challenge`: what it has to answer, or null if it answers none that can be read. @throws NoEvidence */
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
  { cases, asks, again }: Plan,
  challenge: Challenge | null,
): EvidenceRecheck {
  const [head] = records as readonly [HeadRecord];
  const exchanges = records.filter((each): each is ExchangeRecord => each.kind === 'exchange');
  const { contradictions, attested, demands, ...judged } = recompute(records);
  return {
    head,
    report: certifiedReport(records, judged, cases),
    contradictions: [...contradictions, ...again.contradictions],
    attested: attestedWith(attested, again),
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

/** What is attested, given what came of the code of the tests: what it says again is not only its word. */
function attestedWith(attested: Record<string, string[]>, { open, passed }: Rerun): Record<string, string[]> {
  const reasonsOf = (id: string) => [
    ...(attested[id] ?? []).filter((reason) => reason !== CODE || !passed.includes(id)),
    ...(open.includes(id) ? [UNREPEATED] : []),
  ];
  const ids = [...new Set([...Object.keys(attested), ...open])].sort();
  return Object.fromEntries(
    ids.map((id) => [id, reasonsOf(id).sort()] as const).filter(([, reasons]) => reasons.length > 0),
  );
}

/** The first line of the file. @throws NoEvidence */
export function headIn(file: Uint8Array): HeadRecord {
  const end = file.indexOf(10);
  const [head] = evidenceLines(file.subarray(0, end < 0 ? file.length : end + 1)) as [HeadRecord];
  return head;
}

/** What was read: evidence is large, and looked at twice. */
const READ = new WeakMap<Uint8Array, EvidenceRecord[]>();

/** The records of the file, each line in its one spelling. @throws NoEvidence */
export function evidenceLines(file: string | Uint8Array): readonly EvidenceRecord[] {
  const known = typeof file === 'string' ? undefined : READ.get(file);
  const records = known ?? linesIn(file);
  if (typeof file !== 'string') READ.set(file, records);
  return records;
}

function linesIn(file: string | Uint8Array): EvidenceRecord[] {
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

/** The record of a line, or why it is not a record, behind the number of the line. */
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
