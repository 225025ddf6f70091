/** The packages that are installed with ours: their licences, the bill of materials, and none without a use. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isAllowed, listLicences } from '../../../bin/release/allowed-licences.ts';
import { PROJECT, filesBelow, isPacked, makeFolder, mustRun } from '../samples/installed.ts';
import suite from '../../../package.json' with { type: 'json' };

const INSTALLED = Object.keys({ ...suite.dependencies, ...suite.optionalDependencies });

test('every package that is installed with this one has a licence that is allowed', () => {
  const all = listLicences();
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((each) => !each.isAllowed)).toEqual([]);
  for (const name of INSTALLED) expect(all.some((each) => each.name.startsWith(`${name} `))).toBe(true);
  for (const name of ['typescript', 'oxlint', 'axe-core'])
    expect(all.some((each) => each.name.startsWith(`${name} `))).toBe(false);
});

test('a licence that is not allowed is seen, also behind an AND; one allowed choice of an OR is enough', () => {
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
  const out = await mustRun(process.execPath, [join(PROJECT, 'dist/bin/release/sbom.js')], { cwd: PROJECT });
  const bill = JSON.parse(out) as { bomFormat: string; components: { name: string; version: string }[] };
  expect(bill.bomFormat).toBe('CycloneDX');
  const named = bill.components.map(({ name, version }) => `${name} ${version}`);
  const locked = listLicences().map(({ name }) => name);
  expect(locked.filter((name) => !named.includes(name))).toEqual([]);
});

test('the program uses each package that is installed with it, not only its types', () => {
  const texts = filesBelow(join(PROJECT, 'dist'))
    .filter((path) => path.endsWith('.js') && isPacked(path))
    .map((path) => readFileSync(path, 'utf8'));
  const unnamed = INSTALLED.filter(
    (name) => !texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)),
  );
  expect(unnamed).toEqual([]);
});

test('no script runs when the package is installed', () => {
  const scripts = Object.keys(suite.scripts);
  expect(scripts.filter((name) => /^((pre|post)?install|(pre|post)?prepare)$/.test(name))).toEqual([]);
});
