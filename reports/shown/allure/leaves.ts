/** Makes the leaves of the tree in the Allure report: one for each requirement, and one for all open questions. Pure. */
import { createHash } from 'node:crypto';
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
  ALLURE_HTTP_REDACTED_VALUE,
  type HttpExchange,
  type HttpExchangeBody,
} from 'allure-js-commons/http';
import { PLACEHOLDER } from '../../../fixtures/evidence/redaction/redactor.ts';
import { findHeader, type Evidence, type Header } from '../../../fixtures/exchange/exchange.ts';
import { findFailures, findWarnings, type Cause } from '../../document/causes.ts';
import type { Report, RequirementResult, Verdict } from '../../document/report-document.ts';
import { listEvidence } from '../../document/shown-exchange.ts';
import { isBlocked } from '../words/blocked.ts';
import { findSummary, writeFailure } from '../words/cause-facts.ts';
import { escapeLine, writeMarkdownCode } from '../words/escape.ts';
import { writeSides } from '../words/failure-text.ts';
import { writeRequestLine } from '../words/evidence-lines.ts';
import { isQuestionAsked, writeProfileLine } from '../words/profile-words.ts';
import { countNoun } from '../words/verdict-words.ts';

/** The value of the label `verdict` of a leaf: a verdict, or `suite-error` if the suite itself broke. */
export type Word = Verdict | 'suite-error';

/** The members of Allure's result format (version 2, which Allure 3 reads) that are written. */
export interface AllureResult {
  uuid: string;
  historyId: string;
  testCaseId: string;
  fullName: string;
  name: string;
  description: string;
  status: 'failed' | 'broken' | 'passed' | 'skipped' | 'unknown';
  statusDetails: { message?: string; trace?: string; known?: boolean };
  stage: 'finished';
  start: number;
  stop: number;
  labels: { name: string; value: string }[];
  links: { type: string; name: string; url: string }[];
  attachments: { name: string; type: string; source: string }[];
}

/** One leaf of the tree. `exchanges` holds the contents of its attachments by file name. */
export interface Leaf {
  result: AllureResult;
  exchanges: ReadonlyMap<string, Evidence>;
}

/**
 * The words in the order of the leaves, each with its Allure status. Allure has no status for a warning: it is `unknown`, as an undecided
 * result is, and their categories tell them apart. If a report has no room for all exchanges, the last leaves lose theirs.
 */
const STATUSES: Readonly<Record<Word, AllureResult['status']>> = {
  fail: 'failed',
  warn: 'unknown',
  'suite-error': 'broken',
  inconclusive: 'unknown',
  'not-applicable': 'skipped',
  pass: 'passed',
  excused: 'skipped',
};
const WORST_FIRST = Object.keys(STATUSES);

/** Statuses that count in Allure's rate of success. */
const RATED_STATUSES: readonly AllureResult['status'][] = ['passed', 'failed', 'broken'];

/** The most lines of an error. The exchanges are attached, and the page of the run has the commands. */
const LONGEST_ERROR = 10;

/** The name of the label that holds the word. Categories use it. */
export const VERDICT_LABEL = 'verdict';

const MOST_EXCHANGES = 4;

/** The facts on which the place of a leaf in the tree depends. */
interface Place {
  word: Word;
  /** Says which failure of another leaf explains this one, e.g. `broken by the same cause as list-pets.limit`; null if none does. */
  explainedBy: string | null;
}

/** Returns the leaves, the worst first. One leaf of each cause fails; the others of this cause are skipped. */
export function makeLeaves(report: Report): Leaf[] {
  const causes = [...findFailures(report), ...findWarnings(report)];
  const leaves = report.requirements.map((result) => {
    const isSuiteError = result.verdict === 'inconclusive' && result.cause?.kind === 'suite-broke';
    const word: Word = isSuiteError ? 'suite-error' : result.verdict;
    const place = { word, explainedBy: describeCauseElsewhere(report, result, causes) };
    return { rank: rankPlace(place), leaf: makeLeaf(report, result, place) };
  });
  const sorted = leaves.toSorted((one, other) => one.rank - other.rank).map(({ leaf }) => leaf);
  return [...sorted, ...makeQuestionsLeaf(report)];
}

/**
 * Returns the rank of a leaf; the lowest comes first. A leaf that the failure of another one explains comes between the undecided ones
 * (rank 3) and those that do not apply (rank 4): an explained failure has 3.1.
 */
