#!/usr/bin/env node
/** `npm run matrix -- DIR...`: writes the verdicts of many vendors side by side. Exit codes: 0 written, 2 nothing to write or bad input. */
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { countNoun } from '../reports/shown/words/verdict-words.ts';
import { renderMatrixPage } from '../reports/shown/vendors/matrix-page.ts';
import { makeMatrix } from '../reports/shown/vendors/vendor-matrix.ts';
import { endWithCode, readNow, writeOrRefuse } from './certificate/certificate-files.ts';
import { matrixCommand as program } from './command-descriptions.ts';
import { replaceFile } from './command-line/files/own-file.ts';
import { printError, printText as print, printJson } from './command-line/output/print.ts';
import { findVendors } from './vendors/folders.ts';

const { out, json } = program.parse().opts<{ out: string; json?: true }>();

await endWithCode(() => {
  const vendors = findVendors(program.args).map(({ name, folder, report }) => ({
    name,
    report,
    page: typeof report === 'string' ? null : findPage(folder),
  }));
  for (const { name, report } of vendors)
    if (typeof report === 'string') printError(`${escapeTerminal(`not judged: ${name}: ${report}`)}\n`);
  const matrix = makeMatrix(vendors, readNow().toISOString());
  writeOrRefuse(out, () => {
    mkdirSync(out, { recursive: true });
    replaceFile(join(out, 'matrix.json'), `${JSON.stringify(matrix)}\n`);
    replaceFile(join(out, 'matrix.html'), renderMatrixPage(matrix));
  });
  if (json === true) printJson(`${JSON.stringify(matrix)}\n`);
  else print(`${countNoun(vendors.length, 'vendor')}\n  ${join(out, 'matrix.html')}\n`);
  return 0;
});

/** Returns the address of a vendor's page for a link in matrix.html, e.g. `koa/conformance.html`. Null: the folder has no page. */
function findPage(folder: string): string | null {
  const file = join(folder, 'conformance.html');
  if (!existsSync(file)) return null;
  // Names of folders may have characters that an address must not have.
  return relative(resolve(out), file).split(sep).map(encodeURIComponent).join('/');
}
