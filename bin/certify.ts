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
import { thisSuite } from '../reports/certificate/suite.ts';
import { verify } from '../reports/certificate/verify.ts';
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
  const { sha256, validDays, name } = checked(options);
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
  if (lacking.length > 0) {
    err(
      `There is no certificate for this run. What is missing, and what would bring it:\n${lacking.map(({ what, remedy }) => `- ${terminal(what)}\n  ${terminal(remedy)}\n`).join('')}`,
    );
    return 1;
  }
  const statement = statementOf({
    report,
    look,
    files,
    suite,
    subject: { name, sha256 },
    now: at.getTime(),
    validDays,
  });
  const attestation = Buffer.from(seal(PAYLOAD_TYPE, canonicalJson(statement), key));
  const made = new Map([
    ['report.json', files.report],
    ['evidence.jsonl', files.evidence],
  ]);
  const { verdict, checks } = verify({
    attestation,
    publicKey: createPublicKey(key),
    files: made,
    rendered: renderedFiles,
    at,
    revoked: null,
    suite,
    plan,
  });
  if (verdict !== 'valid')
    throw new Error(
      `what was signed does not verify: ${checks
        .filter(({ held }) => !held)
        .map(({ found }) => found)
        .join('; ')}`,
    );
  const out = options.out ?? join(options.report, 'certificate');
  const all: Record<string, string | Buffer> = {
    'attestation.json': attestation,
    'report.json': files.report,
    'evidence.jsonl': files.evidence,
    ...renderedFiles(statement, attestation),
  };
  writing(out, () => {
    // the folder of the report is somebody else's: a link in it is not followed
    if (options.out === undefined) ownFolder(out);
    else mkdirSync(out, { recursive: true });
    rmSync(join(out, 'attestation.json'), { force: true });
    for (const [file, content] of Object.entries(all)) replaceFile(join(out, file), content);
  });
  print(`${Object.keys(all).join(', ')}\n  in ${out}\n`);
  return 0;
});

function checked({ subjectDigest, validDays, subjectName }: Options): {
  sha256: string | null;
  validDays: number;
  name: string;
} {
  const digest =
    subjectDigest === undefined ? null : (/^sha256:([0-9a-f]{64})$/.exec(subjectDigest)?.[1] ?? '');
  if (digest === '') throw new Mistake('--subject-digest must be sha256: and 64 small hexadecimal digits');
  const days = Number(validDays);
  if (!/^\d{1,4}$/.test(validDays) || days < 1 || days > LONGEST_VALIDITY)
    throw new Mistake(`--valid-days must be a whole number from 1 to ${LONGEST_VALIDITY}`);
  const name = subjectName.trim();
  if (
    name === '' ||
    name.length > 200 ||
    /\p{C}/u.test(name) ||
    name === 'report.json' ||
    name === 'evidence.jsonl'
  )
    throw new Mistake('--subject-name must be a name of at most 200 visible characters');
  return { sha256: digest, validDays: days, name };
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
