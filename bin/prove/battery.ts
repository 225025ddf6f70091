/**
 * Judges services by the command itself, in processes: hostile targets (`prove-hostile`), or services that others wrote
 * (`prove-others`). `npm run prove` does this too, after its variants.
 */
import { makeCommand } from '../command-line/make-command.ts';

/** The number of judged services, and the names of those about which the command was wrong. */
type Judged = { hostile: number; failed: string[] } | { others: number; failed: string[] };
/** Judges the services whose name contains `part`. */
type JudgeBattery = (part: string, out: (text: string) => void) => Promise<Judged>;

/** Judges the services, prints the result, and returns their number. A failure sets the exit code 1. */
export async function runBattery(judge: JudgeBattery, part = ''): Promise<number> {
  const out = (text: string) => void process.stdout.write(`${text}\n`);
  const result = await judge(part, out);
  out(JSON.stringify(result));
  if (result.failed.length > 0) process.exitCode = 1;
  return 'hostile' in result ? result.hostile : result.others;
}

/** Makes the command that judges only these services, and runs it. Exit code 2: no service has the name that `--only` gives. */
export async function runBatteryAlone(name: string, does: string, judge: JudgeBattery): Promise<void> {
  const { only } = makeCommand(name, does)
    .option('--only <part>', 'only those whose name contains this')
    .parse()
    .opts<{ only?: string }>();
  if ((await runBattery(judge, only)) > 0) return;
  process.stderr.write(`Nothing has ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
}
