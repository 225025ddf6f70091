/** Writes the changes over several runs of one target as text, regressions first. Pure. */
import { escapeMarkdown, writeMarkdownCode, escapeTerminal } from '../words/escape.ts';
import type { Report } from '../../document/report-document.ts';
import { countNoun, VERDICT_WORDS } from '../words/verdict-words.ts';
import { writeSubjectInFull } from '../words/subject-words.ts';
import { isJudgedDifferently } from '../../document/versions.ts';
import { findTrends, sortByTime, type Trend } from './trend.ts';

const TITLES: Readonly<Record<Trend['change'], string>> = {
  worse: 'Worse than before, the latest first',
  other: 'Other changes',
  better: 'Better than before, the latest first',
};

/** True if every requirement, and the target, had the same verdict in all runs. */
export function isSteady(reports: readonly Report[]): boolean {
  return (
    new Set(reports.map(({ verdict }) => verdict)).size === 1 && findTrends(sortByTime(reports)).length === 0
  );
}

/** True if the verdict of a requirement became worse at its last change. */
export function hasGotWorse(reports: readonly Report[]): boolean {
  return findTrends(sortByTime(reports)).some(({ change }) => change === 'worse');
}

/** Returns the changes over the runs for a terminal. */
export function renderTrends(reports: readonly Report[]): string {
  return render(reports, {
    words: escapeTerminal,
    value: escapeTerminal,
    heading: (text) => text,
    bullet: '  ',
  });
}

/** Returns the changes over the runs in Markdown for a job page. */
export function renderTrendsMarkdown(reports: readonly Report[]): string {
  return render(reports, {
    words: escapeMarkdown,
    value: writeMarkdownCode,
    heading: (text) => `## ${text}`,
    bullet: '- ',
  });
}

/** The format of the text: escapes for words and values, headings, and the start of a list line. */
interface Setting {
  words: (text: string) => string;
  value: (text: string) => string;
  heading: (text: string) => string;
  bullet: string;
}

function render(reports: readonly Report[], { words, value, heading, bullet }: Setting): string {
  const runs = sortByTime(reports);
  const courses = findTrends(runs);
  const note = isJudgedDifferently(runs);
  const list = (lines: readonly string[]) => lines.map((line) => bullet + line).join('\n');
  const line = ({ id, verdicts, since, statement }: Trend) =>
    `${value(id)} ${verdicts.map((each) => (each === null ? 'unknown' : VERDICT_WORDS[each])).join(' → ')} since ${words(runs[since]?.run.startedAt ?? '')} ${words(statement)}`;
  const part = (change: Trend['change']) => {
    const own = courses.filter((each) => each.change === change);
    return own.length === 0 ? [] : [heading(TITLES[change]), list(own.map(line))];
  };
  return [
    heading(
      `${countNoun(runs.length, 'run')}, ${courses.length === 0 ? 'no verdict has changed' : `${countNoun(courses.length, 'verdict')} changed`}`,
    ),
    list(
      runs.map(
        ({ target, run, suite, verdict }) =>
          `${words(run.startedAt)} ${value(target.baseUrl)}, ${target.subject == null ? '' : `${value(writeSubjectInFull(target.subject))}, `}${words(`${suite.name} ${suite.version}`)}: ${verdict}`,
      ),
    ),
    ...(note === null ? [] : [`${bullet}${words(note)}`]),
    ...part('worse'),
    ...part('other'),
    ...part('better'),
    '',
  ].join('\n\n');
}
