/** Compares many vendors. Page and JSON of the matrix are made from this one document, a `VendorMatrix`. Pure. */
import { REQUIREMENTS, SILENCES } from '../../../fixtures/interface/requirements.ts';
import { escapeLine } from '../words/escape.ts';
import { writeRequestLine } from '../words/evidence-lines.ts';
import { writeSides } from '../words/failure-text.ts';
import type { Report, Verdict } from '../../document/report-document.ts';
import { groupBySection } from '../../document/group-by-section.ts';
import { listEvidence } from '../../document/shown-exchange.ts';
import { writeSubject } from '../words/subject-words.ts';
import { filterByVerdict } from '../words/verdict-words.ts';

export interface VendorRun {
  name: string;
  /** The report, or a text that says why there is none. */
  report: Report | string;
  /** The path of its page from the matrix; null if it has none. */
  page: string | null;
}

/** One failure or warning with one exchange. Long texts are cut. */
interface Detail {
  expected: string;
  received: string;
  request: string;
}

export interface Vendor {
  name: string;
  /** The base address; empty if the vendor was not judged. */
  address: string;
  /** Name and version of the judged implementation; empty if the report does not name it. */
  release: string;
  verdict: Report['verdict'] | 'not-judged';
  reason: string;
  fails: number;
  warns: number;
  /** Empty if the vendor was not judged. */
  startedAt: string;
  suite: string;
  page: string | null;
  /** In the order of the `requirements` of the matrix; null if the report lacks one. */
  verdicts: (Verdict | null)[];
  /** In the order of the `questions` of the matrix; null if the report lacks one. */
  answers: (string | null)[];
  /** By the id of the requirement. */
  details: Record<string, Detail>;
}

/** A table with a column for each vendor, and a row for each requirement and each open question. */
export interface VendorMatrix {
  schemaVersion: 1;
  madeAt: string;
  requirements: { id: string; section: string; level: string; statement: string }[];
  questions: { id: string; question: string }[];
  vendors: Vendor[];
}

/** The most characters of a text of a vendor. */
const LONGEST_TEXT = 300;
/** The most characters of all details together, so that the page opens at once. */
const MOST_CHARACTERS = 3_000_000;

/**
 * Makes the matrix of these vendors in their order.
 * @param now ISO 8601
 */
export function makeMatrix(vendors: readonly VendorRun[], now: string): VendorMatrix {
  // Suites of several versions may have made the reports. `known` has each requirement of any report, as the last report describes it.
  const reports = vendors.flatMap(({ report }) => (typeof report === 'string' ? [] : [report]));
  const known = new Map(reports.flatMap(({ requirements }) => requirements).map((each) => [each.id, each]));
  // Requirements are sorted by the sections of the document.
  const [first] = reports;
  const sections = first === undefined ? [] : groupBySection(first).map(({ title }) => title);
  const requirements = [...new Set([...Object.keys(REQUIREMENTS), ...known.keys()])]
    .flatMap((id) => known.get(id) ?? [])
    .toSorted((left, right) => sections.indexOf(left.section) - sections.indexOf(right.section))
    .map(({ id, section, level, statement }) => ({ id, section, level, statement }));
  const asked = new Map(reports.flatMap(({ observations }) => observations).map((each) => [each.id, each]));
  const questions = [...new Set([...Object.keys(SILENCES), ...asked.keys()])]
    .flatMap((id) => asked.get(id) ?? [])
    .map(({ id, question }) => ({ id, question }));
  // The most characters of the details of one vendor.
  const room = Math.floor(MOST_CHARACTERS / Math.max(1, vendors.length));
  return {
    schemaVersion: 1,
    madeAt: now,
    requirements,
    questions,
    vendors: vendors.map((each) => makeVendor(each, { requirements, questions }, room)),
  };
}

/** Makes the column of a vendor. @param room the most characters of its details */
function makeVendor(
  vendor: VendorRun,
  { requirements, questions }: Pick<VendorMatrix, 'requirements' | 'questions'>,
  room: number,
): Vendor {
  const { name, report, page } = vendor;
  const isJudged = typeof report !== 'string';
  const { requirements: results = [], observations = [] } = isJudged ? report : {};
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  const answers = new Map(observations.map(({ id, observed }) => [id, escapeAndCut(observed)]));
  const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
  return {
    name: escapeLine(name),
    address: isJudged ? escapeAndCut(report.target.baseUrl) : '',
    release: isJudged ? escapeAndCut(writeSubject(report) ?? '') : '',
    verdict: isJudged ? report.verdict : 'not-judged',
    reason: escapeAndCut(isJudged ? report.reason : report),
    fails: count('fail'),
    warns: count('warn'),
    startedAt: isJudged ? report.run.startedAt : '',
    suite: isJudged ? report.suite.version : '',
    page,
    verdicts: requirements.map(({ id }) => verdicts.get(id) ?? null),
    answers: questions.map(({ id }) => answers.get(id) ?? null),
    details: isJudged ? collectDetails(report, room) : {},
  };
}

/** Says the verdict on a vendor, and the reason if it was not judged. */
export function describeVendorVerdict({ verdict, reason }: Vendor): string {
  if (verdict === 'not-judged') return `not judged: ${reason}`;
  return verdict === 'no-failure-found' ? 'no failure found (quick)' : verdict;
}

/** Returns details of failures, then of warnings, until `room` characters are used. */
function collectDetails(report: Report, room: number): Record<string, Detail> {
  const broken = [...filterByVerdict(report, 'fail'), ...filterByVerdict(report, 'warn')];
  const details: Record<string, Detail> = {};
  let used = 0;
  for (const result of broken) {
    const [exchange] = listEvidence(report, result);
    const { expected, received } = writeSides(result);
    const detail = {
      expected: escapeAndCut(expected),
      received: escapeAndCut(received),
      request: exchange === undefined ? '' : escapeAndCut(writeRequestLine(exchange)),
    };
    used += JSON.stringify(detail).length;
    if (used > room) break;
    details[result.id] = detail;
  }
  return details;
}

/** Escapes text of unknown origin and cuts it. */
function escapeAndCut(text: string): string {
  const shown = escapeLine(text.slice(0, LONGEST_TEXT));
  return text.length > LONGEST_TEXT ? `${shown}…` : shown;
}
