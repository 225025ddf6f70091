/** Animals of an earlier run are read again: the same, gone, changed, undecided, out of reach. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { against, command } from '../samples/command.ts';
import { runHere } from '../samples/run-here.ts';

type Change = ((pet: Record<string, unknown>, text: string) => string) | number | null;

/** Answers getPet otherwise from the moment that it is told to: a body changed, another status, or null for as ever. */
let changed: Change = null;

class Moody extends Reference {
  override async answer(call: Call): Promise<Reply> {
    const reply = await super.answer(call);
    if (changed === null || call.operation !== 'getPet' || reply.status !== 200) return reply;
    if (typeof changed === 'number')
      return {
        ...reply,
        status: changed,
        body: JSON.stringify({ code: 'other', message: 'other', status: changed }),
      };
    const text = String(reply.body);
    return { ...reply, body: changed(JSON.parse(text) as Record<string, unknown>, text) };
  }
}

const CASES: readonly (readonly [title: string, change: Change, exitCode: number, says: RegExp])[] = [
  ['as it was', null, 0, /: (\d+) as they were, 0 gone, 0 changed\.\n$/],
  ['gone', 404, 0, /: 0 as they were, \d+ gone, 0 changed\.\n$/],
  ['another name', (_, text) => text.replace(/"name":"/, '"name":"X'), 1, /name was "cs.*" and is "Xcs/],
  [
    'another category',
    (_, text) => text.replace(/"categoryId":\d+/, '"categoryId":4'),
    1,
    /categoryId was "1" and is "4"/,
  ],
  [
    'an identifier off by one',
    (_, text) => text.replace(/"id":(\d+)/, (__, id: string) => `"id":${BigInt(id) + 1n}`),
    1,
    /id was "(\d+)" and is "\d+"/,
  ],
  [
    'another status',
    (_, text) => text.replace(/"status":"\w+"/, '"status":"none of them"'),
    1,
    /status was "\w+" and is "none of them"/,
  ],
  ['no Pet', () => '[]', 1, /answered 200, but not with a Pet/],
  ['a server error', 500, 1, /\d+ undecided\.\n.*answered 500/],
];

test(
  'recheck tells what became of each animal, by its exit code too, and adds none',
  { tag: '@long' },
  async () => {
    await against(
      () => Moody,
      async (target) => {
        changed = null;
        const { folder, exitCode } = await runHere(['--only', 'create-pet.status-present'], target);
        expect(exitCode).toBe(3);
        const footprint = join(folder, 'out', 'partial', 'footprint.json');
        const { animals } = JSON.parse(readFileSync(footprint, 'utf8')) as { animals: object[] };
        expect(animals[0]).toEqual({
          id: expect.stringMatching(/^\d+$/),
          name: expect.stringMatching(/^[A-Za-z]cs/),
          categoryId: '1',
          status: expect.any(String),
        });
        for (const [title, change, code, says] of CASES) {
          changed = change;
          const ended = await command('recheck', [footprint], target);
          expect(ended.out, title).toMatch(says);
          expect(ended.exitCode, title).toBe(code);
        }
        changed = null;
        expect(
          (await command('recheck', [footprint], { ...target, BASE_URL: 'http://127.0.0.1:9/v1' })).err,
        ).toContain(`is of ${target.BASE_URL}`);
        expect((await command('recheck', [footprint], {})).err).toContain('recheck needs a target');
        const moved = join(folder, 'moved.json');
        writeFileSync(
          moved,
          readFileSync(footprint, 'utf8').replace(target.BASE_URL, 'http://127.0.0.1:9/v1'),
        );
        expect(
          (await command('recheck', [moved], { ...target, BASE_URL: 'http://127.0.0.1:9/v1' })).exitCode,
        ).toBe(3);
      },
    );
  },
);

test('recheck reads nothing but a footprint', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'conformance-recheck-')), 'footprint.json');
  for (const [text, says] of [
    ['{', 'it is not JSON'],
    ['{"run":"x","target":"y"}', 'lacks "animals"'],
    ['{"run":"x","target":"y","animals":[{"id":"../x","name":"n"}]}', '/animals/0/id'],
  ] as const) {
    writeFileSync(file, text);
    const { exitCode, err } = await command('recheck', [file]);
    expect(err).toContain(says);
    expect(exitCode).toBe(2);
  }
  expect((await command('recheck', [dirname(file)])).err).toContain('/animals/0/id');
  expect(await command('recheck', [`${file}.none`])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('does not exist'),
  });
});
