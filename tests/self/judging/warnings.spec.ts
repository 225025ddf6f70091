import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Variant } from '../../../fixtures/implementations/judge-variant.ts';
import {
  KEPT_FOR_LAST,
  KEPT_FOR_MUSTS,
  WrongKeyBudget,
} from '../../../fixtures/session/dispatch/wrong-key-budget.ts';
import { makeResults, judgeRun } from '../../../reports/document/verdicts.ts';
import { counted } from '../samples/counted.ts';
import { describeStop } from '../../../reports/document/reasons/stop-words.ts';
import { runOn, verifying } from '../samples/run-on.ts';

const suite = collectSuite();

async function verdictOn(variant: Variant, which = verifying()) {
  const judged = await runOn(variant, (await suite).filter(which));
  const ran = new Set(judged.findings.map(({ requirement }) => requirement as string));
  const results = makeResults(judged.findings).filter(({ id }) => ran.has(id));
  const ids = (verdict: string) => results.filter((each) => each.verdict === verdict).map(({ id }) => id);
  return {
    exitCode: judgeRun(results, {
      complete: true,
      stopped: judged.stopped && describeStop(judged.stopped),
      strict: false,
      only: [],
    }).exitCode,
    ids,
    animals: judged.animals,
  };
}

test('a service without WWW-Authenticate conforms, and takes no more wrong keys and animals than another', async () => {
  const unchallenged: Vary = (Base) =>
    class extends Base {
      override unauthorized(call: Call): Reply {
        const { headers, ...reply } = super.unauthorized(call);
        return { ...reply, headers: headers.filter(([name]) => name !== 'WWW-Authenticate') };
      }
    };
  const [plain, odd] = [counted((Base) => Base), counted(unchallenged)];
  const usual = await verdictOn({ vary: plain.vary });
  const warned = await verdictOn({ vary: odd.vary });
  expect(warned.ids('warn')).toEqual(['authentication.challenge']);
  expect([warned.exitCode, ...warned.ids('inconclusive')]).toEqual([0]);
  expect(odd.seen.wrongKeys).toBe(plain.seen.wrongKeys);
  // under certification it presents five more and three fewer, and MAX_WRONG_KEYS is 60
  expect(plain.seen.wrongKeys).toBeLessThanOrEqual(57);
  expect(warned.animals).toBeLessThanOrEqual(usual.animals + 2);
});

test('what should be kept takes no wrong key that a must may need', async () => {
  const keys = new WrongKeyBudget(KEPT_FOR_MUSTS + 1, new AbortController().signal);
  await keys.takeKey(true);
  await expect(keys.takeKey(true)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: true },
  });
  for (let taken = 0; taken < KEPT_FOR_MUSTS; taken += 1) await keys.takeKey(false);
  await expect(keys.takeKey(false)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: false },
  });
});

test('the last phase finds wrong keys, whatever went before', async () => {
  let isLast = false;
  const kept = KEPT_FOR_LAST.certification;
  const keys = new WrongKeyBudget(60, new AbortController().signal, () => (isLast ? 0 : kept));
  for (let taken = 0; taken < 60 - kept; taken += 1) await keys.takeKey(false);
  await expect(keys.takeKey(false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
  isLast = true;
  for (let taken = 0; taken < kept; taken += 1) await keys.takeKey(false);
  await expect(keys.takeKey(false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
});
