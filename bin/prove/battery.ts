/** A battery: services that are judged by the command itself, e.g. hostile targets. `npm run prove` judges it too, after its variants. */
import { makeCommand } from '../command-line/make-command.ts';

/** The result of a battery: the number of judged services, and those of which the command said something wrong. */
type Judged = { hostile: number; failed: string[] } | { others: number; failed: string[] };
/** Judges the services whose name contains `part`. */
type JudgeBattery = (part: string, out: (text: string) => void) => Promise<Judged>;

/** Judges a battery, prints the result, and returns the number of services. A failure ends the process with 1. */
export async function runBattery(judge: JudgeBattery, part = ''): Promise<number> {
  const out = (text: string) => void process.stdout.write(`${text}\n`);
  const result = await judge(part, out);
  out(JSON.stringify(result));
  if (result.failed.length > 0) process.exitCode = 1;
  return 'hostile' in result ? result.hostile : result.others;
}

/** Makes the command that judges a battery alone, and runs it. It ends with 2 if no service has the name that `--only` gives. */
export async function runBatteryAlone(name: string, does: string, judge: JudgeBattery): Promise<void> {
  const { only } = makeCommand(name, does)
    .option('--only <part>', 'only those whose name contains this')
    .parse()
    .opts<{ only?: string }>();
  if ((await runBattery(judge, only)) > 0) return;
  process.stderr.write(`Nothing has ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
}
