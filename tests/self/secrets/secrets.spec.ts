import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { command, makeFolder } from '../samples/command.ts';
import { attack } from '../../../bin/prove/hostile/attack.ts';
import { findLeaks } from '../../../bin/prove/hostile/leaks.ts';
import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';
import { filesBelow } from '../samples/installed.ts';
import { ASKS_ALL } from '../samples/run-on.ts';

const KEY = 'Kz9-this-is-a-key-of-40-characters-xW012';

for (const [id, ...tag] of [
  ['echoes-key-and-works'],
  ['echoes-key', '@long'],
  ['echoes-key-in-html', '@long'],
] as const) {
  test(
    `the key is in no file, output, argument or environment of a child, at a target that ${id}`,
    { tag: [...tag] },
    async () => {
      const hostile = HOSTILE.find((each) => each.id === id);
      if (hostile === undefined) throw new Error(`the battery has no ${id}`);
      // a quick run writes the same files, and each of its answers shows the key
      const { problems } = await attack(hostile, ASKS_ALL ? [] : ['--quick']);
      expect(problems).toEqual([]);
    },
  );
}

test('a target that is down shows the key in no reason of its run', async () => {
  const shown = [...KEY].join('.');
  const server = createServer((_, response) => response.writeHead(500, shown).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { out, folder, report } = await command('conformance', [], { BASE_URL, API_KEY: KEY });
  server.close();
  expect(report?.run.stoppedBy).toBe('obstacle');
  expect(out).not.toContain(shown);
  for (const file of filesBelow(folder)) expect(readFileSync(file, 'utf8').includes(shown), file).toBe(false);
});

test('the search that this rests on finds the key', () => {
  const inBase64 = Buffer.from(`{"authorization":"Bearer ${KEY}"}`).toString('base64');
  const places: Record<string, string | Uint8Array> = {
    plain: `x ${KEY} y`,
    'in part': KEY.slice(7, 19),
    'in upper case': KEY.toUpperCase(),
    'in base64': inBase64,
    'in base64 of a part that begins anywhere': Buffer.from(`ab${KEY.slice(3)}`).toString('base64'),
    'URL-encoded': [...KEY].map((each) => `%${each.charCodeAt(0).toString(16)}`).join(''),
    compressed: gzipSync(`x ${KEY}`),
    'compressed within base64': `<script>data("${gzipSync(`{"a":"${inBase64}"} and some more text, so that it is long enough`).toString('base64')}")</script>`,
  };
  for (const [how, content] of Object.entries(places)) {
    const folder = makeFolder();
    writeFileSync(join(folder, 'found'), content);
    writeFileSync(join(folder, 'clean'), 'nothing to see here');
    const texts = { stdout: `Bearer ${KEY}`, stderr: 'nothing' };
    expect(findLeaks(KEY, folder, texts).sort(), how).toEqual(['found', 'stdout']);
  }
});
