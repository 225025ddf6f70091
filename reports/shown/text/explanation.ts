/**
 * Writes the text of the command `explain`: everything that the suite knows about one requirement or open question. Also writes the
 * sentences of a section, for `list --sections`.
 */
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { Flaw } from '../../../fixtures/judgement/finding.ts';
import {
  REQUIREMENTS,
  SILENCES,
  type Requirement,
  type Silence,
} from '../../../fixtures/interface/requirements.ts';
import { locateSentences, SECTIONS } from '../../../fixtures/interface/sections.ts';
import { spellOnlyCommand, type Start } from '../words/commands.ts';
import { escapeLine } from '../words/escape.ts';
import { dropEmptyFacts, listExchangeFacts } from '../words/cause-facts.ts';
import { writeKeyLine } from '../words/evidence-lines.ts';
import { findInputClass, shortenText } from '../words/failure-text.ts';
import { isClientHeader } from '../words/idle-headers.ts';
import { ANY_STATUS, describeObservation } from '../words/profile-words.ts';
import { joinSome, keepFirstLines } from '../../document/join-some.ts';

/** A test or a rule, with the place of its source. */
export interface CodePlace {
  title: string;
  /** The path from the root of the project. */
  file: string;
  line?: number;
}

/** Facts about one requirement or open question, from the catalogue, the tests, a recorded run and the proof. */
interface Explained {
  id: string;
  requirement: Requirement | undefined;
  silence: Silence | undefined;
  /** The file with the schema of the section; null if the section has none. */
  schema: string | null;
  tests: readonly CodePlace[];
  /** Rules that judge the requirement, and code that judges one answer. */
  rules: readonly CodePlace[];
  /** True with `--all`: each part shows all its lines. */
  all: boolean;
  /** Requests about the requirement, with the answers of the reference, and the place of the test that sent each. */
  sent: readonly { exchange: Evidence; by: string }[];
  /** Faults that break it. */
  faults: readonly { id: string; what: string }[];
  /** A failure that the first of these faults caused, with the tests and rules that found it; null if the proof does not have one. */
  failure: { fault: string; flaw: Flaw; exchanges: readonly Evidence[]; by: readonly string[] } | null;
  /** Freedoms that get the warning of this requirement. */
  freedoms: readonly { id: string; what: string; permittedBy: string }[];
  /** The command that starts the suite here. */
  start: Start;
}

/** The most lines of one part; the others are counted. */
const MOST_LINES = 6;
/** The most characters of a body in a line. */
const LONGEST_BODY = 120;
/** Headers that each request has: a line about a request leaves them out. */
const USUAL_NAMES =
  /^(accept|authorization|cache-control|connection|content-length|content-type|host|user-agent)$/i;

const NO_TEST =
  'none: rules judge the answers to other tests, and to reads of the session itself (fixtures/session/audit/)';

/** Returns the explanation as text: a heading, then each part below that has lines, e.g. the requests. */
export function renderExplanation(explained: Explained): string {
  const { id, requirement, failure, start, all } = explained;
  const isTested = requirement !== undefined && requirement.excused === undefined;
  const part = (title: string, lines: readonly string[]) => writePart(title, lines, all);
  return [
    ...writeHeading(explained),
    ...part('What is sent, and what the reference answers', writeSentLines(explained.sent)),
    ...(failure === null
      ? []
      : part(`What a failure looks like, shown by the fault ${failure.fault}`, writeFailureLines(failure))),
    ...part('Possible answers: the document permits each', listAnswers(explained.silence)),
    ...part('Tests', writePlaces(explained.tests, isTested && NO_TEST)),
    ...part('Rules, and code that judges one answer', writePlaces(explained.rules, isTested && 'none')),
    ...part(
      'Faults: services that break it, and that a run must find',
      explained.faults.map(({ id: fault, what }) => `${fault}: ${what}`),
    ),
    ...part(
      'Promises whose breach explains a breach of this one: reports show them as the cause',
      requirement?.explainedBy ?? [],
    ),
    ...part('The odd implementation that was thought of', [requirement?.considered ?? []].flat()),
    ...part(
      'Permitted oddities that get its warning',
      explained.freedoms.map(({ id: freedom, what, permittedBy }) => `${freedom}: ${what} (${permittedBy})`),
    ),
    ...(requirement?.excused === undefined ? part('Ask only this', [spellOnlyCommand(start, id)]) : []),
    '',
  ].join('\n');
}

/** Returns in plain words the answers to an open question that the suite distinguishes, e.g. `refused with 400`. */
function listAnswers(silence: Silence | undefined): string[] {
  return silence === undefined
    ? []
    : (silence.answers ?? [ANY_STATUS]).map((observed) => describeObservation({ observed }));
}

/** Returns one line for each place. Without a place, returns `none` as the only line; no line if `none` is false. */
function writePlaces(places: readonly CodePlace[], none: string | false): string[] {
  return places.length === 0 && none !== false ? [none] : places.map(writePlace);
}

