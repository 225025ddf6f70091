import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parseDocument } from 'yaml';
import { judgeOne } from '../../../bin/vendors/judge-one.ts';
import { readLastReport } from '../../../bin/vendors/vendor-outcome.ts';
import { readTargets, takeShard } from '../../../bin/vendors/targets-file.ts';
import { makeSchemaCheck } from '../../../reports/document/checked-json.ts';
import jobSchema from '../indexed-job.schema.json' with { type: 'json' };
import { command } from '../samples/command.ts';
import { report } from '../samples/sample-reports.ts';

/** Returns the environment that the run of a vendor gets. */
async function environmentOf(
  target: Parameters<typeof judgeOne>[0]['target'],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  let own: NodeJS.ProcessEnv = {};
  const order = { target, folder, limit: 60_000, signal: new AbortController().signal, env };
  await judgeOne(order, (given) => {
    own = given.env;
    return Promise.resolve({ exitCode: 0, words: '', complaint: '' });
  });
  return own;
}

const folderWith = (targets: unknown) => {
  const folder = mkdtempSync(join(tmpdir(), 'targets-'));
  writeFileSync(
    join(folder, 'targets.json'),
    typeof targets === 'string' ? targets : JSON.stringify(targets),
  );
  return folder;
};
/** A service that answers everything in one way while the body runs; null: it never answers. */
async function answering<T>(status: number | null, body: (baseUrl: string) => Promise<T>): Promise<T> {
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

test('a process that breaks is no verdict on its vendor: only a report makes one nonconforming', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'targets-'));
  const order = {
    target: { name: 'rex', baseUrl: 'http://127.0.0.1:9/v1', apiKeyVariable: 'KEY_A' },
    folder: join(folder, 'rex'),
    limit: 60_000,
    signal: new AbortController().signal,
    env: {},
  };
  const complaint = 'Cannot find package "commander"\n';
  const broken = () => Promise.resolve({ exitCode: 1, words: complaint, complaint });
  expect(await judgeOne(order, broken)).toMatchObject({
    exitCode: 3,
    reason: 'Cannot find package "commander"',
  });
  const judged = () => {
    const nonconforming = report(
      {},
      { verdict: 'nonconforming', run: { startedAt: new Date().toISOString() } },
    );
    writeFileSync(join(order.folder, 'report.json'), JSON.stringify(nonconforming));
    return broken();
  };
  expect(await judgeOne(order, judged)).toMatchObject({ exitCode: 1 });
});

test('a file or a link in the place of the folder of one vendor stops no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'targets-'));
  const orderOf = (name: string) => ({
    target: { name, baseUrl: 'http://127.0.0.1:9/v1', apiKeyVariable: 'KEY_A' },
    folder: join(folder, name),
    limit: 60_000,
    signal: new AbortController().signal,
    env: {},
  });
  const done = () => Promise.resolve({ exitCode: 0, words: '', complaint: '' });
  writeFileSync(join(folder, 'rex'), '');
  expect(await judgeOne(orderOf('rex'), done)).toMatchObject({
    exitCode: 2,
    reason: expect.stringMatching(/rex cannot be written to \(EEXIST\)$/),
  });
  mkdirSync(join(folder, 'felix', 'target.json'), { recursive: true });
  expect(await judgeOne(orderOf('felix'), done)).toMatchObject({
    exitCode: 2,
    reason: expect.stringContaining('target.json is not a file'),
  });
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'kitty'), 'junction');
  expect(await judgeOne(orderOf('kitty'), done)).toMatchObject({
    exitCode: 2,
    reason: expect.stringMatching(/kitty is a link, and nothing is written through one/),
  });
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  expect(await judgeOne(orderOf('bella'), done)).toMatchObject({ exitCode: 0 });
});

test('a target.json that says something else than an outcome is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'targets-'));
  const outcome = { target: 'rex', exitCode: 2, seconds: 1, begun: '', reason: 'the target refuses the key' };
  const written = (value: unknown) => {
    writeFileSync(join(folder, 'target.json'), JSON.stringify(value));
    return readLastReport(folder);
  };
  expect(written({ outcome })).toBe('the target refuses the key');
  for (const odd of [null, 7, [], ['list'], { toString: 7 }]) {
    for (const member of Object.keys(outcome))
      expect(written({ outcome: { ...outcome, [member]: odd } })).toMatch(/refuses|no report/);
    for (const value of [odd, { outcome: odd }]) expect(written(value)).toBe('there is no report.json');
  }
});

test('the example of the guide is a file of targets', async () => {
  const guide = readFileSync(
    fileURLToPath(new URL('../../../../docs/many-vendors.md', import.meta.url)),
    'utf8',
  );
  const [, example = ''] = /^`targets\.json` names them[^]*?```json\n([^]*?)```/m.exec(guide) ?? [];
  const folder = folderWith(example);
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys', 'felix'), 'key-of-felix');
  const [rex] = readTargets(join(folder, 'targets.json'), { REX_KEY: 'key-of-rex' });
  expect(rex).toMatchObject({ name: 'rex', subject: 'rex-pets@2.3.1' });
  expect(await environmentOf(rex!, folder, { REX_KEY: 'key-of-rex', SUBJECT: 'other@1' })).toMatchObject({
    API_KEY: 'key-of-rex',
    SUBJECT: 'rex-pets@2.3.1',
  });
});

