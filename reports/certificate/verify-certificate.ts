/**
 * Verifies an attestation (the signed file of a certificate) offline, and writes the result as text. Each check has a name and a line.
 * Pure: the caller gives the bytes of all files, and the time.
 */
import { isDeepStrictEqual } from 'node:util';
import { keepFirstLines } from '../document/join-some.ts';
import { escapeTerminal } from '../shown/words/escape.ts';
import { writeNameInFull } from '../shown/words/subject-words.ts';
import { computeValidity, makeStatement } from './issue.ts';
import { renderFiles } from './page.ts';
import { refuseIfDamaged, readHead, recheckEvidence, type RecheckPlan } from './recheck-evidence.ts';
import { findUnmetDemands } from './shortcomings.ts';
import { hashBytes } from './signed/canonical.ts';
import { openEnvelope, Rejected } from './signed/envelope.ts';
import { findSigner, isSignedInTime, isVouchedFor, type IssuerKey } from './signed/key-list.ts';
import { explainOutdated, readRevocations, type Revocations, type Trust } from './signed/revocation.ts';
import { readSignedChallenge } from './signed/signed-challenge.ts';
import { ANY_ATTESTATION, ATTESTATION, EXTENSION, type Certificate, type Statement } from './statement.ts';
import { digestSuite } from './suite-digests.ts';

interface Verifying extends Trust {
  /** The bytes of attestation.json. */
  attestation: Uint8Array;
  /** The files of the evidence folder, by name; null if no folder was given: then the checks of files are left out. */
  files: ReadonlyMap<string, Uint8Array> | null;
  at: Date;
  /** All that the evidence of a complete run must have. */
  plan: RecheckPlan;
  /** Judges the evidence again; `recheckEvidence` by default. */
  judgeAgain?: typeof recheckEvidence;
}

/** One check, e.g. `validity`. `held`: it passed. `found` is its result in one line. */
export interface VerificationCheck {
  name: string;
  held: boolean;
  found: string;
}

export interface Verification {
  /** `unusable`: another version of this suite, or another suite, made the file. */
  verdict: 'valid' | 'invalid' | 'unusable';
  checks: VerificationCheck[];
  /** Parts that were not checked, each with the option that would check it. */
  unchecked: string[];
  /** Null if the signature is wrong, or if this version cannot read the statement. */
  statement: Statement | null;
}

/** A version in the form that npm accepts. */
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[\w.-]{1,40})?$/;
/** A check shows this many differences. */
const MOST_DIFFERENCES = 5;

/** The files that every attestation names with their digests. */
const SIGNED = ['report.json', 'evidence.jsonl'];

/** Verifies an attestation. Whatever the files contain, it returns a result and does not throw. */
export function verify(input: Verifying): Verification {
  const result: Verification = { verdict: 'valid', checks: [], unchecked: [], statement: null };
  try {
    for (const each of runChecks(input, result)) result.checks.push(each);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    result.checks.push(makeCheck(error.check, [error.message], ''));
  }
  // A refused file makes the attestation invalid. Only the check `suite` makes it unusable.
  const broken = result.checks.find(({ held }) => !held);
  if (broken !== undefined) result.verdict = broken.name === 'suite' ? 'unusable' : 'invalid';
  return result;
}

/**
 * Runs the checks in their order. Writes the statement and what was not checked into `result`.
 * @throws Rejected if no later check is possible
 */
function* runChecks(input: Verifying, result: Verification): Generator<VerificationCheck> {
  const { attestation, issuerKeys, keyListFile, revoked, files, at } = input;
  const signer = findSigner(attestation, issuerKeys);
  const statement = openEnvelope<Statement>(attestation, ANY_ATTESTATION, signer.key);
  // `openEnvelope` throws if the signature is wrong, so this check has passed here.
  yield makeCheck('signature', [], 'one Ed25519 signature of the key given, over exactly this payload');
  const suiteCheck = checkSuite(statement);
  // Only the version that made a statement can read it: the other checks are left out.
  if (!suiteCheck.held) {
    yield suiteCheck;
    return;
  }
  const [mistake] = ATTESTATION.findMistakes(statement);
  if (mistake !== undefined) throw new Rejected('statement', mistake);
  const certificate = statement.predicate[EXTENSION];
  result.statement = statement;
  yield makeCheck('statement', [], 'in-toto Statement v1 with test-result v0.1, in canonical spelling');
  yield suiteCheck;
  yield checkKey(certificate, signer, attestation);
  yield checkTime(certificate, at);
  if (files === null)
    result.unchecked.push(
      'report, evidence and verdicts: give the folder of report.json and evidence.jsonl with --evidence',
    );
  else yield* checkFiles(statement, input, files);
  const list = revoked === null ? null : readRevocations(revoked, issuerKeys);
  if (list === null) result.unchecked.push('revocation: give the signed list with --revoked');
  else yield checkRevocation(statement, list, input);
  // Only a list of revocations can name the newest list of keys, by its digest `keys`: here none does, so the given list may be an old one.
  if (keyListFile !== null && list?.keys == null)
    result.unchecked.push(
      'newer list of keys: a list of revocations that names the newest one would show it (--revoked)',
    );
}

