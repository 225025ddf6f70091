/** Runs that can be certified. Each has a process in a simulated world, where its minutes cost nothing, and is made once. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { recheckEvidence, type EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import type { RecheckPlan } from '../../../reports/certificate/recheck-evidence.ts';
import { planRecheck } from '../../../bin/certificate/plan-recheck.ts';
import { readPosedChallenge, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { mustRun } from '../samples/installed.ts';
import { makeOnce, readShared, writeShared } from './shared-texts.ts';

export interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function makeKeyPair(): Keys {
  const keys = makeKeys();
  return { privateKey: createPrivateKey(keys.privateKey), publicKey: createPublicKey(keys.publicKey) };
}

/** The issuer of all certificates. All processes share it, because they share runs that answer its challenges. */
export const ISSUER = ((): Keys => {
  const privateKey = createPrivateKey(readShared('issuer') ?? writeShared('issuer', makeKeys().privateKey));
  return { privateKey, publicKey: createPublicKey(privateKey) };
})();
/** The beginning of the simulated worlds, and the time at which runs are certified: an hour later. */
export const BEGIN = Date.UTC(2027, 0, 15, 8);
export const NOW = BEGIN + 3_600_000;

interface Judged {
  /** `reference`, `removed` (getPet is removed: it answers 410), or a fault or freedom by its id, as `fault:<id>`. */
  variant?: string;
  /** When the world begins: milliseconds since 1970. */
  begin?: number;
  maxAnimals?: number;
}

export interface CertifiableRun {
  evidence: string;
  challenge: Challenge;
}

/** Judges a service under the certification profile, in answer to a challenge. Equal runs are made once. */
export async function judgeUnderProfile(judged: Judged = {}): Promise<CertifiableRun> {
  const run = await makeOnce(JSON.stringify(judged), async () => JSON.stringify(await judgeAnew(judged)));
  return JSON.parse(run) as CertifiableRun;
}

/** Judges the evidence of a run again, as `certify` and `verify` do. Each evidence is judged once. */
export async function recheckRun({ evidence, challenge }: CertifiableRun): Promise<{
  plan: RecheckPlan;
  recheck: EvidenceRecheck;
}> {
  const found = await makeOnce(evidence, async () => {
    const plan = await planRecheck(Buffer.from(evidence));
    return JSON.stringify({ plan, recheck: recheckEvidence(Buffer.from(evidence), plan, challenge) });
  });
  return JSON.parse(found) as { plan: RecheckPlan; recheck: EvidenceRecheck };
}

async function judgeAnew({
  variant = 'reference',
  begin = BEGIN,
  maxAnimals,
}: Judged): Promise<CertifiableRun> {
  const text = poseChallenge(
    { subject: 'Rex Pets 2.3', runBy: 'vendor', now: begin - 60_000, validFor: 86_400_000 },
    ISSUER.privateKey,
  );
  const evidence = await runInItsWorld({
    variants: [variant],
    begin,
    maxAnimals: maxAnimals ?? null,
    challenge: text,
  });
  const posed = readPosedChallenge(text, begin);
  if ('problem' in posed) throw new Error(posed.problem);
  return { evidence, challenge: posed.challenge };
}

/** Asks services only in requests that do not announce the suite. Returns a line for each failure; '': there is none. */
export function listUnannouncedFailures(variants: readonly string[]): Promise<string> {
  return runInItsWorld({ variants, begin: BEGIN, maxAnimals: null, challenge: null });
}

/** Runs world-run.ts in a process of its own. @returns the text that it prints */
function runInItsWorld(options: object): Promise<string> {
  const script = fileURLToPath(new URL('./world-run.js', import.meta.url));
  return mustRun(process.execPath, [script, JSON.stringify(options)], { cwd: process.cwd() });
}
