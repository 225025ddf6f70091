#!/usr/bin/env node
/** `npm run matrix -- DIR...`: many vendors side by side. 0 written, 2 nothing to write or bad input. */
import { mkdirSync, readdirSync, readFileSync, statSync, existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { Report } from '../reports/document/report.ts';
import { reportMistakes } from '../reports/document/report-schema.ts';
import { renderedFiles } from '../reports/certificate/page.ts';
import { EXTENSION, type Statement } from '../reports/certificate/statement.ts';
import { sha256 } from '../reports/certificate/canonical.ts';
import { terminal } from '../reports/words/escape.ts';
import { thisSuite } from '../reports/certificate/suite.ts';
import { verify } from '../reports/certificate/verify.ts';
import { matrixMarkdown } from '../reports/vendors/matrix-markdown.ts';
import { matrixPage } from '../reports/vendors/matrix-page.ts';
import { matrixOf, type VendorCertificate, type VendorRuns } from '../reports/vendors/matrix.ts';
import { ends, Mistake, now, readPublicKey } from './certificate/command.ts';
import { program } from './commands/matrix.ts';
import { err, out as print, outJson } from './output/print.ts';
import { areOlder } from './output/older-reports.ts';

/** A folder with a report, and the vendor that it is of. */
interface Found {
  name: string;
  folder: string;
}

const { out, publicKey, json = false } = program.parse().opts<{ out: string; publicKey?: string; json?: boolean }>();

await ends(() => {
  const key = publicKey === undefined ? null : readPublicKey(publicKey);
  const byName = new Map<string, Found[]>();
  for (const each of program.args.flatMap(foldersOf)) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const skipped: string[] = [];
  const vendors = [...byName].flatMap(([name, folders]): VendorRuns[] => {
    const runs = folders.flatMap(({ folder }) => {
      const read = readReport(folder);
      if (typeof read !== 'string') return [{ folder, report: read }];
      skipped.push(`${folder}: ${read}`);
      return [];
    }).toSorted((left, right) => left.report.run.startedAt.localeCompare(right.report.run.startedAt));
    const last = runs.at(-1);
    if (last === undefined) return [];
    const [first, ...others] = runs.map(({ report }) => report);
    return first === undefined ? [] : [{ name, reports: [first, ...others], page: pageOf(last.folder), certificate: certificateOf(last.folder, key) }];
  });
  for (const each of skipped) err(`left out: ${terminal(each)}\n`);
  if (vendors.length === 0) throw new Mistake('there is no report.json in these folders');
  const matrix = matrixOf(vendors, now().toISOString());
  try {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'matrix.json'), `${JSON.stringify(matrix)}\n`);
    writeFileSync(join(out, 'matrix.md'), matrixMarkdown(matrix));
    writeFileSync(join(out, 'matrix.html'), matrixPage(matrix));
  } catch (error) {
    throw new Mistake(`${out} cannot be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  if (json) outJson(`${JSON.stringify(matrix)}\n`);
  else print(`${vendors.length} vendors\n  ${join(out, 'matrix.html')}\n`);
  return 0;
});

/** The folders with a report that an argument names: itself, or those in it. */
function foldersOf(argument: string): Found[] {
  const [, given, path = argument] = /^([^=/\\]+)=(.+)$/.exec(argument) ?? [];
  const folder = resolve(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Mistake(`${path} is no folder`);
  if (existsSync(join(folder, 'report.json'))) return [{ name: given ?? basename(folder), folder }];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory() && existsSync(join(folder, each.name, 'report.json')));
  return inside.map((each) => ({ name: given ?? each.name, folder: join(folder, each.name) })).toSorted((left, right) => left.name.localeCompare(right.name));
}

/** A report, or in words why there is none. */
function readReport(folder: string): Report | string {
  if (areOlder(folder)) return 'report.json is of an earlier run: the last one did not come to its end';
  try {
    const report: unknown = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const [mistake] = reportMistakes(report);
    return mistake === undefined ? (report as Report) : `report.json is no report of this suite: ${mistake}`;
  } catch {
    return 'report.json cannot be read';
  }
}

function pageOf(folder: string): string | null {
  const file = join(folder, 'conformance.html');
  if (!existsSync(file)) return null;
  return relative(resolve(out), file).split(sep).map(encodeURIComponent).join('/').replaceAll('%2E', '.');
}

/** What the certificate beside a report says of itself; verified where a key is given. */
function certificateOf(folder: string, key: KeyObject | null): VendorCertificate | null {
  const file = [join(folder, 'certificate', 'attestation.json'), join(folder, 'attestation.json')].find((each) => existsSync(each));
  if (file === undefined) return null;
  try {
    const attestation = readFileSync(file);
    const { payload } = JSON.parse(attestation.toString('utf8')) as { payload: string };
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement;
    const notAfter = new Date(statement.predicate[EXTENSION].validity.notAfter).toISOString();
    if (key === null) return { notAfter, state: 'unverified', why: 'give --public-key' };
    const { verdict, checks } = verify({ attestation, publicKey: key, files: null, rendered: renderedFiles, at: now(), revoked: null, suite: thisSuite(), plan: [] });
    const [first] = checks.filter(({ held }) => !held);
    const covers = statement.subject.some(({ name, digest }) => name === 'report.json' && digest.sha256 === sha256(readFileSync(join(folder, 'report.json'))));
    if (verdict === 'valid') return covers ? { notAfter, state: 'valid', why: '' } : { notAfter, state: 'invalid', why: 'it is of another report' };
    return { notAfter, state: first?.name === 'validity' && checks.filter(({ held }) => !held).length === 1 ? 'expired' : 'invalid', why: first?.found ?? '' };
  } catch {
    return { notAfter: new Date(0).toISOString(), state: 'invalid', why: `${basename(dirname(file))}/attestation.json is no attestation` };
  }
}
