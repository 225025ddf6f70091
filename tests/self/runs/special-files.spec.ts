/** Every command with something odd in the place of a file that it reads: it ends soon, with one of its exit codes, and in words. */
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import { PROJECT } from '../samples/installed.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

const MAIN = join(PROJECT, 'dist', 'bin', 'animal-store-conformance.js');
/** Milliseconds that a command may take. */
const LONGEST = 60_000;
const KEYS = makeKeys();
const PUBLIC = ['--public-key', 'key.pem.pub'];
const SIGNING = ['--issuer-key', 'key.pem'];

/** A command and the file in question. `exits`: 2 alone, unless another one is right for a file that may be as it is. */
interface Reader {
  file: string;
  words: readonly string[];
  env?: Record<string, string>;
  exits?: readonly number[];
}

/** Nothing answers there; what can be read leads to that. */
const NOBODY = { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'a-key-of-many-letters' };
const ofRun = (
  file: string,
  name: string,
  exits: readonly number[] = [2],
  words: readonly string[] = [],
): Reader => ({
  file,
  words: ['run', '--quiet', ...words],
  env: { ...NOBODY, [name]: file },
  exits,
});

const READERS: readonly Reader[] = [
  { file: 'odd.json', words: ['verify', 'odd.json', ...PUBLIC], exits: [1, 2] },
  { file: 'key.pem.pub', words: ['verify', 'report.json', ...PUBLIC] },
  {
    file: 'folder/report.json',
    words: ['verify', 'report.json', ...PUBLIC, '--evidence', 'folder'],
    exits: [1, 2],
  },
  {
    file: 'revoked.json',
    words: ['verify', 'report.json', ...PUBLIC, '--revoked', 'revoked.json'],
    exits: [1, 2],
  },
  { file: 'keys.json', words: ['verify', 'report.json', ...PUBLIC, '--keys', 'keys.json'] },
  { file: 'evidence.jsonl', words: ['certify', '--report', '.', ...SIGNING, '--used', 'used'] },
  { file: 'key.pem', words: ['certify', '--report', '.', ...SIGNING, '--used', 'used'] },
  { file: 'odd.json', words: ['compare', 'report.json', 'odd.json'] },
  { file: 'odd.json', words: ['compare', 'report.json', '--baseline', 'odd.json'] },
  { file: 'vendors/rex/report.json', words: ['matrix', 'vendors'], exits: [0, 2] },
  { file: 'vendors/rex/target.json', words: ['matrix', 'vendors', 'folder'], exits: [0, 2] },
  { file: 'revoked.json', words: ['matrix', '.', ...PUBLIC, '--revoked', 'revoked.json'] },
  { file: 'left/report.json', words: ['report', '--report-dir', 'left'] },
  { file: 'targets.json', words: ['targets', 'run', 'targets.json'] },
  { file: 'revoked.json', words: ['revoke', '--list', 'revoked.json', ...SIGNING] },
  ofRun('waivers.json', 'WAIVERS'),
  // an object with nothing in it pins nothing and sets no header
  ofRun('lock.json', 'PROFILE_LOCK', [2, 3], ['--lock']),
  ofRun('headers.json', 'HEADERS_FILE', [2, 3]),
  { file: 'key.txt', words: ['run', '--quiet'], env: { BASE_URL: NOBODY.BASE_URL, API_KEY_FILE: 'key.txt' } },
  ofRun('ca.pem', 'CA_FILE'),
  ofRun('challenge.json', 'CHALLENGE'),
  { file: '.env', words: ['run', '--quiet'], env: NOBODY, exits: [2, 3] },
  ofRun('history.jsonl', 'ALLURE_HISTORY', [2, 3]),
  { file: 'out/report.json', words: ['run', '--failed', '--quiet'], env: { ...NOBODY, REPORT_DIR: 'out' } },
];

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => void execFileSync('mkfifo', [path]),
  folder: (path) => void mkdirSync(path),
  device: (path) => symlinkSync('/dev/zero', path),
  loop: (path) => symlinkSync(path, path),
  nowhere: (path) => symlinkSync('/nowhere/at/all', path),
  huge: (path) => {
    closeSync(openSync(path, 'w', 0o600));
    truncateSync(path, 2 ** 30);
  },
  empty: (path) => writeFileSync(path, '', { mode: 0o600 }),
  bom: (path) => writeFileSync(path, '\ufeff{}', { mode: 0o600 }),
  utf16: (path) => writeFileSync(path, Buffer.from('\ufeff{"a":1}', 'utf16le'), { mode: 0o600 }),
  nul: (path) => writeFileSync(path, Buffer.alloc(4_096), { mode: 0o600 }),
};

/** A folder in which each reader finds all that it needs but the file in question. */
function folderFor(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-special-'));
  for (const each of ['folder', 'vendors/rex', 'left/allure-results', 'out'])
    mkdirSync(join(folder, each), { recursive: true });
  for (const [name, text] of [
    ['key.pem', KEYS.privateKey],
    ['key.pem.pub', KEYS.publicKey],
    ['report.json', JSON.stringify(CONFORMING)],
  ] as const)
    if (name !== file) writeFileSync(join(folder, name), text, { mode: 0o600 });
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  return folder;
}

/** Runs the command; null: it had to be ended. */
async function ended(
  { words, env = {} }: Reader,
  cwd: string,
): Promise<{ exitCode: number | null; said: string }> {
  const child = spawn(process.execPath, [MAIN, ...words], { cwd, env: { PATH: process.env.PATH, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const guard = setTimeout(() => child.kill('SIGKILL'), LONGEST);
  const exitCode = await new Promise<number | null>((done) => child.on('close', done));
  clearTimeout(guard);
  return { exitCode, said };
}

async function takes(reader: Reader, kind: string): Promise<void> {
  const folder = folderFor(reader.file);
  KINDS[kind]?.(join(folder, reader.file));
  const { exitCode, said } = await ended(reader, folder);
  const what = `${reader.words.join(' ')}, ${reader.file}: ${kind}\n${said}`;
  expect.soft(reader.exits ?? [2], what).toContain(exitCode);
  expect.soft(said, what).not.toMatch(/^ +at |the suite itself broke/im);
  rmSync(folder, { recursive: true });
}

test.skip(process.platform === 'win32', 'there are no such files');

/** Each reader with each kind, so that every kind is met soon. */
const all = READERS.flatMap((reader, index) =>
  Object.keys(KINDS).map((_, kind, kinds): [Reader, string] => [
    reader,
    kinds[(kind + index) % kinds.length] ?? '',
  ]),
);

test('a sample of commands and odd files', async () => {
  for (const [reader, kind] of all.filter((_, index) => index % 23 === 0)) await takes(reader, kind);
});

test('every command with every odd file', { tag: '@long' }, async () => {
  test.setTimeout(3_600_000);
  for (const [reader, kind] of all) await takes(reader, kind);
});

test('a socket is no file', async () => {
  const [verify] = READERS;
  if (verify === undefined) throw new Error('there is no reader');
  const folder = folderFor(verify.file);
  const server = createServer().listen(join(folder, verify.file));
  const { exitCode, said } = await ended(verify, folder);
  server.close();
  expect([exitCode, said]).toEqual([2, expect.stringContaining('socket')]);
});
