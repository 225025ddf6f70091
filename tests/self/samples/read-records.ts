/** Reads `evidence.jsonl` of a run. Self-tests use this to look at single records, or to change them. */
import type { EvidenceRecord } from '../../../fixtures/evidence/log.ts';

/** @throws SyntaxError if a line is not JSON */
export function readRecords(text: string): EvidenceRecord[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EvidenceRecord);
}
