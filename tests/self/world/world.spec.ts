import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { command } from '../samples/command.ts';

/** What a process sees that lives in a world. */
async function lived(...words: readonly string[]): Promise<unknown> {
  const script = fileURLToPath(new URL('./lives.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...words]);
  return JSON.parse(stdout) as unknown;
}

test('a day passes in a moment, by every clock', async () => {
  expect(await lived('sleep')).toBe(86_400_000);
});

test('who waits for less than a millisecond, again and again, waits for one', async () => {
  expect(await lived('impatience')).toBe(1);
});

test('what is drawn follows the seed', async () => {
  const [one, again, other] = await Promise.all([
    lived('chance', '1'),
    lived('chance', '1'),
    lived('chance', '2'),
  ]);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('a connection takes a round trip, a request another one; the Date of an answer is that of the world', async () => {
  const date = '200 at Fri, 15 Jan 2027 08:00:00 GMT';
  expect(await lived('requests')).toEqual({ times: [100, 50], seen: [date, date] });
});

test('where nobody listens a connection is refused, and a server can reset one', async () => {
  expect(await Promise.all([lived('nobody'), lived('reset')])).toEqual(['ECONNREFUSED', 'ECONNRESET']);
});

test('a world that waits for what no timer brings says so', async () => {
  expect(await lived('stuck')).toMatch(/^the world is stuck: no timer is set/);
});

test('the same seed gives the same evidence byte for byte, beside two busy loops too; another seed gives other bytes', async () => {
  const evidenceOf = async (...words: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
    const { err } = await command('prove', ['--only', 'http.x-gzip', '--evidence', folder, ...words]);
    expect(err).toBe('');
    return readFileSync(join(folder, 'base-reference.jsonl'), 'utf8');
  };
  const alone = await evidenceOf('--seed', '7');
  const busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);']));
  const beside = await evidenceOf('--seed', '7');
  for (const each of busy) each.kill('SIGKILL');
  expect(alone.split('\n').length).toBeGreaterThan(1_000);
  expect(beside === alone).toBe(true);
  expect((await evidenceOf('--seed', '8')) === alone).toBe(false);
});
