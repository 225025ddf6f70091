#!/usr/bin/env node
/** `npm run compare -- before/report.json after/report.json`: what changed between two runs. 0 equal, 1 different, 2 bad input. */
import { readFileSync, writeFileSync } from 'node:fs';
import { compare, comparisonMarkdown, comparisonPage, comparisonText } from '../reports/compare.ts';
import type { Report } from '../reports/report.ts';
import { reportMistakes } from '../reports/validate.ts';
import { command } from './command.ts';

const program = command('compare', 'Shows what changed between two runs: verdicts, behaviour profile, latency, error codes.')
  .argument('<before>', 'report.json of the earlier run')
  .argument('<after>', 'report.json of the later run')
  .option('--markdown <file>', 'write it as Markdown, too')
  .option('--html <file>', 'write it as one HTML page, too')
  .addHelpText('after', '\nExit codes:\n  0  equal: the same verdicts and the same profile\n  1  different\n  2  bad input\n')
  .parse();
const { markdown, html } = program.opts<{ markdown?: string; html?: string }>();
const [before, after] = program.args.map(read);

if (before === undefined || after === undefined) process.exitCode = 2;
else {
  const comparison = compare(before, after);
  process.stdout.write(comparisonText(comparison));
  if (markdown !== undefined) writeFileSync(markdown, comparisonMarkdown(comparison));
  if (html !== undefined) writeFileSync(html, comparisonPage(comparison));
  process.exitCode = comparison.equal ? 0 : 1;
}

/** The report of a file, or undefined after saying what is wrong with it. */
function read(path: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const [mistake] = reportMistakes(report);
    if (mistake === undefined) return report as Report;
    process.stderr.write(`${path} is no report.json of this suite: ${mistake}\n`);
  } catch (error) {
    process.stderr.write(`${path} cannot be read as a report.json: ${error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message}\n`);
  }
  return undefined;
}
