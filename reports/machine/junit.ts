import { html, visible } from '../words/escape.ts';
import { failureText, shortFailure } from '../words/failure-text.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { sectionsOf } from '../document/sections.ts';

/** JUnit XML: one suite per section of the document, one case per requirement. A warning fails only in strict mode. */
export function junit(report: Report): string {
  const suites = sectionsOf(report).filter(({ requirements }) => requirements.length > 0);
  // the only text of a JUnit report that is about the whole run; CI systems compare it between runs that came to their end
  const why = report.run.stopped === null ? '' : `: ${report.reason}`;
  const name = `${report.suite.name} on ${report.target.baseUrl}${why}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...tally(report, report.requirements), time: seconds(report) })}>`,
    ...suites.flatMap(({ title, requirements }) => [
      `  <testsuite${attributes({ name: title, ...tally(report, requirements), timestamp: report.run.startedAt.replace(/(\.\d+)?Z$/, '') })}>`,
      ...requirements.flatMap((each) => testcase(report, each)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase(report: Report, result: RequirementResult): string[] {
  const { id, section, level, statement, operation, verdict } = result;
  const [stem = id] = id.split('.');
  return [
    `    <testcase${attributes({ classname: `${section}/${stem}`, name: `${id} ${statement}` })}>`,
    '      <properties>',
    ...Object.entries({ level, section, operation, verdict, ...(result.partial == null ? {} : { partial: result.partial.reason }) }).map(([name, value]) => `        <property${attributes({ name, value })}/>`),
    '      </properties>',
    ...outcome(report, result),
    '    </testcase>',
  ];
}

function outcome(report: Report, result: RequirementResult): string[] {
  const { verdict, reason } = result;
  const why = reason ?? 'no reason was given';
  if (isFailure(report, result)) {
    const type = result.waiver === null ? verdict : 'waived';
    return [`      <failure${attributes({ message: shortFailure(result), type })}>${html(failureText(report, result))}</failure>`];
  }
  if (verdict === 'warn') return [`      <system-out>${html(`WARNING\n${failureText(report, result)}`)}</system-out>`];
  if (verdict === 'inconclusive') return [`      <error${attributes({ message: why, type: verdict })}>${html(why)}</error>`];
  if (verdict === 'pass') return [];
  return [`      <skipped${attributes({ message: `${verdict}: ${why}` })}/>`];
}

function isFailure(report: Report, { verdict }: RequirementResult): boolean {
  return verdict === 'fail' || (verdict === 'warn' && report.run.strict);
}

function tally(report: Report, results: RequirementResult[]): Record<string, number> {
  const count = (test: (result: RequirementResult) => boolean) => results.filter(test).length;
  return {
    tests: results.length,
    failures: count((each) => isFailure(report, each)),
    errors: count(({ verdict }) => verdict === 'inconclusive'),
    skipped: count(({ verdict }) => verdict === 'not-applicable' || verdict === 'excused'),
  };
}

function seconds(report: Report): string {
  return (report.run.durationMs / 1_000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${html(visible(String(value)))}"`).join('');
}
