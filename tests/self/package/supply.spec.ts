import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { dereference, validate } from '@readme/openapi-parser';
import { isAllowed, listLicences } from '../../../bin/release/allowed.ts';
import { FAST } from '../playwright.config.ts';
import { PROJECT, filesBelow, installerEnv, isPacked, makeFolder, must, run } from '../samples/installed.ts';

import suite from '../../../package.json' with { type: 'json' };

const INSTALLED = Object.keys({ ...suite.dependencies, ...suite.optionalDependencies });
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

test('every package that is installed with this one has a licence that is allowed', () => {
  const all = listLicences();
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((each) => !each.isAllowed)).toEqual([]);
  for (const name of INSTALLED) expect(all.some((each) => each.name.startsWith(`${name} `))).toBe(true);
  for (const name of ['typescript', 'oxlint', 'axe-core'])
    expect(all.some((each) => each.name.startsWith(`${name} `))).toBe(false);
});

test('a licence that is not allowed is seen, also behind an AND; a choice is enough', () => {
  for (const licence of ['MIT', '(MPL-2.0 OR Apache-2.0)', 'MIT AND ISC'])
    expect(isAllowed(licence), licence).toBe(true);
  for (const licence of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'none', 'SEE LICENSE IN LICENSE'])
    expect(isAllowed(licence), licence).toBe(false);
  const folder = makeFolder();
  const lock = join(folder, 'package-lock.json');
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0' },
    'node_modules/b': { version: '1.0.0', dev: true, license: 'AGPL-3.0' },
  };
  writeFileSync(lock, JSON.stringify({ packages }));
  expect(listLicences(lock)).toEqual([{ name: 'a 1.0.0', licence: 'AGPL-3.0', isAllowed: false }]);
  rmSync(folder, { recursive: true });
});

test('the bill of materials is CycloneDX and names what the lock file has', async () => {
  const out = await must(process.execPath, [join(PROJECT, 'dist/bin/release/sbom.js')], { cwd: PROJECT });
  const bill = JSON.parse(out) as { bomFormat: string; components: { name: string; version: string }[] };
  expect(bill.bomFormat).toBe('CycloneDX');
  const named = bill.components.map(({ name, version }) => `${name} ${version}`);
  expect(
    listLicences()
      .map(({ name }) => name)
      .filter((name) => !named.includes(name)),
  ).toEqual([]);
});

test('notes of a release are those of the changelog, and of no other tag', async () => {
  const notes = (tag: string) =>
    run(process.execPath, [join(PROJECT, 'dist/bin/release/notes.js'), tag], { cwd: PROJECT });
  const { exitCode, out } = await notes(`v${suite.version}`);
  expect(exitCode).toBe(0);
  expect(read('CHANGELOG.md')).toContain(out.trim());
  expect(out).not.toContain('## ');
  expect(await notes('v99.0.0')).toMatchObject({ exitCode: 2, out: '' });
});

test('the program of the package names each package that is installed with it: one that only gives types is not', () => {
  const texts = filesBelow(join(PROJECT, 'dist'))
    .filter((path) => path.endsWith('.js') && isPacked(path))
    .map((path) => readFileSync(path, 'utf8'));
  const unnamed = INSTALLED.filter(
    (name) => !texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)),
  );
  expect(unnamed).toEqual([]);
});

interface Workflow {
  permissions: object;
  jobs: Record<
    string,
    { needs?: string; permissions: Record<string, string>; steps: { run?: string; uses?: string }[] }
  >;
}

test('the release is tested and installed without the right to write, then published with provenance as the file that was tested', () => {
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

test('the tarball that is published brings the versions that were tested, and is else what npm packs @long', async () => {
  const folder = makeFolder();
  const env = installerEnv(join(folder, 'cache'));
  await must(process.execPath, [join(PROJECT, 'dist/bin/release/package.js'), folder], { cwd: PROJECT, env });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const inTar = async (...words: string[]) => must('tar', words, { cwd: folder });
  const listed = (await inTar('tzf', tarball)).trim().split('\n').sort();
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(await must('npm', words, { cwd: PROJECT, env })) as [
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

test('nothing runs where the package is installed', () => {
  expect(
    Object.keys(suite.scripts).filter((name) => /^((pre|post)?install|(pre|post)?prepare)$/.test(name)),
  ).toEqual([]);
});

test('`npm run check` asks every self-test that its patterns name', () => {
  const folder = join(PROJECT, 'tests', 'self');
  for (const pattern of FAST) {
    const [, room = '', names = ''] = /^\*\*\/(\w+)\/(.+)\.spec\.\*$/.exec(pattern) ?? [];
    const files = readdirSync(join(folder, room)).filter((each) => each.endsWith('.spec.ts'));
    const [, before = '', choices = names] = /^(.*)\{(.+)\}$/.exec(names) ?? [];
    for (const each of choices.split(','))
      expect(
        each === '*' ? files.length > 0 : files.includes(`${before}${each}.spec.ts`),
        `${pattern}: ${each}`,
      ).toBe(true);
  }
  expect(FAST).toContain('**/histories/*.spec.*');
});

const BUNDLE = join(PROJECT, 'dist/schemas/openapi.bundled.json');
const TEXT = readFileSync(BUNDLE, 'utf8');

test('it refers to no other file, keeps int64 to the last digit, and is valid', async () => {
  expect(await validate(BUNDLE)).toMatchObject({ valid: true });
  expect(TEXT).not.toMatch(/"\$ref": "[^#]|"\$id"|"\$schema"/);
  const bounds = TEXT.match(/-?922337203685\d+/g);
  expect(new Set(bounds)).toEqual(new Set(['-9223372036854775808', '9223372036854775807']));
  const { components } = JSON.parse(TEXT) as { components: { schemas: Record<string, { enum?: string[] }> } };
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']),
  );
  expect(components.schemas.PetStatus?.enum).toEqual(['available', 'pending', 'sold']);
});

test('it says what the document with its files says', async () => {
  const [whole, bundled] = await Promise.all(
    [join(PROJECT, 'schemas/openapi.json'), BUNDLE].map(async (path) => {
      const { paths } = (await dereference(path)) as { paths: object };
      return JSON.stringify(paths)
        .replaceAll(/"\$(?:id|schema)":"[^"]*",/g, '')
        .replaceAll(/"examples":\[([^\]]*)\]/g, '"example":$1');
    }),
  );
  expect(bundled).toBe(whole);
});
