/** Reads the certificate in the folder of a vendor for the matrix. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hashBytes } from '../../reports/certificate/signed/canonical.ts';
import { explainOutdated, readRevocations, type Trust } from '../../reports/certificate/signed/revocation.ts';
import { EXTENSION, type Statement } from '../../reports/certificate/statement.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { readReport } from '../../reports/document/report-schema.ts';
import { verify, type VerificationCheck } from '../../reports/certificate/verify-certificate.ts';
import type { VendorCertificate } from '../../reports/vendors/certificate.ts';
import { Mistake, readNow, readFile } from '../certificate/certificate-files.ts';
import { readTrust, type TrustOptions } from '../certificate/issuer.ts';
import { LARGEST } from '../files/foreign-file.ts';

/**
 * Reads what is needed to verify certificates; null if no key was given.
 * @throws Mistake if a list cannot be relied on
 */
export function readVendorTrust(publicKey: string | undefined, lists: TrustOptions): Trust | null {
  const [name] = Object.keys(lists);
  if (publicKey === undefined) {
    if (name === undefined) return null;
    throw new Mistake(
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --public-key: the list is signed by the issuer`,
    );
  }
  const trust = readTrust(publicKey, lists);
  if (trust.revoked === null) return trust;
  const problem = explainOutdated(readRevocations(trust.revoked, trust.issuer), trust, readNow());
  if (problem !== null) throw new Mistake(`${lists.revoked ?? ''}: ${problem}`);
  return trust;
}

/**
 * A certificate, and the report that it covers if it is valid. The matrix shows "valid" only beside this
 * report.
 */
interface Found {
  certificate: VendorCertificate;
  report: Report | null;
}

/** Reads the certificate beside a report, and verifies it if a key was given. Null if there is none. */
export function readVendorCertificate(folder: string, trust: Trust | null): Found | null {
  const file = [join(folder, 'certificate', 'attestation.json'), join(folder, 'attestation.json')].find(
    (each) => existsSync(each),
  );
  if (file === undefined) return null;
  const nobody = { notAfter: new Date(0).toISOString(), subject: '' };
  try {
    const attestation = readFile(file);
    const { payload } = JSON.parse(attestation.toString('utf8')) as { payload: string };
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement;
    const { validity, subject } = statement.predicate[EXTENSION];
    const said = { notAfter: new Date(validity.notAfter).toISOString(), subject: String(subject) };
    const state = stateOf(attestation, trust);
    if (state.state !== 'valid') return { certificate: { ...said, ...state }, report: null };
    const covered = coveredBy(statement, [dirname(file), folder]);
    return 'why' in covered
      ? { certificate: { ...said, ...covered }, report: null }
      : { certificate: { ...said, ...state }, report: covered.report };
  } catch {
    const why = `${basename(dirname(file))}/attestation.json is not an attestation`;
    return { certificate: { ...nobody, state: 'invalid', why }, report: null };
  }
}

type State = Pick<VendorCertificate, 'state' | 'why'>;

function stateOf(attestation: Buffer, trust: Trust | null): State {
  if (trust === null) return { state: 'unverified', why: 'give --public-key' };
  const at = readNow();
  const { verdict, checks, statement } = verify({
    ...trust,
    attestation,
    files: null,
    at,
    plan: { cases: [], asks: [] },
  });
  if (verdict === 'valid') return { state: 'valid', why: '' };
  const end = Date.parse(statement?.predicate[EXTENSION].validity.notAfter ?? '');
  return brokenBy(
    checks.filter(({ held }) => !held),
    at.getTime() >= end,
  );
}

/**
 * Returns the report that was signed, if the evidence beside it was signed too.
 * @param folders the folder of the certificate, and the folder of the run
 */
function coveredBy(statement: Statement, folders: readonly [string, string]): State | { report: Report } {
  const [, folder] = folders;
  const evidence = join(folder, 'evidence.jsonl');
  if (!existsSync(join(folder, 'report.json')) || !existsSync(evidence))
    return { state: 'unverified', why: 'the run that it is of is not here' };
  if (!isSigned(statement, 'evidence.jsonl', readFile(evidence, LARGEST.evidence)))
    return { state: 'invalid', why: 'it is of another run' };
  for (const each of folders) {
    const file = join(each, 'report.json');
    const content = existsSync(file) ? readFile(file, LARGEST.report) : null;
    const read = content !== null && isSigned(statement, 'report.json', content) ? readReport(content) : null;
    if (read !== null && 'value' in read) return { report: read.value };
  }
  return { state: 'invalid', why: 'the report beside it is not what was certified' };
}

function isSigned({ subject }: Statement, file: string, content: Buffer): boolean {
  return subject.some(({ name, digest }) => name === file && digest.sha256 === hashBytes(content));
}

function brokenBy(broken: readonly VerificationCheck[], isOver: boolean): State {
  const revoked = broken.find(({ name }) => name === 'revocation');
  if (revoked !== undefined) return { state: 'revoked', why: revoked.found };
  const isExpired = isOver && broken.every(({ name }) => name === 'validity');
  return { state: isExpired ? 'expired' : 'invalid', why: broken[0]?.found ?? '' };
}
