/** `targets` judges many vendors: each in a process with its own key only, and none disturbs another. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parseDocument } from 'yaml';
import { judgeOne } from '../../../bin/vendors/judge-one.ts';
import { readLastReport } from '../../../bin/vendors/vendor-outcome.ts';
import { readTargets, takeShard } from '../../../bin/vendors/targets-file.ts';
import { runCommand, shellIn, makeFolder } from '../samples/command.ts';
import { PROJECT } from '../samples/installed.ts';
import { report } from '../samples/sample-reports.ts';

const GUIDE = readFileSync(join(PROJECT, 'docs', 'many-vendors.md'), 'utf8');

/** The first argument of `judgeOne`: the vendor `rex`, whose reports go into that folder. */
const makeOrder = (folder: string, env: NodeJS.ProcessEnv = {}, target: object = {}) => ({
  target: { name: 'rex', baseUrl: 'http://127.0.0.1:9/v1', apiKeyVariable: 'KEY_A', ...target },
  folder,
  limit: 60_000,
  signal: new AbortController().signal,
  env,
});
/** The end of the process that judges a vendor. */
const endWith = (exitCode: number, output = '') => Promise.resolve({ exitCode, output, complaint: output });

/** Returns the environment of the process that judges a vendor. No process is started. */
async function environmentOf(...order: Parameters<typeof makeOrder>): Promise<NodeJS.ProcessEnv> {
  let own: NodeJS.ProcessEnv = {};
  await judgeOne(makeOrder(...order), (given) => {
    own = given.env;
    return endWith(0);
  });
  return own;
}

const folderWith = (targets: unknown) => {
  const folder = makeFolder();
  writeFileSync(
    join(folder, 'targets.json'),
    typeof targets === 'string' ? targets : JSON.stringify(targets),
  );
  return folder;
};
/** A service that answers everything in one way while the body runs; null: it never answers. */
async function withServiceOf<T>(status: number | null, body: (baseUrl: string) => Promise<T>): Promise<T> {
  const server: Server = createServer((_, response) =>
    status === null
      ? undefined
      : response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}'),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a process that breaks is no verdict on its vendor: only a report is', async () => {
  const folder = join(makeFolder(), 'rex');
  const broken = () => endWith(1, 'Cannot find package "commander"\n');
  const reason = 'Cannot find package "commander"';
  expect(await judgeOne(makeOrder(folder), broken)).toMatchObject({ exitCode: 3, reason });
  const judged = () => {
    const run = { startedAt: new Date().toISOString() };
    const nonconforming = report({}, { verdict: 'nonconforming', run });
    writeFileSync(join(folder, 'report.json'), JSON.stringify(nonconforming));
    return broken();
  };
  expect(await judgeOne(makeOrder(folder), judged)).toMatchObject({ exitCode: 1 });
});

test('a file or a link in the place of the folder of one vendor stops no other', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'rex'), '');
  mkdirSync(join(folder, 'felix', 'target.json'), { recursive: true });
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'kitty'), 'junction');
  for (const [name, exitCode, reason] of [
    ['rex', 2, /rex cannot be written, because .* \(EEXIST\)/],
    ['felix', 2, /target\.json is not a file/],
    ['kitty', 2, /kitty is a link, and nothing is written through one/],
    ['bella', 0, /^there is no report\.json$/],
  ] as const)
    expect(await judgeOne(makeOrder(join(folder, name)), () => endWith(0)), name).toMatchObject({
      exitCode,
      reason: expect.stringMatching(reason),
    });
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
});

test('a target.json without an outcome counts as none', () => {
  const folder = makeFolder();
  const outcome = { target: 'rex', exitCode: 2, seconds: 1, begun: '', reason: 'the target refuses the key' };
  const readWritten = (value: unknown) => {
    writeFileSync(join(folder, 'target.json'), JSON.stringify(value));
    return readLastReport(folder);
  };
  expect(readWritten({ outcome })).toBe('the target refuses the key');
  for (const odd of [null, 7, [], ['list'], { toString: 7 }]) {
    // `exitCode: null` and `seconds: 7` are legal, so these two outcomes count. Of all others the answer is `no report`.
    for (const member of Object.keys(outcome))
      expect(readWritten({ outcome: { ...outcome, [member]: odd } })).toMatch(/refuses|no report/);
    for (const value of [odd, { outcome: odd }]) expect(readWritten(value)).toBe('there is no report.json');
  }
});

test('the example of the guide is a file of targets', async () => {
  const [, example = ''] = /^`targets\.json` names them[^]*?```json\n([^]*?)```/m.exec(GUIDE) ?? [];
  const folder = folderWith(example);
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys', 'felix'), 'key-of-felix');
  const [rex] = readTargets(join(folder, 'targets.json'), { REX_KEY: 'key-of-rex' });
  expect(rex).toMatchObject({ name: 'rex', subject: 'rex-pets@2.3.1' });
  const env = { REX_KEY: 'key-of-rex', SUBJECT: 'other@1' };
  const own = { API_KEY: 'key-of-rex', SUBJECT: 'rex-pets@2.3.1' };
  expect(await environmentOf(folder, env, rex)).toMatchObject(own);
});

