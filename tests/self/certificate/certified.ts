/** Certificates: made of a run as `certify` makes them, and verified as `verify` does. */
import { makeStatement, writeCertifiedReport } from '../../../reports/certificate/issue.ts';
import { renderFiles } from '../../../reports/certificate/page.ts';
import { recheckEvidence, type EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import type { RecheckPlan } from '../../../reports/certificate/recheck-evidence.ts';
import { hashBytes, writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { listOneKey } from '../../../reports/certificate/signed/key-list.ts';
import { PAYLOAD_TYPE, type Statement } from '../../../reports/certificate/statement.ts';
import { verify, type Verification } from '../../../reports/certificate/verify-certificate.ts';
import { ISSUER, NOW, recheckRun, type CertifiableRun } from './certifiable-runs.ts';

/** A certified run. `files`: the files in the folder of its certificate, by their names. */
export interface Certified {
  run: CertifiableRun;
  recheck: EvidenceRecheck;
  plan: RecheckPlan;
  statement: Statement;
  files: Map<string, Buffer>;
}

/** The results of judging evidence again, by its SHA-256: the same bytes are judged once. */
const rechecks = new Map<string, EvidenceRecheck>();

/** Makes the certificate of a run, without the checks by which the command `certify` refuses runs. `now`: when it is signed. */
export async function certify(run: CertifiableRun, now = NOW): Promise<Certified> {
  const evidence = Buffer.from(run.evidence);
  const { plan, recheck } = await recheckRun(run);
  rechecks.set(hashBytes(evidence), recheck);
  const statement = makeStatement({
    recheck,
    evidence,
    challenge: run.challenge,
    // The digest of the judged build.
    sha256: 'a'.repeat(64),
    now,
    validDays: 90,
  });
  return { run, recheck, plan, statement, files: issueFiles(statement, { recheck, evidence }) };
}

/** Returns the files of the certificate with this statement, signed by the issuer. */
export function issueFiles(
  statement: Statement,
  { recheck, evidence }: { recheck: EvidenceRecheck; evidence: Buffer },
): Map<string, Buffer> {
  const attestation = Buffer.from(
    sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), ISSUER.privateKey),
  );
  const pages = Object.entries(renderFiles(statement, attestation)).map(([name, text]): [string, Buffer] => [
    name,
    Buffer.from(text),
  ]);
  return new Map([
    ['attestation.json', attestation],
    ['report.json', writeCertifiedReport(recheck)],
    ['evidence.jsonl', evidence],
    ...pages,
  ]);
}

/** Returns a file of a certificate by its name; it is empty if there is none. */
export const fileOf = ({ files }: Pick<Certified, 'files'>, name: string) =>
  files.get(name) ?? Buffer.alloc(0);

/** Verifies a certificate a second after NOW. `folder` false: only the attestation is given. */
export function verifyFiles(
  { files, plan }: Pick<Certified, 'files' | 'plan'>,
  { folder = true, ...more }: Partial<Parameters<typeof verify>[0]> & { folder?: boolean } = {},
): Verification {
  const known = rechecks.get(hashBytes(fileOf({ files }, 'evidence.jsonl')));
  return verify({
    attestation: fileOf({ files }, 'attestation.json'),
    issuerKeys: listOneKey(ISSUER.publicKey),
    keyListFile: null,
    files: folder ? files : null,
    at: new Date(NOW + 1_000),
    revoked: null,
    seen: null,
    plan,
    judgeAgain: (...judged) => known ?? recheckEvidence(...judged),
    ...more,
  });
}

export function listFailedChecks({ checks }: Verification): string[] {
  return checks.filter(({ held }) => !held).map(({ name }) => name);
}

/** The certificate with a changed statement, which is signed with the right key. */
export function alterStatement(good: Certified, change: (statement: Statement) => void): Certified {
  const statement = structuredClone(good.statement);
  change(statement);
  return { ...good, files: issueFiles(statement, { ...good, evidence: Buffer.from(good.run.evidence) }) };
}
