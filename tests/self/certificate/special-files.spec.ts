/** A special file, e.g. a named pipe or a device, in the place of a file: each command says so, and does not wait for its bytes. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startCommand, makeFolder } from '../samples/command.ts';
import { CONFORMING } from '../samples/sample-reports.ts';
import { PEM, CERTIFY, PUBLIC_KEY, ISSUER_KEY } from './foreign-documents.ts';

/** A command, and the file that is special. `exits`: its possible exit codes, e.g. 2 and 3 if an empty file may be used. */
interface ReadingCommand {
  file: string;
  words: readonly string[];
  env?: Record<string, string>;
  exits?: readonly number[];
}

/** Nothing listens at this address: a run that refuses no file ends with exit code 3. */
const NOBODY = { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'a-key-of-many-letters' };
/** A run that reads the file to which the variable `name` is set. */
const runWith = (file: string, name: string, exits = [2], words: readonly string[] = []): ReadingCommand => ({
  file,
  words: ['run', '--quiet', ...words],
  env: { ...NOBODY, [name]: file },
  exits,
});
/** A command that reads the file named by its words. */
const commandOf = (
  file: string,
  words: string,
  more: readonly string[] = [],
  exits = [2],
): ReadingCommand => ({
  file,
  words: [...words.split(' '), ...more],
  exits,
});

/** Each command that reads files, once for each of its files. */
const READING: readonly ReadingCommand[] = [
  commandOf('odd.json', 'verify odd.json', PUBLIC_KEY, [1, 2]),
  commandOf('key.pem.pub', 'verify report.json', PUBLIC_KEY),
  commandOf('folder/report.json', 'verify report.json --evidence folder', PUBLIC_KEY, [1, 2]),
  commandOf('revoked.json', 'verify report.json --revoked revoked.json', PUBLIC_KEY, [1, 2]),
  commandOf('keys.json', 'verify report.json --keys keys.json', PUBLIC_KEY),
  commandOf('evidence.jsonl', CERTIFY, ISSUER_KEY),
  commandOf('key.pem', CERTIFY, ISSUER_KEY),
  commandOf('odd.json', 'compare report.json odd.json'),
  commandOf('odd.json', 'compare report.json --baseline odd.json'),
  commandOf('vendors/rex/report.json', 'matrix vendors', [], [0, 2]),
  commandOf('vendors/rex/target.json', 'matrix vendors folder', [], [0, 2]),
  commandOf('left/report.json', 'report --report-dir left'),
  commandOf('targets.json', 'targets run targets.json'),
  commandOf('revoked.json', 'revoke --list revoked.json', ISSUER_KEY),
  runWith('waivers.json', 'WAIVERS'),
  // An empty object is accepted: it pins nothing and sets no header
  runWith('lock.json', 'PROFILE_LOCK', [2, 3], ['--lock']),
  runWith('headers.json', 'HEADERS_FILE', [2, 3]),
  { file: 'key.txt', words: ['run', '--quiet'], env: { BASE_URL: NOBODY.BASE_URL, API_KEY_FILE: 'key.txt' } },
  runWith('ca.pem', 'CA_FILE'),
  runWith('challenge.json', 'CHALLENGE'),
  { file: '.env', words: ['run', '--quiet'], env: NOBODY, exits: [2, 3] },
  runWith('history.jsonl', 'ALLURE_HISTORY', [2, 3]),
  { file: 'out/report.json', words: ['run', '--failed', '--quiet'], env: { ...NOBODY, REPORT_DIR: 'out' } },
];

/** Kinds of special and odd files. `says`: words of the refusal; absent: the words are not checked, only the exit code. */
const KINDS: readonly (readonly [make: (path: string) => void, says?: string])[] = [
  [(path) => execFileSync('mkfifo', [path]), 'is a named pipe; a file is expected'],
  [(path) => mkdirSync(path), 'is a folder; a file is expected'],
  [(path) => symlinkSync('/dev/zero', path), 'is a device; a file is expected'],
  [(path) => void createServer().listen(path).unref(), 'is a socket; a file is expected'],
  [(path) => symlinkSync(path, path)], // a link to itself
  [(path) => symlinkSync('/nowhere/at/all', path)],
  [
    // A file of one GiB
    (path) => {
      closeSync(openSync(path, 'w', 0o600));
      truncateSync(path, 2 ** 30);
    },
  ],
  ...['', '\ufeff{}', Buffer.from('\ufeff{"a":1}', 'utf16le'), Buffer.alloc(4_096)].map(
    (bytes) => [(path: string) => writeFileSync(path, bytes, { mode: 0o600 })] as const,
  ),
];

/** Makes a folder with all files that a command needs, but the one that will be special. */
function folderFor(file: string): string {
  const folder = makeFolder();
  for (const each of ['folder', 'vendors/rex', 'left/allure-results', 'out', dirname(file)])
    mkdirSync(join(folder, each), { recursive: true });
  const texts = {
    'key.pem': PEM.privateKey,
    'key.pem.pub': PEM.publicKey,
    'report.json': JSON.stringify(CONFORMING),
  };
  for (const [name, text] of Object.entries(texts))
    if (name !== file) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}

/** Runs a command on a special file, and expects a right exit code and the words of a refusal. */
async function expectRefusal(
  { file, words, env = {}, exits = [2] }: ReadingCommand,
  [make, says = '']: (typeof KINDS)[number],
): Promise<void> {
  const folder = folderFor(file);
  make(join(folder, file));
  const { exitCode, out, err } = await startCommand('animal-store-conformance', words, env, folder);
  const said = out + err;
  const what = `${words.join(' ')}, ${file}: ${says}\n${said}`;
  expect.soft(exits, what).toContain(exitCode);
  expect.soft(said, what).not.toMatch(/^ +at |the suite itself broke/im);
  // A run prints other words, with its variable. With several exit codes the file may be accepted.
  // `compare` takes a folder for a folder of reports: a folder `odd.json` without `report.json` gets `odd.json does not exist`.
  if (words[0] !== 'run' && exits.length === 1)
    expect.soft(said, what).toMatch(new RegExp(`${says}|odd.json does not exist`));
  rmSync(folder, { recursive: true });
}

/** The list has each command with each kind of file. A sample of every 41st pair has several kinds, because 11 does not divide 41. */
const SPECIAL = READING.flatMap((reader) => KINDS.map((kind) => [reader, kind] as const));
// `every`: with 41, every 41st pair of SPECIAL is tried, with 1 every pair.
for (const [title, tag, every] of [
  ['a sample of commands and odd files', [], 41],
  ['every command with every odd file', ['@long'], 1],
] as const)
  test(`a path that is no file is named, and nobody waits: ${title}`, { tag: [...tag] }, async () => {
    test.skip(process.platform === 'win32', 'there are no such files');
    test.setTimeout(3_600_000);
    for (const [reader, kind] of SPECIAL.filter((_, index) => index % every === 0))
      await expectRefusal(reader, kind);
  });