function rankPlace({ word, explainedBy }: Place): number {
  const rank = WORST_FIRST.indexOf(word);
  return explainedBy === null ? rank : WORST_FIRST.indexOf('inconclusive') + (rank + 1) / 10;
}

/** Says which failure of another leaf explains this verdict; null if none does. */
function describeCauseElsewhere(
  report: Report,
  result: RequirementResult,
  causes: readonly Cause[],
): string | null {
  if (result.verdict === 'inconclusive') return isBlocked(report, result) ? result.reason : null;
  const first = causes.find((each) => each.some(({ id }) => id === result.id))?.[0];
  return first === undefined || first.id === result.id ? null : `broken by the same cause as ${first.id}`;
}

/** Makes the leaf of a requirement, with a link to the page of the run, which is in the folder above. */
function makeLeaf(report: Report, about: RequirementResult, place: Place): Leaf {
  const { word, explainedBy } = place;
  const { id, statement, level, section, expected } = about;
  // Only failures and warnings have `expected`. Other leaves have no exchange: the page has one for each pass.
  const evidence = expected === null ? [] : about.evidence.slice(0, MOST_EXCHANGES);
  const exchanges = listEvidence(report, { evidence });
  const own = word === 'warn' && report.run.strict ? 'failed' : STATUSES[word];
  const status = explainedBy === null ? own : 'skipped';
  const ticket = about.waiver?.ticket ?? '';
  const result: AllureResult = {
    ...makeCommon(report, id, computeTimes(report, exchanges)),
    name: `${id}: ${statement}`,
    description: `\`${id}\`: ${statement}\n\n**${level}**, section *${section}*`,
    status,
    statusDetails: makeDetails(report, about, place),
    labels: makeLabels(about, word, RATED_STATUSES.includes(status)),
    links: [
      linkToPage(`req-${id}`),
      ...(/^https?:\/\/\S+$/.test(ticket) ? [{ type: 'issue', name: ticket, url: ticket }] : []),
    ],
    attachments: exchanges.map((exchange) => ({
      name: escapeLine(nameExchange(exchange)),
      type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
      source: nameSource(exchange),
    })),
  };
  return { result, exchanges: new Map(exchanges.map((exchange) => [nameSource(exchange), exchange])) };
}

/** Makes one leaf of all open questions that were asked: nothing is judged, so no number of the report counts them. */
function makeQuestionsLeaf(report: Report): Leaf[] {
  const questions = report.observations.filter(isQuestionAsked);
  if (questions.length === 0) return [];
  const text = 'what the service does if the document leaves a question open; not judged';
  const lines = questions.map((each) => `- ${writeMarkdownCode(`${writeProfileLine(each)} (${each.id})`)}`);
  const result: AllureResult = {
    ...makeCommon(report, 'open-questions', computeTimes(report, [])),
    name: `${countNoun(questions.length, 'open question')}: ${text}`,
    description: lines.join('\n'),
    status: 'skipped',
    statusDetails: { message: text },
    labels: [...makeGroupLabels('Open questions', 'observed'), makeLabel('severity', 'trivial')],
    links: [linkToPage('profile')],
    attachments: [],
  };
  return [{ result, exchanges: new Map() }];
}

/** Returns ids and times of a leaf. Allure finds the same leaf in earlier reports by its `historyId`. */
function makeCommon(report: Report, id: string, [start, stop]: readonly [number, number]) {
  const historyId = hashId(id);
  const ids = { uuid: `${report.run.id}-${id}`, historyId, testCaseId: historyId, fullName: id };
  return { ...ids, stage: 'finished', start, stop } as const;
}

export function hashId(id: string): string {
  return createHash('md5').update(id).digest('hex');
}

/** Returns begin and end of exchanges; the begin of the run if there are none. */
function computeTimes({ run }: Report, exchanges: readonly Evidence[]): [start: number, stop: number] {
  const begun = Date.parse(run.startedAt);
  if (exchanges.length === 0) return [begun, begun];
  const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt));
  const stops = exchanges.map(({ startedAt, durationMs }) => Math.ceil(Date.parse(startedAt) + durationMs));
  return [Math.min(...starts), Math.max(...stops)];
}

/** Returns the name of the file of an exchange. Leaves with the same exchange have one file. */
function nameSource({ id }: Evidence): string {
  return `${id}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`;
}

