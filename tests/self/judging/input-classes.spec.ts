/** A report names the class of the generated input of a failure, e.g. `null as categoryId`. */
import { expect, test } from '@playwright/test';
import { classifyBody, type Template } from '../../../fixtures/asking/arbitraries/generated-bodies.ts';
import { classifyName } from '../../../fixtures/asking/arbitraries/names.ts';
import { findFault } from '../samples/named-variants.ts';
import { withReference } from '../samples/varied-reference.ts';
import { runCommand } from '../samples/command.ts';

const body = (members: Record<string, string>): Template =>
  Object.entries({ name: '$name', categoryId: '$category', ...members });

for (const [template, kind] of [
  [body({ categoryId: 'null' }), 'null as categoryId'],
  [body({ categoryId: '1.5' }), 'a number with a fraction as categoryId'],
  [body({ categoryId: '9223372036854775808' }), 'a number beyond int64 as categoryId'],
  [body({ name: '1e3' }), 'a number as name'],
  [body({ name: '[]' }), 'an array as name'],
  [body({ status: '" sold"' }), 'a string with a blank at its end as status'],
  [[['name', '$name']], 'no categoryId'],
] as [Template, string][])
  test(`the class of a body: ${kind}`, () => expect(classifyBody(template)).toBe(kind));

for (const [name, kind] of [
  ['Rex', 'a name of plain characters'],
  ['a'.repeat(60), 'a name of 60 characters'],
  ['Rex\u0007', 'a name with a control character'],
  ['<b>Ä', 'a name with characters of markup and a character beyond ASCII'],
  ['🐕', 'a name with a character beyond the first plane of Unicode and a character beyond ASCII'],
  ['\ud800', 'a name with half of a surrogate pair and a character beyond ASCII'],
] as const) {
  test(`the class of a name: ${kind}`, () => expect(classifyName(name)).toBe(kind));
}

test('a replay shows the class of the generated input @long', async () => {
  const fault = findFault('create-pet.category-id-integer-answers-422');
  await withReference(fault.vary, async (target) => {
    const failedIn = async (...args: string[]) =>
      (await runCommand('conformance', args, target)).report?.requirements.find(
        ({ id, verdict }) => id === fault.breaks && verdict === 'fail',
      );
    // Only the generated input: without --replay, a test with a plain example may fail first
    const failed = await failedIn('--replay', (await failedIn('--only', fault.breaks))?.replay ?? '');
    expect(failed?.input?.text).toMatch(/ \(a number .* as categoryId\)$/);
  });
});
