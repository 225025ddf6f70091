import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { TestFindings } from '../../fixtures/lanes/test-findings.ts';
import type { Observation, RequirementResult, Verdict } from '../document/report.ts';

/** What one leaf of the Allure report says: a verdict, that the suite itself broke, or that an open question was looked at. */
export type Word = Verdict | 'suite-error' | 'observed';

/** One test as the runner left it. */
export interface RanTest {
  uuid: string;
  title: string;
  file: string;
  /** The describe blocks around it. */
  about: string;
  requirements: string[];
  silences: string[];
  ended: 'passed' | 'skipped' | 'failed';
  /** Why it was skipped, or what it threw. */
  message: string;
  /** Milliseconds since 1970. */
  start: number;
  stop: number;
  found: TestFindings | null;
}

/** What Allure shows of a result, and of each of its steps. */
interface Shown {
  name: string;
  status: 'failed' | 'broken' | 'passed' | 'skipped' | 'unknown';
  statusDetails: { message?: string; trace?: string; known?: boolean };
  stage: 'finished';
  start: number;
  stop: number;
  attachments: { name: string; type: string; source: string }[];
}

/** The part of Allure's result format (version 2, which Allure 3 reads) that is written here. */
export interface AllureResult extends Shown {
  uuid: string;
  historyId: string;
  testCaseId: string;
  fullName: string;
  description: string;
  labels: { name: string; value: string }[];
  links: { type: string; name: string; url: string }[];
  parameters: { name: string; value: string; excluded?: boolean }[];
  steps: Shown[];
}

/** What a test, or the report as a whole, says about one requirement or open question, and the exchanges that show it. */
export interface Subject {
  word: Word;
  about: RequirementResult | Observation;
  exchanges: readonly Evidence[];
  /** Null: it is the report that says it. */
  test: RanTest | null;
}

/** One leaf of the tree, and the exchanges that its attachments hold, by file name. */
export interface Leaf {
  result: AllureResult;
  exchanges: ReadonlyMap<string, Evidence>;
}
