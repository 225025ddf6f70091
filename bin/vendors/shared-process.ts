/**
 * A process that judges several vendors at the same time. It gets all data of a vendor with the order, and
 * keeps none.
 */
import { renderTerminal } from '../../reports/text/terminal.ts';
import { keepMaker } from '../output/allure.ts';
import { shortenPath, Unwritable } from '../files/unwritable.ts';
import { ProgressLine } from '../output/progress-line.ts';
import { NO_OPTIONS, readConfiguration } from '../run/configuration.ts';
import { ReportedRun, type Written } from '../run/reported-run.ts';
import type { EndedJudging } from './judge-one.ts';

/** Messages to the process. */
export type ToProcess =
  | { kind: 'judge'; number: number; folder: string; env: NodeJS.ProcessEnv }
  | { kind: 'end'; number: number };

/** Messages from the process. */
export type FromProcess = EndedJudging & { number: number };

/** Makes the Allure pages of all vendors, one after the other, in one further process. */
const allure = keepMaker();
const underWay = new Map<number, ReportedRun>();

process.on('disconnect', () => process.exit());
// The parent process may have ended before this one listens.
if (!process.connected) process.exit();
process.on('message', (message: ToProcess) => {
  const { number } = message;
  if (message.kind === 'end')
    return void underWay.get(number)?.stop({ kind: 'interrupted', signal: 'SIGTERM' });
  void judged(message)
    .catch((error: Error) => complaining(3, [complaintOf(error)]))
    .then((ended) => {
      underWay.delete(number);
      process.send?.({ number, ...ended } satisfies FromProcess);
    });
});
// With several vendors nobody knows whose error it is: the process ends, and each is judged again alone.
process.on('uncaughtException', ({ message }: Error) => {
  const [only, ...others] = underWay.values();
  if (only === undefined || others.length > 0) process.exit(1);
  void only.run.engine.broke(message);
});

async function judged({ number, folder, env }: ToProcess & { kind: 'judge' }): Promise<EndedJudging> {
  const read = readConfiguration(NO_OPTIONS, { env, cwd: folder });
  if ('mistakes' in read) return complaining(2, read.mistakes);
  const { settings, baseline, notes } = read;
  const lines = [...notes, `Judging ${settings.baseUrl}`];
  const progress = new ProgressLine(false, (text) => lines.push(text.trimEnd()));
  const judging = await ReportedRun.open(settings, baseline, progress, () => allure);
  underWay.set(number, judging);
  try {
    const written = await judging.judge();
    if ('message' in written) return complaining(2, [written.message]);
    return {
      exitCode: written.report.exitCode,
      words: judging.run.redact([...lines, inWords(written, judging.files.folder)].join('\n')),
      complaint: written.unwritten ?? '',
    };
  } finally {
    await judging.close();
  }
}

function inWords({ report, problem, unwritten }: Written, folder: string): string {
  const reportDir = unwritten === null ? { reportDir: shortenPath(folder) } : {};
  const allureProblem = problem === null ? '' : `The Allure report could not be made: ${problem}\n`;
  return `${renderTerminal(report, { colour: false, width: 100, ...reportDir })}${allureProblem}${unwritten ?? ''}`;
}

function complaining(exitCode: number, mistakes: readonly string[]): EndedJudging {
  const complaint = mistakes.map((each) => `${each}\n`).join('');
  return { exitCode, words: complaint, complaint };
}

function complaintOf(error: Error): string {
  return error instanceof Unwritable ? error.message : `The suite itself broke: ${error.message}`;
}
