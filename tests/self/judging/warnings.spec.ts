import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
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
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const shoulds = FAULTS.filter(
  ({ breaks, beyondReach }) => REQUIREMENTS[breaks]?.level === 'should' && beyondReach === undefined,
);

async function verdictOn(variant: Variant, which = verifying()) {
  const judged = await runOn(variant, (await suite).filter(which));
  const ran = new Set(judged.findings.map(({ requirement }) => requirement as string));
  const results = makeResults(judged.findings).filter(({ id }) => ran.has(id));
  const ids = (verdict: string) => results.filter((each) => each.verdict === verdict).map(({ id }) => id);
  return {
    exitCode: judgeRun(results, {
      complete: true,
      stopped: judged.stopped && describeStop(judged.stopped),
      partial: false,
      strict: false,
      readOnly: false,
    }).exitCode,
    ids,
    animals: judged.animals,
  };
}

// the proof holds each of them to the same, and its sample some in each `npm test`
for (const fault of shoulds) {
  test(`a broken should costs nothing: ${fault.id}`, { tag: '@long' }, async () => {
    const { exitCode, ids } = await verdictOn(fault);
    expect(ids('warn')).toContain(fault.breaks);
    expect([...ids('fail'), ...ids('inconclusive')]).toEqual([]);
    expect(exitCode).toBe(0);
  });
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

test('on a full store, what looking for the cause of a warning adds leaves every must decided', async () => {
  const full = FREEDOMS.find(({ id }) => id === 'stores.full');
  const refusing = FAULTS.find(({ id }) => id === 'create-pet.chunked-refused');
  const { exitCode, ids } = await verdictOn({
    vary: (Base) => refusing!.vary(full!.vary(Base)),
  });
  expect(ids('warn')).toEqual([refusing!.breaks]);
  expect(ids('inconclusive').filter((id) => REQUIREMENTS[id]?.level === 'must')).toEqual([]);
  expect(exitCode).toBe(0);
});

for (const [title, accepts, warnings] of [
  ['in both cases', (token: string) => token.toUpperCase() === ULID, ['authentication.single-case']],
  ['in its own case alone', (token: string) => token === ULID, []],
] as const) {
  test(`a key whose letters are all of one case may be taken ${title}`, async () => {
    const vary: Vary = (Base) =>
      class extends Base {
        override accepts(token: string): boolean {
          return accepts(token);
        }
      };
    const { exitCode, ids } = await verdictOn(
      { vary, settings: { key: ULID } },
      verifying('authentication.'),
    );
    expect(ids('warn')).toEqual(warnings);
    expect(ids('not-applicable')).toContain('authentication.letter-case');
    expect([exitCode, ...ids('fail'), ...ids('inconclusive')]).toEqual([0]);
  });
}

test('OPTIONS may be answered 501', async () => {
  const vary: Vary = (Base) =>
    class extends Base {
      override async route(call: Call): Promise<Reply> {
        return call.method === 'OPTIONS'
          ? this.error(501, 'not-implemented', 'this method is not served', call)
          : super.route(call);
      }
    };
  const { ids } = await verdictOn({ vary }, verifying('errors.', 'authentication.'));
  expect([...ids('warn'), ...ids('fail'), ...ids('inconclusive')]).toEqual([]);
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

for (const [wrong, warnings, tag] of [
  ['400', ['errors.undocumented'], []],
  ['404', [], ['@long']],
] as const)
  test(
    `where documented Errors are wrong under ${wrong}, an unknown path with plain text is ${warnings.length > 0 ? 'another matter' : 'the same matter'}`,
    { tag: [...tag] },
    async () => {
      const vary: Vary = (Base) =>
        class extends Base {
          override error(status: number, code: string, message: string, call: Call): Reply {
            const isPlain = String(status) === wrong || (status === 404 && !call.path.includes('/pets'));
            const reply = super.error(status, code, message, call);
            return isPlain ? { ...reply, headers: [['Content-Type', 'text/plain']] } : reply;
          }
        };
      const { ids } = await verdictOn({ vary }, verifying('errors.', 'get-pet.'));
      expect(ids('fail')).toEqual(['errors.media-type']);
      expect(ids('warn')).toEqual(warnings);
    },
  );
