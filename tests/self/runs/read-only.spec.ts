import { expect, test } from '@playwright/test';
import { stockStore } from '../../../fixtures/implementations/operators.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { idsWith, runAgainst } from '../samples/command.ts';
import { counted } from '../samples/counted.ts';

const stocked = stockStore(6);

for (const [what, vary, env, tag] of [
  ['a store with animals', stocked, { MODE: 'read-only' }, '@long'],
  ['an empty store', (Base) => Base, { MODE: 'read-only' }, '@long'],
  ['production, where it is the default', stocked, { TARGET_ENV: 'production' }, []],
] as [string, Vary, NodeJS.ProcessEnv, '@long' | []][]) {
  test(`read-only mode sends no POST to ${what}, and conforms as far as it asks`, { tag }, async () => {
    const watched = counted(vary);
    const { exitCode, out, report } = await runAgainst(watched.vary, [], env);
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
    expect(reportMistakes(report)).toEqual([]);
    expect(exitCode).toBe(0);
  });
}
