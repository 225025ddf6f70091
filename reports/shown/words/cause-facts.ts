/**
 * Writes the facts about a cause (broken promises that one change of the service would mend), and the commands that show it again. Every
 * text has them: terminal, Markdown, JUnit, CTRF, Allure. Pure.
 */
import type { Evidence, Header } from '../../../fixtures/exchange/exchange.ts';
import {
  describeCause,
  findExamples,
  findFailures,
  findWarnings,
  type Cause,
} from '../../document/causes.ts';
import { joinSome, keepFirstLines } from '../../document/join-some.ts';
import type { CauseSummary, Report, RequirementResult } from '../../document/report-document.ts';
import { findShownExchange, findTogether, listEvidence } from '../../document/shown-exchange.ts';
import { explainInvalidBody } from '../../../fixtures/interface/request-oracle.ts';
import { BESIDE, LONE, TRACE } from '../../../fixtures/judgement/experiment.ts';
import { writeTraceparent } from '../../../fixtures/situations/request-encoding.ts';
import { findBlockedBy } from './blocked.ts';
import { findStart, spellCommands } from './commands.ts';
import { spellCurl, spellInTurn, spellTogether } from './curl.ts';
import { escapeLine } from './escape.ts';
import { writeAnswerLine, writeKeyLine, writeRequestLine } from './evidence-lines.ts';
import {
  findInputClass,
  shortenSides,
  shortenText,
  writeDifference,
  writeShortFailure,
  writeWaiverLine,
} from './failure-text.ts';
import { dropIdleHeaders, isClientHeader } from './idle-headers.ts';
import { writeBrokenSince } from './since-words.ts';
import { countNoun } from './verdict-words.ts';

/** A label with its lines. A text shows the label beside the first line. */
export type Fact = readonly [label: string, ...lines: string[]];
/** A fact whose lines may be missing. */
type Draft = readonly [label: string, ...lines: (string | null | undefined)[]];

/** The most other requests that one cause lists, and the most characters of the body of such a request. */
const [MOST_EXAMPLES, LONGEST_BODY] = [5, 80];
/** If more experiments than this were sent beside other requests, and these do not decide, chance does. */
const FEW_BESIDE = 3;

/** Returns the facts about a cause, in the order in which a reader needs them. */
export function listCauseFacts(report: Report, cause: Cause): Fact[] {
  const [first] = cause;
  const { level, section, statement, pointer, waiver } = first;
  const { expected, received } = shortenSides(first);
  const shown = findShownExchange(report, first);
  const blocked = findBlockedBy(report, cause).length;
  const facts: Draft[] = [
    ['', `${joinSome(cause.map(({ id }) => id))}: ${statement} (${level}, section ${section})`],
    ['expected', expected],
    ['received', `${received}${pointer ? ` (at ${pointer})` : ''}`],
    ['differs', writeDifference(first)],
    ['generated', findInputClass(first)],
    ...(shown === undefined ? [] : listExchangeFacts(shown)),
    ['history', writeBrokenSince(report, first)],
    ['how often', ...writeShareLines(report, cause)],
    ['again', describeRepeat(report, cause) || null],
    ['also', ...keepFirstLines(writeExampleLines(report, cause), MOST_EXAMPLES)],
    ['waived', waiver && writeWaiverLine(waiver)],
    ['', blocked === 0 ? null : `${countNoun(blocked, 'requirement')} could not be decided because of this.`],
  ];
  return dropEmptyFacts(facts);
}

export function listExchangeFacts(shown: Evidence): Draft[] {
  const { body, headers } = shown.request;
  // Headers that no ordinary client sends. The key, and the type of the body, are in most requests.
  const isUsual = ([name]: Header) => /^(authorization|content-type)$/i.test(name);
  const odd = headers.filter((each) => !isClientHeader(each) && !isUsual(each));
  return [
    ['request', writeRequestLine(shown), writeKeyLine(shown.request), ...odd.map((each) => each.join(': '))],
    ['body', body === null ? null : shortenText(body)],
    ['answer', writeAnswerLine(shown)],
    ['trace', shown.traceId],
  ];
}

