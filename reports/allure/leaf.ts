import { createHash } from 'node:crypto';
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http';
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { AllureResult, Leaf, RanTest, LeafSubject, Word } from './leaf-model.ts';
import { escapeLine } from '../words/escape.ts';
import { writeRequestLine } from '../words/evidence-lines.ts';
import { writeFailure } from '../words/failure-text.ts';
import { describeObservation, writeProfileLine } from '../words/profile-words.ts';
import type { Report, RequirementResult } from '../document/report-document.ts';

/**
 * The Allure status of each word. `broken` is an error of the suite; `unknown` is undecided, or a warning, which
 * its category names. `skipped` is a result without a verdict of its own, for example an observation.
 */
const STATUS: Record<Word, AllureResult['status']> = {
  fail: 'failed',
  warn: 'unknown',
  'suite-error': 'broken',
  inconclusive: 'unknown',
  'not-applicable': 'skipped',
  excused: 'skipped',
  pass: 'passed',
  observed: 'skipped',
};

const SEVERITY = { must: 'critical', should: 'normal', silent: 'trivial' } as const;

/** The most lines of an error. The exchanges are attached, and the page of the run has the commands. */
const LONGEST_ERROR = 10;

/** The most steps of a failure: the page of the run has all tests. */
const OPENED = 4;

/** The name of the label that holds the word. Categories use it. */
export const WORD = 'verdict';

/** The parts of a leaf beside its own result. */
interface Parts {
  /** The results of single tests. */
  steps: readonly LeafSubject[];
  /** The failure of another leaf that explains this result; null if it is a result of its own. */
  behind: string | null;
}

/**
 * Makes one leaf: a requirement or an open question, with its tests as steps. It links to the page of the run
 * in the folder above.
 */
export function makeLeaf(report: Report, whole: LeafSubject, { steps, behind }: Parts): Leaf {
  const { word, about } = whole;
  const { feature, text } = kindOf(about);
  const begun = Date.parse(report.run.startedAt);
  const tests = steps.flatMap(({ test }) => test ?? []);
  const opened = isFailure(word) ? foremost(steps, word) : steps;
  const [start, stop] = timesOf([whole, ...steps]) ?? [begun, begun];
  const historyId = createHash('md5').update(about.id).digest('hex');
  const shown = word === 'pass' ? [] : whole.exchanges;
  const result: AllureResult = {
    uuid: `${report.run.id}-${about.id}`,
    historyId,
    testCaseId: historyId,
    name: `${about.id}: ${text}`,
    fullName: about.id,
    description: described(whole),
    status: behind === null ? statusOf(report, word) : 'skipped',
    statusDetails: details(report, whole, behind),
    stage: 'finished',
    start,
    stop,
    labels: labelsOf(whole, feature, tests),
    links: [
      {
        type: 'link',
        name: 'on the page of the run',
        url: `../conformance.html${'statement' in about ? `#req-${about.id}` : '#profile'}`,
      },
    ],
    parameters:
      'statement' in about ? [] : [{ name: 'observed', value: describeObservation(about), excluded: true }],
    steps: opened.map((each) => ({
      name: each.test === null ? (UNTOLD[each.word] ?? about.id) : nameOf(each.test),
      status: statusOf(report, each.word),
      statusDetails: details(report, each, null),
      stage: 'finished',
      start: each.test?.start ?? begun,
      stop: each.test?.stop ?? begun,
      attachments: each.exchanges.map(attachment),
    })),
    attachments: shown.map(attachment),
  };
  const exchanges = [...shown, ...opened.flatMap((each) => each.exchanges)];
  return { result, exchanges: new Map(exchanges.map((exchange) => [sourceOf(exchange), exchange])) };
}

/** The first OPENED steps: steps with the word of the leaf, then the other ones. */
function foremost(steps: readonly LeafSubject[], word: Word): readonly LeafSubject[] {
  const isFirst = (each: LeafSubject) => each.word === word;
  return [...steps.filter(isFirst), ...steps.filter((each) => !isFirst(each))].slice(0, OPENED);
}

/** Begin and end of the exchanges of a leaf, or of its tests if it shows none; null if there is neither. */
function timesOf(subjects: readonly LeafSubject[]): [start: number, stop: number] | null {
  const exchanges = subjects.flatMap((each) => each.exchanges);
  const spans =
    exchanges.length > 0
      ? exchanges.map(({ startedAt, durationMs }) => {
          const start = Date.parse(startedAt);
          return { start, stop: Math.ceil(start + durationMs) };
        })
      : subjects.flatMap(({ test }) => test ?? []);
  if (spans.length === 0) return null;
  const start = Math.min(...spans.map((each) => each.start));
  return [start, Math.max(...spans.map((each) => each.stop))];
}

