/** Many vendors side by side, as the one document that page, Markdown and JSON are made from. Pure. */
import { REQUIREMENTS, SILENCES } from '../../fixtures/interface/requirements.ts';
import { visible } from '../words/escape.ts';
import { answerLine, evidenceIn, requestLine } from '../words/evidence-lines.ts';
import type { Report, RequirementResult, Verdict } from '../document/report.ts';
import { sectionsOf } from '../document/sections.ts';
import { trendsOf, inTime, type Trend } from './trend.ts';

/** The certificate of a vendor. `state`: verified with the key that was given, or why not. */
export interface VendorCertificate {
  notAfter: string;
  state: 'valid' | 'expired' | 'invalid' | 'unverified';
  why: string;
}

/** One vendor as it comes in: its runs in any order, where its page is (relative to the matrix; null: nowhere). */
export interface VendorRuns {
  name: string;
  reports: readonly [Report, ...Report[]];
  page: string | null;
  certificate: VendorCertificate | null;
  /** Why the vendor has no report, where it has none that is whole. */
  problem?: string;
}

/** One failure or warning with one exchange, texts cut. */
export interface Detail {
  expected: string;
  received: string;
  pointer: string | null;
  request: string;
  answer: string;
  body: string;
}

/** One vendor in the matrix. `verdicts` and `answers` are in the order of `requirements` and `questions`. */
export interface Vendor {
  name: string;
  address: string;
  verdict: Report['verdict'];
  reason: string;
  fails: number;
  warns: number;
  startedAt: string;
  suite: string;
  page: string | null;
  certificate: VendorCertificate | null;
  verdicts: (Verdict | null)[];
  answers: (string | null)[];
  details: Record<string, Detail>;
  /** When each run began, and what changed over them; one run: nothing did. */
  runs: string[];
  courses: Trend[];
}

/** Vendors × requirements. */
export interface VendorMatrix {
  schemaVersion: 1;
  madeAt: string;
  requirements: { id: string; section: string; level: string; statement: string }[];
  questions: { id: string; question: string }[];
  vendors: Vendor[];
}

/** Characters of any text of a vendor, and of a body. */
const LONGEST = 300;
const BODY = 400;
/** Characters of all details together: a page opens at once and has room for all the rest. */
const ROOM = 3_000_000;

/** The matrix of these vendors, in their order. `now`: ISO 8601. */
export function matrixOf(vendors: readonly VendorRuns[], now: string): VendorMatrix {
  const known = new Map(vendors.flatMap(({ reports }) => reports.flatMap(({ requirements }) => requirements)).map((each) => [each.id, each]));
  const sections = vendors[0] === undefined ? [] : sectionsOf(vendors[0].reports[0]).map(({ title }) => title);
  const place = (id: string) => sections.indexOf(known.get(id)?.section ?? '');
  const ids = [...new Set([...Object.keys(REQUIREMENTS), ...known.keys()])].filter((id) => known.has(id)).toSorted((left, right) => place(left) - place(right));
  const asked = new Map(vendors.flatMap(({ reports }) => reports.flatMap(({ observations }) => observations)).map((each) => [each.id, each.question]));
  const questions = [...new Set([...Object.keys(SILENCES), ...asked.keys()])].filter((id) => asked.has(id));
  const share = Math.floor(ROOM / Math.max(1, vendors.length));
  return {
    schemaVersion: 1,
    madeAt: now,
    requirements: ids.map((id) => ({ id, section: known.get(id)?.section ?? '', level: known.get(id)?.level ?? 'must', statement: known.get(id)?.statement ?? '' })),
    questions: questions.map((id) => ({ id, question: asked.get(id) ?? '' })),
    vendors: vendors.map((each) => vendorOf(each, ids, questions, share)),
  };
}

function vendorOf({ name, reports, page, certificate }: VendorRuns, ids: readonly string[], questions: readonly string[], share: number): Vendor {
  const runs = inTime(reports);
  const report = runs.at(-1) ?? reports[0];
  const results = new Map(report.requirements.map((each) => [each.id, each]));
  const answers = new Map(report.observations.map(({ id, observed }) => [id, observed]));
  const count = (verdict: Verdict) => report.requirements.filter((each) => each.verdict === verdict).length;
  return {
    name: visible(name),
    address: cut(report.target.baseUrl),
    verdict: report.verdict,
    reason: cut(report.reason),
    fails: count('fail'),
    warns: count('warn'),
    startedAt: report.run.startedAt,
    suite: report.suite.version,
    page,
    certificate,
    verdicts: ids.map((id) => results.get(id)?.verdict ?? null),
    answers: questions.map((id) => (answers.has(id) ? cut(answers.get(id) ?? '') : null)),
    details: detailsOf(report, share),
    runs: runs.map(({ run }) => run.startedAt),
    courses: trendsOf(runs),
  };
}

/** Failures before warnings, as long as there is room. */
function detailsOf(report: Report, room: number): Record<string, Detail> {
  const exchangesOf = evidenceIn(report);
  const told = [...report.requirements.filter(({ verdict }) => verdict === 'fail'), ...report.requirements.filter(({ verdict }) => verdict === 'warn')];
  const details: Record<string, Detail> = {};
  let used = 0;
  for (const result of told) {
    const detail = detailOf(result, exchangesOf);
    used += JSON.stringify(detail).length;
    if (used > room) break;
    details[result.id] = detail;
  }
  return details;
}

function detailOf(result: RequirementResult, exchangesOf: ReturnType<typeof evidenceIn>): Detail {
  const [exchange] = exchangesOf(result);
  return {
    expected: cut(result.expected ?? 'what the statement says'),
    received: cut(result.received ?? result.reason ?? 'see the report'),
    pointer: result.pointer && cut(result.pointer),
    request: exchange === undefined ? '' : cut(requestLine(exchange)),
    answer: exchange === undefined ? '' : cut(answerLine(exchange)),
    body: cut(exchange?.response?.body ?? '', BODY),
  };
}

/** Text of unknown origin: nothing hides in it, and it is no longer than this. */
function cut(text: string, length = LONGEST): string {
  const shown = visible(text.slice(0, length));
  return text.length > length ? `${shown}…` : shown;
}
