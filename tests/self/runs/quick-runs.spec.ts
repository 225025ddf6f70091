/** Runs that ask little: --quick asks first what finds most and never says conforming, --fail-fast ends at the first failure. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { chooseQuick, nameCase } from '../../../fixtures/asking/lanes/case-order.ts';
import { orderMiddle } from '../../../fixtures/asking/lanes/phase-order.ts';
import { SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import { REQUIREMENTS, TESTED } from '../../../fixtures/interface/requirements.ts';
import { drawMark } from '../../../fixtures/judgement/store/run-mark.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Engine } from '../../../fixtures/session/engine.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import { findFault } from '../samples/named-variants.ts';
import { QUICK } from '../../../fixtures/settings/profiles.ts';
import { VERDICT_REASONS } from '../../../reports/document/reasons/verdict-reasons.ts';
import { compare, renderComparison } from '../../../reports/shown/comparison/comparison.ts';
import { renderMatrixPage } from '../../../reports/shown/vendors/matrix-page.ts';
import { makeMatrix } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { withReference, unvaried, runOnReference } from '../samples/varied-reference.ts';
import { runCommand, idsWith } from '../samples/command.ts';
import { report as sample } from '../samples/sample-reports.ts';
import { vendors } from '../samples/sample-vendors.ts';
import order from '../../../schemas/order.json' with { type: 'json' };

test('the reference: no failure found, within every bound, and never conforming', async () => {
  const { exitCode, out, report, folder } = await runCommand('conformance', ['--quick']);
  expect(checkReport(report)).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'no-failure-found',
    exitCode: 0,
    run: { complete: true, profile: { name: 'quick', version: 1 }, power: order.power },
  });
  expect(exitCode).toBe(0);
  expect(report?.run.requests).toBeLessThanOrEqual(QUICK.requests);
  expect(report?.run.animalsCreated).toBeLessThanOrEqual(25);
  expect(idsWith(report, 'inconclusive')).toEqual([]);
  const unasked = report?.requirements.filter(
    ({ level, verdict }) => level === 'must' && verdict === 'not-applicable',
  );
  expect(unasked?.map(({ id }) => id)).toEqual([]);
  expect(out).toContain('No failure found (quick)');
  const words = out.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`finds about ${Math.floor(order.power.share * 10)} of 10 of the kinds of faults`);
  expect(words).toContain('A whole run decides: node ');
  for (const name of ['summary.md', 'junit.xml', 'conformance.html'])
    expect(readFileSync(join(folder, 'out', name), 'utf8')).not.toContain('Conforming');
  // A CI may link each test case to its source by `file`.
  const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
  expect(junit).toMatch(/\(quick\)[^]*file="tests\/\S+\.spec\.ts"/);
  const judged = await runCommand('judge', [join(folder, 'out', 'evidence.jsonl')], {}, folder);
  // From the evidence, `judge` comes to the same verdict and reason. The text after them names another command.
  const verdict = words.slice(words.indexOf('verdict'), words.indexOf('This run'));
  expect(verdict).toContain('no failure found in');
  expect(judged.out.replaceAll(/\s+/g, ' ')).toContain(verdict);
});

test('a second run on the same store adds five animals at most', async () => {
  await withReference(unvaried, async (target) => {
    const runs = [
      await runCommand('conformance', ['--quick'], target),
      await runCommand('conformance', [], { ...target, PROFILE: 'quick' }),
    ];
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(runs[1]?.report?.run.animalsCreated).toBeLessThanOrEqual(5);
  });
});

test('read-only: at most 60 requests, and nothing is added', async () => {
  const { exitCode, report } = await runOnReference(unvaried, ['--quick', '--mode', 'read-only']);
  expect(exitCode).toBe(0);
  expect(report?.verdict).toBe('no-failure-found');
  expect(report?.run.requests).toBeLessThanOrEqual(QUICK.readOnlyRequests);
  expect(report?.footprint).toEqual([]);
  expect(report?.run.power).toBeNull();
});

test('--fail-fast ends at the first wrong answer, even before a test asks about it, with the report of a part', async () => {
  // Early lists show names with escapes already. The test about names in lists comes after 1,000 requests.
  const { vary } = findFault('list-pets.name-escaped');
  const { exitCode, report, folder } = await runOnReference(vary, ['--fail-fast']);
  expect(exitCode).toBe(1);
  expect(report?.run).toMatchObject({ complete: false, stoppedBy: 'failed' });
  expect(report?.run.requests).toBeLessThan(200);
  expect(checkReport(report)).toEqual([]);
  expect(readFileSync(join(folder, 'out', 'partial', 'report.json'), 'utf8')).toContain('"failed"');
});

test('a run that was stopped waits for nothing, so a test that tries again and again ends', async () => {
  const baseUrl = 'http://127.0.0.1:9/v1';
  const wire = openWire({ origin: new URL(baseUrl), timeout: 1_000, network: SETTINGS.network });
  const engine = new Engine({ ...SETTINGS, baseUrl, key: drawKey(), seed: 1 }, wire, drawMark());
  expect(await engine.pause(0)).toBe(true);
  engine.stop({ kind: 'interrupted', signal: null });
  expect(await engine.pause(0)).toBe(false);
  wire.close();
});

test('options that do not go with --quick are refused, and nothing is sent', async () => {
  for (const more of ['--only list-pets', '--profile certification', '--seeds 3']) {
    const { exitCode, err } = await runCommand('conformance', ['--quick', ...more.split(' ')]);
    expect(exitCode, more).toBe(2);
    expect(err).toMatch(/quick/);
  }
});

test('the order of cases names only cases of the suite, and a whole run begins in this order', async () => {
  const keys = new Set((await collectSuite()).map(nameCase));
  // `cases` is a list of names. `quick` is a list of groups: objects with names as keys, and the most requests of each as values.
  for (const named of [order.cases, order.quick.flatMap(Object.keys)]) {
    expect(named.filter((each) => !keys.has(each))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  }
  // `early`: the tests of the middle phase that run before all others, because they find most faults per request.
  const [early] = orderMiddle((await collectSuite()).filter(({ declared }) => declared.phase === 'any'));
  expect(early.length).toBeGreaterThan(50);
  const begun = early.map(nameCase);
  expect(begun).toEqual(order.cases.filter((each) => begun.includes(each)));
});

test('a quick run asks each must', async () => {
  const quick = chooseQuick(await collectSuite()).flat();
  const asked = new Set(quick.flatMap(({ declared }) => declared.verifies));
  expect(TESTED.filter((id) => REQUIREMENTS[id]?.level === 'must' && !asked.has(id))).toEqual([]);
});

test('matrix and comparison never show a quick run as conforming', () => {
  const quick = sample({}, { verdict: 'no-failure-found', run: { profile: { name: 'quick', version: 1 } } });
  const matrix = makeMatrix(
    vendors(1).map((each) => ({ ...each, report: quick })),
    '2026-11-22T12:00:00.000Z',
  );
  expect(renderMatrixPage(matrix)).toContain('>no failure found (quick)<');
  expect(renderMatrixPage(matrix)).toContain('1 vendor, 0 conforming');
  const compared = compare(quick, quick);
  for (const text of [renderComparison(compared, 'text'), renderComparison(compared, 'markdown')]) {
    expect(text).toContain(': no-failure-found');
    expect(text).not.toMatch(/conforming/i);
  }
});

test('the reason of a run without enough requests advises --quick once', () => {
  const short = {
    reason: 'MAX_REQUESTS (300) is used up; to decide, raise it',
    cause: { kind: 'budget', needs: { variable: 'MAX_REQUESTS', value: null } },
  } as const;
  const reason = VERDICT_REASONS.open(['list-pets.limit', 'get-pet.same-id'].map((id) => ({ id, ...short })));
  expect(reason.match(/--quick/g)).toHaveLength(1);
  expect(reason).toContain('--quick, which takes 150 requests');
});