/**
 * Makes a check.
 * @param against reasons why it fails; it passes if all entries are false or null
 * @param whenHeld the words if it passes
 */
function makeCheck(
  name: string,
  against: readonly (string | false | null)[],
  whenHeld: string,
): VerificationCheck {
  const found = against.filter((each) => each !== false && each !== null);
  return found.length === 0
    ? { name, held: true, found: whenHeld }
    : { name, held: false, found: keepFirstLines(found, MOST_DIFFERENCES).join('; ') };
}

/** Fails if another version of the suite made the statement: only that version can verify it. */
function checkSuite({ predicate }: Statement): VerificationCheck {
  const own = digestSuite();
  const { name, version } = predicate[EXTENSION].suite;
  const differing = own.parts
    .filter((part) => !predicate.configuration.some((each) => isDeepStrictEqual(each, part)))
    .map((part) => part.name);
  const isOwn = differing.length === 0 && version === own.version && name === own.name;
  // A signed text may hold anything, so only a valid version becomes part of a command.
  const isKnownMaker = VERSION.test(version) && name === own.name;
  const madeBy = isKnownMaker
    ? `it was made by ${name} ${version} with another ${differing.join(', ') || 'version'} than this one (${own.version}); that one can verify it: npx ${name}@${version} verify attestation.json --public-key issuer.pem.pub --evidence DIR`
    : `no version of ${own.name} made it, and it does not say which suite can verify it`;
  return makeCheck(
    'suite',
    [!isOwn && madeBy],
    `${own.name} ${own.version}: program, catalogue, schemas and exclusions are those that judged`,
  );
}

/**
 * Checks the key of the signer. The owner of an ended key can still sign, with an earlier date. So the list of keys must name each
 * certificate of an ended key.
 */
function checkKey({ validity }: Certificate, signer: IssuerKey, attestation: Uint8Array): VerificationCheck {
  const { until } = signer;
  return makeCheck(
    'key',
    [
      !isVouchedFor(signer, attestation) &&
        `it ended at ${until}, and the list of keys does not name this certificate`,
      !isSignedInTime(signer, new Date(validity.notBefore).toISOString()) &&
        'the issuer did not sign with this key then',
    ],
    until === null ? 'in use' : `it ended at ${until}, and the list of keys names this certificate`,
  );
}

function checkTime({ validity: { notBefore, notAfter } }: Certificate, at: Date): VerificationCheck {
  const longest = computeValidity(Date.parse(notBefore)).notAfter;
  return makeCheck(
    'validity',
    [
      at < new Date(notBefore) && `it holds from ${notBefore} on only`,
      at >= new Date(notAfter) && `it expired at ${notAfter}`,
      new Date(notAfter) > new Date(longest) && `it claims to hold beyond ${longest}, the longest time`,
    ],
    `holds until ${notAfter}`,
  );
}

function checkRevocation(statement: Statement, list: Revocations, input: Verifying): VerificationCheck {
  const own = list.revoked.find(({ evidence }) => evidence === findEvidenceDigest(statement));
  return makeCheck(
    'revocation',
    [
      explainOutdated(list, input, input.at),
      own !== undefined && `revoked since ${own.since}: ${own.reason}`,
    ],
    `not in list ${list.number}, of ${list.issuedAt}`,
  );
}

/** Returns the SHA-256 of the evidence, which identifies the run. */
export function findEvidenceDigest({ subject }: Statement): string {
  return subject.find(({ name }) => name === 'evidence.jsonl')?.digest.sha256 ?? '';
}

/** Checks the digest of each file in the folder. The evidence is read only if all files are the ones that were signed. */
function* checkFiles(
  statement: Statement,
  input: Verifying,
  files: ReadonlyMap<string, Uint8Array>,
): Generator<VerificationCheck> {
  const { attestation } = input;
  // Known are the signed files, the attestation, and the page and badges that the suite makes of it.
  const made = { 'attestation.json': attestation, ...renderFiles(statement, attestation) };
  const digests = new Map([
    ...statement.subject.map(({ name, digest }) => [name, digest.sha256] as const),
    ...Object.entries(made).map(([name, file]) => [name, hashBytes(file)] as const),
  ]);
  const others = [...files].filter(([name, file]) => digests.get(name) !== hashBytes(file));
  const found = makeCheck(
    'files',
    [
      ...SIGNED.map((name) => !files.has(name) && `${name} is missing`),
      ...others.map(([name]) =>
        digests.has(name) ? `${name} is not the one of this attestation` : `${name} is covered by no digest`,
      ),
    ],
    'report.json and evidence.jsonl are the ones that were signed',
  );
  yield found;
  const evidence = files.get('evidence.jsonl');
  if (found.held && evidence !== undefined) yield* checkEvidence(statement, input, evidence);
}

