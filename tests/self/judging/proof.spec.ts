import { expect, test } from '@playwright/test';
import { judgeTask } from '../../../bin/prove/judge-task.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { countContradicting } from '../../../fixtures/implementations/pairs.ts';
import { against, command, idsWith } from '../samples/command.ts';

const suite = collectSuite();
/** Every so many-th variant also goes through the real command. */
const FAULTY = pick(
  FAULTS.filter(
    ({ key, settings, beyondReach }) =>
      key === undefined && settings === undefined && beyondReach === undefined,
  ),
  7,
);
const FREE = pick(
  FREEDOMS.filter(
    ({ key, settings, slow, stops, inconclusive }) =>
      key === undefined &&
      settings === undefined &&
      slow !== true &&
      stops !== true &&
      inconclusive === undefined,
  ),
  5,
);

for (const fault of FAULTY) {
  test(`the command and the proof agree on the fault ${fault.id}`, { tag: '@long' }, async () => {
    const proved = await judgeTask(
      {
        kind: 'fault',
        id: fault.id,
        base: 'reference',
        seed: 1,
        propertiesOnly: false,
        whole: true,
        roundTrip: 0,
        evidence: null,
      },
      await suite,
    );
    const broken = proved.verdicts
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id }) => id);
    await against(
      fault.vary,
      async (target) => {
        const { exitCode, report } = await command('conformance', [], {
          ...target,
          CONSISTENCY_WINDOW: '0.3',
        });
        expect(idsWith(report, 'fail', 'warn').toSorted()).toEqual(broken.toSorted());
        expect(exitCode).toBe(proved.exitCode);
      },
      fault.basePath,
    );
  });
}

for (const freedom of FREE) {
  test(`the command leaves the freedom ${freedom.id} alone`, { tag: '@long' }, async () => {
    await against(
      freedom.vary,
      async (target) => {
        const { exitCode, report } = await command('conformance', [], target);
        expect(idsWith(report, 'fail', 'inconclusive')).toEqual([]);
        expect(idsWith(report, 'warn').filter((id) => !freedom.warns?.some((each) => each === id))).toEqual(
          [],
        );
        expect(exitCode).toBe(0);
      },
      freedom.basePath,
    );
  });
}

test('at most one pair of freedoms in fifty cannot be one service', () => {
  const { all, storeAndTime } = countContradicting();
  expect(all).toBeGreaterThan(0);
  expect(Math.max(all, storeAndTime)).toBeLessThanOrEqual(0.02);
});

function pick<T>(values: readonly T[], count: number): T[] {
  return Array.from(
    { length: Math.min(count, values.length) },
    (_, index) => values[Math.floor((index * values.length) / count)] as T,
  );
}
