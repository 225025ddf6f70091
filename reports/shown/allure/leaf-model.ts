/** Types of the Allure report. A leaf is one entry of its tree: a requirement, or the open questions. */
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { Verdict } from '../../document/report-document.ts';

/** The word of a leaf in the Allure report: a verdict, or `suite-error` if the suite itself broke. */
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
