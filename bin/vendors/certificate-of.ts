/** Reads the certificate in the folder of a vendor, for the command `matrix`, which shows vendors side by side. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hashBytes } from '../../reports/certificate/signed/canonical.ts';
import { explainOutdated, readRevocations, type Trust } from '../../reports/certificate/signed/revocation.ts';
import { EXTENSION, type Statement } from '../../reports/certificate/statement.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { readReport } from '../../reports/document/report-schema.ts';
import { verify, type VerificationCheck } from '../../reports/certificate/verify-certificate.ts';
import type { VendorCertificate } from '../../reports/shown/vendors/certificate.ts';
import { Mistake, readNow, readFile } from '../certificate/certificate-files.ts';
import { readTrust, type TrustOptions } from '../certificate/issuer.ts';
import { LARGEST } from '../command-line/files/foreign-file.ts';

/**
 * Reads the issuer's key and lists; null if the user gave no --public-key.
 * @param lists further options about the issuer, which need --public-key
 * @throws Mistake if a list is missing its key, or is outdated
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
 * A certificate with its state. `report`: the certified report, if the certificate is valid; else null. The matrix then shows
 * this report, and no other file of the folder.
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
  try {
    const attestation = readFile(file);
    const { payload } = JSON.parse(attestation.toString('utf8')) as { payload: string };
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement;
    const { validity, subject } = statement.predicate[EXTENSION];
    // The members of the attestation before any of it is verified.
    const said = { notAfter: new Date(String(validity.notAfter)).toISOString(), subject: String(subject) };
    const state = verifyState(attestation, trust);
    if (state.state !== 'valid') return { certificate: { ...said, ...state }, report: null };
    const covered = findCertified(statement, [dirname(file), folder]);
    return 'why' in covered
      ? { certificate: { ...said, ...covered }, report: null }
      : { certificate: { ...said, ...state }, report: covered.report };
  } catch {
    const why = `${basename(dirname(file))}/attestation.json is not an attestation`;
    return { certificate: { notAfter: '', subject: '', state: 'invalid', why }, report: null };
  }
}

type State = Pick<VendorCertificate, 'state' | 'why'>;

/** Verifies an attestation by its signature, times and lists; the evidence is not judged again here. */
function verifyState(attestation: Buffer, trust: Trust | null): State {
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
  return readBrokenState(
    checks.filter(({ held }) => !held),
    at.getTime() >= end,
  );
}

/**
 * Returns the certified report. It is in one of the two folders, and must have the digest that the attestation names, as must
 * the evidence of the run. Otherwise returns the state of the certificate.
 * @param folders the folder of the certificate, and the folder of the run
 */
function findCertified(statement: Statement, folders: readonly [string, string]): State | { report: Report } {
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

/** Returns the state that follows from the failed checks. `isOver`: the certificate has reached its end. */
function readBrokenState(broken: readonly VerificationCheck[], isOver: boolean): State {
  const revoked = broken.find(({ name }) => name === 'revocation');
  if (revoked !== undefined) return { state: 'revoked', why: revoked.found };
  const isExpired = isOver && broken.every(({ name }) => name === 'validity');
  return { state: isExpired ? 'expired' : 'invalid', why: broken[0]?.found ?? '' };
}