/** The file of an exchange. Several leaves share one file. */
function sourceOf({ id }: Evidence): string {
  return `${id}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`;
}

function attachment(exchange: Evidence): AllureResult['attachments'][number] {
  return {
    name: escapeLine(exchangeName(exchange)),
    type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
    source: sourceOf(exchange),
  };
}

function labelsOf(
  { word, about }: LeafSubject,
  feature: string,
  tests: readonly RanTest[],
): AllureResult['labels'] {
  const { level, label } = kindOf(about);
  const [file = 'report'] = tests.map((each) => each.file);
  return [
    { name: 'epic', value: about.section },
    { name: 'feature', value: feature },
    // Allure 2 groups results by these labels.
    { name: 'parentSuite', value: about.section },
    { name: 'suite', value: feature },
    { name: 'package', value: file.replace(/\.spec\.[jt]s$/, '').replaceAll('/', '.') },
    { name: 'severity', value: SEVERITY[level] },
    { name: 'tag', value: level },
    { name: 'tag', value: about.id },
    { name: label, value: about.id },
    { name: WORD, value: word },
  ];
}

/** Label, level and texts of a requirement, or of an open question. */
function kindOf(about: LeafSubject['about']): {
  label: 'requirement' | 'silence';
  level: keyof typeof SEVERITY;
  feature: string;
  text: string;
} {
  return 'statement' in about
    ? { label: 'requirement', level: about.level, feature: about.operation, text: about.statement }
    : { label: 'silence', level: 'silent', feature: 'open questions', text: about.question };
}

function statusOf(report: Report, word: Word): AllureResult['status'] {
  return word === 'warn' && report.run.strict ? 'failed' : STATUS[word];
}

function nameOf({ about, title }: RanTest): string {
  return [about, title].filter(Boolean).join(' › ');
}

/** Names for a step that no test reports. */
const UNTOLD: Partial<Record<Word, string>> = {
  fail: 'found while other requirements were tested',
  warn: 'found while other requirements were tested',
  inconclusive: 'no test could decide it',
  excused: 'cannot be tested from outside',
};

function described({ about }: LeafSubject): string {
  if ('statement' in about)
    return `\`${about.id}\`: ${about.statement}\n\n**${about.level}**, section *${about.section}*`;
  return `${about.question}\n\nThe document leaves it open (section *${about.section}*): it is observed, never judged.`;
}

function details(report: Report, subject: LeafSubject, behind: string | null): AllureResult['statusDetails'] {
  const { word, about, exchanges, test } = subject;
  if (word === 'pass') return {};
  const reason = reasonOf(subject);
  const first = behind ?? (isFailure(word) && test === null ? titleOf(report, about) : null);
  const message = first === null || first === reason ? reason : `${first}\n${reason}`;
  if (!('statement' in about) || !isFailure(word)) return { message: visibleText(message) };
  return {
    message: visibleText(message),
    trace: writeFailure({ ...report, exchanges: [...exchanges] }, about)
      .split('\n')
      .slice(0, LONGEST_ERROR)
      .join('\n'),
    ...(about.waiver !== null && { known: true }),
  };
}

/** The title of the cause if its first promise is this one; null otherwise. */
function titleOf(report: Report, { id }: LeafSubject['about']): string | null {
  return report.causes?.find((cause) => cause.id === id)?.title ?? null;
}

function reasonOf({ word, about, test }: LeafSubject): string {
  if (!('statement' in about)) return word === 'observed' ? writeProfileLine(about) : (test?.message ?? '');
  return isFailure(word) ? versus(about) : (about.reason ?? 'no reason was given');
}

/** True if the word says that a promise is broken. */
function isFailure(word: Word): boolean {
  return word === 'fail' || word === 'warn';
}

function versus({ expected, received, pointer }: RequirementResult): string {
  return [
    `expected: ${expected ?? 'what the statement says'}`,
    `received: ${received ?? 'see the answer'}`,
    ...(pointer === null ? [] : [`at: ${pointer || 'the whole body'}`]),
  ]
    .map(escapeLine)
    .join('\n');
}

function visibleText(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

function exchangeName(exchange: Evidence): string {
  return `${writeRequestLine(exchange)} → ${exchange.response?.status ?? exchange.error?.kind ?? 'no answer'}`;
}
