/** Proposes the next steps after a run, for each verdict. Pure. */
import { findFailures, type Cause } from '../../document/causes.ts';
import type { Report } from '../../document/report-document.ts';
import { spellOnlyCommand, spellOther, spellRun, spellWholeCommand, findStart } from './commands.ts';
import { quoteShell } from './escape.ts';
import { findShortfall } from './shortfall.ts';

/** One step, with its command if it needs one. */
interface Step {
  what: string;
  command?: string;
}

/** Returns the next steps, the most likely first. Of a run that was stopped or asked a part only, `shortfall.ts` says what helps. */
export function listNextSteps(
  report: Report,
  reportDir = report.run.options?.['--report-dir'] ?? 'reports/out',
): Step[] {
  const causes = findFailures(report);
  const [first] = causes;
  if (first !== undefined) return listAfterFailure(report, first, causes.length === 1);
  const { run, verdict, exitCode } = report;
  const isWhole = run.complete && run.only.length === 0;
  if (verdict !== 'conforming' || exitCode !== 0 || !isWhole) return [];
  if (report.target.embedded)
    return [
      {
        what: 'This was the embedded reference. Judge your own service:',
        command: `${findStart(report).command} --base-url https://staging.example.org/v1 --api-key-file key.txt`,
      },
    ];
  const spell = (name: string, words: string) => spellOther(findStart(report).command, name, words);
  // A quick run is never conforming: a profile here is the one for certificates.
  if (run.profile !== undefined) {
    const words = `--report ${quoteShell(reportDir)} --issuer-key issuer.pem --used used.jsonl`;
    return [
      {
        what: 'The service keeps what a certificate asks for. If this run answers a challenge of the issuer, the issuer signs its report:',
        command: spell('certify', words),
      },
    ];
  }
  return [
    { what: 'Judge each change in CI: docs/ci.md shows how.' },
    {
      what: 'Keep report.json of this release, and compare later runs with it:',
      command: spell('compare', `--baseline RELEASE/report.json ${quoteShell(reportDir)}`),
    },
  ];
}

const ACCEPT: Step = {
  what: 'Accept a known failure until a date: set WAIVERS to a file that lists it (docs/ci.md shows one), and add --accept-waivers.',
};

function listAfterFailure(report: Report, first: Cause, isAlone: boolean): Step[] {
  const start = findStart(report);
  const kind = findShortfall(report)?.kind;
  return [
    {
      what: isAlone ? 'Run it again:' : 'Run what failed again:',
      // After a part, the last whole report may name other failures.
      command:
        report.run.only.length > 0
          ? spellOnlyCommand(start, ...first.map(({ id }) => id))
          : spellRun(start, ['--failed']),
    },
    ...(kind === 'quick' || kind === 'part'
      ? [{ what: 'Then ask the rest of the suite:', command: spellWholeCommand(start) }]
      : []),
    // Waived failures come last: if the first one is waived, all are.
    ...(first[0].waiver === null ? [ACCEPT] : []),
  ];
}
