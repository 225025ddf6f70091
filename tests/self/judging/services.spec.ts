import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/selection/suite.ts';
import { startExpress } from '../../../fixtures/implementations/others/express.ts';
import { startFastify } from '../../../fixtures/implementations/others/fastify.ts';
import type { Habit, Start } from '../../../fixtures/implementations/others/other.ts';
import { randomKey } from '../../../fixtures/reference/random-key.ts';
import { judgeServed } from '../../../fixtures/implementations/judge-variant.ts';
import { requirementResults } from '../../../reports/document/verdicts.ts';
import { nodeOf } from '../samples/other-node.ts';

const suite = collectSuite();
/** A version that has node:sqlite without a flag. */
const WITH_SQLITE = 24;

const startSqlite: Start = async ({ key, habit }) => {
  const script = fileURLToPath(
    new URL('../../../../fixtures/implementations/others/sqlite.mjs', import.meta.url),
  );
  const child = spawn(nodeOf(WITH_SQLITE), [script], {
    env: { KEY: key, HABIT: habit ?? '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const [baseUrl = ''] = await new Promise<string[]>((resolve) =>
    lines.once('line', (line) => resolve([line])),
  );
  return {
    baseUrl,
    close: () => new Promise((resolve) => child.once('exit', () => resolve()) && child.kill()),
  };
};

/** What each habit breaks, by name. */
const BROKEN: Record<Habit, RegExp> = {
  coercion: /^create-pet\.(category-id|name|status)-type$/,
  'null-as-absent': /^create-pet\.status-type$/,
  'html-404': /^errors\.media-type$/,
};

for (const [name, start] of [
  ['Fastify', startFastify],
  ['Express', startExpress],
  ['node:http over node:sqlite', startSqlite],
] as const) {
  test.describe(`a service in ${name}`, { tag: '@long' }, () => {
    test('conforms', async () => {
      const { failed, warned } = await judged(start, null);
      expect(failed).toEqual([]);
      expect(warned).toEqual([]);
    });

    for (const habit of Object.keys(BROKEN) as Habit[]) {
      test(`is caught by name for ${habit}`, async () => {
        const { failed } = await judged(start, habit);
        expect(
          failed.filter((id) => BROKEN[habit].test(id)),
          failed.join(', '),
        ).not.toEqual([]);
      });
    }
  });
}

async function judged(start: Start, habit: Habit | null): Promise<{ failed: string[]; warned: string[] }> {
  const key = randomKey();
  const { baseUrl, close } = await start({ key, habit });
  const { findings } = await judgeServed({ baseUrl, key }, await suite);
  await close();
  const results = requirementResults(findings);
  const ids = (...verdicts: string[]) =>
    results
      .filter(({ verdict }) => verdicts.includes(verdict))
      .map(({ id, received }) => (verdicts.includes('warn') ? `${id}: ${received}` : id));
  return { failed: ids('fail', 'inconclusive'), warned: ids('warn') };
}
