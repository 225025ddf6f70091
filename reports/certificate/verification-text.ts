/** Writes the result of a verification for people. Pure. */
import { escapeTerminal } from '../shown/words/escape.ts';
import { writeNameInFull } from '../shown/words/subject-words.ts';
import { EXTENSION, type Statement } from './statement.ts';
import type { Verification } from './verify-certificate.ts';

const RESULTS: Readonly<Record<Statement['predicate']['result'], string>> = {
  PASSED: 'conforming',
  WARNED: 'conforming, with warnings',
};

/**
 * Returns the verdict, the facts of the certificate, and each check.
 * @param isWhole true if the evidence was judged again; else only the signature was checked
 * @param keyId the id of the key that signed
 */
export function writeVerification(
  { verdict, checks, unchecked, statement }: Verification,
  { isWhole, keyId }: { isWhole: boolean; keyId: string },
): string {
  const headline = verdict === 'valid' && !isWhole ? 'signature valid; verdicts not checked' : verdict;
  return [
    `${headline}${statement === null ? '' : `: ${escapeTerminal(writeNameInFull(statement.predicate[EXTENSION].subject))}`}`,
    ...(statement === null
      ? []
      : describeFacts(statement, keyId).map(
          ([name, text]) => `  ${name.padEnd(15)} ${escapeTerminal(text)}`,
        )),
    ...checks.map(
      ({ name, held, found }) => `  ${held ? '✓' : '✗'} ${name.padEnd(13)} ${escapeTerminal(found)}`,
    ),
    ...unchecked.map((each) => `  – not checked   ${each}`),
    '',
  ].join('\n');
}

function describeFacts({ predicate }: Statement, keyId: string): [name: string, text: string][] {
  const { specification, claims, validity, runBy, hidden } = predicate[EXTENSION];
  return [
    ['result', `${RESULTS[predicate.result]}, interface ${specification}`],
    ...hidden.map(({ id, reason }): [string, string] => ['in part', `${id}: ${reason}`]),
    ['address', `${claims.address}, as the ${runBy} says`],
    ['date', `judged ${claims.startedAt.slice(0, 10)}; holds until ${validity.notAfter.slice(0, 10)}`],
    ['key of issuer', keyId],
  ];
}