test('each vendor has only its own key in its environment', async () => {
  const usual = { PATH: '/bin', https_proxy: 'http://proxy:1', MAX_RPS: '5' };
  const keys = { KEY_A: 'key-of-a', KEY_B: 'key-of-b', API_KEY: 'key-of-nobody', AWS_SECRET: 'x' };
  const env = { ...usual, ...keys, HEADERS_FILE: 'secret.json', BASE_URL: 'http://other' };
  const folder = makeFolder();
  const own = { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'key-of-a', CATEGORY_IDS: '7,8' };
  const given = await environmentOf(folder, env, { categoryIds: ['7', '8'] });
  expect(given).toEqual({ ...usual, ...own, REPORT_DIR: folder });
  const byFile = await environmentOf(folder, env, { apiKeyVariable: undefined, apiKeyFile: '/keys/b' });
  expect(byFile).not.toHaveProperty('API_KEY');
});

test('shards hold every target once', () => {
  const all = Array.from({ length: 11 }, (_, index) => index);
  const shards = [1, 2, 3, 4].flatMap((index) => takeShard(all, `${index}/4`));
  expect(shards.toSorted((left, right) => left - right)).toEqual(all);
  for (const wrong of ['0/4', '5/4', '1', 'a/b', '1/0'])
    expect(() => takeShard(all, wrong)).toThrow('--shard takes i/n');
});

test('all mistakes in the file are named at once, and no key is shown', () => {
  const file = (targets: unknown) => join(folderWith(targets), 'targets.json');
  const good = { name: 'a', baseUrl: 'http://a/v1', apiKeyVariable: 'KEY_A' };
  expect(readTargets(file([good]), { KEY_A: 'secret' })).toEqual([good]);
  expect(() => readTargets(file([good, { ...good, name: 'A' }]), {})).toThrow(
    /target 2 \(A\) has the name of another one[^]*takes its key from KEY_A, which is not set/,
  );
  expect(() => readTargets(file([{ ...good, apiKeyFile: 'x' }]), { KEY_A: 'secret' })).toThrow(
    'target 1 (a) must have exactly one of "apiKeyVariable" and "apiKeyFile"',
  );
  for (const wrong of [
    [],
    [{ ...good, name: '../a' }],
    [{ ...good, apiKey: 'secret' }],
    [{ ...good, baseUrl: 'ftp://a' }],
    '{',
  ])
    expect(() => readTargets(file(wrong), { KEY_A: 'secret' })).toThrow(/targets\.json: /);
  expect(() =>
    readTargets(file([{ ...good, baseUrl: 'http://u:secret@a/v1' }]), { KEY_A: 'secret' }),
  ).toThrow(/targets\.json: target 1 \(a\): "baseUrl" must not hold credentials: (?![^]*secret)/);
  expect(() => readTargets(file([good]), { KEY_A: 'secret', max_rps: '5' })).toThrow(
    'max_rps is not known; did you mean MAX_RPS?',
  );
});

test('one key for two hosts is refused, unless sharesKey is set', () => {
  const both = (more: object, other = 'http://b/v1') => [
    { name: 'a', baseUrl: 'http://a/v1', apiKeyVariable: 'KEY_A', ...more },
    { name: 'b', baseUrl: other, apiKeyVariable: 'KEY_A', ...more },
  ];
  const read = (targets: unknown) =>
    readTargets(join(folderWith(targets), 'targets.json'), { KEY_A: 'secret' });
  expect(() => read(both({}))).toThrow('target 2 (b) takes the key of a, which has another address');
  expect(read(both({ sharesKey: true }))).toHaveLength(2);
  expect(read(both({}, 'http://a/v2'))).toHaveLength(2);
});

test('broken, slow and refusing vendors disturb no other, and the matrix says why they were not judged @long', async () => {
  await withServiceOf(null, (slow) =>
    withServiceOf(401, async (refusing) => {
      const shared = { apiKeyVariable: 'KEY', sharesKey: true };
      const folder = folderWith([
        { name: 'slow', baseUrl: slow, ...shared },
        { name: 'refusing', baseUrl: refusing, ...shared },
        { name: 'nobody', baseUrl: 'http://127.0.0.1:9/v1', ...shared },
      ]);
      const words = 'run targets.json --out out --parallel 3 --time-limit 15'.split(' ');
      const key = { KEY: 'a-key-of-many-letters' };
      const { exitCode, out, err } = await runCommand('targets', words, key, folder);
      expect([exitCode, err]).toEqual([3, '']);
      for (const each of [
        'slow: inconclusive: it was cut off by its time limit (15 s)',
        'refusing: not judged: the target refuses the key (401) (',
        'nobody: inconclusive: The target gave no answer',
      ])
        expect(out).toContain(each);
      expect(out).not.toContain(key.KEY);
      expect(existsSync(join(folder, 'out', 'nobody', 'report.json'))).toBe(true);
      const matrix = await runCommand('matrix', ['out', '--out', 'side-by-side'], {}, folder);
      expect([matrix.exitCode, matrix.out]).toEqual([0, expect.stringContaining('3 vendors')]);
      expect(readFileSync(join(folder, 'side-by-side', 'matrix.html'), 'utf8')).toContain(
        'not judged: the target refuses the key (401)<',
      );
    }),
  );
});

test('a GitHub matrix is printed, and mistakes end with 2', async () => {
  const shell = shellIn(makeFolder());
  expect(JSON.parse(await shell('targets --github-matrix 3'))).toEqual({ shard: ['1/3', '2/3', '3/3'] });
  const missing = 'run missing.json';
  for (const words of ['', '--what', 'run', missing, '--github-matrix 0', `${missing} --parallel x`])
    expect(await shell(`targets ${words}`.trim(), 2)).not.toContain('    at ');
});

test('the jobs of the documentation are written in YAML that CI systems read', () => {
  const yaml = [...GUIDE.matchAll(/```yaml\n([^]*?)```/g)].map(([, each = '']) => parseDocument(each).errors);
  expect(yaml).toEqual([[], []]);
});
