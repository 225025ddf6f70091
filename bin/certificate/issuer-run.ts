/**
 * `certify --base-url`: the issuer of a certificate judges the service itself. The evidence is signed as it was collected in
 * this process; nobody can have changed a file of it.
 */
import type { Posed } from '../../fixtures/settings/challenge.ts';
import { escapeTerminal } from '../../reports/shown/words/escape.ts';
import { printError, printText } from '../command-line/output/print.ts';
import { NO_OPTIONS, readConfiguration } from '../run/configuration.ts';
import { judgeAndPrint } from '../run/printed-run.ts';
import { Mistake } from './certificate-files.ts';

/**
 * Judges the service at BASE_URL as `run` does, with all reports.
 * @returns the evidence, and the folder of the reports; if the run did not come to its end, the exit code
 * @param challenge the challenge that the run answers
 * @throws Mistake, Unwritable
 */
export async function judgeAndKeep(
  challenge: Posed,
): Promise<{ evidence: Buffer; folder: string } | { exitCode: number }> {
  const read = readConfiguration(NO_OPTIONS, {
    env: { ...process.env, PROFILE: 'certification' },
    cwd: process.cwd(),
  });
  if ('mistakes' in read) throw new Mistake(read.mistakes.join('\n'));
  printText('Near its end the run sends nothing for two minutes\n');
  const lines: string[] = [];
  const { exitCode, report, folder } = await judgeAndPrint(
    { ...read.settings, challenge },
    read.baseline,
    {},
    (text) => lines.push(text),
  );
  if (report?.run.complete === true) return { evidence: Buffer.from(lines.join('')), folder };
  if (report !== null)
    printError(`There is no certificate: ${escapeTerminal(report.run.stopped ?? report.reason)}\n`);
  return { exitCode: exitCode === 2 ? 2 : 3 };
}
