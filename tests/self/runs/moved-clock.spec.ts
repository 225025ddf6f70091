/** A clock that somebody sets during a run says when the run was, and changes nothing else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { answerInstead, appendHeaders } from '../../../fixtures/implementations/operators.ts';
import { withReference } from '../samples/varied-reference.ts';
import { makeFolder, startCommand } from '../samples/command.ts';

/** The target answers each 40th request with 429 and `Retry-After: 1`. */
const BUSY_EVERY = 40;
/** Milliseconds by which the clock is moved. A run that measured its waits by this clock would wait ten minutes. */
const STEP = 600_000;

/** A module that moves the clock of its process forth and back, again and again. */
const STEPS = `
  const { now } = Date;
  const moved = () => now() + (Math.floor(performance.now() / 150) % 2 === 0 ? ${STEP} : -${STEP});
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [moved()] : given));
    }
    static now() {
      return moved();
    }
  };
`;

const busy = answerInstead(
  'answer',
  ({ count }) => count % BUSY_EVERY === 0,
  (call, service) => appendHeaders(service.error(429, 'busy', 'come back later', call), ['Retry-After', '1']),
);

test('a clock that is set during a run makes no wait longer and no report unreadable', async () => {
  const module = join(makeFolder(), 'steps.mjs');
  writeFileSync(module, STEPS);
  const { exitCode, report, folder } = await withReference(busy, (target) =>
    startCommand('conformance', ['--only', 'get-pet.not-found'], {
      ...target,
      NODE_OPTIONS: `--import=${module}`,
    }),
  );
  expect(report?.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect(exitCode).toBe(3); // nothing fails, but only a part was asked
  expect(checkReport(report)).toEqual([]);
  expect(report?.run.durationMs).toBeGreaterThan(0);
  expect(report?.run.durationMs).toBeLessThan(STEP);
  const [junit, ctrf] = ['junit.xml', 'ctrf.json'].map((name) =>
    readFileSync(join(folder, 'out', 'partial', name), 'utf8'),
  );
  expect(junit).not.toMatch(/time="-/);
  expect(ctrf).not.toMatch(/"duration":\s*-/);
});
