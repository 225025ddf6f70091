/** Writes the report as JUnit XML, which CI systems read. */
import { escapeHtml, escapeLine } from '../words/escape.ts';
import { writeCauseAndFailure, writeFailure } from '../words/cause-facts.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { groupBySection } from '../../document/group-by-section.ts';
import { makeCounter, sumDurations, type Counted } from './counting.ts';

/**
 * Returns the report as JUnit XML: one suite for each section of the document, one case for each requirement, one failed case for each
 * cause. Its other requirements are skipped, and so are undecided ones. A warning passes, or fails in strict mode.
 */
export function renderJunit(report: Report): string {
  const suites = groupBySection(report).filter(({ requirements }) => requirements.length > 0);
  const quick = report.run.profile?.name === 'quick' ? ' (quick)' : '';
  const name = `${report.suite.name} on ${report.target.baseUrl}${quick}`;
  const countAs = makeCounter(report);
  // A run that was stopped gets a suite with one error. What it left undecided is skipped.
  const stopped = report.run.stopped === null ? [] : [report.reason];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${writeAttributes({ name, ...countOutcomes(report.requirements.map(countAs), stopped.length), time: writeSeconds(report.run.durationMs) })}>`,
    ...stopped.map(
      (why) =>
        `  <testsuite${writeAttributes({ name: 'The run', ...countOutcomes([], 1) })}><testcase${writeAttributes({ classname: 'run', name: 'the run comes to its end' })}><error${writeAttributes({ message: why, type: report.verdict })}/></testcase></testsuite>`,
    ),
    ...suites.flatMap(({ title, requirements }) => [
      `  <testsuite${writeAttributes({ name: title, ...countOutcomes(requirements.map(countAs)), time: writeSeconds(sumDurations(report, ...requirements)), timestamp: report.run.startedAt.replace(/(\.\d+)?Z$/, '') })}>`,
      ...writeProperties(listSubject(report), '    '),
      ...requirements.flatMap((each) => writeTestcase(report, each, countAs(each))),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** Returns properties that name the judged implementation, e.g. `subject.version`; none if nobody named it. */
function listSubject({ target: { subject } }: Report): Record<string, string> {
  const known = Object.entries(subject ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([member, value]) => [`subject.${member}`, String(value)]));
}

function writeTestcase(report: Report, result: RequirementResult, counted: Counted): string[] {
  const { id, section, level, statement, operation, verdict } = result;
  const [stem = id] = id.split('.');
  const file = result.tests[0]?.file;
  const partial = result.partial && { partial: result.partial.reason };
  return [
    `    <testcase${writeAttributes({ classname: `${section}/${stem}`, name: `${id} ${statement}`, time: writeSeconds(sumDurations(report, result)), ...(file && { file }) })}>`,
    ...writeProperties({ level, section, operation, verdict, ...partial }, '      '),
    ...writeOutcome(report, result, counted),
    '    </testcase>',
  ];
}

function writeOutcome(report: Report, result: RequirementResult, { as, why }: Counted): string[] {
  const { verdict, waiver } = result;
  const skip = (message: string) => [`      <skipped${writeAttributes({ message })}/>`];
  switch (as) {
    case 'failed':
      return [
        `      <failure${writeAttributes({ message: writeCauseAndFailure(report, result), type: waiver === null ? verdict : 'waived' })}>${escapeHtml(writeFailure(report, result))}</failure>`,
      ];
    case 'warned':
      return [`      <system-out>${escapeHtml(`WARNING\n${writeFailure(report, result)}`)}</system-out>`];
    case 'undecided':
      return skip(`undecided: ${why}`);
    case 'skipped':
      return skip(why);
    case 'passed':
      return [];
  }
}

/** Returns the attributes of a suite that count its cases. @param errors the number of cases that are errors, apart from `results` */
function countOutcomes(results: readonly Counted[], errors = 0): Record<string, number> {
  const count = (wanted: Counted['as']) => results.filter(({ as }) => as === wanted).length;
  return {
    tests: results.length + errors,
    failures: count('failed'),
    errors,
    skipped: count('skipped') + count('undecided'),
  };
}

/** Returns the properties of an element; no element if there are none. */
function writeProperties(values: Record<string, string>, indent: string): string[] {
  const lines = Object.entries(values).map(
    ([name, value]) => `${indent}  <property${writeAttributes({ name, value })}/>`,
  );
  return lines.length === 0 ? [] : [`${indent}<properties>`, ...lines, `${indent}</properties>`];
}

function writeSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function writeAttributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeHtml(escapeLine(String(value)))}"`)
    .join('');
}
