#!/usr/bin/env node
/**
 * `npm run certify`: judges a service and signs the result, or signs a run that a vendor has made. A vendor's run must answer
 * a challenge: a signed random number of the issuer, so that the run cannot be an old one.
 * Exit codes: 0 signed, 1 the run lacks something, 2 bad input, 3 the target could not be judged.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { isSubject } from '../fixtures/settings/challenge.ts';
import { explainMisleading } from '../fixtures/settings/subject.ts';
import { escapeName } from '../reports/shown/words/subject-words.ts';
import { LONGEST_VALIDITY } from '../reports/certificate/issue.ts';
import { escapeTerminal, quoteShell } from '../reports/shown/words/escape.ts';
import { poseChallenge, readSignedChallenge } from '../reports/certificate/signed/signed-challenge.ts';
import { hashBytes } from '../reports/certificate/signed/canonical.ts';
import { computeKeyId, readKeyId, openEnvelope } from '../reports/certificate/signed/envelope.ts';
import { addSuccessor, type IssuerKey } from '../reports/certificate/signed/key-list.ts';
import { ATTESTATION } from '../reports/certificate/statement.ts';
import { countNoun } from '../reports/shown/words/verdict-words.ts';
import {
  endWithCode,
  Mistake,
  readNow,
  readFile,
  readPrivateKey,
  readPublicKey,
  readTime,
  readWholeNumber,
  writeOrRefuse,
} from './certificate/certificate-files.ts';
import { readIssuer } from './certificate/issuer.ts';
import { signRun, type Signing } from './certificate/sign.ts';
import {
  certifyChallengeCommand,
  certifyCommand as program,
  certifyKeysCommand,
} from './command-descriptions.ts';
import { LARGEST } from './command-line/files/foreign-file.ts';
import { replaceFile } from './command-line/files/own-file.ts';
import { printError, printText } from './command-line/output/print.ts';
import { setVariables } from './command-line/variable-options.ts';
import { NO_OPTIONS } from './command-line/options.ts';
import { readConfiguration } from './run/configuration.ts';
import { judgeAndPrint } from './run/printed-run.ts';
import { spellCommand } from './command-line/output/rerun-command.ts';

interface KeyOptions {
  issuerKey: string;
  passphraseFile?: string;
}

interface Options extends Partial<KeyOptions> {
  baseUrl?: string;
  report?: string;
  subjectName?: string;
  subjectDigest?: string;
  validDays: string;
  used?: string;
  out?: string;
}

interface ChallengeOptions extends KeyOptions {
  subjectName: string;
  validHours: string;
}

/** Options of `certify keys`: paths of the list, of the previous key, and of certificates that stay valid; and a day. */
interface SuccessionOptions extends KeyOptions {
  list: string;
  previous: string;
  issued: string[];
  compromisedSince?: string;
}

/** The most hours for which a challenge is open. */
const MOST_HOURS = 720;

program.parse();

await endWithCode(() => {
  const [subcommand] = program.args;
  if (subcommand === 'challenge') return printChallenge(certifyChallengeCommand.opts<ChallengeOptions>());
  if (subcommand === 'keys') return addKey(certifyKeysCommand.opts<SuccessionOptions>());
  return certify(program.opts<Options>());
});

async function certify(options: Options): Promise<number> {
  const { baseUrl, report, issuerKey, used } = options;
  // Exactly one of the two must be given.
  if ((baseUrl === undefined) === (report === undefined))
    throw new Mistake('certify takes --base-url, to judge a service, or --report, the folder of a run');
  if (issuerKey === undefined) throw new Mistake('certify needs --issuer-key');
  if (report !== undefined && used === undefined)
    throw new Mistake("--report needs --used, the record of challenges: a vendor's run is taken once");
  const signing = readSigning(options, readPrivateKey(issuerKey, options.passphraseFile));
  const run =
    report === undefined
      ? await judgeService(signing)
      : { evidence: readFile(join(report, 'evidence.jsonl'), LARGEST.evidence), folder: report };
  // Tests of a stopped run may still wait for something, so the process is ended here.
  if ('exitCode' in run) process.exit(run.exitCode);
  const folder = options.out ?? join(run.folder, 'certificate');
  const exitCode = await signRun(run.evidence, signing, folder);
  const words = `${quoteShell(folder)} --public-key ${quoteShell(`${issuerKey}.pub`)}`;
  if (exitCode === 0) printText(`Next, as anybody can: ${spellCommand('verify', words)}\n`);
  return exitCode;
}

/**
 * Reads the options about signing.
 * @throws Mistake
 */
function readSigning(
  { report, subjectName, subjectDigest, validDays, used }: Options,
  key: KeyObject,
): Signing {
  return {
    key,
    name: subjectName === undefined ? null : readName(subjectName),
    sha256: readDigest(subjectDigest),
    runBy: report === undefined ? 'issuer' : 'vendor',
    validDays: readWholeNumber(validDays, '--valid-days', LONGEST_VALIDITY),
    usedFile: used ?? null,
  };
}

