/** The certificate in the folder of a vendor, as the matrix shows it. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../reports/certificate/signed/canonical.ts';
import { renderedFiles } from '../../reports/certificate/page.ts';
import { onlyKey } from '../../reports/certificate/signed/key-list.ts';
import { readRevocations } from '../../reports/certificate/signed/revocation.ts';
import { EXTENSION, type Statement } from '../../reports/certificate/statement.ts';
import type { Report } from '../../reports/document/report.ts';
import { readReport } from '../../reports/document/report-schema.ts';
import { thisSuite } from '../../reports/certificate/suite.ts';
import { verify, type Check } from '../../reports/certificate/verify.ts';
import type { VendorCertificate } from '../../reports/vendors/certificate.ts';
import { Mistake, now, readFile, readPublicKey } from '../certificate/command.ts';
import { LARGEST } from '../files/foreign-file.ts';

/** What certificates are verified with: the issuer's key, and its list of revocations; null if it is not given. */
interface Trust {
  key: KeyObject | null;
  revoked: Buffer | null;
}

/** Key and list, read before all else. @throws Mistake */
export function readTrust(publicKey: string | undefined, revoked: string | undefined): Trust {
  if (publicKey === undefined) {
    if (revoked !== undefined)
      throw new Mistake('--revoked needs --public-key: the list is signed by the issuer');
    return { key: null, revoked: null };
  }
  const key = readPublicKey(publicKey);
  if (revoked === undefined) return { key, revoked: null };
  const list = readFile(revoked);
  const read = readRevocations(list, key);
  if ('problem' in read) throw new Mistake(`${revoked}: ${read.problem}`);
  return { key, revoked: list };
}

/** The certificate in a folder, and the report that it covers, if it is valid: nothing else may stand beside the word "valid". */
interface Found {
  certificate: VendorCertificate;
  report: Report | null;
}

/** The certificate beside a report, verified if a key is given; null: there is none. */
export function certificateOf(folder: string, trust: Trust): Found | null {
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

function stateOf(attestation: Buffer, { key, revoked }: Trust): State {
  if (key === null) return { state: 'unverified', why: 'give --public-key' };
  const { verdict, checks } = verify({
    attestation,
    issuer: onlyKey(key),
    files: null,
    rendered: renderedFiles,
    at: now(),
    revoked,
    seen: null,
    suite: thisSuite(),
    plan: { cases: [], asks: [], again: { contradictions: [], open: [], passed: [] } },
  });
  return verdict === 'valid' ? { state: 'valid', why: '' } : brokenBy(checks.filter(({ held }) => !held));
}

/** The report with the digest that was signed, if the evidence beside the run is what was signed too. @param folders where it may be: the own one of the certificate, and the one of the run */
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
  return subject.some(({ name, digest }) => name === file && digest.sha256 === sha256(content));
}

function brokenBy(broken: readonly Check[]): State {
  const revoked = broken.find(({ name }) => name === 'revocation');
  if (revoked !== undefined) return { state: 'revoked', why: revoked.found };
  const isExpired = broken.every(({ name }) => name === 'validity');
  return { state: isExpired ? 'expired' : 'invalid', why: broken[0]?.found ?? '' };
}
