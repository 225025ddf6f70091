/** A run in this process, with its files and its text, as one of several vendors is judged: nothing is loaded anew. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../../bin/command-line/options.ts';
import { ProgressLine } from '../../../bin/command-line/output/progress-line.ts';
import { readConfiguration } from '../../../bin/run/configuration.ts';
import { ReportedRun } from '../../../bin/run/reported-run.ts';
import { renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { reportIn, type Ended } from './command.ts';

/** Runs with these options and variables alone. For mistakes, `.env`, signals and what a process does, start the command. */
export async function runHere(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = mkdtempSync(join(tmpdir(), 'conformance-test-')),
): Promise<Ended> {
  const own = { REPORT_DIR: join(folder, 'out'), ...env };
  const read = readOptions(args, own);
  if (!('options' in read)) throw new Error(`No run has these options: ${JSON.stringify(read)}`);
  const configured = readConfiguration(read.options, { env: own, cwd: folder });
  if ('mistakes' in configured) throw new Error(configured.mistakes.join('\n'));
  let out = configured.notes.map((note) => `${note}\n`).join('');
  const run = await ReportedRun.open(
    configured.settings,
    configured.baseline,
    new ProgressLine(false, (text) => (out += text)),
  );
  try {
    const ended = await run.judge();
    if ('message' in ended) return { exitCode: 2, out, err: ended.message, folder, report: null };
    const { report, unwritten, problem } = ended;
    out += run.run.redact(renderTerminal(report, { colour: false, width: 100, reportDir: 'out' }));
    return {
      exitCode: report.exitCode,
      out,
      err: unwritten ?? problem ?? '',
      folder,
      report: reportIn(folder),
    };
  } finally {
    await run.close();
  }
}