/** Leaves out lines without a text, and facts without a line. */
export function dropEmptyFacts(facts: readonly Draft[]): Fact[] {
  return facts.flatMap(([label, ...lines]): Fact[] => {
    const known = lines.filter((line) => line != null);
    return known.length === 0 ? [] : [[label, ...known]];
  });
}

/** Returns the exchange that came before the shown one, if it decides. */
export function readExchangeBefore(report: Report, result: RequirementResult): Evidence | undefined {
  const before = findSummary(report, result.id)?.before;
  return report.exchanges.find((each) => each.id === before);
}

/** Returns the request that shows a cause as a curl command; null if the report has no exchange of it. */
export function spellShownCurl(report: Report, cause: Cause): string | null {
  const [first] = cause;
  const shown = findShownExchange(report, first);
  if (shown === undefined) return null;
  // The path of the file with the key; undefined if the run had its key from API_KEY.
  const keyFile = report.run.options?.['--api-key-file'];
  const failed = listEvidence(report, first);
  const simplify = (each: Evidence) => dropIdleHeaders(each, first, failed);
  const together = findTogether(shown, failed, first).map(simplify);
  if (together.length > 1) return spellTogether(together, report.target.baseUrl, keyFile);
  const before = readExchangeBefore(report, first);
  if (before !== undefined) return spellInTurn([before, simplify(shown)], report.target.baseUrl, keyFile);
  const { request, traceId } = simplify(shown);
  // The command has this header only if it decides. Its span is the end of the trace.
  const isTraced = traceId != null && first.decision?.experiments.some(({ without }) => without === TRACE);
  const trace: Header[] =
    isTraced === true ? [['traceparent', writeTraceparent(traceId, traceId.slice(16))]] : [];
  const sent = { ...shown, request: { ...request, headers: [...request.headers, ...trace] } };
  return spellCurl(sent, report.target.baseUrl, keyFile);
}

/** Returns the commands that repeat a cause, by their labels: the same request, the promises, and a counterexample. */
export function listCauseCommands(report: Report, cause: Cause): Record<string, string> {
  const curl = spellShownCurl(report, cause);
  return { ...(curl !== null && { 'same request': curl }), ...spellCommands(findStart(report), ...cause) };
}

/**
 * Returns a line for each other kind of request that fails for the same cause: `POST /pets null: 422`. Answers with another status than
 * the shown one come first: they may have another cause after all.
 */
export function writeExampleLines(report: Report, cause: Cause): string[] {
  const shown = findShownExchange(report, cause[0]);
  const isLikeShown = ({ response }: Evidence) => response?.status === shown?.response?.status;
  return findExamples(report, cause)
    .filter((each) => each !== shown)
    .toSorted((one, other) => Number(isLikeShown(one)) - Number(isLikeShown(other)))
    .map(writeExampleLine);
}

function writeExampleLine(each: Evidence): string {
  const { body } = each.request;
  const sent = body === null ? null : shortenText(body, LONGEST_BODY);
  const asked = [writeRequestLine(each), writeKeyLine(each.request), sent].filter((part) => part !== null);
  return `${asked.join(' ')}: ${each.response?.status ?? 'no answer'}`;
}

/** Returns the request that shows a cause, with its status, and what decides, or else how often it fails: `GET /pets?limit=1: 200; each time: 3 of 3 repeats`. */
export function writeWhereLine(report: Report, cause: Cause): string {
  const shown = findShownExchange(report, cause[0]);
  const lines = [shown && writeExampleLine(shown), writeShareLines(report, cause).at(-1)];
  return lines.filter((each) => each !== undefined).join('; ');
}

/** True if the decision does not say how often the promise is broken, and names no circumstance: then a share of all answers says it. */
const needsShare = ({ kind = 'unknown', experiments }: CauseSummary) =>
  !['always', 'feature', 'concurrency'].includes(kind) && (experiments?.[0]?.without ?? LONE) === LONE;

/** Returns the summary of the cause that this broken promise names. */
export const findSummary = (report: Report, id: string) => report.causes?.find((each) => each.id === id);

