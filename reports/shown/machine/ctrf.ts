/** Writes the report in the Common Test Report Format (CTRF), which many tools read. */
import type { CTRFReport, Test, TestStatus } from 'ctrf';
import { writeFailure, writeCauseAndFailure } from '../words/cause-facts.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { makeCounter, sumDurations, type Counted } from './counting.ts';

/**
 * Returns the report in the Common Test Report Format: one test for each requirement. Of the requirements that one cause breaks,
 * the first is `failed` and the others are `skipped`. An undecided requirement is `other`. A warning is `passed`, or `failed` in strict mode.
 */
export function renderCtrf(report: Report): string {
  const { baseUrl, environment, subject } = report.target;
  const countAs = makeCounter(report);
  const tests = report.requirements.map((each) => makeTest(report, each, countAs(each)));
  const count = (status: TestStatus) => tests.filter((each) => each.status === status).length;
  const start = Date.parse(report.run.startedAt);
  const document: CTRFReport = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: report.run.id,
    timestamp: report.run.startedAt,
    generatedBy: report.suite.name,
    results: {
      tool: { name: report.suite.name, version: report.suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: start + Math.round(report.run.durationMs),
        duration: Math.round(report.run.durationMs),
      },
      tests,
      environment: {
        // The judged implementation; if nobody named it, its address. JSON leaves undefined members out.
        appName: subject?.name ?? baseUrl,
        appVersion: subject?.version,
        commit: subject?.commit ?? undefined,
        buildUrl: subject?.url ?? undefined,
        testEnvironment: environment ?? undefined,
        extra: {
          address: baseUrl,
          verdict: report.verdict,
          reason: report.reason,
          exitCode: report.exitCode,
          mode: report.run.mode,
          seed: report.run.seed,
        },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The status of CTRF for each way to count. */
const STATUS = {
  passed: 'passed',
  warned: 'passed',
  failed: 'failed',
  undecided: 'other',
  skipped: 'skipped',
} as const satisfies Record<Counted['as'], TestStatus>;

function makeTest(report: Report, result: RequirementResult, counted: Counted): Test {
  const { id, statement, section, level, operation, verdict } = result;
  const isBroken = counted.as === 'failed' || counted.as === 'warned';
  const why = counted.as === 'passed' ? result.reason : counted.why;
  const message = isBroken ? writeCauseAndFailure(report, result) : why;
  return {
    testId: id,
    name: `${id} ${statement}`,
    status: STATUS[counted.as],
    rawStatus: verdict,
    duration: Math.round(sumDurations(report, result)),
    suite: [section],
    tags: [level],
    labels: { level, section, operation },
    ...(message === null ? {} : { message }),
    ...(isBroken ? { trace: writeFailure(report, result) } : {}),
    ...(result.tests[0] && { filePath: result.tests[0].file }),
    ...((result.waiver ?? result.partial) && {
      extra: { waiver: result.waiver ?? undefined, partial: result.partial ?? undefined },
    }),
  };
}
