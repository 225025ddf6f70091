/**
 * Makes the leaves of the Allure report. A leaf is one entry of its tree: a requirement with its tests as steps, and one leaf for
 * all open questions.
 */
import { createHash } from 'node:crypto';
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { AllureResult, Leaf, RanTest, LeafSubject, Word } from './leaf-model.ts';
import { escapeLine } from '../words/escape.ts';
import { writeRequestLine } from '../words/evidence-lines.ts';
import { writeFailure } from '../words/cause-facts.ts';
import { writeProfileLine } from '../words/profile-words.ts';
import { countNoun } from '../words/verdict-words.ts';
import type { Observation, Report, RequirementResult } from '../../document/report-document.ts';

/**
 * The Allure status of each word. `broken` is an error of the suite; `unknown` is undecided, or a warning, which its category
 * names. `skipped` is a result without a verdict of its own.
 */
const STATUS: Record<Word, AllureResult['status']> = {
  fail: 'failed',
  warn: 'unknown',
  'suite-error': 'broken',
  inconclusive: 'unknown',
  'not-applicable': 'skipped',
  excused: 'skipped',
  pass: 'passed',
};

/** Statuses from which Allure computes a success rate. */
const RATED_STATUSES: readonly AllureResult['status'][] = ['passed', 'failed', 'broken'];

const SEVERITY = { must: 'critical', should: 'normal' } as const;

/** The most lines of an error: the exchanges are attached, and the page of the run has the commands. */
const LONGEST_ERROR = 10;

/** The most steps of a failure: the page of the run has all tests. */
const MOST_STEPS = 4;

/** The name of the label that holds the word. Categories use it. */
export const VERDICT_LABEL = 'verdict';

/** The parts of a leaf beside its own result. */
interface Parts {
  /** The results of single tests. */
  steps: readonly LeafSubject[];
  /** The failure of another leaf that explains this result; null if it is a result of its own. */
  behind: string | null;
}

/** Makes the leaf of a requirement, with its tests as steps. It links to the page of the run in the folder above. */
export function makeLeaf(report: Report, whole: LeafSubject, { steps, behind }: Parts): Leaf {
  const { word, about } = whole;
  const begun = Date.parse(report.run.startedAt);
  const tests = steps.flatMap(({ test }) => test ?? []);
  const shownSteps = isFailure(word) ? chooseForemost(steps, word) : steps;
  const [start, stop] = computeTimes([whole, ...steps]) ?? [begun, begun];
  const shown = word === 'pass' ? [] : whole.exchanges;
  const status = behind === null ? chooseStatus(report, word) : 'skipped';
  const result: AllureResult = {
    ...identify(report, about.id),
    name: `${about.id}: ${about.statement}`,
    description: `\`${about.id}\`: ${about.statement}\n\n**${about.level}**, section *${about.section}*`,
    status,
    statusDetails: makeDetails(report, whole, behind),
    stage: 'finished',
    start,
    stop,
    labels: [...makeLabels(whole, tests), ...(RATED_STATUSES.includes(status) ? makeChartLabels(about) : [])],
    links: [linkToPage(`req-${about.id}`), ...linksToTickets(about)],
    steps: shownSteps.map((each) => ({
      name: each.test === null ? (OWN_STEP[each.word] ?? about.id) : nameTest(each.test),
      status: chooseStatus(report, each.word),
      statusDetails: makeDetails(report, each, null),
      stage: 'finished',
      start: each.test?.start ?? begun,
      stop: each.test?.stop ?? begun,
      attachments: each.exchanges.map(attachText),
    })),
    attachments: shown.map(attachText),
  };
  const exchanges = [...shown, ...shownSteps.flatMap((each) => each.exchanges)];
  return { result, exchanges: new Map(exchanges.map((exchange) => [nameSource(exchange), exchange])) };
}

/** Returns the first steps, at most MOST_STEPS: steps with the word of the leaf come before the others. */
function chooseForemost(steps: readonly LeafSubject[], word: Word): readonly LeafSubject[] {
  const isFirst = (each: LeafSubject) => each.word === word;
  return [...steps.filter(isFirst), ...steps.filter((each) => !isFirst(each))].slice(0, MOST_STEPS);
}