test('each vendor has only its own key in its environment', async () => {
  const out = folderWith([]);
  const env = {
    PATH: '/bin',
    KEY_A: 'key-of-a',
    KEY_B: 'key-of-b',
    API_KEY: 'key-of-nobody',
    HEADERS_FILE: 'secret.json',
    https_proxy: 'http://proxy:1',
    MAX_RPS: '5',
    AWS_SECRET: 'x',
    BASE_URL: 'http://other',
  };
  const own = await environmentOf(
    { name: 'a', baseUrl: 'http://a/v1', apiKeyVariable: 'KEY_A', categoryIds: ['7', '8'] },
    join(out, 'a'),
    env,
  );
  expect(own).toEqual({
    PATH: '/bin',
    https_proxy: 'http://proxy:1',
    MAX_RPS: '5',
    BASE_URL: 'http://a/v1',
    API_KEY: 'key-of-a',
    CATEGORY_IDS: '7,8',
    REPORT_DIR: join(out, 'a'),
  });
  expect(
    await environmentOf({ name: 'b', baseUrl: 'http://b/v1', apiKeyFile: '/keys/b' }, join(out, 'b'), env),
  ).not.toHaveProperty('API_KEY');
});

test('shards hold every target once', () => {
  const all = Array.from({ length: 11 }, (_, index) => index);
  const shards = [1, 2, 3, 4].flatMap((index) => takeShard(all, `${index}/4`));
  expect(shards.toSorted((left, right) => left - right)).toEqual(all);
  for (const wrong of ['0/4', '5/4', '1', 'a/b', '1/0'])
    expect(() => takeShard(all, wrong)).toThrow('--shard takes i/n');
});

test('mistakes in the file are told all at once, and no key is', () => {
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

test('one key for two hosts is asked about', () => {
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

test(
  'broken, slow and refusing vendors disturb no other, and the matrix says why they were not judged',
  { tag: '@long' },
  async () => {
    await answering(null, (slow) =>
      answering(401, async (refusing) => {
        const target = (name: string, baseUrl: string) => ({
          name,
          baseUrl,
          apiKeyVariable: 'KEY',
          sharesKey: true,
        });
        const [late, turned] = [
          [target('slow', slow)],
          [target('refusing', refusing), target('nobody', 'http://127.0.0.1:9/v1')],
        ];
        const folder = folderWith([...late, ...turned]);
        const key = { KEY: 'a-key-of-many-letters' };
        for (const [file, targets] of [
          ['late.json', late],
          ['turned.json', turned],
        ] as const)
          writeFileSync(join(folder, file), JSON.stringify(targets));
        const cutOff = await command(
          'targets',
          ['run', 'late.json', '--out', 'out', '--time-limit', '2'],
          key,
          folder,
        );
        expect([cutOff.exitCode, cutOff.out]).toEqual([
          3,
          expect.stringContaining('slow: inconclusive: it was cut off by its time limit (2 s)'),
        ]);
        const started = await command(
          'targets',
          ['run', 'turned.json', '--out', 'out', '--parallel', '2'],
          key,
          folder,
        );
        expect(started.err).toBe('');
        expect(started.exitCode).toBe(3);
        expect(started.out).toContain('refusing: not judged: the target refuses the key (401) (');
        expect(started.out).toContain('nobody: inconclusive: The target gave no answer');
        expect(started.out).not.toContain('a-key-of-many-letters');
        expect(existsSync(join(folder, 'out', 'nobody', 'report.json'))).toBe(true);
        const matrix = await command('matrix', ['out', '--out', 'side-by-side'], {}, folder);
        expect([matrix.exitCode, matrix.out]).toEqual([0, expect.stringContaining('3 vendors')]);
        expect(readFileSync(join(folder, 'side-by-side', 'matrix.html'), 'utf8')).toContain(
          'not judged: the target refuses the key (401)<',
        );
      }),
    );
  },
);

test('a GitHub matrix is printed, and mistakes end with 2', async () => {
  expect(JSON.parse((await command('targets', ['--github-matrix', '3'])).out)).toEqual({
    shard: ['1/3', '2/3', '3/3'],
  });
  for (const args of [
    [],
    ['--what'],
    ['run'],
    ['run', 'missing.json'],
    ['--github-matrix', '0'],
    ['run', 'missing.json', '--parallel', 'x'],
  ]) {
    const { exitCode, err } = await command('targets', args);
    expect([exitCode, err.includes('    at ')], args.join(' ')).toEqual([2, false]);
  }
});

// the part of the schema of batch/v1 Job that the manifest needs: the whole one is 4 MB and not ours to carry
test('the jobs of the documentation are written as CI systems read them, and each has a target and a seed of its own', () => {
  const text = readFileSync(
    fileURLToPath(new URL('../../../../docs/many-vendors.md', import.meta.url)),
    'utf8',
  );
  const yaml = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, each = '']) => parseDocument(each).errors);
  expect(yaml).toEqual([[], []]);
  const job = JSON.parse(/```json kubernetes\n([^]*?)```/.exec(text)?.[1] ?? '');
  expect(makeSchemaCheck(jobSchema)(job)).toEqual([]);
  const [words] = job.spec.template.spec.containers[0].args;
  const calls = Array.from({ length: job.spec.completions }, (_, index) =>
    execFileSync('sh', ['-c', words.replace('npm run targets --', 'echo')], {
      env: { PATH: process.env.PATH, JOB_COMPLETION_INDEX: String(index) },
    }).toString(),
  );
  expect(calls.map((each) => /--shard (\S+) --out (\S+)/.exec(each)?.slice(1))).toEqual([
    ['1/2', '/reports/seed-1'],
    ['2/2', '/reports/seed-1'],
    ['1/2', '/reports/seed-2'],
    ['2/2', '/reports/seed-2'],
  ]);
});
