/** The issuer's own run. This process does everything, from the first request to the evidence that is signed. */
import type { Posed } from '../../fixtures/settings/challenge.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { selectIds } from '../selection/selected.ts';
import { writeReports } from '../output/artifacts.ts';
import { EvidenceFile } from '../output/evidence-file.ts';
import { printError, printText } from '../output/print.ts';
import { ReportFolder } from '../output/report-folder.ts';
import { NO_OPTIONS, readConfiguration } from '../run/configuration.ts';
import { judgeTarget } from '../run/judge-target.ts';
import { collectSuite } from '../selection/collect-suite.ts';
import { escapeTerminal } from '../../reports/words/escape.ts';
import { Mistake } from './certificate-files.ts';

/**
 * Judges the service and writes its reports to REPORT_DIR. Returns null if it could not be judged.
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
  let whole = false;
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
    const report = run.report([], []);
    if (report.run.requests > 0 && report.exitCode !== 2) {
      writeReports(files.work, report, run.redact);
      files.swapIn();
      whole = true;
    }
    if (report.run.complete) return { evidence: Buffer.from(lines.join('')), folder: files.folder };
    printError(`There is no certificate: ${escapeTerminal(report.run.stopped ?? report.reason)}\n`);
    return null;
  } finally {
    await files.close(!whole);
  }
}