/** Returns begin and end of the exchanges of a leaf, or of its tests if it has no exchanges; null if it has neither. */
function computeTimes(
  subjects: readonly Pick<LeafSubject, 'exchanges' | 'test'>[],
): [start: number, stop: number] | null {
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

/** Returns the file of an exchange. Several leaves share one file. */
function nameSource({ id }: Evidence): string {
  return `${id}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`;
}

function attachText(exchange: Evidence): AllureResult['attachments'][number] {
  return {
    name: escapeLine(nameExchange(exchange)),
    type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
    source: nameSource(exchange),
  };
}

function makeLabels({ word, about }: LeafSubject, tests: readonly RanTest[]): AllureResult['labels'] {
  const { section, operation, level, id } = about;
  const [file = 'report'] = tests.map((each) => each.file);
  return [
    ...groupBy(section, operation),
    { name: 'package', value: file.replace(/\.spec\.[jt]s$/, '').replaceAll('/', '.') },
    { name: 'severity', value: SEVERITY[level] },
    { name: 'tag', value: level },
    { name: 'tag', value: id },
    { name: 'requirement', value: id },
    { name: VERDICT_LABEL, value: word },
  ];
}

function groupBy(section: string, operation: string): AllureResult['labels'] {
  return [
    { name: 'parentSuite', value: section },
    { name: 'suite', value: operation },
  ];
}

/**
 * Returns the labels by which the chart of all promises divides its rectangles. The chart would draw a result that
 * neither passed nor failed as failed, so such a result has none.
 */
function makeChartLabels({ section, id }: RequirementResult): AllureResult['labels'] {
  return [
    { name: 'epic', value: section },
    { name: 'story', value: id },
  ];
}

function linkToPage(anchor: string): AllureResult['links'][number] {
  return { type: 'link', name: 'on the page of the run', url: `../conformance.html#${anchor}` };
}

/** Returns the ticket of the waiver, if it is a web address. */
function linksToTickets({ waiver }: RequirementResult): AllureResult['links'] {
  const ticket = waiver?.ticket ?? '';
  return /^https?:\/\/\S+$/.test(ticket) ? [{ type: 'issue', name: ticket, url: ticket }] : [];
}

/** Returns the ids of a leaf. Allure finds the same leaf in earlier reports by its `historyId`. */
function identify(
  report: Report,
  id: string,
): Pick<AllureResult, 'uuid' | 'historyId' | 'testCaseId' | 'fullName'> {
  const historyId = hashId(id);
  return { uuid: `${report.run.id}-${id}`, historyId, testCaseId: historyId, fullName: id };
}

/** Returns the id of a test case in results. */
export function hashId(id: string): string {
  return createHash('md5').update(id).digest('hex');
}

/** An open question that was asked, with the exchange that shows what was observed. */
interface Question {
  about: Observation;
  exchanges: readonly Evidence[];
}

/** Makes one leaf of all open questions, each a step: nothing is judged, so no number of the report counts them. */
export function makeQuestionsLeaf(report: Report, questions: readonly Question[]): Leaf {
  const begun = Date.parse(report.run.startedAt);
  const text = 'what the service does if the document leaves a question open; not judged';
  const stepOf = ({ about, exchanges }: Question): AllureResult['steps'][number] => {
    const [start, stop] = computeTimes([{ exchanges, test: null }]) ?? [begun, begun];
    return {
      name: escapeEachLine(`${writeProfileLine(about)} (${about.id})`),
      status: 'skipped',
      statusDetails: {},
      stage: 'finished',
      start,
      stop,
      attachments: exchanges.map(attachText),
    };
  };
  const steps = questions.map(stepOf);
  return {
    result: {
      ...identify(report, 'open-questions'),
      name: `${countNoun(steps.length, 'open question')}: ${text}`,
      description: text,
      status: 'skipped',
      statusDetails: { message: text },
      stage: 'finished',
      start: Math.min(...steps.map((each) => each.start)),
      stop: Math.max(...steps.map((each) => each.stop)),
      labels: [...groupBy('Open questions', 'observed'), { name: 'severity', value: 'trivial' }],
      links: [linkToPage('profile')],
      steps,
      attachments: [],
    },
    exchanges: new Map(
      questions.flatMap(({ exchanges }) => exchanges.map((each) => [nameSource(each), each])),
    ),
  };
}

function chooseStatus(report: Report, word: Word): AllureResult['status'] {
  return word === 'warn' && report.run.strict ? 'failed' : STATUS[word];
}

function nameTest({ about, title }: RanTest): string {
  return [about, title].filter(Boolean).join(' › ');
}

/** Names for a step that is the result of the report itself: no test has this word. */
const OWN_STEP: Partial<Record<Word, string>> = {
  fail: 'found while other requirements were tested',
  warn: 'found while other requirements were tested',
  inconclusive: 'no test could decide it',
  excused: 'cannot be tested from outside',
};

/**
 * Returns the message and, for a failure, its text.
 * @param behind the failure of another leaf that explains this one: it is the first line
 */
function makeDetails(
  report: Report,
  subject: LeafSubject,
  behind: string | null,
): AllureResult['statusDetails'] {
  const { word, about, exchanges, test } = subject;
  if (word === 'pass') return {};
  const reason = chooseReason(subject);
  const first = behind ?? (isFailure(word) && test === null ? findTitle(report, about) : null);
  const message = first === null || first === reason ? reason : `${first}\n${reason}`;
  if (!isFailure(word)) return { message: escapeEachLine(message) };
  return {
    message: escapeEachLine(message),
    trace: writeFailure({ ...report, exchanges: [...exchanges] }, about)
      .split('\n')
      .slice(0, LONGEST_ERROR)
      .join('\n'),
    ...(about.waiver !== null && { known: true }),
  };
}

/** Returns the title of the cause if its first promise is this one; null otherwise. */
function findTitle(report: Report, { id }: LeafSubject['about']): string | null {
  return report.causes?.find((cause) => cause.id === id)?.title ?? null;
}

function chooseReason({ word, about }: LeafSubject): string {
  return isFailure(word) ? describeVersus(about) : (about.reason ?? 'no reason was given');
}

/** True if the word says that a promise is broken. */
function isFailure(word: Word): boolean {
  return word === 'fail' || word === 'warn';
}

function describeVersus({ expected, received, pointer }: RequirementResult): string {
  return [
    `expected: ${expected ?? 'what the statement says'}`,
    `received: ${received ?? 'see the answer'}`,
    ...(pointer === null ? [] : [`at: ${pointer || 'the whole body'}`]),
  ]
    .map(escapeLine)
    .join('\n');
}

/** Escapes hidden characters of each line. */
function escapeEachLine(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

function nameExchange(exchange: Evidence): string {
  return `${writeRequestLine(exchange)} → ${exchange.response?.status ?? exchange.error?.kind ?? 'no answer'}`;
}
