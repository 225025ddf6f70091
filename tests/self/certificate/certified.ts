import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeStatement, writeCertifiedReport } from '../../../reports/certificate/issue.ts';
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
import { planRecheck } from '../../../bin/certificate/plan-recheck.ts';
import { readPosedChallenge, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { must } from '../samples/installed.ts';

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
    judgeAgain: (...judged) => known ?? recheckEvidence(...judged),
    ...more,
  });
}

/** The names of the checks that did not hold. */
export function failedChecks({ checks }: Verification): string[] {
  return checks.filter(({ held }) => !held).map(({ name }) => name);
}

// A run that is certified has a simulated world and a process of its own, so its minutes cost nothing.

/** A pair of keys. */
export interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** A new pair of keys. */
export function pair(): Keys {
  const keys = makeKeys();
  return { privateKey: createPrivateKey(keys.privateKey), publicKey: createPublicKey(keys.publicKey) };
}

/** Emptied before each run of the self-tests: what is kept there is shared by the files of one. */
const SHARED = fileURLToPath(new URL('../test-results/shared/', import.meta.url));

/** The text that was kept under that name first. */
function kept(name: string): string | null {
  const path = join(SHARED, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Keeps a text, unless another process was first. @returns the one that is kept */
function keep(name: string, text: string): string {
  mkdirSync(SHARED, { recursive: true });
  const own = join(SHARED, `${name}.${process.pid}`);
  writeFileSync(own, text, { mode: 0o600 });
  try {
    linkSync(own, join(SHARED, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  rmSync(own);
  return kept(name) ?? text;
}

/** A text that is made once, whichever processes ask for it: by the first, and the others wait for that. */
async function once(about: string, make: () => Promise<string>): Promise<string> {
  const name = createHash('sha256').update(about).digest('hex');
  const claim = join(SHARED, `${name}.claim`);
  for (let text = kept(name); ; text = kept(name)) {
    if (text !== null) return text;
    try {
      writeFileSync(claim, '', { flag: 'wx' });
    } catch {
      await setTimeout(100);
      continue;
    }
    try {
      return kept(name) ?? keep(name, await make());
    } finally {
      rmSync(claim);
    }
  }
}

/** The issuer of all certificates: one for all files, for they share runs that answer it. */
export const ISSUER = ((): Keys => {
  const privateKey = createPrivateKey(kept('issuer') ?? keep('issuer', makeKeys().privateKey));
  return { privateKey, publicKey: createPublicKey(privateKey) };
})();
/** When the worlds begin. */
export const BEGIN = Date.UTC(2027, 0, 15, 8);
/** An hour later: when runs are certified. */
export const NOW = BEGIN + 3_600_000;

/** The judged service: `reference`, `removed`, or a fault or freedom by its id, as `fault:<id>`. */
interface Judged {
  variant?: string;
  /** When the world begins: milliseconds since 1970. */
  begin?: number;
  maxAnimals?: number;
  runBy?: Challenge['runBy'];
  keys?: Keys;
}

/** A run and what it answers. */
export interface CertifiedRun {
  evidence: string;
  challenge: Challenge;
}

/** Judges under the profile, in answer to a challenge; each once, whichever files ask for it. */
export async function certifiedRun(judged: Judged = {}): Promise<CertifiedRun> {
  if (judged.keys !== undefined) return judgedAnew(judged);
  const run = await once(JSON.stringify(judged), async () => JSON.stringify(await judgedAnew(judged)));
  return JSON.parse(run) as CertifiedRun;
}

/** Results from its evidence, each once too: the plan for it, and the findings when it is judged again. */
export async function lookAt({ evidence, challenge }: CertifiedRun): Promise<{
  plan: RecheckPlan;
  look: EvidenceRecheck;
}> {
  const found = await once(evidence, async () => {
    const plan = await planRecheck(Buffer.from(evidence));
    return JSON.stringify({
      plan,
      look: recheckEvidence(Buffer.from(evidence), plan, challenge),
    });
  });
  return JSON.parse(found) as { plan: RecheckPlan; look: EvidenceRecheck };
}

async function judgedAnew({
  variant = 'reference',
  begin = BEGIN,
  maxAnimals,
  runBy = 'vendor',
  keys = ISSUER,
}: Judged): Promise<CertifiedRun> {
  const text = poseChallenge(
    { subject: 'Rex Pets 2.3', runBy, now: begin - 60_000, validFor: 86_400_000 },
    keys.privateKey,
  );
  const evidence = await inItsWorld({
    variants: [variant],
    begin,
    maxAnimals: maxAnimals ?? null,
    challenge: text,
  });
  const posed = readPosedChallenge(text, begin);
  if ('problem' in posed) throw new Error(posed.problem);
  return { evidence, challenge: posed.challenge };
}

/** The failures of the second asking with each of these, a line each: nothing else is asked. */
export function failedUnannounced(variants: readonly string[]): Promise<string> {
  return inItsWorld({ variants, begin: BEGIN, maxAnimals: null, challenge: null });
}

function inItsWorld(options: object): Promise<string> {
  const script = fileURLToPath(new URL('./world-run.js', import.meta.url));
  return must(process.execPath, [script, JSON.stringify(options)], { cwd: process.cwd() });
}
