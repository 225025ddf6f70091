import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { runOn } from '../samples/run-on.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
/** Animals that the run has added when those of others come. */
const LATE = 39;
const OTHERS = 30;

const stray = (n: number) => ({ name: `Stray ${n}`, categoryId: 3, status: 'sold' }) as const;

const full: Vary = (Base) =>
  class extends Base {
    override async start(): Promise<void> {
      await super.start();
      for (let n = 0; n < OTHERS; n += 1) await this.create(stray(n));
    }
  };

const filling: Vary = (Base) =>
  class extends full(Base) {
    override async answer(call: Call): Promise<Reply> {
      if (call.count % 5 === 0) await this.create(stray(OTHERS + call.count));
      return super.answer(call);
    }
  };

const late: Vary = (Base) =>
  class extends Base {
    #haveCome = false;

    override async answer(call: Call): Promise<Reply> {
      if (!this.#haveCome && this.animals.size >= LATE) {
        this.#haveCome = true;
        for (let n = 0; n < OTHERS; n += 1) await this.create(stray(n));
      }
      return super.answer(call);
    }
  };

// MAX_ANIMALS is not set: each must is decided, if only in part
for (const [title, vary] of Object.entries({ full, filling, late }))
  test(`every must has room on a store that is ${title}, by ten seeds`, { tag: '@long' }, async () => {
    for (const seed of SEEDS) {
      const { findings } = await runOn({ vary, settings: { seed } }, await collectSuite());
      const open = makeResults(findings).filter(
        ({ level, verdict }) => level === 'must' && ['inconclusive', 'fail'].includes(verdict),
      );
      expect(
        open.map(({ id, reason }) => `${seed}: ${id}: ${reason}`),
        title,
      ).toEqual([]);
    }
  });
