/** Writes a comparison of two runs as text for a terminal, and as Markdown. */
import { groupChanges, type Comparison, type Course, type ComparedRun } from './comparison.ts';
import { joinSome } from '../../document/join-some.ts';
import { describeObservation } from '../words/profile-words.ts';
import type { Verdict } from '../../document/report-document.ts';
import { escapeMarkdown, writeMarkdownCode, escapeTerminal } from '../words/escape.ts';
import { writeSubjectInFull } from '../words/subject-words.ts';
import { VERDICT_WORDS } from '../words/verdict-words.ts';

/** The format of a comparison: escapes for words and values, headings, and the start of a list line. */
interface Setting {
  words: (text: string) => string;
  value: (text: string) => string;
  heading: (text: string, level: number) => string;
  bullet: string;
}

/** The first line of the comparison. */
const COURSES: Readonly<Record<Course, string>> = {
  equal: 'Equal: the same verdicts, the same profile',
  better: 'Better: nothing is worse than before',
  worse: 'Worse than before',
  different: 'Different: nothing is better or worse',
};

/** The most changes that a line names. */
const MOST_NAMED = 5;

/** Returns a comparison for a terminal. */
export function renderComparisonText(comparison: Comparison): string {
  return render(comparison, {
    words: escapeTerminal,
    value: escapeTerminal,
    heading: (text) => text,
    bullet: '  ',
  });
}

/** Returns a comparison in Markdown for a job page. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  return render(comparison, {
    words: escapeMarkdown,
    value: writeMarkdownCode,
    heading: (text, level) => `${'#'.repeat(level)} ${text}`,
    bullet: '- ',
  });
}

function render(comparison: Comparison, setting: Setting): string {
  const { words, value, heading, bullet } = setting;
  const { before, after, verdicts, profile } = comparison;
  const part = (title: string, lines: string[]) =>
    lines.length === 0 ? [] : [heading(title, 2), lines.map((line) => bullet + line).join('\n')];
  const arrow = (former: string | null, latter: string | null) =>
    `${value(former ?? 'unknown')} → ${value(latter ?? 'unknown')}`;
  const run = ({ target, subject, startedAt, suite, verdict }: ComparedRun) =>
    `${value(target)}, ${subject === null ? '' : `${value(writeSubjectInFull(subject))}, `}${words(startedAt)}, ${words(suite)}: ${verdict}`;
  const line = (each: Comparison['verdicts'][number]) =>
    `${value(each.id)} ${arrow(nameVerdict(each.before), nameVerdict(each.after))} ${words(each.statement)}`;
  return [
    heading(COURSES[comparison.change], 1),
    `${bullet}before: ${run(before)}\n${bullet}after: ${run(after)}`,
    ...nameIncomplete(comparison).map(
      (which) => `${bullet}${which} whole: what it did not ask may look like a change.`,
    ),
    ...(comparison.note === null ? [] : [`${bullet}${words(comparison.note)}`]),
    ...groupChanges(verdicts).flatMap(({ title, isFolded, changes }) =>
      part(title, isFolded ? [nameChanges(changes, value)] : changes.map(line)),
    ),
    ...part(
      'Behaviour profile',
      profile.map(
        (each) =>
          `${value(each.id)} ${arrow(describeObserved(each.before), describeObserved(each.after))} ${words(each.question)}`,
      ),
    ),
    '',
  ].join('\n\n');
}

const nameVerdict = (verdict: Verdict | null) => verdict && VERDICT_WORDS[verdict];

/** Counts many changes and names the first ones, in one line. */
function nameChanges(changes: readonly { id: string }[], value: (text: string) => string): string {
  const ids = changes.map(({ id }) => value(id));
  return `${ids.length}: ${joinSome(ids, MOST_NAMED)}`;
}

/** Names the run that did not ask everything, as the beginning of a sentence; empty if both runs did. */
function nameIncomplete({ before, after }: Comparison): string[] {
  if (before.complete && after.complete) return [];
  if (before.complete) return ['The later run was not'];
  return [after.complete ? 'The earlier run was not' : 'Neither run was'];
}

/** Returns the answer to an open question in plain words. */
const describeObserved = (observed: string | null) => observed && describeObservation({ observed });
