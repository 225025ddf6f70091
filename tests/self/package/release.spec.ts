/** A release: its notes, its workflow without the right to write until it is published, and its tarball. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { listLicences } from '../../../bin/release/allowed-licences.ts';
import { PROJECT, installerEnv, makeFolder, mustRun, run } from '../samples/installed.ts';
import suite from '../../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

test('the changelog gives the notes of a release; a tag of another version has none', async () => {
  const notes = (tag: string) =>
    run(process.execPath, [join(PROJECT, 'dist/bin/release/notes.js'), tag], { cwd: PROJECT });
  const { exitCode, out } = await notes(`v${suite.version}`);
  expect(exitCode).toBe(0);
  expect(read('CHANGELOG.md')).toContain(out.trim());
  expect(out).not.toContain('## ');
  expect(await notes('v99.0.0')).toMatchObject({ exitCode: 2, out: '' });
});

interface Workflow {
  permissions: object;
  jobs: Record<
    string,
    { needs?: string; permissions: Record<string, string>; steps: { run?: string; uses?: string }[] }
  >;
}

test('a release is tested without the right to write, and the tested file is published with provenance', () => {
  const workflow = parse(read('.github/workflows/release.yml')) as Workflow;
  const { test: tested, publish } = workflow.jobs as Record<'test' | 'publish', Workflow['jobs'][string]>;
  const commandsOf = ({ steps }: typeof tested) => steps.flatMap(({ run: command }) => command ?? []);
  expect(workflow.permissions).toEqual({});
  expect(tested.permissions).toEqual({ contents: 'read' });
  for (const script of ['release-notes', 'licences', 'test:full', 'sbom', 'package']) {
    expect(suite.scripts).toHaveProperty(script);
    expect(commandsOf(tested).filter((each) => each.includes(script)).length).toBeGreaterThan(0);
  }
  expect(publish.needs).toBe('test');
  expect(publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  expect(publish.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? [])).toEqual([
    'actions/setup-node',
    'actions/download-artifact',
  ]);
  const [published, released] = commandsOf(publish);
  expect(published).toMatch(/^npm publish \S+\.tgz .*--provenance.* --ignore-scripts$/);
  expect(released).toContain('--notes-file');
  expect(JSON.stringify(workflow)).not.toMatch(/secrets\./);
});

test('the published tarball is the one of npm pack, with the tested versions in npm-shrinkwrap.json @long', async () => {
  const folder = makeFolder();
  const env = installerEnv(join(folder, 'cache'));
  const script = join(PROJECT, 'dist/bin/release/package.js');
  await mustRun(process.execPath, [script, folder], { cwd: PROJECT, env });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const inTar = async (...words: string[]) => mustRun('tar', words, { cwd: folder });
  const listed = (await inTar('tzf', tarball)).trim().split('\n').sort();
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(await mustRun('npm', words, { cwd: PROJECT, env })) as [
    { files: { path: string }[] },
  ];
  const usual = files.map(({ path }) => `package/${path}`);
  expect(listed).toEqual([...usual, 'package/npm-shrinkwrap.json'].sort());
  const shrinkwrap = await inTar('xzfO', tarball, 'package/npm-shrinkwrap.json');
  writeFileSync(join(folder, 'lock.json'), shrinkwrap);
  expect(listLicences(join(folder, 'lock.json'))).toEqual(listLicences());
  expect(shrinkwrap).not.toMatch(/"resolved"|"dev": true|devDependencies/);
  rmSync(folder, { recursive: true });
});