/**
 * Makes the labels of a leaf. @param isRated true if the leaf passed or failed. Only then the chart of all promises may draw it: it would
 * draw any other status as failed.
 */
function makeLabels(
  { section, operation, level, id, tests }: RequirementResult,
  word: Word,
  isRated: boolean,
): AllureResult['labels'] {
  const file = tests.find((each) => each.file.startsWith('tests/'))?.file ?? 'report';
  return [
    ...makeGroupLabels(section, operation),
    makeLabel('package', file.replace(/\.spec\.[jt]s$/, '').replaceAll('/', '.')),
    makeLabel('severity', level === 'must' ? 'critical' : 'normal'),
    makeLabel('tag', level),
    makeLabel('tag', id),
    makeLabel('requirement', id),
    makeLabel(VERDICT_LABEL, word),
    // The chart divides its rectangles by these labels.
    ...(isRated ? [makeLabel('epic', section), makeLabel('story', id)] : []),
  ];
}

/** Makes the labels by which Allure builds its tree. */
function makeGroupLabels(section: string, operation: string): AllureResult['labels'] {
  return [makeLabel('parentSuite', section), makeLabel('suite', operation)];
}

function makeLabel(name: string, value: string): AllureResult['labels'][number] {
  return { name, value };
}

function linkToPage(anchor: string): AllureResult['links'][number] {
  return { type: 'link', name: 'on the page of the run', url: `../conformance.html#${anchor}` };
}

/** Returns the message and, for a failure, its text. The message begins with the failure of another leaf that explains this one. */
function makeDetails(
  report: Report,
  about: RequirementResult,
  { word, explainedBy }: Place,
): AllureResult['statusDetails'] {
  if (word === 'pass') return {};
  if (word !== 'fail' && word !== 'warn')
    return { message: joinLines(explainedBy, about.reason ?? 'no reason was given') };
  const title = findSummary(report, about.id)?.title ?? null;
  return {
    message: joinLines(explainedBy ?? title, describeVersus(about)),
    trace: writeFailure(report, about).split('\n').slice(0, LONGEST_ERROR).join('\n'),
    ...(about.waiver !== null && { known: true }),
  };
}

/** Joins two texts by a line break, unless they are equal. */
function joinLines(first: string | null, other: string): string {
  const lines = first === null || first === other ? other : `${first}\n${other}`;
  return lines.split('\n').map(escapeLine).join('\n');
}

function describeVersus(about: RequirementResult): string {
  const { expected, received } = writeSides(about);
  const { pointer } = about;
  const at = pointer === null ? [] : [`at: ${pointer || 'the whole body'}`];
  return [`expected: ${expected}`, `received: ${received}`, ...at].map(escapeLine).join('\n');
}

function nameExchange(exchange: Evidence): string {
  return `${writeRequestLine(exchange)} → ${exchange.response?.status ?? exchange.error?.kind ?? 'no answer'}`;
}

/**
 * Returns an exchange in Allure's format.
 * @param baseUrl has no trailing slash
 */
export function makeAllureExchange(
  { request, response, error, startedAt, durationMs }: Evidence,
  baseUrl: string,
): HttpExchange {
  const start = Date.parse(startedAt);
  return {
    schemaVersion: 1,
    request: {
      method: request.method,
      url: baseUrl + request.path,
      headers: request.headers.map(makePair),
      ...makeBody(request.headers, request.body),
    },
    ...(response && {
      response: {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers.map(makePair),
        ...makeBody(response.headers, response.body, response.bytes),
      },
    }),
    ...(error && { error: { name: error.kind, message: error.message } }),
    start,
    stop: Math.round(start + durationMs),
  };
}

/** Masks a whole value that holds the real key. Evidence describes a changed key in words, so this value stays. */
function makePair([name, value]: Header): { name: string; value: string } {
  return { name, value: value.includes(PLACEHOLDER) ? ALLURE_HTTP_REDACTED_VALUE : value };
}

function makeBody(
  headers: readonly Header[],
  value: string | null,
  size?: number,
): { body?: HttpExchangeBody } {
  if (value === null || value === '') return {};
  const contentType = findHeader({ headers }, 'content-type');
  return {
    body: {
      ...(contentType !== undefined && { contentType }),
      encoding: 'utf8',
      value,
      ...(size !== undefined && { size }),
    },
  };
}
