/** The forms of a report, e.g. report.json, JUnit, CTRF and the terminal, agree about one run. */
import { expect, test } from '@playwright/test';
import { validate as ctrfMistakes } from 'ctrf';
import { makeLeaves, VERDICT_LABEL, type AllureResult } from '../../../reports/shown/allure/leaves.ts';
import { renderAnnotations } from '../../../reports/shown/text/annotations.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { renderCtrf } from '../../../reports/shown/machine/ctrf.ts';
import { renderJunit } from '../../../reports/shown/machine/junit.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { groupBySection } from '../../../reports/document/group-by-section.ts';
import { renderSummary, renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { CONFORMING, blockedBy, exchange, failureWith, report } from '../samples/sample-reports.ts';
import { CI_COMMAND, HOSTILE_REPORT, HOSTILE_TEXT, INCONCLUSIVE, HIDDEN } from '../samples/hostile-report.ts';

// HOSTILE_REPORT has 6 broken musts, which are 5 failures; also 1 warning and 1 undecided requirement.
const REPORTS = { conforming: CONFORMING, nonconforming: HOSTILE_REPORT, inconclusive: INCONCLUSIVE };

test.describe('report.json', () => {
  test('a report is valid; a member too many, one too few and a wrong one are named', () => {
    for (const each of Object.values(REPORTS))
      expect(checkReport(JSON.parse(JSON.stringify(each)))).toEqual([]);
    const { verdict: _, ...rest } = CONFORMING;
    expect(checkReport(rest)).toEqual(['it lacks "verdict"']);
    expect(checkReport({ ...CONFORMING, key: 'secret' })).toEqual([
      'it has "key", which does not belong there',
    ]);
    expect(checkReport({ ...CONFORMING, exitCode: 4 })).toEqual(['/exitCode must be one of 0, 1, 2, 3']);
  });
  test('sections stand in the order of the document, and hold every requirement once', () => {
    const sections = groupBySection(HOSTILE_REPORT);
    expect(sections.slice(0, 3).map(({ title }) => title)).toEqual([
      'What the service does',
      'Pet',
      'NewPet',
    ]);
    expect(sections.flatMap(({ requirements }) => requirements)).toHaveLength(
      HOSTILE_REPORT.requirements.length,
    );
  });
});

test.describe('JUnit', () => {
  test('counts failures, errors and skips; a warning passes unless strict', () => {
    const xml = renderJunit(HOSTILE_REPORT);
    expect(xml.match(/<testcase /g)).toHaveLength(HOSTILE_REPORT.requirements.length);
    expect(xml.match(/<failure /g)).toHaveLength(findFailures(HOSTILE_REPORT).length);
    expect(xml).not.toContain('<error ');
    expect(xml.match(/<skipped message="undecided: /g)).toHaveLength(1);
    const stopped = { ...HOSTILE_REPORT, run: { ...HOSTILE_REPORT.run, stopped: 'nobody listens there' } };
    expect(renderJunit(stopped).match(/<error [^>]*message="[^"]+"/g)).toHaveLength(1);
    expect(renderJunit(stopped)).toMatch(/<testsuites [^>]*errors="1"/);
    expect(xml.match(/<system-out>/g)).toHaveLength(1); // the warning
    const strict = renderJunit({ ...HOSTILE_REPORT, run: { ...HOSTILE_REPORT.run, strict: true } });
    expect(strict.match(/<failure /g)).toHaveLength(findFailures(HOSTILE_REPORT).length + 1);
  });
  test('the text of a failure has the values, the request and the commands', () => {
    const [, text = ''] =
      /<failure [^>]*>(representation\.pet-status, list-pets\.status: [^]*?)<\/failure>/.exec(
        renderJunit(HOSTILE_REPORT),
      ) ?? [];
    const parts =
      'expected:  sold|received:  &quot;Sold&quot;|/17/status|GET /pets?status=sold&amp;limit=5|curl -i|--only representation.pet-status --only list-pets.status|--replay v1:42:0:1';
    for (const part of parts.split('|')) expect(text).toContain(part);
  });
});

test('CTRF follows its schema', () => {
  for (const each of Object.values(REPORTS)) {
    const document = JSON.parse(renderCtrf(each));
    expect(ctrfMistakes(document).errors).toEqual([]);
    const summary = { failed: findFailures(each).length, other: each.counts.must.inconclusive };
    expect(document.results.summary).toMatchObject(summary);
  }
});

test.describe('terminal and CI logs', () => {
  test('show all of a failure, and nothing of the target as a control character or a command', () => {
    const text = renderPlain(HOSTILE_REPORT, 80);
    for (const part of [
      '   1  A Pet shows a status that does not exist; 2 requirements broken',
      '✗ A Pet shows a status that does not exist',
      'representation.pet-status, list-pets.status: ',
      '/17/status',
      'exit code 1 (fails)',
      'body      {"name":"Rex"',
      'GET /pets?status=sold&limit=5',
      '200 OK',
      '4bf92f3577b34da6a3ce929d0e0e4736',
      'reports/out/conformance.html',
      'SEED=20261120 npm run conformance -- --failed',
      'curl -i',
      '--replay v1:42:0:1',
    ])
      expect(text).toContain(part);
    expect(text.replaceAll('\n', '')).not.toMatch(HIDDEN);
    expect(text).not.toMatch(CI_COMMAND);
  });
  test('have colours only if asked', () => {
    const coloured = renderTerminal(HOSTILE_REPORT, { colour: true, width: 80, reportDir: 'reports/out' });
    expect(coloured).toContain('\x1b[31m✗ A Pet shows a status that does not exist');
    expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(renderPlain(HOSTILE_REPORT, 80));
  });
  test('ten annotations at most, one line each', () => {
    const ids = CONFORMING.requirements.slice(0, 12).map(({ id }) => id);
    const broken = report(
      Object.fromEntries(
        ids.map((id) => [id, failureWith({ expected: HOSTILE_TEXT, received: HOSTILE_TEXT })]),
      ),
    );
    const lines = renderAnnotations(broken).trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    for (const [index, line] of lines.entries())
      expect(line).toMatch(new RegExp(`^::error title=${index + 1} of 12%3A .*::${ids[index]}: `));
    expect(renderAnnotations(CONFORMING)).toBe('');
  });
  test('the summary has counts, failures with their commands, and a folded profile', () => {
    const text = renderSummary(HOSTILE_REPORT);
    const parts =
      '# ✗ Nonconforming|- must: `6 broken, |## 5 failures|--only list-pets.status|## Also|- ! |- ? 1 undecided|<summary>1 open question';
    for (const part of parts.split('|')) expect(text).toContain(part);
    // Removes the summary lines, the blocks of code, and the code within lines. A code ends with as many backticks as it begins.
    const outsideCode = text
      .replaceAll(/^<summary>.*<\/summary>$/gm, '')
      .replaceAll(/^(`{3,})[^]*?^\1$/gm, '')
      .replaceAll(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
    const ours = /<!-- -->|<\/?details(?: open)?>/g;
    // Without our own tags, and without signs behind a backslash, no sign of markup is left.
    expect(outsideCode.replaceAll(ours, '').replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[<[\]@`]/);
  });
});

test.describe('one fault', () => {
  const [BROKEN, TWICE, BLOCKED, BOTH, OPEN, ADVISED] = [
    'create-pet.answers-201',
    'list-pets.status',
    'get-pet.answers-200',
    'list-pets.shows-added',
    'list-pets.limit',
    'authentication.challenge',
  ] as const;
  /** One wrong status, which breaks TWICE and `representation.pet-status`: they are one failure. */
  const sameAnswer = failureWith({ received: '"Sold"', pointer: '/0/status', evidence: ['x2'] });
  const FAULTY = {
    // BROKEN and TWICE fail. Each blocks others.
    [BROKEN]: failureWith({ evidence: ['x1'] }),
    [TWICE]: sameAnswer,
    'representation.pet-status': sameAnswer,
    // One failure blocks BLOCKED, two block BOTH. Reports say that both are skipped.
    [BLOCKED]: blockedBy(BROKEN),
    [BOTH]: blockedBy(BROKEN, TWICE),
    // OPEN stays undecided, because it has another reason too.
    [OPEN]: {
      verdict: 'inconclusive' as const,
      reason: `no answer; blocked by ${BROKEN}`,
      cause: { kind: 'unreachable' as const },
    },
    // ADVISED, a `should`, gets a warning. So `list-pets.empty`, which it blocks, stays undecided.
    [ADVISED]: failureWith({ verdict: 'warn', evidence: ['x3'] }),
    'list-pets.empty': blockedBy(ADVISED),
  };
  const reportOf = (strict: boolean) =>
    report(FAULTY, { run: { strict }, exchanges: ['x1', 'x2', 'x3'].map((id) => exchange(id)) });
  const withStatus = (results: readonly AllureResult[], status: AllureResult['status']) =>
    results.filter((each) => each.status === status);

  for (const strict of [false, true]) {
    test(`is one failure in every report, and what it blocks is skipped${strict ? ', in strict mode' : ''}`, () => {
      const judged = reportOf(strict);
      const failures = strict ? 3 : 2;
      const xml = renderJunit(judged);
      const { tests, summary: sums } = JSON.parse(renderCtrf(judged)).results;
      const results = makeLeaves(judged).map(({ result }) => result);
      const [, headed] = /^## (\d+) failures$/m.exec(renderSummary(judged)) ?? [];
      expect(findFailures(judged)).toHaveLength(failures);
      const counts = {
        junit: xml.match(/<failure /g)?.length,
        head: Number(/<testsuites [^>]*failures="(\d+)"/.exec(xml)?.[1]),
        ctrf: sums.failed as number,
        allure: withStatus(results, 'failed').length,
        summary: Number(headed),
        terminal: Number(/^(\d+) failures$/m.exec(renderPlain(judged, 80))?.[1]),
        page: renderConformancePage(judged).match(/<details class="card (fail|warn)" open/g)?.length,
        annotations: renderAnnotations(judged).trimEnd().split('\n').length,
      };
      for (const [name, count] of Object.entries(counts)) expect(count, name).toBe(failures);
      // In strict mode the warning is a failure: then `list-pets.empty` is skipped, and only OPEN stays undecided.
      const undecided = strict ? 1 : 2;
      expect([xml.match(/message="undecided: /g)?.length, sums.other]).toEqual([undecided, undecided]);
      // Warnings and undecided ones are `unknown` in Allure; `broken` is for a test that could not run.
      const warnings = strict ? 0 : 1;
      expect(withStatus(results, 'unknown')).toHaveLength(undecided + warnings);
      expect(withStatus(results, 'broken')).toEqual([]);
      for (const id of [BLOCKED, BOTH]) {
        const { reason } = FAULTY[id];
        expect(xml).toContain(`<skipped message="${reason}"/>`);
        const skipped = { testId: id, status: 'skipped', rawStatus: 'inconclusive', message: reason };
        expect(tests).toContainEqual(expect.objectContaining(skipped));
        expect(results).toContainEqual(
          expect.objectContaining({
            status: 'skipped',
            statusDetails: expect.objectContaining({ message: reason }),
            labels: expect.arrayContaining([{ name: VERDICT_LABEL, value: 'inconclusive' }]),
          }),
        );
      }
    });
  }
});
