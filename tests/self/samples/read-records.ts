import type { EvidenceRecord } from '../../../fixtures/evidence/log.ts';

/**
 * Reads the records of evidence.
 * @throws SyntaxError if a line is not JSON
 */
export function readRecords(text: string): EvidenceRecord[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EvidenceRecord);
}
