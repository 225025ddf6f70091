/**
 * Judges the evidence of a run again, as `certify` and `verify` do: reads evidence.jsonl, makes the report from it, and lists
 * what is missing in it or contradicts itself. Pure.
 */
import { isUtf8 } from 'node:buffer';
import schema from '../../schemas/suite/evidence.schema.json' with { type: 'json' };
import reasonSchema from '../../schemas/suite/reason.schema.json' with { type: 'json' };
import {
  findBindingMistakes,
  measureClockGap,
  findGeneratedMistakes,
  countUnannounced,
  findUnannouncedMistakes,
} from '../../fixtures/evidence/binding.ts';
import { findEvidenceMistakes } from '../../fixtures/evidence/completeness.ts';
import { writeCanonically, type EvidenceRecord, type HeadRecord } from '../../fixtures/evidence/log.ts';
import { recompute } from '../../fixtures/evidence/recompute.ts';
import type { ExchangeRecord } from '../../fixtures/evidence/record.ts';
import { memoizeByObject } from '../../fixtures/exchange/memoize.ts';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { makeSchemaCheck, readChecked, type SchemaCheck } from '../document/checked-json.ts';
import type { Report } from '../document/report-document.ts';
import { makeCertifiedReport, type PlannedCase } from './certified-report.ts';
import { Rejected } from './signed/envelope.ts';

/** The plan of a complete run: its evidence must have all of this. */
export interface RecheckPlan {
  /** Every requirement that every test of the suite has to judge. */
  cases: readonly PlannedCase[];
  /** The generated requests that follow from the seeds of the run, as texts. */
  asks: readonly string[];
}

export interface EvidenceRecheck {
  head: HeadRecord;
  report: Report;
  /** Places where the evidence contradicts itself. */
  contradictions: string[];
  /** Sentences about records that are missing, or that a complete run would not have. */
  gaps: string[];
  /** The number of requests that were sent as an ordinary client sends them, and how many of these a gateway refused. */
  unannounced: { asked: number; refused: number };
  /** The difference in seconds between the clocks of target and run, if it is more than a minute; null otherwise. */
  clockApart: number | null;
}

/** The check of a line of evidence.jsonl, by the kind of the line. */
const CHECK_OF_KIND = new Map<unknown, SchemaCheck>(
  (['head', 'exchange', 'key', 'demands', 'judgement', 'sighting', 'end', 'done'] as const).map((kind) => [
    kind,
    makeSchemaCheck({ ...schema.$defs[kind], $defs: { ...schema.$defs, ...reasonSchema.$defs } }, 'first'),
  ]),
);

/** Checks a line by its kind. It accepts an unknown kind: `findEvidenceMistakes` finds it. */
const checkLine: SchemaCheck = (line) => {
  if (typeof line !== 'object' || line === null || !('kind' in line) || typeof line.kind !== 'string')
    return ['it has no kind'];
  return CHECK_OF_KIND.get(line.kind)?.(line) ?? [];
};

/**
 * Judges evidence again.
 * @param challenge the challenge that the run must answer; null if its evidence has none that can be read
 * @throws Rejected
 */
export function recheckEvidence(
  evidence: Uint8Array,
  { cases, asks }: RecheckPlan,
  challenge: Challenge | null,
): EvidenceRecheck {
  const records = readEvidence(evidence);
  const exchanges = records.filter((each): each is ExchangeRecord => each.kind === 'exchange');
  const { contradictions, ...judged } = recompute(records);
  return {
    head: readHead(evidence),
    report: makeCertifiedReport(records, judged, cases),
    contradictions,
    gaps: [
      // The plan, the challenge, the generated requests of the seeds, and requests that an ordinary client would send, in this order.
      ...findEvidenceMistakes(records, cases),
      ...(challenge === null ? [] : findBindingMistakes(challenge, readHead(evidence), exchanges)),
      ...findGeneratedMistakes(exchanges, asks),
      ...findUnannouncedMistakes(exchanges),
    ],
    unannounced: countUnannounced(exchanges),
    clockApart: measureClockGap(exchanges),
  };
}

/**
 * Returns what `judge` returns. If `judge` throws, the evidence is damaged: evidence as the suite wrote it makes no error.
 * @param place names the file in the message, e.g. `evidence.jsonl`
 * @throws Rejected
 */
export function refuseIfDamaged<T>(place: string, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    const why = error instanceof Rejected ? error.message : 'it does not come from one run';
    throw new Rejected('evidence', `${place} is damaged, so that it cannot be judged again: ${why}`);
  }
}

/**
 * Returns the first record of an evidence file.
 * @throws Rejected
 */
export function readHead(file: Uint8Array): HeadRecord {
  return readEvidence(file)[0] as HeadRecord;
}

/**
 * Returns the records of an evidence file. Each line must be written exactly as the suite writes it. Several functions read the file,
 * which is large, so its records are kept.
 * @throws Rejected
 */
export const readEvidence: (file: Uint8Array) => readonly EvidenceRecord[] = memoizeByObject(readLines);

function readLines(file: Uint8Array): EvidenceRecord[] {
  if (!isUtf8(file)) throw new Rejected('evidence', 'it is not UTF-8');
  const lines = Buffer.from(file).toString('utf8').split('\n');
  if (lines.pop() !== '') throw new Rejected('evidence', 'its last line has no end');
  const records = lines.map((line, index) => readRecord(line, `line ${index + 1}`));
  if (records[0]?.kind !== 'head') throw new Rejected('evidence', 'it does not begin with its head');
  return records;
}

/**
 * Returns the record of a line.
 * @param place names the line in messages, e.g. `line 7`
 * @throws Rejected
 */
export function readRecord(line: string, place: string): EvidenceRecord {
  const read = readChecked<EvidenceRecord>(line, checkLine);
  if ('mistakes' in read) throw new Rejected('evidence', `${place}: ${read.mistakes[0]}`);
  if (writeCanonically(read.value) !== line)
    throw new Rejected('evidence', `${place} is not spelled in the one way in which the suite writes it`);
  return read.value;
}
