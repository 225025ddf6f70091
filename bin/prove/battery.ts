/** A battery: services that are judged by the command itself, e.g. hostile targets. `npm run prove` judges it too, after its variants. */
import { makeCommand } from '../command-line/make-command.ts';

/** Judges the services whose name contains `part`. `failed` names those of which the command said something wrong. */
type JudgeBattery = (part: string, out: (text: string) => void) => Promise<{ failed: string[] }>;

/** Judges a battery and prints what it came to. A failure ends the process with 1. */
export async function runBattery<T extends JudgeBattery>(
  judge: T,
  part = '',
): Promise<Awaited<ReturnType<T>>> {
  const out = (text: string) => void process.stdout.write(`${text}\n`);
  const result = (await judge(part, out)) as Awaited<ReturnType<T>>;
  out(JSON.stringify(result));
  if (result.failed.length > 0) process.exitCode = 1;
  return result;
}

/** Makes the command that judges a battery alone, and runs it. It ends with 2 if no service has the name that `--only` gives. */
export async function runBatteryAlone<T extends JudgeBattery>(
  name: string,
  description: string,
  judge: T,
  count: keyof Awaited<ReturnType<T>>,
): Promise<void> {
  const { only = '' } = makeCommand(name, description)
    .option('--only <part>', 'only those whose name contains this')
    .parse()
    .opts<{ only?: string }>();
  const result = await runBattery(judge, only);
  if (result[count] !== 0) return;
  process.stderr.write(`Nothing has ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
}
