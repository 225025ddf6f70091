/** Whole runs on the reference: exit code 0, nothing undecided, few requests; read-only mode sends no POST. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { stockStore } from '../../../fixtures/implementations/operators.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { SILENCES } from '../../../fixtures/interface/requirements.ts';
import { runOnReference, countAtService } from '../samples/varied-reference.ts';
import { runCommand, idsWith } from '../samples/command.ts';

test('0: the embedded reference conforms, with nothing undecided', async () => {
  const { exitCode, out, report, folder } = await runCommand('conformance', []);
  expect(out).toContain('Conforming');
  expect(exitCode).toBe(0);
  expect(checkReport(report)).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'conforming',
    exitCode: 0,
    target: { embedded: true },
    run: { complete: true, stopped: null },
  });
  expect(report?.counts.must).toMatchObject({ fail: 0, inconclusive: 0, 'not-applicable': 0 });
  const unasked = report?.observations.filter(({ observed }) => observed === 'not-observed');
  expect(unasked?.map(({ id }) => id)).toEqual([]);
  // A question lists its possible answers, e.g. `caps-at-<number>`; `<status>` is any status, or no answer
  const patternOf = (answer: string) =>
    answer === '<status>' ? '(\\w+-\\d{3}|no-answer).*' : answer.replaceAll(/<\w+>/g, '.+');
  const isListed = ({ id, observed }: Report['observations'][number]) => {
    const answers = SILENCES[id]?.answers ?? ['<status>'];
    return answers.some((each) => new RegExp(`^${patternOf(each)}$`).test(observed));
  };
  expect(report?.observations.filter((each) => !isListed(each))).toEqual([]);
  const codes = report?.observations.find(({ id }) => id === 'errors.codes')?.observed;
  expect(codes).toBe('401=unauthorized 400=invalid-status 404=pet-not-found');
  expect(report?.run.requests).toBeLessThan(1_600);
  expect(statSync(join(folder, 'out', 'conformance.html')).size).toBeLessThan(300 * 1_024);
});

const sixAnimals = stockStore(6);

for (const [what, vary, env, tag] of [
  ['a store with animals', sixAnimals, { MODE: 'read-only' }, '@long'],
  ['an empty store', (Base) => Base, { MODE: 'read-only' }, '@long'],
  ['production, where it is the default', sixAnimals, { TARGET_ENV: 'production' }, []],
] as [string, Vary, NodeJS.ProcessEnv, '@long' | []][]) {
  test(`read-only mode sends no POST to ${what}, and conforms as far as it asks`, { tag }, async () => {
    const watched = countAtService(vary);
    const { exitCode, out, report } = await runOnReference(watched.vary, [], env);
    expect([...watched.seen.methods]).not.toContain('POST');
    expect(watched.seen.requests).toBeGreaterThan(10);
    expect(out.toLowerCase()).toContain('conforming as far as read-only asks');
    expect(idsWith(report, 'fail', 'inconclusive')).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'conforming',
      exitCode: 0,
      footprint: [],
      run: { mode: 'read-only', animalsCreated: 0 },
    });
    expect(report?.requirements.find(({ id }) => id === 'create-pet.answers-201')?.verdict).toBe(
      'not-applicable',
    );
    expect(checkReport(report)).toEqual([]);
    expect(exitCode).toBe(0);
  });
}
