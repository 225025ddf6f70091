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
import { thisSuite } from '../../reports/certificate/suite.ts';
import { verify, type Check } from '../../reports/certificate/verify.ts';
import { namesOther, type VendorCertificate } from '../../reports/vendors/certificate.ts';
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

/** What the certificate beside a report says of itself, verified if a key is given; null: there is none. */
export function certificateOf(folder: string, vendor: string, trust: Trust): VendorCertificate | null {
  const file = [join(folder, 'certificate', 'attestation.json'), join(folder, 'attestation.json')].find(
    (each) => existsSync(each),
  );
  if (file === undefined) return null;
  try {
    const attestation = readFile(file);
    const { payload } = JSON.parse(attestation.toString('utf8')) as { payload: string };
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement;
    const { validity, subject } = statement.predicate[EXTENSION];
    const said = {
      notAfter: new Date(validity.notAfter).toISOString(),
      names: namesOther(subject, vendor) ? subject : null,
    };
    return { ...said, ...stateOf(attestation, statement, folder, trust) };
  } catch {
    return {
      notAfter: new Date(0).toISOString(),
      names: null,
      state: 'invalid',
      why: `${basename(dirname(file))}/attestation.json is not an attestation`,
    };
  }
}

type State = Pick<VendorCertificate, 'state' | 'why'>;

function stateOf(attestation: Buffer, statement: Statement, folder: string, { key, revoked }: Trust): State {
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
  return verdict === 'valid' ? ofReport(statement, folder) : brokenBy(checks.filter(({ held }) => !held));
}

/** A valid certificate counts for the run that it is of. */
function ofReport({ subject, predicate }: Statement, folder: string): State {
  const [report, evidence] = ['report.json', 'evidence.jsonl'].map((name) => join(folder, name));
  if (report === undefined || evidence === undefined || !existsSync(report) || !existsSync(evidence))
    return { state: 'unverified', why: 'the run that it is of is not here' };
  const { run } = JSON.parse(readFile(report, LARGEST.report).toString('utf8')) as Pick<Report, 'run'>;
  const covers =
    run.id === predicate[EXTENSION].claims.run &&
    subject.some(
      ({ name, digest }) =>
        name === 'evidence.jsonl' && digest.sha256 === sha256(readFile(evidence, LARGEST.evidence)),
    );
  return covers ? { state: 'valid', why: '' } : { state: 'invalid', why: 'it is of another run' };
}

function brokenBy(broken: readonly Check[]): State {
  const revoked = broken.find(({ name }) => name === 'revocation');
  if (revoked !== undefined) return { state: 'revoked', why: revoked.found };
  const isExpired = broken.every(({ name }) => name === 'validity');
  return { state: isExpired ? 'expired' : 'invalid', why: broken[0]?.found ?? '' };
}
