#!/usr/bin/env node
/** `npm run verify -- attestation.json --public-key key.pub.pem`: checks an attestation offline. 0 valid, 1 invalid, 2 it cannot be told. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { terminal } from '../reports/words/escape.ts';
import { renderedFiles } from '../reports/certificate/page.ts';
import { EXTENSION } from '../reports/certificate/statement.ts';
import { thisSuite } from '../reports/certificate/suite.ts';
import { verify, type Verification } from '../reports/certificate/verify.ts';
import { ends, Mistake, readFile, readTime } from './certificate/command.ts';
import { program } from './commands/verify.ts';
import { LARGEST } from './files/foreign-file.ts';
import { out, outJson } from './output/print.ts';
import { planFor } from './certificate/plan.ts';
import { readIssuer, rememberList, seenIn } from './certificate/issuer.ts';

interface Options {
  publicKey: string;
  evidence?: string;
  at?: string;
  keys?: string;
  revoked?: string;
  revokedSeen?: string;
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
  const verification = await verifying();
  if (options.json === true) outJson(`${JSON.stringify(machine(verification))}\n`);
  else out(text(verification));
  return EXIT[verification.verdict];
});

/** @throws Mistake */
async function verifying(): Promise<Verification> {
  const at = options.at === undefined ? new Date() : readTime(options.at, '--at');
  if (options.revokedSeen !== undefined && options.revoked === undefined)
    throw new Mistake('--revoked-seen needs --revoked');
  const attestation = readFile(program.args[0] ?? '');
  const issuer = readIssuer(options.publicKey, options.keys);
  const files = options.evidence === undefined ? null : filesIn(options.evidence);
  const revoked = options.revoked === undefined ? null : readFile(options.revoked);
  const verification = verify({
    attestation,
    issuer,
    files,
    rendered: renderedFiles,
    at,
    revoked,
    seen: options.revokedSeen === undefined ? null : seenIn(options.revokedSeen, issuer),
    suite: thisSuite(),
    plan: await planFor(files?.get('evidence.jsonl') ?? new Uint8Array()),
  });
  if (options.revokedSeen !== undefined && revoked !== null)
    rememberList(options.revokedSeen, issuer, revoked);
  return verification;
}

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
