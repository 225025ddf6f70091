/** The library: the examples of docs/library.md run without a change, in a folder that has the package. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { judge, Refused } from '../../../bin/library.ts';
import requirements from '../../../schemas/requirements.json' with { type: 'json' };
import { withReference, exceedLimits, unvaried } from '../samples/varied-reference.ts';
import { idsWith, makeFolder } from '../samples/command.ts';
import { mustRun, PROJECT } from '../samples/installed.ts';

const PAGE = readFileSync(join(PROJECT, 'docs', 'library.md'), 'utf8');

/** Returns the code of the example `js <word>` in docs/library.md. */
function readExample(word: string): string {
  const [, code] = new RegExp(`^\`\`\`js ${word}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE) ?? [];
  if (code === undefined) throw new Error(`docs/library.md has no example ${word}`);
  return code;
}

/** Makes a folder in which the package is installed. */
function makeConsumer(): string {
  const folder = makeFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(PROJECT, join(folder, 'node_modules', 'animal-store-conformance'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

test('the example of docs/library.md judges a target from a program @long', async () => {
  const folder = makeConsumer();
  await withReference(unvaried, async ({ BASE_URL, API_KEY }) => {
    const code = readExample('judge')
      .replace(/'https?:\/\/[^']+'/, JSON.stringify(BASE_URL))
      .replace("CATEGORY_IDS: '7'", "CATEGORY_IDS: '1'");
    expect(code).toContain(BASE_URL);
    writeFileSync(join(folder, 'judge.js'), code);
    const out = await mustRun(process.execPath, ['judge.js'], {
      cwd: folder,
      env: { PATH: process.env.PATH, STORE_KEY: API_KEY },
    });
    expect(out).toContain('conforming');
    expect(readdirSync(folder).toSorted()).toEqual(['judge.js', 'node_modules', 'package.json']);
  });
  rmSync(folder, { recursive: true });
});

test('the example of docs/library.md reads the schemas and the catalogue', async () => {
  const folder = makeConsumer();
  writeFileSync(join(folder, 'schemas.js'), readExample('schemas'));
  const { PATH } = process.env;
  const out = await mustRun(process.execPath, ['schemas.js'], { cwd: folder, env: { PATH } });
  expect(out).toContain(requirements['list-pets.default-limit'].statement);
  rmSync(folder, { recursive: true });
});

test('a nonconforming target gives a report, not an error; only the asked promises are judged', async () => {
  await withReference(exceedLimits, async (target) => {
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

test('quick and failFast are passed on', async () => {
  await withReference(exceedLimits, async (target) => {
    const run = { complete: false, stoppedBy: 'failed', profile: { name: 'quick' } };
    expect(await judge(target, { quick: true, failFast: true })).toMatchObject({ exitCode: 1, run });
  });
});

test('wrong settings are refused with a sentence, and nothing is judged', async () => {
  await expect(judge({ BASE_URl: 'http://127.0.0.1:9' })).rejects.toThrow(
    new Refused('BASE_URl is not a variable of the suite; did you mean BASE_URL?'),
  );
  await expect(judge({ BASE_URL: 'ftp://somewhere', API_KEY: 'some-key-of-length' })).rejects.toThrow(
    Refused,
  );
  await expect(judge({ BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: undefined })).rejects.toThrow(/key/);
  await expect(judge({}, { only: ['list-pet'] })).rejects.toThrow(/did you mean list-pets\?/);
  await expect(judge({}, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});

test('a signal ends the run, with a report that says so @long', async () => {
  const abort = new AbortController();
  const output = (text: string) => /of \d+ tests/.test(text) && abort.abort();
  const report = await judge({}, { signal: abort.signal, output });
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3, run: { complete: false } });
});
