import { expect, test } from '@playwright/test';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { against, command, idsWith } from '../samples/command.ts';
import { counted } from '../samples/counted.ts';

const stocked: Vary = (Base) =>
  class extends Base {
    override async start(): Promise<void> {
      for (let count = 0; count < 6; count += 1)
        await this.create({
          name: 'foreign',
          categoryId: 1n,
          status: (['available', 'pending', 'sold'] as const)[count % 3],
        });
    }
  };

for (const [what, vary, env, tag] of [
  ['a store with animals', stocked, { MODE: 'read-only' }, '@long'],
  ['an empty store', (Base) => Base, { MODE: 'read-only' }, '@long'],
  ['production, where it is the default', stocked, { TARGET_ENV: 'production' }, []],
] as [string, Vary, NodeJS.ProcessEnv, '@long' | []][]) {
  test(`read-only mode sends no POST to ${what}, and conforms as far as it asks`, { tag }, async () => {
    const watched = counted(vary);
    await against(watched.vary, async (target) => {
      const { exitCode, out, report } = await command('conformance', [], { ...target, ...env });
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
  });
}