/** Returns at most two lines: `shown by 38 of 40 answers of getPet`, and what decides, e.g. `each time: 3 of 3 repeats`. */
export function writeShareLines(report: Report, [first]: Cause): string[] {
  const summary = findSummary(report, first.id);
  if (summary === undefined) return [];
  const { wrong, of, requests, kind } = summary;
  // If no experiment was made and each answer is wrong, nothing is left to decide.
  const isEachTime = kind === undefined && wrong !== null && wrong === of;
  return [
    // If a trait or a circumstance decides, a share of all answers would only look as if the service failed at random.
    ...(wrong && needsShare(summary)
      ? [`shown by ${wrong} of ${of} answers${requests === undefined ? '' : ` of ${requests}`}`]
      : []),
    ...(first.verdict === 'fail' && !isEachTime ? [writeDecision(report, first, summary)] : []),
  ];
}

function writeDecision(report: Report, result: RequirementResult, summary: CauseSummary): string {
  const { kind, experiments = [], tried } = summary;
  if (kind === undefined) return explainNoRepeat(report, result);
  const shown = findShownExchange(report, result)?.request;
  // The experiments sent the plainest failed request, and the card may show another one.
  const isOther = tried !== undefined && tried !== `${shown?.method} ${shown?.path}`;
  return `${isOther ? `${tried}: ` : ''}${WORDS[kind](experiments, tried === undefined ? 'recorded answers' : 'sent again')}`;
}

/** Says why the run did not send the failed request again, as far as the report knows. */
function explainNoRepeat(report: Report, result: RequirementResult): string {
  const why = [...listObstaclesOfRun(report), ...listObstacles(report, result)].find(Boolean);
  return `not tried again to find what decides${why ? `: ${why}` : ''}`;
}

/** Lists why a run makes no experiments at all. */
function listObstaclesOfRun({ run, target }: Report): (string | false)[] {
  return [
    run.mode === 'read-only' && 'it only reads',
    target.environment?.toLowerCase() === 'production' && 'nothing is tried on production',
    run.profile?.name === 'certification' && 'a run for a certificate tries nothing',
    run.stoppedBy === 'failed' && '--fail-fast ends it at the first failure',
    run.stopped !== null && 'it was stopped',
    run.requests >= run.limits.requests && `MAX_REQUESTS (${run.limits.requests}) is used up`,
  ];
}

/** Lists why a run makes no experiments with the request of this failure. */
function listObstacles(report: Report, result: RequirementResult): (string | false)[] {
  const shown = findShownExchange(report, result);
  if (shown === undefined) return [];
  const { animalsCreated, limits } = report.run;
  const { method, body, credential } = shown.request;
  const hasMark = body === null || body.includes(report.run.id);
  return [
    result.waiver !== null && 'the failure is waived',
    method === 'POST' && animalsCreated >= limits.animals && `raise MAX_ANIMALS (${limits.animals})`,
    !hasMark && 'only bodies with the mark of the run are sent again',
    isWrongBodyAccepted(shown) && 'each repeat would add another wrong animal',
    typeof credential === 'object' && 'more wrong keys could lock the right one',
  ];
}

function isWrongBodyAccepted({ request: { method, body }, response }: Evidence): boolean {
  return method === 'POST' && (response?.status ?? 500) < 300 && explainInvalidBody(body ?? '') !== null;
}

/**
 * Matches circumstances that need other requests. For each part of the pattern, an example: `added directly after a getPet that gets 404`,
 * `about the animal that was added last`, `as the first listPets after a createPet that gets 201`, `as each 5th request of a connection`.
 * Others show again if the request is sent with no other one under way: `as the last row of a list`, and `as the first request of a
 * connection`, because curl opens a new connection.
 */
const OF_OTHERS =
  /^((added )?(directly )?(after|while)|about the animal that|as the first \w+ after|(?!as the first ).* request of) /;

/** Says if the request may work when it is sent with no other request under way; empty if it fails each time. */
export function describeRepeat(report: Report, [first]: Cause): string {
  if (readExchangeBefore(report, first) !== undefined) return 'send both: the first one decides';
  const { kind, experiments = [] } = findSummary(report, first.id) ?? {};
  const [lone] = experiments;
  if (lone === undefined) return kind === 'chance' ? 'it may work' : '';
  if (OF_OTHERS.test(lone.without)) return 'other requests decide: sent alone, it may work';
  return lone.without === LONE && lone.wrong === 0 ? 'it worked when sent again alone' : '';
}

type Experiments = NonNullable<CauseSummary['experiments']>;