/** Returns lines with id, level, sections and statement. */
function writeHeading({ id, requirement, silence, schema }: Explained): string[] {
  const title = requirement?.section ?? silence?.section ?? '';
  // The own section comes first, with its schema. A section without a sentence about the id has no line.
  const places = [
    listPlaces(id, title, schema === null ? [] : [`schema ${schema}`]),
    ...SECTIONS.filter(({ section }) => section !== title).map(({ section }) => listPlaces(id, section)),
  ].flatMap((each) => (each.length === 1 ? [] : [`  section ${each.join(', ')}`]));
  if (requirement === undefined)
    return [
      `${id} (observed: no answer to the question is wrong; rules judge the exchanges as always)`,
      ...places,
      `  An open question: ${silence?.question ?? ''}`,
    ];
  const { level, statement, excused, operation } = requirement;
  return [
    `${id} (${excused === undefined ? `${level}, ${operation}` : `excused: ${excused}`})`,
    ...places,
    `  ${statement}`,
  ];
}

/** Returns a section and its sentences about an id: `"Limits"`, `sentence 1 (table: limit)`. Without a sentence, only the section. */
function listPlaces(id: string, section: string, more: readonly string[] = []): string[] {
  const sentences = locateSentences(id, section).map(({ number, says }) => `sentence ${number} (${says})`);
  return [`"${section}"`, ...sentences, ...more];
}

function writeFailureLines({ flaw, exchanges, by }: NonNullable<Explained['failure']>): string[] {
  const { expected, received, pointer } = flaw;
  const [shown] = exchanges;
  const facts = dropEmptyFacts([
    ['expected', expected],
    ['received', `${received}${pointer ? ` (at ${pointer})` : ''}`],
    ['generated', findInputClass(flaw)],
    ...(shown === undefined ? [] : listExchangeFacts({ ...shown, traceId: null })),
  ]);
  return [
    ...facts.flatMap(([label, ...lines]) => lines.map((line) => `${label.padEnd(9)} ${escapeLine(line)}`)),
    `the fault is found by ${joinSome(by, MOST_LINES)}`,
  ];
}

function writePart(title: string, lines: readonly string[], all: boolean): string[] {
  if (lines.length === 0) return [];
  const shown = all ? lines : keepFirstLines(lines, MOST_LINES, ' (--all shows them)');
  return ['', title, ...shown.map((line) => `  ${line}`)];
}

function writePlace({ title, file, line }: CodePlace): string {
  return `${file}${line === undefined ? '' : `:${line}`}  ${title}`;
}

/** Writes each request once, with the test that sent it first. */
function writeSentLines(sent: Explained['sent']): string[] {
  const lines = new Map<string, string>();
  for (const { exchange, by } of sent) {
    const line = writeExchangeLine(exchange);
    if (!lines.has(line)) lines.set(line, by);
  }
  return [...lines].map(([line, by]) => `${line}  (${by})`);
}

function writeExchangeLine({ request, response }: Evidence): string {
  const { method, path, body } = request;
  const sent = body === null ? '' : ` ${shortenText(body, LONGEST_BODY)}`;
  const answer = response === null ? 'no answer' : response.status;
  return escapeLine(`${method} ${path}${sent}${describeUnusualHeaders(request)} -> ${answer}`);
}

/** Describes headers that no ordinary client sends by itself, such as Origin, and a credential other than the key. */
function describeUnusualHeaders({ headers }: Evidence['request']): string {
  const own = headers.filter((each) => each[1] !== '' && !USUAL_NAMES.test(each[0]) && !isClientHeader(each));
  const lines = [...own.map((each) => each.join(': ')), writeKeyLine({ headers }) ?? []].flat();
  return lines.map((each) => `, ${each}`).join('');
}

/** A section of the document with all or some of its sentences. */
interface ListedSection {
  section: string;
  /** The file that says the same; null if there is none. */
  schema: string | null;
  sentences: readonly Readonly<{
    number: number;
    says: string;
    ids?: readonly string[];
    untested?: string | null;
  }>[];
}

/** Returns lines of one section: the heading, then each sentence with its promises, or with the reason why it has none. */
export function listSection({ section, schema, sentences }: ListedSection): string[] {
  const shown = new Set<string>();
  return [
    `${section}${schema === null ? '' : ` (${schema})`}`,
    ...sentences.flatMap(({ number, says, ids = [], untested }) => [
      `  ${number}. ${says}`,
      ...(untested == null ? [] : [`     Nothing to test: ${untested}`]),
      ...ids.flatMap((id) => listEntry(id, section, shown)),
    ]),
    '',
  ];
}

/**
 * Returns lines of a promise or an open question. Several sentences may name it: its statement is shown once, in its own section.
 * @param shown the ids that were listed before; the id is added to it
 */
function listEntry(id: string, title: string, shown: Set<string>): string[] {
  const entry = REQUIREMENTS[id] ?? SILENCES[id];
  if (entry === undefined) return [];
  const isFirst = entry.section === title && !shown.has(id);
  shown.add(id);
  if ('question' in entry)
    return [`     ${id.padEnd(42)} open`, ...(isFirst ? [`         ${entry.question}`] : [])];
  return [
    `     ${writeIdLine({ ...entry, id }).trimEnd()}`,
    ...(isFirst ? [`         ${entry.statement}`] : []),
    ...(isFirst && entry.excused !== undefined ? [`         Not tested: ${entry.excused}`] : []),
  ];
}

/** Returns the first line of a requirement: its id and its level; `excused` if no test can decide it. */
export function writeIdLine({
  id,
  level,
  excused = null,
}: Pick<Requirement, 'level'> & { id: string; excused?: string | null | undefined }): string {
  return `${id.padEnd(42)} ${(excused === null ? level : 'excused').padEnd(7)}`;
}
