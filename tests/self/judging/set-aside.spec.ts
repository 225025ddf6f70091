import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import { invalidBodyOf, REFUSED_BY } from '../../../fixtures/interface/request-oracle.ts';
import type { Variant } from '../../../fixtures/implementations/judge-variant.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { runOn, verifying } from '../samples/run-on.ts';

const suite = collectSuite();

/** Judges by the promises whose ids begin so; by default by all. */
async function verdictsOn(vary: Vary, begins: readonly string[] = [''], own: Omit<Variant, 'vary'> = {}) {
  const { findings, animals } = await runOn({ ...own, vary }, (await suite).filter(verifying(...begins)));
  const musts = makeResults(findings).filter(
    ({ id }) => REQUIREMENTS[id]?.level === 'must' && begins.some((each) => id.startsWith(each)),
  );
  const ids = (verdict: string) => musts.filter((each) => each.verdict === verdict).map(({ id }) => id);
  return { failed: ids('fail'), undecided: ids('inconclusive'), animals };
}

test('bad bodies that end in a server error use up no budget, so that all others are judged', async () => {
  const { failed, undecided } = await verdictsOn(
    (Base) =>
      class extends Base {
        override async answer(call: Call): Promise<Reply> {
          const reply = await super.answer(call);
          const isRefused =
            reply.status === 400 &&
            call.incoming.method === 'POST' &&
            this.textOf(call).replace(/\s/g, '') !== '{}';
          return isRefused ? this.error(500, 'internal', 'it did not check the body', call) : reply;
        }
      },
    REFUSED_BY,
    { settings: { maxBadAnimals: 16 } },
  );
  expect(failed).toContain('create-pet.body-malformed');
  expect(failed).not.toContain('create-pet.empty-object');
  expect(undecided).toEqual([]);
});

test('a body that never gets an answer leaves its promise undecided, whatever other bodies get', async () => {
  const { failed, undecided } = await verdictsOn(
    (Base) =>
      class extends Base {
        override async createPet(call: Call): Promise<Reply> {
          const isJson = parsed(this.textOf(call)) !== undefined;
          return isJson ? super.createPet(call) : new Promise<Reply>(() => undefined);
        }
      },
    REFUSED_BY,
    { timeout: 2_000 },
  );
  expect(failed).toEqual([]);
  expect(undecided).toContain('create-pet.body-malformed');
  expect(undecided).not.toContain('create-pet.body-not-object');
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

for (const [body, kind] of [
  ['{"name":7,"categoryId":1}', 'create-pet.name-type: number'],
  ['{"name":"Rex","categoryId":"1"}', 'create-pet.category-id-type: digits in a text'],
  ['{"name":"Rex","categoryId":1,"status":"SOLD"}', 'create-pet.status-values: letter case'],
  [
    '{"name":"Rex","categoryId":1,"status":" sold"}',
    'create-pet.status-values: text with blanks at its ends',
  ],
  ['{"title":"Rex","categoryId":1}', 'create-pet.other-members: title,categoryId'],
  ['[]', 'create-pet.body-not-object: array, empty'],
  ['name', 'create-pet.body-malformed: no object'],
  ['{"name":"Rex","categoryId":1}', undefined],
  ['{"NAME":7,"categoryId":1}', undefined],
  ['{"name":"Rex","name":7,"categoryId":1}', 'several'],
  ['{"name":7,"categoryId":1,"age":2}', 'create-pet.name-type: number, beside another member'],
  ['{"name":7,"categoryId":"1","age":2}', 'several'],
] as const)
  test(`of ${body} the kind is ${kind ?? 'none'}`, () => {
    expect(invalidBodyOf(body)?.kind).toBe(kind);
  });

test('every kind names a promise by which bodies are refused', () => {
  expect(REFUSED_BY.filter((id) => REQUIREMENTS[id] === undefined)).toEqual([]);
});
