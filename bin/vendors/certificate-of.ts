/** The certificate that lies in the folder of a vendor, as the matrix shows it. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../reports/certificate/canonical.ts';
import { renderedFiles } from '../../reports/certificate/page.ts';
import { readRevocations } from '../../reports/certificate/revocation.ts';
import { EXTENSION, type Statement } from '../../reports/certificate/statement.ts';
import { thisSuite } from '../../reports/certificate/suite.ts';
import { verify, type Check } from '../../reports/certificate/verify.ts';
import { namesOther, type VendorCertificate } from '../../reports/vendors/certificate.ts';
import { Mistake, now, readFile, readPublicKey } from '../certificate/command.ts';
import { LARGEST } from '../files/foreign-file.ts';

/** What certificates are verified with: the issuer's key, and its list of revocations; null where it is not given. */
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

/** What the certificate beside a report says of itself, verified where a key is given; null: there is none. */
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
      why: `${basename(dirname(file))}/attestation.json is no attestation`,
    };
  }
}

type State = Pick<VendorCertificate, 'state' | 'why'>;

function stateOf(attestation: Buffer, statement: Statement, folder: string, { key, revoked }: Trust): State {
  if (key === null) return { state: 'unverified', why: 'give --public-key' };
  const { verdict, checks } = verify({
    attestation,
    publicKey: key,
    files: null,
    rendered: renderedFiles,
    at: now(),
    revoked,
    suite: thisSuite(),
    plan: [],
  });
  return verdict === 'valid' ? ofReport(statement, folder) : brokenBy(checks.filter(({ held }) => !held));
}

/** A valid certificate counts for the report that it is of. */
function ofReport({ subject }: Statement, folder: string): State {
  const report = join(folder, 'report.json');
  if (!existsSync(report)) return { state: 'unverified', why: 'the report that it is of is not here' };
  const covers = subject.some(
    ({ name, digest }) =>
      name === 'report.json' && digest.sha256 === sha256(readFile(report, LARGEST.report)),
  );
  return covers ? { state: 'valid', why: '' } : { state: 'invalid', why: 'it is of another report' };
}

function brokenBy(broken: readonly Check[]): State {
  const revoked = broken.find(({ name }) => name === 'revocation');
  if (revoked !== undefined) return { state: 'revoked', why: revoked.found };
  const isExpired = broken.every(({ name }) => name === 'validity');
  return { state: isExpired ? 'expired' : 'invalid', why: broken[0]?.found ?? '' };
}
