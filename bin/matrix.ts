#!/usr/bin/env node
/**
 * `npm run matrix -- DIR...`: writes the verdicts of many vendors side by side. Exit codes: 0 written, 2 nothing to write or
 * bad input.
 */
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
import { rememberList, type TrustOptions } from './certificate/issuer.ts';
import { readVendorCertificate, readVendorTrust } from './vendors/certificate-of.ts';
import { findVendors } from './vendors/folders.ts';

interface Options extends TrustOptions {
  out: string;
  publicKey?: string;
  json?: true;
}

const { out, publicKey, json, ...lists } = program.parse().opts<Options>();

await endWithCode(() => {
  const trust = readVendorTrust(publicKey, lists);
  const found = findVendors(program.args);
  for (const { name, report } of found)
    if (typeof report === 'string') printError(`${escapeTerminal(`not judged: ${name}: ${report}`)}\n`);
  const vendors = found.map(({ name, folder, report: own }) => {
    const { certificate = null, report = null } = readVendorCertificate(folder, trust) ?? {};
    return {
      name,
      // If there is a valid certificate, its report takes the place of the last report, which anybody may have changed.
      report: report ?? own,
      page: typeof own === 'string' ? null : pageOf(folder),
      certificate,
    };
  });
  const matrix = makeMatrix(vendors, readNow().toISOString());
  writeOrRefuse(out, () => {
    mkdirSync(out, { recursive: true });
    replaceFile(join(out, 'matrix.json'), `${JSON.stringify(matrix)}\n`);
    replaceFile(join(out, 'matrix.html'), renderMatrixPage(matrix));
  });
  if (trust !== null) rememberList(lists.revokedSeen, trust);
  if (json === true) printJson(`${JSON.stringify(matrix)}\n`);
  else print(`${countNoun(vendors.length, 'vendor')}\n  ${join(out, 'matrix.html')}\n`);
  return 0;
});

/** Returns the address of a vendor's page for a link in matrix.html, e.g. `koa/conformance.html`. Null: the folder has no page. */
function pageOf(folder: string): string | null {
  const file = join(folder, 'conformance.html');
  if (!existsSync(file)) return null;
  // Names of folders may have characters that an address must not have.
  return relative(resolve(out), file).split(sep).map(encodeURIComponent).join('/').replaceAll('%2E', '.');
}
