/**
 * Proves the real command, in processes: on hostile targets (bin/prove-hostile.ts), and on services that others wrote
 * (bin/prove-others.ts). `npm run prove` does this too.
 */
import { makeCommand } from '../command-line/make-command.ts';

/** The number of judged services, and the names of those about which the command was wrong. */
type Proved = { hostile: number; failed: string[] } | { others: number; failed: string[] };
/** Runs the command on each service whose name contains `part`. */
type ProveServices = (part: string, out: (text: string) => void) => Promise<Proved>;

/** Runs the command on the services, prints the result, and returns their number. A failure sets the exit code 1. */
export async function proveCommand(prove: ProveServices, part = ''): Promise<number> {
  const out = (text: string) => void process.stdout.write(`${text}\n`);
  const result = await prove(part, out);
  out(JSON.stringify(result));
  if (result.failed.length > 0) process.exitCode = 1;
  return 'hostile' in result ? result.hostile : result.others;
}

/** Runs `prove` as a command of its own, e.g. bin/prove-hostile.ts. Exit code 2: no service has the name that `--only` gives. */
export async function proveCommandAlone(name: string, does: string, prove: ProveServices): Promise<void> {
  const { only } = makeCommand(name, does)
    .option('--only <part>', 'only those whose name contains this')
    .parse()
    .opts<{ only?: string }>();
  if ((await proveCommand(prove, only)) > 0) return;
  process.stderr.write(`Nothing has ${JSON.stringify(only)} in its name.\n`);
  process.exitCode = 2;
}
