import { expect } from '@playwright/test';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import { invalidBodyOf, REFUSED_BY } from '../../../fixtures/interface/request-oracle.ts';
import { answerInstead, changeReplies, matchBody } from '../../../fixtures/implementations/operators.ts';
import { judgeOn } from '../samples/run-on.ts';
import { simulatedTest as test } from '../samples/simulated.ts';

test('bad bodies that end in a server error use up no budget, so that all others are judged', async () => {
  const isEmptyObject = matchBody(/^\s*\{\s*\}\s*$/);
  const vary = changeReplies(
    ({ status }, call) => status === 400 && call.method === 'POST' && !isEmptyObject(call),
    () => ({ status: 500, body: '{"code":"internal","message":"it did not check the body","status":500}' }),
  );
  const judged = await judgeOn({ vary, settings: { maxBadAnimals: 16 } }, ...REFUSED_BY);
  expect(judged.with('fail')).toContain('create-pet.body-malformed');
  expect(judged.with('fail')).not.toContain('create-pet.empty-object');
  expect(judged.with('inconclusive').filter((id) => (REFUSED_BY as readonly string[]).includes(id))).toEqual(
    [],
  );
});

test('a body that never gets an answer leaves its promise undecided, whatever other bodies get @simulated', async () => {
  const vary = answerInstead(
    'createPet',
    ({ bytes }) => !isJson(Buffer.from(bytes).toString()),
    () => new Promise(() => undefined),
  );
  const judged = await judgeOn({ vary, timeout: 2_000 }, 'create-pet.body-');
  expect(judged.with('fail')).toEqual([]);
  expect(judged.with('inconclusive')).toContain('create-pet.body-malformed');
  expect(judged.with('inconclusive')).not.toContain('create-pet.body-not-object');
});

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

test('a body that must be refused is of one kind', () => {
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
    expect(invalidBodyOf(body)?.kind, body).toBe(kind);
  expect(REFUSED_BY.filter((id) => REQUIREMENTS[id] === undefined)).toEqual([]);
});
