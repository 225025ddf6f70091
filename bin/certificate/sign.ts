/** The last part of `certify`: signs the evidence of a run, or says what the run lacks. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { findShortcomings, type Shortcoming } from '../../reports/certificate/shortcomings.ts';
import { writeCertifiedReport, makeStatement } from '../../reports/certificate/issue.ts';
import { renderFiles } from '../../reports/certificate/page.ts';
import { refuseIfDamaged, readHead, recheckEvidence } from '../../reports/certificate/recheck-evidence.ts';
import { writeCanonicalJson } from '../../reports/certificate/signed/canonical.ts';
import { readSignedChallenge } from '../../reports/certificate/signed/signed-challenge.ts';
import { sealEnvelope, Rejected } from '../../reports/certificate/signed/envelope.ts';
import { listOneKey } from '../../reports/certificate/signed/key-list.ts';
import { PAYLOAD_TYPE } from '../../reports/certificate/statement.ts';
import { verify } from '../../reports/certificate/verify-certificate.ts';
import { escapeTerminal } from '../../reports/shown/words/escape.ts';
import { makeOwnFolder, replaceFile } from '../command-line/files/own-file.ts';
import { printError, printText as print } from '../command-line/output/print.ts';
import { readNow, writeOrRefuse } from './certificate-files.ts';
import { planRecheck } from './plan-recheck.ts';
import { findAnswer, recordFirstAnswer } from './answered-challenges.ts';

/** At most this many shortcomings with the same remedy are printed. */
const MOST_SHOWN = 3;
const ANOTHER_CHALLENGE = 'make another challenge, and run again';
const ANSWERED: Shortcoming = { what: 'the challenge already has an answer', remedy: ANOTHER_CHALLENGE };

export interface Signing {
  key: KeyObject;
  /** The name of the judged service; null if the name in the challenge is taken. */
  name: string | null;
  /** The SHA-256 of the judged build; null if it is not known. */
  sha256: string | null;
  /** The party that made the run: the issuer of the certificate, or the vendor of the service. */
  runBy: Challenge['runBy'];
  validDays: number;
  /** The file that records answered challenges; null if none is kept. */
  usedFile: string | null;
}

/**
 * Judges the evidence again, and signs the result if nothing is missing. Else prints what is missing, and what to do about it.
 * @param folder the folder for the certificate
 * @returns the exit code: 0 signed, 1 not signed
 * @throws Mistake, Rejected, Unwritable
 */
export async function signRun(evidence: Buffer, signing: Signing, folder: string): Promise<number> {
  const { key, sha256, validDays, usedFile } = signing;
  const [at, publicKey] = [readNow(), createPublicKey(key)];
  const { challenge: challengeText } = refuseIfDamaged('evidence.jsonl', () => readHead(evidence));
  const read = readChallenge(challengeText, publicKey);
  if ('shortcoming' in read) return refuse([read.shortcoming]);
  const { challenge } = read;
  const misfits = findMisfits(challenge, signing, at);
  if (misfits.length > 0) return refuse(misfits);
  // The plan has every case and every generated request that a complete run must have.
  const plan = await planRecheck(evidence);
  const recheck = refuseIfDamaged('evidence.jsonl', () => recheckEvidence(evidence, plan, challenge));
  const lacking = findShortcomings(recheck, at.getTime());
  if (lacking.length > 0) return refuse(lacking);
  // Another command may have recorded an answer to the challenge since `findMisfits` looked.
  if (usedFile !== null && !writeOrRefuse(usedFile, () => recordFirstAnswer(usedFile, challenge, at)))
    return refuse([ANSWERED]);
  const statement = makeStatement({ recheck, evidence, challenge, sha256, now: at.getTime(), validDays });
  const attestation = Buffer.from(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), key));
  const run = { 'report.json': writeCertifiedReport(recheck), 'evidence.jsonl': evidence };
  // The finished certificate is verified, as a reader does it who knows only the issuer's key. The evidence was judged above, so it is
  // not judged again.
  const trust = { issuerKeys: listOneKey(publicKey), keyListFile: null, revoked: null, seen: null };
  const files = new Map(Object.entries(run));
  const { checks } = verify({ ...trust, attestation, files, at, plan, judgeAgain: () => recheck });
  const broken = checks.find(({ held }) => !held);
  if (broken !== undefined) throw new Error(`what was signed does not verify: ${broken.found}`);
  writeFiles({ 'attestation.json': attestation, ...run, ...renderFiles(statement, attestation) }, folder);
  return 0;
}

/** Returns the challenge that the run answered. A shortcoming: there is none, or another issuer signed it. */
function readChallenge(
  text: string | null,
  publicKey: KeyObject,
): { challenge: Challenge } | { shortcoming: Shortcoming } {
  try {
    return { challenge: readSignedChallenge(text, publicKey) };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const remedy =
      'run with CHALLENGE=challenge.json, as `certify challenge` prints it; or certify --base-url';
    return { shortcoming: { what: error.message, remedy } };
  }
}

/** Returns the reasons why the challenge is not for this run, this service or this time, or has an answer already. */
function findMisfits(challenge: Challenge, { name, runBy, usedFile }: Signing, at: Date): Shortcoming[] {
  return [
    // Only a vendor's run can fail this: `certify --base-url` makes its own challenge. Without this check, a vendor could take the
    // challenge of an issuer's run from published evidence and answer it.
    challenge.runBy !== runBy && {
      what: 'the challenge was made for a run by the issuer itself',
      remedy: 'hand in a run that answers a challenge of `certify challenge`',
    },
    name !== null &&
      challenge.subject !== name && {
        what: `the challenge was made for ${challenge.subject}`,
        remedy: 'take that name, or another challenge',
      },
    at > new Date(challenge.notAfter) && {
      what: `the challenge ended at ${challenge.notAfter}`,
      remedy: ANOTHER_CHALLENGE,
    },
    usedFile !== null &&
      existsSync(usedFile) &&
      findAnswer(usedFile, challenge.nonce) !== undefined &&
      ANSWERED,
  ].filter((each) => each !== false);
}

/** Prints the shortcomings, and below each group with the same remedy the remedy. Returns the exit code. */
function refuse(lacking: readonly Shortcoming[]): number {
  const remedies = [...new Set(lacking.map(({ remedy }) => remedy))];
  const lines = remedies.map((remedy) => {
    const sentences = lacking
      .filter((each) => each.remedy === remedy)
      .map(({ what }) => `- ${escapeTerminal(what)}\n`);
    const more = sentences.length > MOST_SHOWN ? `- … and ${sentences.length - MOST_SHOWN} more\n` : '';
    return `${sentences.slice(0, MOST_SHOWN).join('')}${more}  ${escapeTerminal(remedy)}\n`;
  });
  printError(
    `There is no certificate for this run. What is missing, and what to do about it:\n${lines.join('')}`,
  );
  return 1;
}

/**
 * Writes the files. The folder may come from a vendor, so links in it are not followed. The old attestation is removed first:
 * if writing fails, the folder never has an old attestation together with new files.
 * @throws Unwritable
 */
function writeFiles(files: Readonly<Record<string, string | Buffer>>, folder: string): void {
  writeOrRefuse(folder, () => {
    makeOwnFolder(folder);
    rmSync(join(folder, 'attestation.json'), { force: true });
    for (const [file, content] of Object.entries(files)) replaceFile(join(folder, file), content);
  });
  print(`${Object.keys(files).join(', ')}\n  in ${folder}\n`);
}
