/**
 * Writes the behaviour profile in plain words: `limit=0: refused with 400`. The profile is what a target does where the document leaves a
 * question open. A report keeps it in stable words, such as `rejects-400`, so that two profiles can be compared.
 */
import { SILENCES } from '../../../fixtures/interface/requirements.ts';
import type { Observation, Report } from '../../document/report-document.ts';

/** In a list of possible answers, this word means any answer with its status, e.g. `rejects-400`, or no answer. */
export const ANY_STATUS = '<status>';
/** The report has this word for a question that was not asked. */
export const NOT_ASKED = 'not-observed';

/** Plain words for stable words, the words of a report that later versions keep. */
const WORDS: Record<string, string> = {
  'no-answer': 'no answer came',
  [ANY_STATUS]: 'accepted, answered, refused, redirected or failed, with its status; or no answer',
  'refuses-none': 'none',
  ignores: 'ignored, as if it were not there',
  'answers-empty': 'answered with an empty list',
  'answers-200-without-a-list': 'answered with 200, but not with a list',
  'exceeds-the-maximum': 'answered with more than 100 animals',
  clamps: 'answered with more animals than a plain list',
  narrows: 'answered with fewer animals than a plain list',
  keeps: 'kept, and shown again',
  adopts: 'taken as the identifier of the new animal',
  ascending: 'by identifier, ascending',
  descending: 'by identifier, descending',
  other: 'in an order other than by identifier',
  'not-enough-animals': 'there were too few animals',
  absent: 'none',
  sends: 'yes',
  sets: 'yes',
  lags: 'some: lists show it later than at once',
  'not-seen': 'none was seen',
  announces: 'headers announce it',
  'answers-429': '429 shows it',
  'any-origin': 'yes, for any origin',
  'some-origins': 'yes, for some origins',
  'reads-and-adds': 'yes, both',
  plain: 'no, in plain digits',
  'with-fraction-or-exponent': 'yes',
};

/** Plain words for the part before a status, as in `rejects-400`. */
const ANSWERED: Record<string, string> = {
  rejects: 'refused with',
  accepts: 'accepted with',
  answers: 'answered with',
  redirects: 'redirected with',
  fails: 'failed with',
};

/** Plain words for stable words with a part that varies, such as the status in `rejects-400`. The first pattern that matches counts. */
const PATTERNS: readonly [pattern: RegExp, inWords: (...parts: string[]) => string][] = [
  [
    new RegExp(`^(${Object.keys(ANSWERED).join('|')})-(\\d{3})(?:-(.+))?$`),
    (kind = '', status = '', more = '') => `${ANSWERED[kind]} ${status}${more === '' ? '' : ` (${more})`}`,
  ],
  [/^(\d{3})=(.+)$/, (status, what) => `${what} (with ${status})`],
  [/^caps-at-(.+)$/, (most) => `${most} animals`],
  [/^defaults-to-(.+)$/, String],
  [/^sends-(.+)$/, (sent) => `yes: ${sent}`],
];

export function isQuestionAsked({ observed }: Pick<Observation, 'observed'>): boolean {
  return observed !== NOT_ASKED;
}

/**
 * Says an observation in plain words. An observation may be several stable words with blanks between, e.g. `rejects-400 no-answer`. A
 * blank may also be in a word of the target, such as its code `not found`: only a blank before a stable word separates.
 */
export function describeObservation({ observed }: Pick<Observation, 'observed'>): string {
  if (observed === NOT_ASKED) return 'not asked';
  const words = observed.split(/ (?=[a-z]+-\d{3}\b|\d{3}=|no-answer)/).map(describeWord);
  return [...new Set(words)].join(', ');
}

function describeWord(word: string): string {
  for (const [pattern, inWords] of PATTERNS) {
    const [whole, ...parts] = pattern.exec(word) ?? [];
    if (whole !== undefined) return inWords(...parts);
  }
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? word) : word;
}

export function writeProfileLine(observation: Observation): string {
  const topic = SILENCES[observation.id]?.topic;
  return `${topic === undefined ? observation.question : `${topic}:`} ${describeObservation(observation)}`;
}

/** Says why questions were not asked, as far as the report knows. */
export function explainUnasked({ run }: Pick<Report, 'run'>): string {
  if (run.mode === 'read-only') return 'A read-only run adds nothing, and asks nothing that could.';
  if (run.only.length > 0) return 'Only a part of the suite was asked for.';
  return run.complete
    ? 'The situation that they ask about did not come up.'
    : 'The run ended before it came to them.';
}