/**
 * Judges the service at BASE_URL as `npm run conformance` does, with all reports. The run answers a challenge that this process makes for
 * it, valid for a day. The evidence is collected in memory and not read from its file, which somebody could have changed.
 * @returns the evidence, and the folder of the reports; if the run did not come to its end, the exit code
 * @throws Mistake, Unwritable
 */
async function judgeService({
  name,
  key,
}: Signing): Promise<{ evidence: Buffer; folder: string } | { exitCode: number }> {
  const mistakes = setVariables(program);
  if (mistakes.length > 0) throw new Mistake(mistakes.join('\n'));
  if (name === null) throw new Mistake('--base-url needs --subject-name: who or what is judged');
  const text = poseChallenge({ subject: name, runBy: 'issuer', now: Date.now(), validFor: 86_400_000 }, key);
  const challenge = { text, challenge: readSignedChallenge(text, createPublicKey(key)) };
  const env = { ...process.env, PROFILE: 'certification' };
  const read = readConfiguration(NO_OPTIONS, { env, cwd: process.cwd() });
  if ('mistakes' in read) throw new Mistake(read.mistakes.join('\n'));
  printText('Near its end the run sends nothing for two minutes\n');
  const lines: string[] = [];
  const keep = (line: string) => lines.push(line);
  const settings = { ...read.settings, challenge };
  const { exitCode, report, folder } = await judgeAndPrint(settings, read.baseline, {}, keep);
  if (report?.run.complete === true) return { evidence: Buffer.from(lines.join('')), folder };
  if (report !== null)
    printError(`There is no certificate: ${escapeTerminal(report.run.stopped ?? report.reason)}\n`);
  return { exitCode: exitCode === 2 ? 2 : 3 };
}

/** `certify challenge`: prints a challenge for a vendor. */
function printChallenge(options: ChallengeOptions): number {
  const hours = readWholeNumber(options.validHours, '--valid-hours', MOST_HOURS);
  const subject = readName(options.subjectName);
  const key = readPrivateKey(options.issuerKey, options.passphraseFile);
  const validFor = hours * 3_600_000;
  printText(poseChallenge({ subject, runBy: 'vendor', now: readNow().getTime(), validFor }, key));
  return 0;
}

/** `certify keys`: adds a new key to the issuer's list. If the key is there, it adds certificates of the previous key that stay valid. */
function addKey(options: SuccessionOptions): number {
  const { list, compromisedSince } = options;
  const next = readPrivateKey(options.issuerKey, options.passphraseFile);
  const previous = readPublicKey(options.previous);
  if (createPublicKey(next).equals(previous)) throw new Mistake('--previous is the key that is to follow it');
  const issued = options.issued.map((path) => hashAttestation(previous, path));
  const since =
    compromisedSince === undefined ? null : readTime(compromisedSince, '--compromised-since').toISOString();
  const keysBefore = readKeysBefore(list, previous, createPublicKey(next));
  const ended = { key: previous, issued, compromisedSince: since };
  const signedList = addSuccessor(keysBefore, next, readNow(), ended);
  writeOrRefuse(list, () => replaceFile(list, signedList));
  printText(`${list}\n`);
  printText(
    `It adds ${countNoun(issued.length, 'certificate')} of the key that ended; those that it does not name hold no longer (--issued FILE...)\n`,
  );
  return 0;
}

/**
 * Returns the keys in the list before the change. The previous key has signed the list, or the next key if the list was
 * changed before. Without a file, the list has only the previous key.
 * @throws Mistake
 */
function readKeysBefore(list: string, previous: KeyObject, next: KeyObject): IssuerKey[] {
  const file = existsSync(list) ? readFile(list) : null;
  const isSignedByNext = file !== null && readKeyId(file) === computeKeyId(next);
  const keys = readIssuer(file, isSignedByNext ? next : previous);
  if (!keys.some(({ key }) => key.equals(previous)))
    throw new Mistake(`${list} does not hold the key that --previous names`);
  if (keys.some(({ key, until }) => until !== null && key.equals(next)))
    throw new Mistake(`the new key is one of ${list} that has ended: make another one with keygen`);
  return keys;
}

/**
 * Returns the SHA-256 of an attestation.
 * @throws Mistake, Rejected if the key has not signed it
 */
function hashAttestation(key: KeyObject, path: string): string {
  const attestation = readFile(path);
  const reasonPrefix = `${path} is not an attestation of the previous key: `;
  openEnvelope(attestation, { ...ATTESTATION, reasonPrefix }, key);
  return hashBytes(attestation);
}

/**
 * Returns the hexadecimal digits of --subject-digest; null if it is absent.
 * @throws Mistake
 */
function readDigest(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, digits] = /^sha256:([0-9a-f]{64})$/.exec(text) ?? [];
  if (digits === undefined)
    throw new Mistake('--subject-digest must be sha256: and 64 small hexadecimal digits');
  return digits;
}

/**
 * Reads the name of the judged service, which must not be a path and must not look like another name.
 * @throws Mistake
 */
function readName(text: string): string {
  const name = text.trim();
  const misleading = explainMisleading(name);
  if (misleading !== null) throw new Mistake(`--subject-name must ${misleading}: ${escapeName(name)}`);
  if (!isSubject(name))
    throw new Mistake('--subject-name must be a name of at most 200 visible characters, and no path');
  return name;
}