/**
 * Says what decides, for each kind of decision. `Decision` has an example of each. The first experiment (`lone`) sends the same request with
 * no other one under way. The next ones leave out a trait, or are sent beside others (BESIDE). If a circumstance decides, the first entry
 * has its name and counts the answers without it, and the second counts the answers with it.
 */
const WORDS: Readonly<
  Record<NonNullable<CauseSummary['kind']>, (all: Experiments, source: string) => string>
> = {
  always: ([lone]) => `each time: ${writeShareOf(lone)} repeats`,
  unknown: ([lone]) =>
    `it fails again when sent alone, ${writeShareOf(lone)} times; the run did not find what makes it fail`,
  feature: ([lone, ...others]) => {
    const traits = others.map(({ without }) => without.replace('a missing ', 'no '));
    const isSingle = others.length === 1;
    const without = others.map((each) => `, ${writeShareOf(each)} ${writeAbsence(each.without, isSingle)}`);
    return `sent again: ${writeShareOf(lone)} with ${traits.join(' and ')}${without.join('')}`;
  },
  concurrency: (all, source) =>
    writeCircumstance(source, all) ??
    `only while others are under way: ${writeShareOf(all.find(isBeside))}, ${writeShareOf(all[0])} alone`,
  chance: ([lone, ...others]) => {
    if (lone === undefined)
      return 'by chance, or because of other requests: recorded requests that are equal got right answers';
    if (lone.wrong !== 0) return `by chance: ${writeShareOf(lone)} alone`;
    const isTriedBeside = (others.find(isBeside)?.of ?? 0) > FEW_BESIDE;
    return `by chance${isTriedBeside ? '' : ', or only beside others'}: the same request then gets the right answer, ${lone.of} of ${lone.of} times`;
  },
  history: (all, source) =>
    writeCircumstance(source, all) ??
    `not seen again in ${all[0]?.of ?? 0} repeats alone: by chance, or because of what was sent before or stored then`,
};

/**
 * Writes the share of wrong answers with and without a circumstance: `recorded answers: 67 of 67 as each 5th request of a connection, 0 of
 * 391 otherwise`. Null if the decision is not about a circumstance: then the first experiment is LONE.
 */
function writeCircumstance(source: string, [absent, present]: Experiments): string | null {
  if (absent === undefined || absent.without === LONE) return null;
  // `absent.without` is the name of the circumstance, and `present` counts the answers with it.
  return `${source}: ${writeShareOf(present)} ${absent.without}, ${writeShareOf(absent)} otherwise`;
}

const isBeside = ({ without }: Experiments[number]) => without === BESIDE;

function writeShareOf(experiment: Experiments[number] | undefined): string {
  return `${experiment?.wrong ?? 0} of ${experiment?.of ?? 0}`;
}

/** Writes what an experiment left out: `without limit=7`; if it left out a missing header, it sent one: `with user-agent`. */
function writeAbsence(trait: string, isOnlyTrait: boolean): string {
  if (trait.startsWith('a missing ')) return `with ${trait.slice('a missing '.length)}`;
  return isOnlyTrait ? 'without it' : `without ${trait}`;
}

/** Returns a failure as plain text with all that a vendor needs to see it. Only the first promise of a cause names the others. */
export function writeFailure(report: Report, result: RequirementResult): string {
  const found = findCause(report, result);
  const cause: Cause = found?.[0].id === result.id ? found : [result];
  return [
    ...listCauseFacts(report, cause).flatMap(([label, ...lines]) =>
      lines.map((line) => `${label === '' ? '' : `${label}:`.padEnd(11)}${escapeLine(line)}`),
    ),
    ...Object.entries(listCauseCommands(report, cause)).map(([label, each]) => `\n${label}:\n${each}`),
  ].join('\n');
}

function findCause(report: Report, { id }: RequirementResult): Cause | undefined {
  return [...findFailures(report), ...findWarnings(report)].find((cause) =>
    cause.some((each) => each.id === id),
  );
}

/** Describes a failure in one line that begins with its cause. */
export function writeCauseAndFailure(report: Report, result: RequirementResult): string {
  const cause = findCause(report, result);
  const title = cause === undefined ? '' : `${escapeLine(describeCause(report, cause))}: `;
  return `${title}${writeShortFailure(result)}`;
}
