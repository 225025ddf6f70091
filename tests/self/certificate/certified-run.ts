/** A whole run under the certification profile, in a simulated world and a process of its own, so that its minutes cost nothing. */
import { spawn } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { planFor } from '../../../bin/certificate/plan.ts';
import { posedBy, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { newKeys } from '../../../reports/certificate/signed/keys.ts';
import { pose } from '../../../reports/certificate/signed/challenge.ts';
import { recheckEvidence, type EvidenceRecheck } from '../../../reports/certificate/recheck-evidence.ts';
import { createPrivateKey } from 'node:crypto';

/** A pair of keys. */
export interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** A new pair of keys. */
export function pair(): Keys {
  const keys = newKeys();
  return { privateKey: createPrivateKey(keys.privateKey), publicKey: createPublicKey(keys.publicKey) };
}

/** The issuer of all certificates of a test file. */
export const ISSUER = pair();
/** When the worlds begin. */
export const BEGIN = Date.UTC(2027, 0, 15, 8);
/** An hour later: when runs are certified. */
export const NOW = BEGIN + 3_600_000;

/** What is judged: `reference`, `removed`, or a fault or freedom by its id, as `fault:<id>`. */
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

/** Judges under the profile, in answer to a challenge. */
export async function certifiedRun({
  variant = 'reference',
  begin = BEGIN,
  maxAnimals,
  runBy = 'vendor',
  keys = ISSUER,
}: Judged = {}): Promise<CertifiedRun> {
  const text = pose(
    { subject: 'Rex Pets 2.3', runBy, now: begin - 60_000, validFor: 86_400_000 },
    keys.privateKey,
  );
  const evidence = await inItsWorld({
    variants: [variant],
    begin,
    maxAnimals: maxAnimals ?? null,
    challenge: text,
  });
  const posed = posedBy(text, begin);
  if ('problem' in posed) throw new Error(posed.problem);
  return { evidence, challenge: posed.challenge };
}

/** What of the second asking fails with each of these, a line each: nothing else is asked. */
export function failedUnannounced(variants: readonly string[]): Promise<string> {
  return inItsWorld({ variants, begin: BEGIN, maxAnimals: null, challenge: null });
}

/** Judges the evidence again. */
export async function lookAt({ evidence, challenge }: CertifiedRun): Promise<EvidenceRecheck> {
  return recheckEvidence(evidence, await planFor(Buffer.from(evidence)), challenge);
}

async function inItsWorld(options: object): Promise<string> {
  const script = fileURLToPath(new URL('./world-run.js', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the run in its world ended with ${String(code)}`);
  return Buffer.concat(parts).toString('utf8');
}
