/** A second run on a store that holds the animals of the first: same failures, fewer animals, identifiers noted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { combineVaries, newestFirst } from '../../../fixtures/implementations/operators.ts';
import { findFault, findFreedom } from '../samples/named-variants.ts';
import { withReference } from '../samples/varied-reference.ts';
import { runCommand, idsWith, makeFolder } from '../samples/command.ts';
import { FEW_INPUTS } from '../samples/run-on.ts';

/** Little generated input, because no test here is about it. */
const FEW = { PROPERTY_RUNS: String(FEW_INPUTS) };
/** The promise that the service breaks: it answers 500 to half a character. */
const POISONED = 'create-pet.broken-characters';

const stray = (n: number) => ({ name: `Stray ${n}`, categoryId: 1, status: 'sold' }) as const;

test('the second run on a store that holds the animals of the first names the same failure', async () => {
  const folder = makeFolder();
  // The newest first, so that lists show who came last
  const vary = combineVaries(findFault('create-pet.half-character-fails').vary, newestFirst);
  await withReference(vary, async (target, { service }) => {
    const part = ['--only', POISONED, '--only', 'list-pets.limit'];
    const first = await runCommand('conformance', part, { ...target, ...FEW }, folder);
    expect(first.exitCode).toBe(1);
    expect(idsWith(first.report, 'fail')).toEqual([POISONED]);

    const second = await runCommand('conformance', part, { ...target, ...FEW }, folder);
    expect(second.exitCode).toBe(1);
    expect(idsWith(second.report, 'fail')).toEqual([POISONED]);
    // The run adds at most 8 animals before a list shows the animals of the first run, which count as animals of others. It may then add 30.
    expect(second.report?.run.limits.animals).toBeLessThanOrEqual(38);

    // From now on others use the store, too
    for (let n = 0; n < 3; n += 1) await service.create(stray(n));
    const failed = await runCommand('conformance', ['--failed'], target, folder);
    expect(failed.exitCode).toBe(3);
    expect(failed.out).toContain(`not asked again: ${POISONED} needs an empty store`);
    expect(failed.out).not.toContain('It passes');

    const third = await runCommand('conformance', [], { ...target, ...FEW }, folder);
    expect(third.exitCode).toBe(0);
    expect(third.report?.reason).toMatch(
      /not asked for the sake of animals of others: .*create-pet\.broken-characters \(an empty store decides\)/,
    );
    expect(third.report?.counts.must.inPart).toBeGreaterThan(0);
  });
});

test('an identifier that the service adopted is noted for every later run, and none is sent again', async () => {
  const folder = makeFolder();
  const footprint = () => readFileSync(join(folder, 'out', 'partial', 'footprint.json'), 'utf8');
  await withReference(findFreedom('create-pet.client-id-adopted').vary, async (target) => {
    const run = () => runCommand('conformance', ['--only', 'create-pet.client-id-adopted'], target, folder);
    await run();
    const id = /"id": "(\d+)",[^}]*"adopted": true/.exec(footprint())?.[1];
    expect(id).toBeDefined();
    for (const _ of ['second', 'third']) {
      await run();
      expect(footprint()).not.toContain('"adopted": true');
      expect(JSON.parse(footprint())).toMatchObject({ adoptedBefore: [id] });
    }
  });
});
