import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conformancePage } from '../../reports/conformance-page.ts';
import { ctrf } from '../../reports/ctrf.ts';
import { junit } from '../../reports/junit.ts';
import type { Report } from '../../reports/report.ts';
import { summary } from '../../reports/summary.ts';

/** What a run writes into REPORT_DIR, besides Allure's folders. Nothing else there is touched. */
const WRITERS: Record<string, (report: Report) => string> = {
  'report.json': (report) => `${JSON.stringify(report)}\n`,
  'junit.xml': junit,
  'ctrf.json': ctrf,
  'summary.md': summary,
  'conformance.html': conformancePage,
  'footprint.json': ({ run, target, footprint }) => `${JSON.stringify({ run: run.id, target: target.baseUrl, animals: footprint }, null, 2)}\n`,
};

/** Folder in REPORT_DIR for runs that were asked for a part only. */
export const PARTIAL = 'partial';

/** Folders of Allure in REPORT_DIR. */
export const ALLURE = { results: 'allure-results', report: 'allure-report' } as const;

/** Every exchange and judgement of the run, a line each; written while it goes on. */
const EVIDENCE = 'evidence.jsonl';

/** Takes the lines of the evidence. Until `begin` nothing on disk is touched: a run that cannot begin leaves the last reports as they were. */
export interface EvidenceFile {
  write(text: string): void;
  /** Replaces what an earlier run left in the folder. @throws Error when it cannot be written */
  begin(): void;
  close(): void;
}

/** The file of the evidence, not opened yet. */
export function evidenceFile(reportDir: string): EvidenceFile {
  let held = '';
  let file: number | null = null;
  return {
    write(text) {
      if (file === null) held += text;
      else writeSync(file, text);
    },
    begin() {
      if (file !== null) return;
      clear(reportDir);
      prepare(reportDir);
      file = openSync(join(reportDir, EVIDENCE), 'w');
      writeSync(file, held);
      held = '';
    },
    close: () => void (file !== null && closeSync(file)),
  };
}

/** Deletes what an earlier run left in the folder, so that no stale report is taken for a new one. @throws Error when it cannot */
export function clear(reportDir: string): void {
  discard(reportDir, [...Object.keys(WRITERS), EVIDENCE, ...Object.values(ALLURE), '.playwright']);
}

/** Deletes files and folders of ours by their names. @throws Error when it cannot */
export function discard(reportDir: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(reportDir, name), { recursive: true, force: true });
}

/** As mkdir with `recursive`, which never comes back below a folder of the system that takes no entries, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
}

/** Makes the folder. @throws Error when it cannot be written to */
export function prepare(reportDir: string): void {
  makeFolder(reportDir);
  const probe = join(reportDir, '.writable');
  writeFileSync(probe, '');
  rmSync(probe);
}

/** Writes every report of the run, redacted once more as a whole; report.json first, since all others can be made from it. */
export function write(reportDir: string, report: Report, redact: (text: string) => string): void {
  for (const [name, render] of Object.entries(WRITERS)) writeFileSync(join(reportDir, name), redact(render(report)));
  const page = process.env.GITHUB_STEP_SUMMARY;
  if (page) appendFileSync(page, redact(summary(report)));
}
