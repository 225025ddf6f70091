/** Makes the configuration of the Allure report: categories, charts and waivers. */
import { hashId, VERDICT_LABEL, type Word } from './leaves.ts';
import type { Report } from '../../document/report-document.ts';
import { writeWaiverLine } from '../words/failure-text.ts';
import { writeSubject } from '../words/subject-words.ts';
import { writeHeadline } from '../words/verdict-words.ts';

/** The categories of the report, each with the word that its leaves have in their label. */
const CATEGORIES: [word: Word, name: string][] = [
  ['fail', 'Violates the interface'],
  ['warn', 'Warning'],
  ['inconclusive', 'Undecided'],
  ['suite-error', 'Suite error'],
];

/** The Allure statuses that categories count. A leaf that the failure of another leaf explains is `skipped`: no category counts it. */
const COUNTED = ['failed', 'broken', 'unknown'];

/** The charts of the report. `successRateDistribution` has a rectangle for each promise that passed or failed. */
const CHARTS = [
  { type: 'successRateDistribution', title: 'Every promise that passed or failed' },
  { type: 'currentStatus', title: 'Promises by verdict' },
  {
    type: 'testResultSeverities',
    title: 'must (critical) and should (normal)',
    levels: ['critical', 'normal'],
  },
  { type: 'statusDynamics', title: 'The last runs' },
  { type: 'statusTransitions', title: 'Newly failing and mended' },
];

export type AllureConfig = ReturnType<typeof makeAllureConfig>;

/**
 * Returns the configuration for one report.
 * @param historyFile an absolute path; null if no history is kept
 * @param isNew true if this run must be added to the history; a run that is not new is there already
 */
export function makeAllureConfig(report: Report, historyFile: string | null, isNew: boolean) {
  return {
    name: [`${writeHeadline(report)}: ${report.target.baseUrl}`, writeSubject(report) ?? []]
      .flat()
      .join(', '),
    historyFile,
    isNew,
    categories: CATEGORIES.map(([word, name]) => ({
      name,
      matchers: { statuses: COUNTED, labels: { [VERDICT_LABEL]: `^${word}$` } },
      groupBy: [{ label: 'parentSuite' }],
      groupByMessage: false,
    })),
    groupBy: ['parentSuite', 'suite'],
    charts: CHARTS,
    resolutions: { rules: resolveWaived(report) },
  };
}

/** Returns a rule for each ticket of waivers: Allure shows the failures with this ticket as known issues. They still count as failed. */
function resolveWaived({ requirements }: Report): object[] {
  const waived = requirements.flatMap(({ id, waiver }) => (waiver === null ? [] : [{ id, waiver }]));
  return [...new Set(waived.map(({ waiver }) => waiver.ticket))].map((ticket) => {
    const covered = waived.filter(({ waiver }) => waiver.ticket === ticket);
    return {
      resolution: 'issue',
      issue: { id: ticket, type: 'waiver' },
      comment: [...new Set(covered.map(({ waiver }) => `waived ${writeWaiverLine(waiver)}`))].join('\n'),
      // Allure hashes the id of a test case once more.
      testCaseId: covered.map(({ id }) => hashId(hashId(id))),
    };
  });
}
