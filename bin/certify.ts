#!/usr/bin/env node
/** `npm run certify -- --report DIR --key key.pem --subject-name NAME`: signs what a run has shown. 0 signed, 1 something is missing, 2 bad input. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicKey } from 'node:crypto';
import type { Case } from '../fixtures/evidence/completeness.ts';
import type { Report } from '../reports/document/report.ts';
import { readReport } from '../reports/document/report-schema.ts';
import { canonicalJson } from '../reports/certificate/canonical.ts';
import { seal } from '../reports/certificate/envelope.ts';
import { LONGEST_VALIDITY, missing, statementOf } from '../reports/certificate/issue.ts';
import { renderedFiles } from '../reports/certificate/page.ts';
import {
  NoEvidence,
  recheckEvidence,
  type EvidenceRecheck,
} from '../reports/certificate/recheck-evidence.ts';
import { PAYLOAD_TYPE } from '../reports/certificate/statement.ts';
import type { Shortcoming } from '../reports/certificate/certification-profile.ts';
import { thisSuite } from '../reports/certificate/suite.ts';
import { verify, type Verifying } from '../reports/certificate/verify.ts';
import { ends, Mistake, now, readFile, readPrivateKey, writing } from './certificate/command.ts';
import { terminal } from '../reports/words/escape.ts';
import { program } from './commands/certify.ts';
import { LARGEST } from './files/foreign-file.ts';
import { ownFolder, replaceFile } from './files/own-file.ts';
import { err, out as print } from './output/print.ts';
import { plannedCases } from './certificate/plan.ts';

interface Options {
  report: string;
  key: string;
  passphraseFile?: string;
  subjectName: string;
  subjectDigest?: string;
  validDays: string;
  out?: string;
}

const options = program.parse().opts<Options>();

await ends(async () => {
  const sha256 = digestIn(options.subjectDigest);
  const validDays = daysIn(options.validDays);
  const subject = { name: nameIn(options.subjectName), sha256 };
  const key = readPrivateKey(options.key, options.passphraseFile);
  const files = {
    report: readFile(join(options.report, 'report.json'), LARGEST.report),
    evidence: readFile(join(options.report, 'evidence.jsonl'), LARGEST.evidence),
  };
  const report = reportOf(files.report);
  const suite = thisSuite();
  const at = now();
  const plan = await plannedCases();
  const look = lookAt(report, files.evidence, plan);
  const lacking = missing({ report, look, suite, now: at.getTime() });
  if (lacking.length > 0) return refuse(lacking);
  const statement = statementOf({ report, look, files, suite, subject, now: at.getTime(), validDays });
  const attestation = Buffer.from(seal(PAYLOAD_TYPE, canonicalJson(statement), key));
  const run = { 'report.json': files.report, 'evidence.jsonl': files.evidence };
  assertValid({
    attestation,
    publicKey: createPublicKey(key),
    files: new Map(Object.entries(run)),
    rendered: renderedFiles,
    at,
    revoked: null,
    suite,
    plan,
  });
  write({ 'attestation.json': attestation, ...run, ...renderedFiles(statement, attestation) });
  return 0;
});

function refuse(lacking: readonly Shortcoming[]): number {
  const lines = lacking.map(({ what, remedy }) => `- ${terminal(what)}\n  ${terminal(remedy)}\n`);
  err(`There is no certificate for this run. What is missing, and what would bring it:\n${lines.join('')}`);
  return 1;
}

/** What is signed is verified before it is written. @throws Error */
function assertValid(signed: Verifying): void {
  const { verdict, checks } = verify(signed);
  if (verdict === 'valid') return;
  const found = checks.filter(({ held }) => !held).map((check) => check.found);
  throw new Error(`what was signed does not verify: ${found.join('; ')}`);
}

/** @throws Mistake */
function write(files: Readonly<Record<string, string | Buffer>>): void {
  const out = options.out ?? join(options.report, 'certificate');
  writing(out, () => {
    // the folder of the report is somebody else's: a link in it is not followed
    if (options.out === undefined) ownFolder(out);
    else mkdirSync(out, { recursive: true });
    rmSync(join(out, 'attestation.json'), { force: true });
    for (const [file, content] of Object.entries(files)) replaceFile(join(out, file), content);
  });
  print(`${Object.keys(files).join(', ')}\n  in ${out}\n`);
}

/** The hexadecimal digits of --subject-digest, or null where it is not given. @throws Mistake */
function digestIn(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, digits] = /^sha256:([0-9a-f]{64})$/.exec(text) ?? [];
  if (digits === undefined)
    throw new Mistake('--subject-digest must be sha256: and 64 small hexadecimal digits');
  return digits;
}

/** @throws Mistake */
function daysIn(text: string): number {
  const days = Number(text);
  if (!/^\d{1,4}$/.test(text) || days < 1 || days > LONGEST_VALIDITY)
    throw new Mistake(`--valid-days must be a whole number from 1 to ${LONGEST_VALIDITY}`);
  return days;
}

/** The name of the subject, which no signed file of the run has. @throws Mistake */
function nameIn(text: string): string {
  const name = text.trim();
  const isTaken = name === 'report.json' || name === 'evidence.jsonl';
  if (name === '' || name.length > 200 || /\p{C}/u.test(name) || isTaken)
    throw new Mistake('--subject-name must be a name of at most 200 visible characters');
  return name;
}

function reportOf(bytes: Buffer): Report {
  const read = readReport(bytes);
  if ('mistakes' in read) throw new Mistake(`report.json is no report of this suite: ${read.mistakes[0]}`);
  return read.value;
}

function lookAt(report: Report, evidence: Buffer, plan: readonly Case[]): EvidenceRecheck {
  try {
    return recheckEvidence(report, evidence, plan);
  } catch (error) {
    throw new Mistake(
      `evidence.jsonl is not the evidence of a run${error instanceof NoEvidence ? `: ${error.message}` : ''}`,
    );
  }
}
