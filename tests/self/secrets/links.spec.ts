import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { NoFileThere, replaceFile } from '../../../bin/command-line/files/own-file.ts';
import { shellIn, makeFolder } from '../samples/command.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

test.skip(process.platform === 'win32', 'links need a right of their own there');

/** A folder with reports, a file and a folder that nobody may touch, and links of these names: to the file, or to nothing. */
function linked(names: readonly string[], toNothing = false): string {
  const folder = makeFolder();
  for (const each of ['victims', 'vendors/rex', 'matrix', 'left', '.github/workflows'])
    mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(join(folder, 'victims', 'file'), 'as it was');
  for (const each of ['report.json', 'vendors/rex/report.json', 'left/report.json'])
    writeFileSync(join(folder, each), JSON.stringify(CONFORMING));
  for (const name of names)
    symlinkSync(join(folder, 'victims', toNothing ? 'nothing' : 'file'), join(folder, name));
  return folder;
}

const isUntouched = (folder: string) => {
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
      const folder = linked([link], toNothing);
      await shellIn(folder)(words, 2, says);
      isUntouched(folder);
    }
});

test('report deletes and writes nothing in a folder that a link leads to', async () => {
  const folder = linked([]);
  symlinkSync(join(folder, 'victims'), join(folder, 'left', 'allure-results'));
  // the link itself is replaced
  await shellIn(folder)('report --report-dir left');
  isUntouched(folder);
});

test('a file is replaced as a whole, with its permissions; a link, a folder and a device are not', () => {
  const folder = linked(['link']);
  const path = join(folder, 'report.json');
  chmodSync(path, 0o640);
  replaceFile(path, 'new');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
  for (const each of [join(folder, 'link'), folder, '/dev/null'])
    expect(() => replaceFile(each, 'new')).toThrow(NoFileThere);
  isUntouched(folder);
  expect(readdirSync(folder).filter((each) => each.endsWith('.new'))).toEqual([]);
  expect(existsSync(join(folder, 'link'))).toBe(true);
});
