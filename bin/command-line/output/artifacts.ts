/** The names of the files that a run leaves in REPORT_DIR; writes all of them but the evidence and Allure's folders. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderCtrf } from '../../../reports/shown/machine/ctrf.ts';
import { renderJunit } from '../../../reports/shown/machine/junit.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { renderSummary } from '../../../reports/shown/text/run-text.ts';
import { explainUnwritable } from '../files/unwritable.ts';

/** The content of each report, by the name of its file. Allure's folders and the evidence are written elsewhere. */
const WRITERS: Record<string, (report: Report) => string> = {
  'report.json': (report) => `${JSON.stringify(report)}\n`,
  'junit.xml': renderJunit,
  'ctrf.json': renderCtrf,
  'summary.md': renderSummary,
  'conformance.html': renderConformancePage,
  'footprint.json': ({ run, target, footprint }) =>
    `${JSON.stringify({ run: run.id, target: target.baseUrl, embedded: target.embedded, at: run.startedAt, adoptedBefore: run.adoptedBefore, animals: footprint }, null, 2)}\n`,
};

/** Folders of Allure in REPORT_DIR. */
export const ALLURE = { results: 'allure-results', report: 'allure-report' } as const;

/** The folder in REPORT_DIR for runs that asked only a part of the suite. */
export const PARTIAL = 'partial';

/** The folder in REPORT_DIR where a run writes its files until all are complete. */
export const WORK = '.run';

/** Every exchange and every judgement of the run, a line each. The file grows during the run. */
export const EVIDENCE = 'evidence.jsonl';

/** All files and folders that a run leaves in its folder. */
export const ARTIFACT_NAMES = [...Object.keys(WRITERS), EVIDENCE, ...Object.values(ALLURE)];

/** Writes every report of the run. `redact` removes secrets once more: the report should hold none. */
export function writeReports(folder: string, report: Report, redact: (text: string) => string): void {
  for (const [name, render] of Object.entries(WRITERS))
    writeFileSync(join(folder, name), redact(render(report)));
}

/**
 * Adds the summary to the page of a GitHub job, if there is one.
 * @returns a sentence that says why this was not possible, or null
 */
export function addToJobPage(report: Report, redact: (text: string) => string): string | null {
  const page = process.env.GITHUB_STEP_SUMMARY;
  try {
    if (page) appendFileSync(page, redact(renderSummary(report)));
    return null;
  } catch (error) {
    const what = 'The page of the job (GITHUB_STEP_SUMMARY)';
    return explainUnwritable(what, error, '; the verdict is not touched by that').message;
  }
}
