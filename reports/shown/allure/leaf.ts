/**
 * Makes the leaves of the Allure report. A leaf is one entry of its tree: a requirement, and one leaf for all open questions.
 */
import { createHash } from 'node:crypto';
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { AllureResult, Leaf, Word } from './leaf-model.ts';
import { escapeLine, writeMarkdownCode } from '../words/escape.ts';
import { makeEvidenceFinder, writeRequestLine } from '../words/evidence-lines.ts';
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

/** The name of the label that holds the word. Categories use it. */
export const VERDICT_LABEL = 'verdict';

/** The most exchanges of a leaf. */
const MOST_EXCHANGES = 4;

/** The word of a leaf. `behind`: the failure of another leaf that explains this result; null if it is a result of its own. */
interface Place {
  word: Word;
  behind: string | null;
}

/** Makes the leaf of a requirement. It links to the page of the run in the folder above, which names its tests. */
export function makeLeaf(report: Report, about: RequirementResult, { word, behind }: Place): Leaf {
  // The page has an exchange of each pass: here it has none.
  const exchanges = makeEvidenceFinder(report)({
    evidence: about.expected === null ? [] : about.evidence.slice(0, MOST_EXCHANGES),
  });
  const status = behind === null ? chooseStatus(report, word) : 'skipped';
  const [start, stop] = computeTimes(report, exchanges);
  const result: AllureResult = {
    ...identify(report, about.id),
    name: `${about.id}: ${about.statement}`,
    description: `\`${about.id}\`: ${about.statement}\n\n**${about.level}**, section *${about.section}*`,
    status,
    statusDetails: makeDetails(report, about, { word, behind }),
    stage: 'finished',
    start,
    stop,
    labels: [...makeLabels(about, word), ...(RATED_STATUSES.includes(status) ? makeChartLabels(about) : [])],
    links: [linkToPage(`req-${about.id}`), ...linksToTickets(about)],
    attachments: exchanges.map(attachText),
  };
  return { result, exchanges: new Map(exchanges.map((exchange) => [nameSource(exchange), exchange])) };
}

/** Returns begin and end of exchanges; the begin of the run if there are none. */
function computeTimes({ run }: Report, exchanges: readonly Evidence[]): [start: number, stop: number] {
  const begun = Date.parse(run.startedAt);
  if (exchanges.length === 0) return [begun, begun];
  const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt));
  const stops = exchanges.map(({ startedAt, durationMs }) => Math.ceil(Date.parse(startedAt) + durationMs));
  return [Math.min(...starts), Math.max(...stops)];
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

function makeLabels(
  { section, operation, level, id, tests }: RequirementResult,
  word: Word,
): AllureResult['labels'] {
  const file = tests.find((each) => each.file.startsWith('tests/'))?.file ?? 'report';
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

/** Makes one leaf of all open questions that were asked: nothing is judged, so no number of the report counts them. */
export function makeQuestionsLeaf(report: Report, questions: readonly Observation[]): Leaf {
  const text = 'what the service does if the document leaves a question open; not judged';
  const begun = Date.parse(report.run.startedAt);
  const lines = questions.map((each) => `- ${writeMarkdownCode(`${writeProfileLine(each)} (${each.id})`)}`);
  return {
    result: {
      ...identify(report, 'open-questions'),
      name: `${countNoun(questions.length, 'open question')}: ${text}`,
      description: lines.join('\n'),
      status: 'skipped',
      statusDetails: { message: text },
      stage: 'finished',
      start: begun,
      stop: begun,
      labels: [...groupBy('Open questions', 'observed'), { name: 'severity', value: 'trivial' }],
      links: [linkToPage('profile')],
      attachments: [],
    },
    exchanges: new Map(),
  };
}

function chooseStatus(report: Report, word: Word): AllureResult['status'] {
  return word === 'warn' && report.run.strict ? 'failed' : STATUS[word];
}

/**
 * Returns the message and, for a failure, its text.
 * @param behind the failure of another leaf that explains this one: it is the first line
 */
function makeDetails(
  report: Report,
  about: RequirementResult,
  { word, behind }: Place,
): AllureResult['statusDetails'] {
  if (word === 'pass') return {};
  const isFailure = word === 'fail' || word === 'warn';
  const reason = isFailure ? describeVersus(about) : (about.reason ?? 'no reason was given');
  const first = behind ?? (isFailure ? findTitle(report, about) : null);
  const lines = first === null || first === reason ? [] : [first];
  const message = [...lines, reason].join('\n').split('\n').map(escapeLine).join('\n');
  if (!isFailure) return { message };
  return {
    message,
    trace: writeFailure(report, about).split('\n').slice(0, LONGEST_ERROR).join('\n'),
    ...(about.waiver !== null && { known: true }),
  };
}

/** Returns the title of the cause if its first promise is this one; null otherwise. */
function findTitle(report: Report, { id }: RequirementResult): string | null {
  return report.causes?.find((cause) => cause.id === id)?.title ?? null;
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

function nameExchange(exchange: Evidence): string {
  return `${writeRequestLine(exchange)} → ${exchange.response?.status ?? exchange.error?.kind ?? 'no answer'}`;
}
