/**
 * `certify --base-url`: the issuer of a certificate judges the service itself. The evidence is signed as it was collected in
 * this process; nobody can have changed a file of it.
 */
import type { Posed } from '../../fixtures/settings/challenge.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { selectIds } from '../run/selection/selected.ts';
import { writeReports } from '../command-line/output/artifacts.ts';
import { EvidenceFile } from '../command-line/output/evidence-file.ts';
import { printError, printText } from '../command-line/output/print.ts';
import { ReportFolder } from '../command-line/output/report-folder.ts';
import { NO_OPTIONS, readConfiguration } from '../run/configuration.ts';
import { judgeTarget } from '../run/judge-target.ts';
import { collectSuite } from '../run/selection/collect-suite.ts';
import { escapeTerminal } from '../../reports/shown/words/escape.ts';
import { Mistake } from './certificate-files.ts';

/**
 * Judges the service and writes the reports to REPORT_DIR.
 * @returns the evidence, and the folder of the reports; null if the run did not come to its end
 * @param challenge the challenge that the run answers
 * @throws Mistake, Unwritable
 */
export async function judgeAndKeep(
  baseUrl: string,
  challenge: Posed,
): Promise<{ evidence: Buffer; folder: string } | null> {
  process.env.BASE_URL = baseUrl;
  const read = readConfiguration({ ...NO_OPTIONS, profile: 'certification' });
  if ('mistakes' in read) throw new Mistake(read.mistakes.join('\n'));
  const settings: Settings = { ...read.settings, challenge };
  printText(
    `Judging ${escapeTerminal(settings.baseUrl)}; near its end the run sends nothing for two minutes\n`,
  );
  const files = await ReportFolder.open(settings.reportDir, selectIds(settings).length > 0);
  let hasReports = false;
  try {
    const file = new EvidenceFile(files.work);
    const lines: string[] = [];
    const run = await judgeTarget(settings, await collectSuite(), {
      evidence: (text) => {
        lines.push(text);
        file.write(text);
      },
    });
    file.close();
    const report = run.report();
    if (report.run.requests > 0 && report.exitCode !== 2) {
      writeReports(files.work, report, run.redact);
      files.swapIn();
      hasReports = true;
    }
    if (report.run.complete) return { evidence: Buffer.from(lines.join('')), folder: files.folder };
    printError(`There is no certificate: ${escapeTerminal(report.run.stopped ?? report.reason)}\n`);
    return null;
  } finally {
    await files.close(!hasReports);
  }
}
