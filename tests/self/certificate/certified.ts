/** A run that is certified, and what a verification finds in its folder. */
import { writeCertifiedReport, makeStatement } from '../../../reports/certificate/issue.ts';
import { renderFiles } from '../../../reports/certificate/page.ts';
import {
  recheckEvidence,
  type EvidenceRecheck,
  type RecheckPlan,
} from '../../../reports/certificate/recheck-evidence.ts';
import { hashBytes, writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { listOneKey } from '../../../reports/certificate/signed/key-list.ts';
import { PAYLOAD_TYPE, type Statement } from '../../../reports/certificate/statement.ts';
import { verify, type Verification } from '../../../reports/certificate/verify-certificate.ts';
import { ISSUER, lookAt, NOW, type CertifiedRun, type Keys } from './certified-run.ts';

/** A run, its statement and its signed envelope; the files of its folder by name. */
export interface Certified {
  run: CertifiedRun;
  look: EvidenceRecheck;
  plan: RecheckPlan;
  statement: Statement;
  files: Map<string, Buffer>;
}

/** The rechecks of whole runs by the SHA-256 of their evidence: the same bytes are judged once. */
const rechecks = new Map<string, EvidenceRecheck>();

/** Certifies a run as the command does, but for asking whether anything is missing. */
export async function certified(
  run: CertifiedRun,
  { now = NOW, validDays = 90, keys = ISSUER }: { now?: number; validDays?: number; keys?: Keys } = {},
): Promise<Certified> {
  const evidence = Buffer.from(run.evidence);
  const { plan, look } = await lookAt(run);
  rechecks.set(hashBytes(evidence), look);
  const statement = makeStatement({
    recheck: look,
    evidence,
    challenge: run.challenge,
    sha256: 'a'.repeat(64),
    now,
    validDays,
  });
  return { run, look, plan, statement, files: folderOf(statement, { look, evidence }, keys) };
}

/** The files of a certificate with that statement. */
export function folderOf(
  statement: Statement,
  { look, evidence }: { look: EvidenceRecheck; evidence: Buffer },
  keys = ISSUER,
): Map<string, Buffer> {
  const attestation = Buffer.from(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), keys.privateKey));
  const pages = Object.entries(renderFiles(statement, attestation)).map(([name, text]): [string, Buffer] => [
    name,
    Buffer.from(text),
  ]);
  return new Map([
    ['attestation.json', attestation],
    ['report.json', writeCertifiedReport(look)],
    ['evidence.jsonl', evidence],
    ...pages,
  ]);
}

/** Returns the findings of a verification. `folder` false: only the attestation is given. */
export function verified(
  { files, plan }: Pick<Certified, 'files' | 'plan'>,
  { folder = true, ...more }: Partial<Parameters<typeof verify>[0]> & { folder?: boolean } = {},
): Verification {
  const known = rechecks.get(hashBytes(files.get('evidence.jsonl') ?? Buffer.alloc(0)));
  return verify({
    attestation: files.get('attestation.json') ?? Buffer.alloc(0),
    issuer: listOneKey(ISSUER.publicKey),
    keys: null,
    files: folder ? files : null,
    at: new Date(NOW + 1_000),
    revoked: null,
    seen: null,
    plan,
    recheck: (...judged) => known ?? recheckEvidence(...judged),
    ...more,
  });
}

/** The names of the checks that did not hold. */
export function failedChecks({ checks }: Verification): string[] {
  return checks.filter(({ held }) => !held).map(({ name }) => name);
}
