/** The library: what docs/library.md shows is run as it stands there, in a folder that has the package. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { judge, Refused } from '../../../bin/library.ts';
import type { Pet } from '../../../fixtures/interface/bodies.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import requirements from '../../../schemas/requirements.json' with { type: 'json' };
import { against, idsWith } from '../samples/command.ts';
import { must, PROJECT } from '../samples/installed.ts';

const PAGE = readFileSync(join(PROJECT, 'docs', 'library.md'), 'utf8');

/** The example of docs/library.md behind this word, as it stands there. */
function example(word: string): string {
  const [, code] = new RegExp(`^\`\`\`js ${word}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE) ?? [];
  if (code === undefined) throw new Error(`docs/library.md has no example ${word}`);
  return code;
}

/** A service whose lists have one animal more than their limit. */
const oneMore: Vary = (Base) =>
  class extends Base {
    override page(pets: Pet[], limit: number) {
      return super.page(pets, limit + 1);
    }
  };

/** A folder in which the package is installed. */
function consumer(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-library-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(PROJECT, join(folder, 'node_modules', 'animal-store-conformance'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

test('the example of docs/library.md judges a target from a program', { tag: '@long' }, async () => {
  const folder = consumer();
  await against(
    (Base) => Base,
    async ({ BASE_URL, API_KEY }) => {
      const code = example('judge')
        .replace(/'https?:\/\/[^']+'/, JSON.stringify(BASE_URL))
        .replace("CATEGORY_IDS: '7'", "CATEGORY_IDS: '1'");
      expect(code).toContain(BASE_URL);
      writeFileSync(join(folder, 'judge.js'), code);
      const out = await must(process.execPath, ['judge.js'], {
        cwd: folder,
        env: { PATH: process.env.PATH, STORE_KEY: API_KEY },
      });
      expect(out).toContain('conforming');
      expect(readdirSync(folder).toSorted()).toEqual(['judge.js', 'node_modules', 'package.json']);
    },
  );
  rmSync(folder, { recursive: true });
});

test('the example of docs/library.md reads the schemas and the catalogue', async () => {
  const folder = consumer();
  writeFileSync(join(folder, 'schemas.js'), example('schemas'));
  const out = await must(process.execPath, ['schemas.js'], { cwd: folder, env: { PATH: process.env.PATH } });
  expect(out).toContain(requirements['list-pets.default-limit'].statement);
  rmSync(folder, { recursive: true });
});

test('the report of a nonconforming target is a report, not an error; what was asked for is judged alone', async () => {
  await against(oneMore, async (target) => {
    let words = '';
    const report = await judge(
      { ...target, SEED: 5 },
      { only: ['list-pets.default-limit'], output: (text) => (words += text) },
    );
    expect(report).toMatchObject({ verdict: 'nonconforming', exitCode: 1, run: { seed: 5 } });
    expect(idsWith(report, 'fail')).toContain('list-pets.default-limit');
    expect(words).toContain('Nonconforming');
    expect(JSON.stringify(report)).not.toContain(target.API_KEY);
  });
});

test('quick asks 150 requests at most and never says conforming; failFast ends with the first failure', async () => {
  await against(
    (Base) => Base,
    async (target) => {
      const report = await judge(target, { quick: true });
      expect(report).toMatchObject({
        verdict: 'no-failure-found',
        exitCode: 0,
        run: { profile: { name: 'quick' } },
      });
      expect(report.run.requests).toBeLessThanOrEqual(150);
    },
  );
  await against(oneMore, async (target) => {
    const report = await judge(target, { failFast: true });
    expect(report).toMatchObject({ verdict: 'nonconforming', exitCode: 1 });
    expect(report.run.requests).toBeLessThan(400);
  });
});

test('what is wrong is refused in words, and nothing is judged', async () => {
  await expect(judge({ BASE_URl: 'http://127.0.0.1:9' })).rejects.toThrow(
    new Refused('BASE_URl is not a variable of the suite; did you mean BASE_URL?'),
  );
  await expect(judge({ BASE_URL: 'ftp://somewhere', API_KEY: 'some-key-of-length' })).rejects.toThrow(
    Refused,
  );
  await expect(judge({ BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: undefined })).rejects.toThrow(/key/);
  await expect(judge({}, { only: ['list-pet'] })).rejects.toThrow(/did you mean list-pets\?/);
});

test('a signal ends the run, with a report that says so', { tag: '@long' }, async () => {
  const abort = new AbortController();
  const report = await judge(
    {},
    { signal: abort.signal, output: (text) => /of \d+ tests/.test(text) && abort.abort() },
  );
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3, run: { complete: false } });
});