/** Judges the evidence again, and makes the statement anew. It must equal the signed one, except for the validity, which the issuer chooses. */
function* checkEvidence(
  statement: Statement,
  { issuerKeys, plan, judgeAgain = recheckEvidence }: Verifying,
  evidence: Uint8Array,
): Generator<VerificationCheck> {
  const { challenge: text } = refuseIfDamaged('evidence.jsonl', () => readHead(evidence));
  // The issuer may have signed the challenge with an earlier key than the certificate.
  const challengeKey = findSigner(Buffer.from(text ?? ''), issuerKeys);
  const challenge = readSignedChallenge(text, challengeKey.key);
  const { issuedAt, runBy } = challenge;
  yield makeCheck(
    'challenge',
    [!isSignedInTime(challengeKey, issuedAt) && 'the issuer did not sign with the key of the challenge then'],
    `of ${issuedAt}, to a run that was made by the ${runBy}`,
  );
  const recheck = refuseIfDamaged('evidence.jsonl', () => judgeAgain(evidence, plan, challenge));
  const { gaps, contradictions, report } = recheck;
  const { validity, profile } = statement.predicate[EXTENSION];
  const now = Date.parse(validity.notBefore);
  yield makeCheck(
    'profile',
    findUnmetDemands(recheck, now).map(({ what }) => what),
    `version ${profile.version} of the certification profile lacks nothing`,
  );
  yield makeCheck('plan', gaps, `${plan.cases.length} cases of the suite, each with what it rests on`);
  yield makeCheck('evidence', contradictions, 'all judgements computed again');
  // The third subject is the judged build, if the issuer named one. The evidence cannot show its digest.
  const sha256 = statement.subject[2]?.digest.sha256 ?? null;
  const again = makeStatement({ recheck, evidence, challenge, sha256, now, validDays: 1 });
  yield makeCheck(
    'verdicts',
    listDiffering(statement, again).map((name) => `${name} does not follow from the evidence`),
    `${report.requirements.length} verdicts, and all else that it says of the run, computed again: the same`,
  );
}

/** Returns the names of the members of predicate and certificate that differ, e.g. `passedTests`. */
function listDiffering(one: Statement, other: Statement): string[] {
  const listMembers = ({ subject, predicate }: Statement): Record<string, unknown> => ({
    ...predicate[EXTENSION],
    ...predicate,
    // Not compared as a whole: its members are in the list one by one.
    [EXTENSION]: null,
    // Not compared, because the issuer chooses it.
    validity: null,
    // The certificate and the statement both have a `subject`: the name of what was judged, and its build.
    subject: [predicate[EXTENSION].subject, subject.slice(2)],
    'report.json': subject[0],
    'evidence.jsonl': subject[1],
  });
  const [members, others] = [listMembers(one), listMembers(other)];
  return Object.keys(others).filter((name) => !isDeepStrictEqual(members[name], others[name]));
}

/**
 * Writes the verdict, the facts of the certificate, and each check in a line.
 * @param isWhole true if the files of the run were given; else the verdicts were not checked
 * @param keyId the id of the key that signed
 */
export function writeVerification(
  { verdict, checks, unchecked, statement }: Verification,
  { isWhole, keyId }: { isWhole: boolean; keyId: string },
): string {
  const headline = verdict === 'valid' && !isWhole ? 'signature valid; verdicts not checked' : verdict;
  const subject = statement === null ? [] : [writeNameInFull(statement.predicate[EXTENSION].subject)];
  const facts = statement === null ? [] : describeFacts(statement, keyId);
  return [
    [headline, ...subject.map(escapeTerminal)].join(': '),
    ...facts.map(([name, text]) => `  ${name.padEnd(15)} ${escapeTerminal(text)}`),
    ...checks.map(
      ({ name, held, found }) => `  ${held ? '✓' : '✗'} ${name.padEnd(13)} ${escapeTerminal(found)}`,
    ),
    ...unchecked.map((each) => `  – not checked   ${each}`),
    '',
  ].join('\n');
}

function describeFacts({ predicate }: Statement, keyId: string): [name: string, text: string][] {
  const { specification, claims, validity, runBy, hidden } = predicate[EXTENSION];
  const result = predicate.result === 'WARNED' ? 'conforming, with warnings' : 'conforming';
  return [
    ['result', `${result}, interface ${specification}`],
    ...hidden.map(({ id, reason }): [string, string] => ['in part', `${id}: ${reason}`]),
    ['address', `${claims.address}, as the ${runBy} says`],
    ['date', `judged ${claims.startedAt.slice(0, 10)}; holds until ${validity.notAfter.slice(0, 10)}`],
    ['key of issuer', keyId],
  ];
}
