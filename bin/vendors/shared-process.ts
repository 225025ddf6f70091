/**
 * The process that judges several vendors at the same time; shared-processes.ts starts it. The key and the settings of a
 * vendor come with the message `judge`, not through the environment of this process.
 */
import { renderTerminal } from '../../reports/shown/text/terminal.ts';
import { keepMaker } from '../command-line/output/allure.ts';
import { shortenPath, Unwritable } from '../command-line/files/unwritable.ts';
import { ProgressLine } from '../command-line/output/progress-line.ts';
import { NO_OPTIONS, readConfiguration } from '../run/configuration.ts';
import { ReportedRun, type Written } from '../run/reported-run.ts';
import type { EndedJudging } from './judge-one.ts';

/** Messages to the process. `number`: of the vendor. `end`: its run is late, and must write its report and end. */
export type ToProcess =
  | { kind: 'judge'; number: number; folder: string; env: NodeJS.ProcessEnv }
  | { kind: 'end'; number: number };

/** The message from the process when the run of a vendor has ended. */
export type FromProcess = EndedJudging & { number: number };

/** Makes the Allure pages of all vendors, one after the other, in one further process. */
const allure = keepMaker();
/** Runs under way, by the number of the vendor. */
const underWay = new Map<number, ReportedRun>();

process.on('disconnect', () => process.exit());
// The parent process may have ended before this one listens.
if (!process.connected) process.exit();
process.on('message', (message: ToProcess) => {
  const { number } = message;
  if (message.kind === 'end')
    return void underWay.get(number)?.stop({ kind: 'interrupted', signal: 'SIGTERM' });
  void judge(message)
    .catch((error: Error) => makeComplaint(3, [describeComplaint(error)]))
    .then((ended) => {
      underWay.delete(number);
      process.send?.({ number, ...ended } satisfies FromProcess);
    });
});
// An error outside of any call may belong to any run under way. With several runs the process ends, and each vendor is judged
// again in a process of its own.
process.on('uncaughtException', ({ message }: Error) => {
  const [only, ...others] = underWay.values();
  if (only === undefined || others.length > 0) process.exit(1);
  void only.run.engine.noteRunnerFailure(message);
});

async function judge({ number, folder, env }: ToProcess & { kind: 'judge' }): Promise<EndedJudging> {
  const read = readConfiguration(NO_OPTIONS, { env, cwd: folder });
  if ('mistakes' in read) return makeComplaint(2, read.mistakes);
  const { settings, baseline, notes } = read;
  const lines = [...notes, `Judging ${settings.baseUrl}`];
  const progress = new ProgressLine(false, (text) => lines.push(text.trimEnd()));
  const judging = await ReportedRun.open(settings, baseline, progress, { maker: () => allure });
  underWay.set(number, judging);
  try {
    const written = await judging.judge();
    if ('message' in written) return makeComplaint(2, [written.message]);
    return {
      exitCode: written.report.exitCode,
      words: judging.run.redact([...lines, renderResult(written, judging.files.folder)].join('\n')),
      complaint: written.unwritten ?? '',
    };
  } finally {
    await judging.close();
  }
}

/** Returns the text that a run on a terminal would print at its end. */
function renderResult({ report, problem, unwritten }: Written, folder: string): string {
  const reportDir = unwritten === null ? { reportDir: shortenPath(folder) } : {};
  const allureProblem = problem === null ? '' : `The Allure report could not be made: ${problem}\n`;
  return `${renderTerminal(report, { colour: false, width: 100, ...reportDir })}${allureProblem}${unwritten ?? ''}`;
}

/** Makes the result of a run that was not possible. */
function makeComplaint(exitCode: number, mistakes: readonly string[]): EndedJudging {
  const complaint = mistakes.map((each) => `${each}\n`).join('');
  return { exitCode, words: complaint, complaint };
}

function describeComplaint(error: Error): string {
  return error instanceof Unwritable ? error.message : `The suite itself broke: ${error.message}`;
}
