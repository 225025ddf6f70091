/** Properties draw the same input for the same seed, and a replay token sends a counterexample again. */
import { expect } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { PROPERTIES, readReplayToken } from '../../../fixtures/asking/properties/replay-token.ts';
import { writeReplayToken } from '../../../fixtures/asking/properties/replay-token.ts';
import { changeReplies, changeShown, replaceStep } from '../../../fixtures/implementations/operators.ts';
import { judgeVariant, SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import type { JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { runCommand } from '../samples/command.ts';
import { unvaried, runOnReference } from '../samples/varied-reference.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';
import { simulatedTest as test } from '../samples/simulated.ts';

/** The tests of the suite. They are collected once, because only the first import of a test file declares its tests. */
let collected: Promise<readonly CollectedTest[]> | undefined;
const properties = async () =>
  (await (collected ??= collectSuite())).filter(({ place }) => place.file.includes('/properties/'));

/** Returns the requests of a run, sorted. Marks of animals, e.g. `cshcpsxaab`, and given identifiers are replaced: each run has others. */
const listRequests = ({ all }: JudgedVariant) =>
  all()
    .map(({ ask: { method, path, credential, body = '' } }) => {
      const kind = typeof credential === 'object' ? 'wrong' : credential;
      return decodeEscapes(`${method} ${path} ${kind} ${String(body)}`)
        .replace(/^(\w+ \/pets\/)\d{16,19}/, '$1{id}')
        .replaceAll(/cs[b-z]{5}(a[a-z]*)?/g, 'run');
    })
    .sort();

test('a written token is read again, and no other text is a token', () => {
  for (const id of PROPERTIES) {
    const replay = { id, seed: -7, path: '3:0:1' };
    expect(readReplayToken(writeReplayToken(replay))).toEqual(replay);
  }
  for (const text of [
    '',
    'x',
    'WzFd',
    writeReplayToken({ id: 'create-pet.unheard-of' as 'create-pet.life', seed: 1, path: '0' }),
    writeReplayToken({ id: 'create-pet.life', seed: 1.5, path: '0' }),
    writeReplayToken({ id: 'create-pet.life', seed: 1, path: 'x' }),
  ]) {
    expect(readReplayToken(text)).toBeNull();
  }
});

test('two runs with one seed send the same requests @simulated', async () => {
  const tests = (await properties()).filter(
    ({ place }) => IS_FULL_TEST || place.file.includes('create-pet.bodies'),
  );
  const propertyRuns = IS_FULL_TEST ? SETTINGS.propertyRuns : 3;
  const runs = [];
  for (const seed of [7, 7, 8]) {
    const judged = await judgeVariant({ vary: unvaried, settings: { propertyRuns } }, tests, seed);
    const open = judged.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
    expect(open).toEqual([]);
    runs.push(listRequests(judged));
  }
  expect(runs[0]?.length).toBeGreaterThan(40);
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).not.toEqual(runs[0]);
});

test('a property passes nothing on a target that answers no POST', async () => {
  const silent = replaceStep('deliver', (usual) => async (reply, call) => {
    if (call.method === 'POST') call.incoming.socket.destroy();
    else await usual(reply, call);
  });
  const { findings } = await judgeVariant(
    { vary: silent },
    (await properties()).filter(({ place }) => place.file.includes('create-pet.bodies')),
  );
  // Findings of rules are left out: a list may pass here.
  const own = findings.filter(({ test: { file } }) => file.includes('/properties/'));
  expect(own.map(({ verdict }) => verdict)).toContain('inconclusive');
  expect(own.map(({ verdict }) => verdict)).not.toContain('pass');
});

test('the token of a life fails again in the same way, with few requests', async () => {
  const vary = changeShown('list', (usual) => ({ ...usual, status: 'lost' }));
  const lives = (await properties()).filter(({ place }) => place.file.includes('create-pet.life'));
  const { findings } = await judgeVariant({ vary }, lives);
  const found = findings.find(({ verdict, replay }) => verdict === 'fail' && replay !== null);
  const token = found?.replay ?? '';
  expect(['create-pet.life', 'create-pet.together']).toContain(readReplayToken(token)?.id);
  const again = await runOnReference(vary, ['--replay', token]);
  expect(again.exitCode).toBe(1);
  const failed = again.report?.requirements.filter(({ verdict }) => verdict === 'fail') ?? [];
  expect(failed.map(({ id }) => id)).toContain(found?.requirement);
  expect(again.report?.run.requests).toBeLessThan(120);
  const { exitCode, out } = await runOnReference((Base) => Base, ['--replay', token]);
  expect(out).toContain('Not seen any more');
  expect(exitCode).toBe(0);
});

test('a replay whose counterexample is not seen says that something else failed', async () => {
  const vary = changeReplies(
    (_, { operation }) => operation === 'listPets',
    () => ({ status: 203 }),
  );
  const token = writeReplayToken({ id: 'create-pet.texts', seed: 1, path: '0' });
  const { exitCode, out } = await runOnReference(vary, ['--replay', token]);
  expect(out).toContain('Not seen this time, but something else failed');
  expect(exitCode).toBe(1);
});

test('several seeds send more generated input, and allow more requests @long', async () => {
  const only = ['--only', 'list-pets.default-limit'];
  const one = await runCommand('conformance', only);
  const several = await runCommand('conformance', [...only, '--seeds', '3']);
  expect(several.report?.run.seeds).toEqual([1, 2, 3]);
  expect(several.report?.run.profile).toBeUndefined();
  // Three seeds may each use the default of MAX_REQUESTS, 3,000.
  expect(several.report?.run.limits.requests).toBe(9_000);
  expect(several.report?.run.requests).toBeGreaterThan((one.report?.run.requests ?? 0) + 20);
  expect(several.exitCode).toBe(3);
});

/** Replaces escapes of JSON by their characters, e.g. `\u0052` by R, because a mark may be escaped. */
function decodeEscapes(text: string): string {
  return text.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
