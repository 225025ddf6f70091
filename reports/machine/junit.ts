import { html, visible } from '../words/escape.ts';
import { failureText, shortFailure } from '../words/failure-text.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { sectionsOf } from '../document/sections.ts';
import { counting, type Counted } from './counting.ts';

/** JUnit XML: one suite per section of the document, one case per requirement, one failure per cause. A warning fails only in strict mode. */
export function junit(report: Report): string {
  const suites = sectionsOf(report).filter(({ requirements }) => requirements.length > 0);
  // the only text of a JUnit report that is about the whole run; CI systems compare it between runs that came to their end
  const why = report.run.stopped === null ? '' : `: ${report.reason}`;
  const name = `${report.suite.name} on ${report.target.baseUrl}${why}`;
  const counted = counting(report);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...tally(report.requirements.map(counted)), time: seconds(report) })}>`,
    ...suites.flatMap(({ title, requirements }) => [
      `  <testsuite${attributes({ name: title, ...tally(requirements.map(counted)), timestamp: report.run.startedAt.replace(/(\.\d+)?Z$/, '') })}>`,
      ...requirements.flatMap((each) => testcase(report, each, counted(each))),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase(report: Report, result: RequirementResult, counted: Counted): string[] {
  const { id, section, level, statement, operation, verdict } = result;
  const [stem = id] = id.split('.');
  return [
    `    <testcase${attributes({ classname: `${section}/${stem}`, name: `${id} ${statement}` })}>`,
    '      <properties>',
    ...Object.entries({
      level,
      section,
      operation,
      verdict,
      ...(result.partial == null ? {} : { partial: result.partial.reason }),
    }).map(([name, value]) => `        <property${attributes({ name, value })}/>`),
    '      </properties>',
    ...outcome(report, result, counted),
    '    </testcase>',
  ];
}

function outcome(report: Report, result: RequirementResult, { as, why }: Counted): string[] {
  const { verdict, waiver } = result;
  switch (as) {
    case 'failed':
      return [
        `      <failure${attributes({ message: shortFailure(result), type: waiver === null ? verdict : 'waived' })}>${html(failureText(report, result))}</failure>`,
      ];
    case 'warned':
      return [`      <system-out>${html(`WARNING\n${failureText(report, result)}`)}</system-out>`];
    case 'undecided':
      return [`      <error${attributes({ message: why, type: verdict })}>${html(why)}</error>`];
    case 'skipped':
      return [`      <skipped${attributes({ message: why })}/>`];
    case 'passed':
      return [];
  }
}

function tally(results: readonly Counted[]): Record<string, number> {
  const count = (wanted: Counted['as']) => results.filter(({ as }) => as === wanted).length;
  return {
    tests: results.length,
    failures: count('failed'),
    errors: count('undecided'),
    skipped: count('skipped'),
  };
}

function seconds(report: Report): string {
  return (report.run.durationMs / 1_000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${html(visible(String(value)))}"`)
    .join('');
}
