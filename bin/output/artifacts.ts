import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, rmdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conformancePage } from '../../reports/page/conformance-page.ts';
import { ctrf } from '../../reports/machine/ctrf.ts';
import { junit } from '../../reports/machine/junit.ts';
import type { Report } from '../../reports/document/report.ts';
import { summary } from '../../reports/text/summary.ts';

/** What a run writes into REPORT_DIR, besides Allure's folders. Nothing else there is touched. */
const WRITERS: Record<string, (report: Report) => string> = {
  'report.json': (report) => `${JSON.stringify(report)}\n`,
  'junit.xml': junit,
  'ctrf.json': ctrf,
  'summary.md': summary,
  'conformance.html': conformancePage,
  'footprint.json': ({ run, target, footprint }) => `${JSON.stringify({ run: run.id, target: target.baseUrl, embedded: target.embedded, at: run.startedAt, animals: footprint }, null, 2)}\n`,
};

/** Folders of Allure in REPORT_DIR. */
export const ALLURE = { results: 'allure-results', report: 'allure-report' } as const;

/** Folder in REPORT_DIR for runs that were asked for a part only. */
export const PARTIAL = 'partial';

/** What one of several machines leaves for the report of all. */
export const SHARD = 'shard.json';

/** Every exchange and judgement of the run, a line each; written while it goes on. */
const EVIDENCE = 'evidence.jsonl';

/** Opens the file of the evidence. @throws Error when it cannot be written */
export function openEvidence(reportDir: string): { write(text: string): void; close(): void } {
  const file = openSync(join(reportDir, EVIDENCE), 'w');
  return { write: (text) => void writeSync(file, text), close: () => closeSync(file) };
}

/** Deletes what an earlier run left in the folder, so that no stale report is taken for a new one. @throws Error when it cannot */
export function clear(reportDir: string): void {
  discard(reportDir, [...Object.keys(WRITERS), EVIDENCE, SHARD, ...Object.values(ALLURE)]);
}

/** Deletes files and folders of ours by their names. @throws Error when it cannot */
export function discard(reportDir: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(reportDir, name), { recursive: true, force: true });
}

/** As mkdir with `recursive`, which never comes back below a folder of the system that takes no entries, such as /proc. @returns the folders made, the outermost first */
function makeFolder(path: string): string[] {
  if (existsSync(path)) return [];
  const outer = dirname(path) === path ? [] : makeFolder(dirname(path));
  mkdirSync(path);
  return [...outer, path];
}

/** Makes the folder. @returns the folders made, the outermost first @throws Error when it cannot be written to */
export function prepare(reportDir: string): string[] {
  const made = makeFolder(reportDir);
  const probe = join(reportDir, '.writable');
  writeFileSync(probe, '');
  rmSync(probe);
  return made;
}

/** Sees whether the folder can be written to, and leaves everything as it was. @throws Error when it cannot */
export function tryOut(reportDir: string): void {
  for (const each of prepare(reportDir).reverse()) rmdirSync(each);
}

/** Writes every report of the run, redacted once more as a whole; report.json first, since all others can be made from it. */
export function write(reportDir: string, report: Report, redact: (text: string) => string): void {
  for (const [name, render] of Object.entries(WRITERS)) writeFileSync(join(reportDir, name), redact(render(report)));
}

/** Adds the summary to the page of a GitHub job, where there is one. */
export function addToJobPage(report: Report, redact: (text: string) => string): void {
  const page = process.env.GITHUB_STEP_SUMMARY;
  if (page) appendFileSync(page, redact(summary(report)));
}
