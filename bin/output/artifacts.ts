import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformancePage } from '../../reports/page/conformance-page.ts';
import { ctrf } from '../../reports/machine/ctrf.ts';
import { junit } from '../../reports/machine/junit.ts';
import type { Report } from '../../reports/document/report.ts';
import { summary } from '../../reports/text/summary.ts';
import { unwritable } from '../files/unwritable.ts';

/** What a run writes besides Allure's folders and the evidence. */
const WRITERS: Record<string, (report: Report) => string> = {
  'report.json': (report) => `${JSON.stringify(report)}\n`,
  'junit.xml': junit,
  'ctrf.json': ctrf,
  'summary.md': summary,
  'conformance.html': conformancePage,
  'footprint.json': ({ run, target, footprint }) =>
    `${JSON.stringify({ run: run.id, target: target.baseUrl, embedded: target.embedded, at: run.startedAt, animals: footprint }, null, 2)}\n`,
};

/** Folders of Allure in REPORT_DIR. */
export const ALLURE = { results: 'allure-results', report: 'allure-report' } as const;

/** Folder in REPORT_DIR for runs that were asked for a part only. */
export const PARTIAL = 'partial';

/** Folder in REPORT_DIR of the run that is under way, for what is not whole yet. */
export const WORK = '.run';

/** What one of several machines leaves for the report of all. */
export const SHARD = 'shard.json';

/** Every exchange and judgement of the run, a line each; written while it goes on. */
export const EVIDENCE = 'evidence.jsonl';

/** Everything that a run leaves in its folder. */
export const NAMES: readonly string[] = [...Object.keys(WRITERS), EVIDENCE, SHARD, ...Object.values(ALLURE)];

/** Writes every report of the run, redacted once more as a whole; report.json first, since all others can be made from it. */
export function write(folder: string, report: Report, redact: (text: string) => string): void {
  for (const [name, render] of Object.entries(WRITERS))
    writeFileSync(join(folder, name), redact(render(report)));
}

/** Adds the summary to the page of a GitHub job, if there is one. @returns why that was not possible, or null */
export function addToJobPage(report: Report, redact: (text: string) => string): string | null {
  const page = process.env.GITHUB_STEP_SUMMARY;
  try {
    if (page) appendFileSync(page, redact(summary(report)));
    return null;
  } catch (error) {
    return unwritable(
      'The page of the job (GITHUB_STEP_SUMMARY)',
      error,
      '; the verdict is not touched by that',
    ).message;
  }
}
