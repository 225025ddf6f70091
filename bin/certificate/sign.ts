/** Signs the evidence of a run, or lists what is missing. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import type { Shortcoming } from '../../reports/certificate/shortcomings.ts';
import { findLacking, writeCertifiedReport, makeStatement } from '../../reports/certificate/issue.ts';
import { renderFiles } from '../../reports/certificate/page.ts';
import { readHead, NoEvidence, recheckEvidence } from '../../reports/certificate/recheck-evidence.ts';
import { writeCanonicalJson } from '../../reports/certificate/signed/canonical.ts';
import { readPosedWith } from '../../reports/certificate/signed/signed-challenge.ts';
import { sealEnvelope } from '../../reports/certificate/signed/envelope.ts';
import { listOneKey } from '../../reports/certificate/signed/key-list.ts';
import { PAYLOAD_TYPE } from '../../reports/certificate/statement.ts';
import { digestSuite } from '../../reports/certificate/suite-digests.ts';
import { verify } from '../../reports/certificate/verify-certificate.ts';
import { escapeTerminal } from '../../reports/words/escape.ts';
import { makeOwnFolder, replaceFile } from '../files/own-file.ts';
import { printError, printText as print } from '../output/print.ts';
import { Mistake, readNow, writeOrRefuse } from './certificate-files.ts';
import { judgeOrRefuse, planRecheck } from './plan-recheck.ts';
import { takeOnce } from './used.ts';

/** The most shortcomings with the same remedy that are printed. */
const SHOWN = 3;

/** Options for signing a run. */
export interface Signing {
  key: KeyObject;
  /** The subject; null if the challenge names it. */
  name: string | null;
  /** The digest of the judged build, or null. */
  sha256: string | null;
  /** The one who made the run. */
  runBy: Challenge['runBy'];
  validDays: number;
  /** The file that records answered challenges, or null. */
  used: string | null;
}

/**
 * The folder for the certificate. `isOwn` is true if the issuer chose it; else the folder belongs to somebody
 * else.
 */
interface Place {
  folder: string;
  isOwn: boolean;
}

/**
 * Signs the run of the evidence.
 * @returns the exit code
 * @throws Mistake
 */
export async function signRun(evidence: Buffer, signing: Signing, place: Place): Promise<number> {
  const { key, sha256, validDays, used } = signing;
  const at = readNow();
  const publicKey = createPublicKey(key);
  const challenge = readChallenge(evidence, publicKey);
  const unfit = findUnfit(challenge, signing, at);
  if ('problem' in challenge || unfit.length > 0) return refuse(unfit);
  const suite = digestSuite();
  const plan = await judgeOrRefuse('evidence.jsonl', () => planRecheck(evidence));
  const recheck = await judgeOrRefuse('evidence.jsonl', () => recheckEvidence(evidence, plan, challenge));
  const now = at.getTime();
  const lacking = findLacking(recheck, suite, now);
  if (lacking.length > 0) return refuse(lacking);
  if (used !== null && !writeOrRefuse(used, () => takeOnce(used, challenge, at)))
    return refuse([
      { what: 'the challenge already has an answer', remedy: 'make another challenge, and run again' },
    ]);
  const statement = makeStatement({ recheck, evidence, challenge, suite, sha256, now, validDays });
  const attestation = Buffer.from(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), key));
  const run = { 'report.json': writeCertifiedReport(recheck), 'evidence.jsonl': evidence };
  const { checks } = verify({
    attestation,
    issuer: listOneKey(publicKey),
    keys: null,
    files: new Map(Object.entries(run)),
    rendered: renderFiles,
    at,
    revoked: null,
    seen: null,
    suite,
    plan,
    recheck: () => recheck,
  });
  const broken = checks.filter(({ held }) => !held).map(({ found }) => found);
  if (broken.length > 0) throw new Error(`what was signed does not verify: ${broken.join('; ')}`);
  write({ 'attestation.json': attestation, ...run, ...renderFiles(statement, attestation) }, place);
  return 0;
}

/** Returns the reasons why this issuer does not sign an answer to the challenge now. */
function findUnfit(
  posed: ReturnType<typeof readChallenge>,
  { name, runBy }: Signing,
  at: Date,
): Shortcoming[] {
  if ('problem' in posed)
    return [
      {
        what: posed.problem,
        remedy: 'run with CHALLENGE=challenge.json, as `certify challenge` prints it; or certify --base-url',
      },
    ];
  return [
    // The evidence of a run by the issuer shows its challenge to everybody.
    posed.runBy !== runBy && {
      what: 'the challenge was made for a run by the issuer itself',
      remedy: 'hand in a run that answers a challenge of `certify challenge`',
    },
    name !== null &&
      posed.subject !== name && {
        what: `the challenge was made for ${posed.subject}`,
        remedy: 'take that name, or another challenge',
      },
    at.getTime() > Date.parse(posed.notAfter) && {
      what: `the challenge ended at ${posed.notAfter}`,
      remedy: 'make another challenge, and run again',
    },
  ].filter((each) => each !== false);
}

/**
 * Returns the challenge in the evidence.
 * @throws Mistake if the file is not evidence
 */
function readChallenge(evidence: Buffer, publicKey: KeyObject): Challenge | { problem: string } {
  try {
    return readPosedWith(readHead(evidence).challenge, publicKey);
  } catch (error) {
    throw new Mistake(
      `evidence.jsonl is not the evidence of a run${error instanceof NoEvidence ? `: ${escapeTerminal(error.message)}` : ''}`,
    );
  }
}

function refuse(lacking: readonly Shortcoming[]): number {
  const remedies = [...new Set(lacking.map(({ remedy }) => remedy))];
  const lines = remedies.map((remedy) => {
    const alike = lacking
      .filter((each) => each.remedy === remedy)
      .map(({ what }) => `- ${escapeTerminal(what)}\n`);
    const more = alike.length > SHOWN ? `- … and ${alike.length - SHOWN} more\n` : '';
    return `${alike.slice(0, SHOWN).join('')}${more}  ${escapeTerminal(remedy)}\n`;
  });
  printError(
    `There is no certificate for this run. What is missing, and what to do about it:\n${lines.join('')}`,
  );
  return 1;
}

/** @throws Mistake */
function write(files: Readonly<Record<string, string | Buffer>>, { folder, isOwn }: Place): void {
  writeOrRefuse(folder, () => {
    // The folder of a report belongs to somebody else, so links in it are not followed.
    if (isOwn) mkdirSync(folder, { recursive: true });
    else makeOwnFolder(folder);
    rmSync(join(folder, 'attestation.json'), { force: true });
    for (const [file, content] of Object.entries(files)) replaceFile(join(folder, file), content);
  });
  print(`${Object.keys(files).join(', ')}\n  in ${folder}\n`);
}
