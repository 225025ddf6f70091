/** The key is in no file and no output of a run, and no command writes through a link. */
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { attack } from '../../../bin/prove/hostile/attack.ts';
import { findLeaks } from '../../../bin/prove/hostile/leaks.ts';
import { findHostile } from '../samples/named-variants.ts';
import { replaceFile } from '../../../bin/command-line/files/own-file.ts';
import { Unwritable } from '../../../bin/command-line/files/unwritable.ts';
import { runCommand, makeFolder, shellIn } from '../samples/command.ts';
import { filesBelow } from '../samples/installed.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

// This skips the whole file on Windows.
test.skip(process.platform === 'win32', 'links need a right of their own there');

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
      // `attack` runs the command, and searches its files, output and processes for the key. A quick run writes the same files.
      const { problems } = await attack(findHostile(id), IS_FULL_TEST ? [] : ['--quick']);
      expect(problems).toEqual([]);
    },
  );
}

test('a target that is down shows the key in no reason of its run', async () => {
  // The reason phrase of the answer has the key with a dot between all characters.
  const shown = [...KEY].join('.');
  const server = createServer((_, response) => response.writeHead(500, shown).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { out, folder, report } = await runCommand('conformance', [], { BASE_URL, API_KEY: KEY });
  server.close();
  expect(report?.run.stoppedBy).toBe('obstacle');
  expect(out).not.toContain(shown);
  for (const file of filesBelow(folder)) expect(readFileSync(file, 'utf8').includes(shown), file).toBe(false);
});

test('the search for leaks finds the key', () => {
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
    writeFileSync(join(folder, KEY), 'only the name has the key');
    const texts = { stdout: `Bearer ${KEY}`, stderr: 'nothing' };
    expect(findLeaks(KEY, folder, texts).sort(), how).toEqual([KEY, 'found', 'stdout']);
  }
});

/** Makes a folder with reports, links of these names, and `victims/file`: the links lead to it, or to a file that is missing. */
function makeLinks(names: readonly string[], toNothing = false): string {
  const folder = makeFolder();
  for (const each of ['victims', 'vendors/rex', 'matrix', 'left'])
    mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(join(folder, 'victims', 'file'), 'as it was');
  for (const each of ['report.json', 'vendors/rex/report.json', 'left/report.json'])
    writeFileSync(join(folder, each), JSON.stringify(CONFORMING));
  for (const name of names)
    symlinkSync(join(folder, 'victims', toNothing ? 'nothing' : 'file'), join(folder, name));
  return folder;
}

/** Expects that nobody has written through a link. */
const expectUntouched = (folder: string) => {
  expect(readdirSync(join(folder, 'victims'))).toEqual(['file']);
  expect(readFileSync(join(folder, 'victims', 'file'), 'utf8')).toBe('as it was');
};

const REFUSED = /is a link, and nothing is written through one: name the file itself, or remove the link\n$/;
/** A command with the link in the place of a file, and the words that refuse it. */
const COMMANDS: readonly (readonly [words: string, link: string, says: RegExp])[] = [
  ['compare report.json report.json --markdown changes.md', 'changes.md', REFUSED],
  ['matrix vendors --out matrix', 'matrix/matrix.html', REFUSED],
  ['keygen issuer.pem', 'issuer.pem', /issuer\.pem exists already/],
  ['keygen issuer.pem', 'issuer.pem.pub', /issuer\.pem\.pub exists already/],
];

test('nothing is written through a link in the place of a file', async () => {
  for (const [words, link, says] of COMMANDS)
    for (const toNothing of [false, true]) {
      const folder = makeLinks([link], toNothing);
      await shellIn(folder)(words, 2, says);
      expectUntouched(folder);
    }
});

test('report deletes and writes nothing in a folder that a link leads to', async () => {
  const folder = makeLinks([]);
  symlinkSync(join(folder, 'victims'), join(folder, 'left', 'allure-results'));
  // The link itself is replaced
  await shellIn(folder)('report --report-dir left');
  expectUntouched(folder);
});

test('a file is replaced as a whole, with its permissions; a link, a folder and a device are not', () => {
  const folder = makeLinks(['link']);
  const path = join(folder, 'report.json');
  chmodSync(path, 0o640);
  replaceFile(path, 'new');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
  for (const each of [join(folder, 'link'), folder, '/dev/null'])
    expect(() => replaceFile(each, 'new')).toThrow(Unwritable);
  expectUntouched(folder);
  expect(readdirSync(folder).filter((each) => each.endsWith('.new'))).toEqual([]);
  expect(existsSync(join(folder, 'link'))).toBe(true);
});
