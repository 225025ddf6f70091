#!/usr/bin/env node
/**
 * `npm run verify -- attestation.json --public-key issuer.pem.pub`: checks a certificate offline. An attestation is the signed
 * file of a certificate. Exit codes: 0 valid, 1 invalid, 2 not decided, 3 valid but for the evidence, which was not given.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { computeKeyId } from '../reports/certificate/signed/envelope.ts';
import { findSigner } from '../reports/certificate/signed/key-list.ts';
import { EXTENSION } from '../reports/certificate/statement.ts';
import { verify, writeVerification, type Verification } from '../reports/certificate/verify-certificate.ts';
import { endWithCode, Mistake, readFile, readTime } from './certificate/certificate-files.ts';
import { verifyCommand as program } from './command-descriptions.ts';
import { isFolder, LARGEST } from './command-line/files/foreign-file.ts';
import { printText, printJson } from './command-line/output/print.ts';
import { planRecheck } from './certificate/plan-recheck.ts';
import { readTrust, rememberList, type TrustOptions } from './certificate/issuer.ts';

interface Options extends TrustOptions {
  publicKey: string;
  evidence?: string;
  at?: string;
  json?: true;
}

const options = program.parse().opts<Options>();

const ATTESTATION = 'attestation.json';
const EXIT = { valid: 0, invalid: 1, unusable: 2 } as const;
/** Files of the folder that are read, with the most bytes of each. Other files are not read: only their names are checked. */
const LARGEST_READ = new Map<string, number>([
  ['report.json', LARGEST.report],
  ['evidence.jsonl', LARGEST.evidence],
  [ATTESTATION, LARGEST.signed],
  ['certificate.html', LARGEST.signed],
  ['badge.json', LARGEST.signed],
  ['badge.svg', LARGEST.signed],
]);

await endWithCode(async () => {
  const { verification, facts, warning } = await verifyGiven();
  if (options.json === true)
    printJson(`${JSON.stringify({ ...makeProgramResult(verification), beside: warning })}\n`);
  else {
    printText(writeVerification(verification, facts));
    if (warning !== null) printText(`  ! ${warning}\n`);
  }
  // Without the evidence, only the signature was checked: it does not say if the verdicts are right.
  return verification.verdict === 'valid' && !facts.isWhole ? 3 : EXIT[verification.verdict];
  // 3 means "valid but for the evidence", so a defect of the suite ends with 2.
}, EXIT.unusable);

/**
 * Verifies the certificate that the user names.
 * @returns `facts`: for the printed text, with `isWhole` true if the evidence was checked too; `warning`: see `explainUncertified`
 * @throws Mistake
 */
async function verifyGiven(): Promise<{
  verification: Verification;
  facts: { isWhole: boolean; keyId: string };
  warning: string | null;
}> {
  const at = options.at === undefined ? new Date() : readTime(options.at, '--at');
  const path = program.args[0] ?? '';
  const { file, evidence = options.evidence } = readGiven(path);
  const attestation = readFile(file);
  if (/^\s*</.test(attestation.toString('latin1')))
    throw new Mistake(`${file} is a page for readers: give ${ATTESTATION}, the file of the certificate`);
  const trust = readTrust(options.publicKey, options);
  const files = evidence === undefined ? null : readFolder(evidence);
  const verification = verify({
    ...trust,
    attestation,
    files,
    at,
    // Without evidence no check reads the plan.
    plan: await planRecheck(files?.get('evidence.jsonl') ?? new Uint8Array()),
  });
  // Keeps the number of the newest list of revocations: an older list is then refused.
  rememberList(options.revokedSeen, trust);
  return {
    verification,
    facts: { isWhole: files !== null, keyId: computeKeyId(findSigner(attestation, trust.issuerKeys).key) },
    warning: evidence === undefined ? null : explainUncertified(path, evidence),
  };
}

/**
 * Returns the path of the attestation. `evidence` is the folder of the attestation, if the user named a folder and no --evidence.
 * @throws Mistake
 */
function readGiven(path: string): { file: string; evidence?: string } {
  if (!isFolder(path)) return { file: path };
  const folder = [path, join(path, 'certificate')].find((each) => existsSync(join(each, ATTESTATION)));
  if (folder === undefined) throw new Mistake(`${path} has no ${ATTESTATION}, and no certificate/ with one`);
  return { file: join(folder, ATTESTATION), ...(options.evidence === undefined && { evidence: folder }) };
}

/**
 * Compares `reports/out/report.json` with the certified `reports/out/certificate/report.json`, if the user named `reports/out`. Returns
 * a warning if they differ, else null. Then the pages in `reports/out`, e.g. the HTML report, are not certified either.
 * @throws Mistake
 */
function explainUncertified(path: string, evidence: string): string | null {
  const [own, certified] = [join(path, 'report.json'), join(evidence, 'report.json')];
  if (evidence !== join(path, 'certificate') || !existsSync(own)) return null;
  return readFile(own, LARGEST.report).equals(readFile(certified, LARGEST.report))
    ? null
    : `${own} and the pages beside it are not what was certified; the certified files are in ${evidence}`;
}

/**
 * Returns the files of the folder by name. Files that are not in LARGEST_READ are empty.
 * @throws Mistake if a file of LARGEST_READ cannot be read
 */
function readFolder(folder: string): Map<string, Uint8Array> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new Mistake(`${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  return new Map(
    names.map((name) => {
      const most = LARGEST_READ.get(name);
      return [name, most === undefined ? new Uint8Array() : readFile(join(folder, name), most)];
    }),
  );
}

/** Returns the result of the verification for --json. */
function makeProgramResult({ verdict, checks, unchecked, statement }: Verification): object {
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
