#!/usr/bin/env node
/** `npm run verify -- attestation.json --public-key key.pub.pem`: checks an attestation offline. 0 valid, 1 invalid, 2 it cannot be told. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { terminal } from '../reports/words/escape.ts';
import { renderedFiles } from '../reports/certificate/page.ts';
import { EXTENSION } from '../reports/certificate/statement.ts';
import { thisSuite } from '../reports/certificate/suite.ts';
import { verify, type Verification } from '../reports/certificate/verify.ts';
import { ends, Mistake, readFile, readPublicKey, readTime } from './certificate/command.ts';
import { program } from './commands/verify.ts';
import { LARGEST } from './files/foreign-file.ts';
import { out, outJson } from './output/print.ts';
import { plannedCases } from './certificate/plan.ts';

interface Options {
  publicKey: string;
  evidence?: string;
  at?: string;
  revoked?: string;
  json?: true;
}

const options = program.parse().opts<Options>();

const EXIT = { valid: 0, invalid: 1, unusable: 2 } as const;
/** What is read of a folder of others, and how much of each. Whatever else lies there is only told by its name. */
const READ = new Map<string, number>([
  ['report.json', LARGEST.report],
  ['evidence.jsonl', LARGEST.evidence],
  ...['attestation.json', 'certificate.html', 'badge.json', 'badge.svg'].map((name): [string, number] => [
    name,
    LARGEST.signed,
  ]),
]);

await ends(async () => {
  const at = options.at === undefined ? new Date() : readTime(options.at, '--at');
  const verification = verify({
    attestation: readFile(program.args[0] ?? ''),
    publicKey: readPublicKey(options.publicKey),
    files: options.evidence === undefined ? null : filesIn(options.evidence),
    rendered: renderedFiles,
    at,
    revoked: options.revoked === undefined ? null : readFile(options.revoked),
    suite: thisSuite(),
    plan: options.evidence === undefined ? [] : await plannedCases(),
  });
  if (options.json === true) outJson(`${JSON.stringify(machine(verification))}\n`);
  else out(text(verification));
  return EXIT[verification.verdict];
});

/** Every entry of the folder by its name. @throws Mistake where one that is needed is no file */
function filesIn(folder: string): Map<string, Uint8Array> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new Mistake(`${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  return new Map(
    names.map((name) => {
      const most = READ.get(name);
      return [name, most === undefined ? new Uint8Array() : readFile(join(folder, name), most)];
    }),
  );
}

function machine({ verdict, checks, unchecked, statement }: Verification): object {
  const certificate = statement?.predicate[EXTENSION];
  return {
    verdict,
    checks,
    unchecked,
    subject: certificate?.subject ?? null,
    result: statement?.predicate.result ?? null,
    validity: certificate?.validity ?? null,
  };
}

function text({ verdict, checks, unchecked, statement }: Verification): string {
  const certificate = statement?.predicate[EXTENSION];
  return [
    `${verdict}${certificate === undefined ? '' : `: ${terminal(certificate.subject)}, interface ${terminal(certificate.specification)}`}`,
    ...checks.map(({ name, held, found }) => `  ${held ? '✓' : '✗'} ${name.padEnd(13)} ${terminal(found)}`),
    ...unchecked.map((each) => `  – not checked   ${each}`),
    '',
  ].join('\n');
}
