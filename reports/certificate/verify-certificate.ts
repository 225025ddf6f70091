/** Verifies an attestation offline, from bytes alone; each check has a name. Pure: the caller gives the time. */
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { findSettingsLacking, findShortcomings } from './shortcomings.ts';
import { findContradictions } from './statement-contradictions.ts';
import { writeCanonicalJson, hashBytes } from './signed/canonical.ts';
import { openEnvelope } from './signed/envelope.ts';
import { writeCertifiedReport, makeStatement, findUntimely } from './issue.ts';
import {
  hasOtherKeys,
  explainOutdated,
  readRevocations,
  findRevocation,
  type SeenList,
} from './signed/revocation.ts';
import {
  readHead,
  NoEvidence,
  recheckEvidence,
  type EvidenceRecheck,
  type RecheckPlan,
} from './recheck-evidence.ts';
import { readPosedWith } from './signed/signed-challenge.ts';
import { isVouchedFor, isSignedInTime, findSigner, type IssuerKey } from './signed/key-list.ts';
import { EXTENSION, PAYLOAD_TYPE, statementMistakes, type Certificate, type Statement } from './statement.ts';
import { EXCLUDED, type SuiteDigests } from './suite-digests.ts';

/** All inputs of a verification. */
export interface Verifying {
  attestation: Uint8Array;
  /** The keys of the issuer, in order. The last key must come from a trusted source. */
  issuer: readonly IssuerKey[];
  /** The file of the list of these keys, or null. */
  keys: Uint8Array | null;
  /** The files of the evidence folder, by name. Null if no folder was given: then no check looks at files. */
  files: ReadonlyMap<string, Uint8Array> | null;
  /**
   * Makes the page and the badge of an attestation. A file with the name of one of them must have exactly these
   * bytes.
   */
  rendered: (statement: Statement, attestation: Uint8Array) => Readonly<Record<string, string>>;
  at: Date;
  /** The signed list of revocations, or null. */
  revoked: Uint8Array | null;
  /** The newest list of revocations that was seen before, or null. */
  seen: SeenList | null;
  suite: SuiteDigests;
  /** The contents of the evidence of a complete run. */
  plan: RecheckPlan;
  /** Judges the evidence again; `recheckEvidence` by default. */
  recheck?: typeof recheckEvidence;
}

/** One check, with its result in one line. */
export interface VerificationCheck {
  name: string;
  held: boolean;
  found: string;
}

/** The result of a verification. `statement` is null if the issuer did not sign one. */
export interface Verification {
  verdict: 'valid' | 'invalid' | 'unusable';
  checks: VerificationCheck[];
  /** Parts that were not checked, each with the option that would check it. */
  unchecked: string[];
  statement: Statement | null;
}

/** A version in the form that npm accepts. */
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[\w.-]{1,40})?$/;
/** A check shows this many differences. */
const SHOWN = 5;
/** Every attestation names these files with their digests. */
const SIGNED = ['report.json', 'evidence.jsonl'];

/** Verifies an attestation. It throws for no content of the files. */
export function verify(input: Verifying): Verification {
  const signer = findSigner(input.attestation, input.issuer);
  const opened = openEnvelope(input.attestation, PAYLOAD_TYPE, signer.key);
  if ('check' in opened) return makeVerification('invalid', [makeFailed(opened.check, opened.why)]);
  const signed = makePassed('signature', 'one Ed25519 signature of the key given, over exactly this payload');
  const statement = readStatement(opened.payload);
  if ('why' in statement)
    return makeVerification('invalid', [signed, makeFailed('statement', statement.why)]);
  const certificate = statement.predicate[EXTENSION];
  const other = checkSuite(statement, input.suite);
  if (other !== null) return { verdict: 'unusable', checks: [signed, other], unchecked: [], statement };
  const checks = [
    signed,
    makePassed('statement', 'in-toto Statement v1 with test-result v0.1, in canonical spelling'),
    makePassed(
      'suite',
      `${input.suite.name} ${input.suite.version}: program, catalogue, schemas and exclusions are those that judged`,
    ),
    checkKey(certificate, signer, input.attestation),
    checkTime(certificate, input.at),
    ...checkRevocation(statement, input),
    check(
      'consistency',
      findContradictions(statement),
      'it does not contradict itself, its profile or the catalogue',
    ),
    ...checkComplete(statement),
  ];
  const unchecked = listUnchecked(input);
  if (input.files !== null) checks.push(...checkFiles(statement, input, input.files));
  const verdict = checks.every(({ held }) => held) ? 'valid' : 'invalid';
  return { verdict, checks, unchecked, statement };
}

function listUnchecked({ revoked, keys, issuer, files }: Verifying): string[] {
  return [
    ...(revoked === null ? ['revocation: give the signed list with --revoked'] : []),
    ...(keys === null || isNewestKnown(revoked, issuer)
      ? []
      : ['newer list of keys: a list of revocations that names the newest one would show it (--revoked)']),
    ...(files === null
      ? ['report, evidence and verdicts: give the folder of report.json and evidence.jsonl with --evidence']
      : []),
  ];
}

/** True if the list of revocations names a list of keys, so that an older one would be refused. */
function isNewestKnown(revoked: Uint8Array | null, issuer: readonly IssuerKey[]): boolean {
  const last = issuer.at(-1);
  const read = revoked === null || last === undefined ? null : readRevocations(revoked, last.key);
  return read !== null && 'list' in read && typeof read.list.keys === 'string';
}

function makeVerification(verdict: Verification['verdict'], checks: VerificationCheck[]): Verification {
  return { verdict, checks, unchecked: [], statement: null };
}

function makePassed(name: string, found: string): VerificationCheck {
  return { name, held: true, found };
}

function makeFailed(name: string, found: string): VerificationCheck {
  return { name, held: false, found };
}

/** Makes a check that holds if `against` is empty. */
function check(name: string, against: readonly string[], otherwise: string): VerificationCheck {
  const more = against.length > SHOWN ? `; and ${against.length - SHOWN} more` : '';
  return against.length === 0
    ? makePassed(name, otherwise)
    : makeFailed(name, `${against.slice(0, SHOWN).join('; ')}${more}`);
}

function readStatement(payload: Buffer): Statement | { why: string } {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
    if (!Buffer.from(writeCanonicalJson(value)).equals(payload))
      return { why: 'the payload is not in its canonical spelling' };
  } catch {
    return { why: 'the payload is not JSON' };
  }
  const [mistake] = statementMistakes(value);
  return mistake === undefined ? (value as Statement) : { why: mistake };
}

/** Fails if another version of the suite made the statement: only that version can verify it. */
function checkSuite(statement: Statement, suite: SuiteDigests): VerificationCheck | null {
  const {
    suite: { name, version },
  } = statement.predicate[EXTENSION];
  const digest = (of: string) =>
    statement.predicate.configuration.find((each) => each.name === of)?.digest.sha256;
  const differing = [
    ['suite', suite.program],
    ['catalogue', suite.catalogue],
    ['schemas', suite.schemas],
    ['excluded', suite.excluded],
    ['packages', suite.packages],
  ]
    .filter(([of = '', own]) => digest(of) !== own)
    .map(([of]) => of);
  if (differing.length === 0 && version === suite.version && name === suite.name) return null;
  const what = differing.length === 0 ? 'another name or version' : `another ${differing.join(', ')}`;
  // A signed text may hold anything, so only a valid version becomes part of a command.
  if (!VERSION.test(version) || name !== suite.name)
    return makeFailed(
      'suite',
      `no version of ${suite.name} made it, and it does not say which suite can verify it`,
    );
  return makeFailed(
    'suite',
    `it was made by ${name} ${version} with ${what} than this one (${suite.version}); that one can verify it: ${spellVerifyCommand(version)}`,
  );
}

/** Returns the command with which a version of the suite verifies its own attestations. */
function spellVerifyCommand(version: string): string {
  return `npx animal-store-conformance@${version} verify attestation.json --public-key issuer.pem.pub --evidence DIR`;
}

function checkTime({ validity: { notBefore, notAfter } }: Certificate, at: Date): VerificationCheck {
  const against = [
    ...(at.getTime() < Date.parse(notBefore) ? [`it holds from ${notBefore} on only`] : []),
    ...(at.getTime() >= Date.parse(notAfter) ? [`it expired at ${notAfter}`] : []),
  ];
  return check('validity', against, `holds until ${notAfter}`);
}

/** The owner of an ended key can write any date. Such a certificate holds only if the list of keys names it. */
function checkKey({ validity }: Certificate, signer: IssuerKey, attestation: Uint8Array): VerificationCheck {
  const { until } = signer;
  const against = [
    ...(isVouchedFor(signer, attestation)
      ? []
      : [`it ended at ${until}, and the list of keys does not name this certificate`]),
    ...(isSignedInTime(signer, new Date(validity.notBefore).toISOString())
      ? []
      : ['the issuer did not sign with this key then']),
  ];
  return check(
    'key',
    against,
    until === null ? 'in use' : `it ended at ${until}, and the list of keys names this certificate`,
  );
}

function checkRevocation(statement: Statement, input: Verifying): VerificationCheck[] {
  const { revoked, seen, at, issuer, attestation, keys } = input;
  const last = issuer.at(-1);
  if (revoked === null || last === undefined) return [];
  const read = readRevocations(revoked, last.key);
  if ('problem' in read) return [makeFailed('revocation', read.problem)];
  const old = explainOutdated(read.list, revoked, at, seen);
  if (old !== null) return [makeFailed('revocation', old)];
  if (hasOtherKeys(read.list, keys))
    return [
      makeFailed('revocation', 'the list of revocations names another list of keys: take the newest one'),
    ];
  const own = findRevocation(read.list, { attestation, evidence: findEvidenceDigest(statement) });
  return [
    own === null
      ? makePassed('revocation', `not in list ${read.list.number}, of ${read.list.issuedAt}`)
      : makeFailed('revocation', `revoked since ${own.since}: ${own.reason}`),
  ];
}

/** Returns the SHA-256 of the evidence, which identifies the run. */
export function findEvidenceDigest({ subject }: Statement): string {
  return subject.find(({ name }) => name === 'evidence.jsonl')?.digest.sha256 ?? '';
}

/** Checks that the statement lists every requirement of the catalogue once, and no other id. */
function checkComplete({ predicate }: Statement): VerificationCheck[] {
  const { notApplicable, excused, excluded } = predicate[EXTENSION];
  const listed = [
    ...predicate.passedTests,
    ...predicate.warnedTests,
    ...predicate.failedTests,
    ...notApplicable.map(({ id }) => id).filter((id) => !excluded.includes(id)),
    ...excused.filter((id) => !excluded.includes(id)),
    ...excluded,
  ];
  const all = Object.keys(REQUIREMENTS);
  const against = [
    ...all.filter((id) => !listed.includes(id)).map((id) => `${id} is not accounted for`),
    ...[...new Set(listed.filter((id, index) => listed.indexOf(id) !== index))].map(
      (id) => `${id} is listed twice`,
    ),
    ...listed.filter((id) => !all.includes(id)).map((id) => `${id} is not a requirement`),
    ...excused
      .filter((id) => REQUIREMENTS[id]?.excused === undefined)
      .map((id) => `${id} is excused, and not by the catalogue`),
    ...excluded
      .filter((id) => !Object.hasOwn(EXCLUDED, id))
      .map((id) => `${id} is excluded, and not by excluded.json`),
    ...notApplicable
      .filter(({ id, undecided }) => REQUIREMENTS[id]?.level === 'must' && undecided === true)
      .map(({ id }) => `${id} is undecided`),
    ...predicate.failedTests.map((id) => `${id} fails`),
  ];
  return [check('completeness', against, `${all.length} requirements, each accounted for once`)];
}

/** Checks the digests first. A file that was not signed is not read further. */
function checkFiles(
  statement: Statement,
  input: Verifying,
  files: ReadonlyMap<string, Uint8Array>,
): VerificationCheck[] {
  const rendered = new Map(Object.entries(input.rendered(statement, input.attestation)));
  const digests = statement.subject.filter(({ name }) => SIGNED.includes(name));
  const others = [...files].filter(([name]) => !SIGNED.includes(name));
  const against = [
    ...digests.map(({ name, digest }) => compareSigned(name, files.get(name), digest.sha256)),
    ...others.map(([name, file]) =>
      name === 'attestation.json'
        ? compareAttestation(file, input.attestation)
        : compareRendered(name, file, rendered.get(name)),
    ),
  ].filter((each) => each !== null);
  const found = check('files', against, 'report.json and evidence.jsonl are the ones that were signed');
  const evidence = files.get('evidence.jsonl');
  return found.held && evidence !== undefined
    ? [found, ...checkContent(statement, input, evidence)]
    : [found];
}

function compareSigned(name: string, file: Uint8Array | undefined, digest: string): string | null {
  if (file === undefined) return `${name} is missing`;
  return hashBytes(file) === digest ? null : `${name} is not the file that was signed`;
}

function compareAttestation(file: Uint8Array, attestation: Uint8Array): string | null {
  return Buffer.from(attestation).equals(file) ? null : 'attestation.json in the folder is another one';
}

function compareRendered(name: string, file: Uint8Array, rendered: string | undefined): string | null {
  if (rendered === undefined) return `${name} is covered by no digest`;
  return Buffer.from(rendered).equals(file) ? null : `${name} is not what this attestation gives`;
}

function checkContent(statement: Statement, input: Verifying, evidence: Uint8Array): VerificationCheck[] {
  try {
    const { challenge: text } = readHead(evidence);
    const poser = findSigner(Buffer.from(text ?? ''), input.issuer);
    const challenge = readPosedWith(text, poser.key);
    if ('problem' in challenge) return [makeFailed('challenge', challenge.problem)];
    if (!isSignedInTime(poser, challenge.issuedAt))
      return [makeFailed('challenge', 'the issuer did not sign with the key of the challenge then')];
    return checkRun(statement, input, {
      evidence,
      challenge,
      recheck: (input.recheck ?? recheckEvidence)(evidence, input.plan, challenge),
    });
  } catch (error) {
    // Evidence that cannot be judged again is invalid, even if it was signed.
    const why = error instanceof NoEvidence ? error.message : 'it does not come from one run';
    return [makeFailed('evidence', `evidence.jsonl cannot be judged again: ${why}`)];
  }
}

function checkRun(
  statement: Statement,
  { suite, plan }: Verifying,
  run: { evidence: Uint8Array; challenge: Challenge; recheck: EvidenceRecheck },
): VerificationCheck[] {
  const { challenge, recheck } = run;
  const certificate = statement.predicate[EXTENSION];
  const issued = Date.parse(certificate.validity.notBefore);
  const again = makeStatement({
    ...run,
    suite,
    subject: { name: certificate.subject, sha256: buildOf(statement)?.digest.sha256 ?? null },
    now: issued,
    validDays: 1,
  });
  const lacking = [
    ...findSettingsLacking(recheck.head),
    ...findShortcomings(recheck.report, Object.keys(EXCLUDED)),
    ...findUntimely(recheck.report, issued),
  ];
  return [
    checkChallenge(certificate, challenge),
    check(
      'profile',
      lacking.map(({ what }) => what),
      `version ${certificate.profile.version} of the certification profile lacks nothing`,
    ),
    check('plan', recheck.gaps, `${plan.cases.length} cases of the suite, each with what it rests on`),
    check(
      'verdicts',
      statement.subject[0]?.digest.sha256 === hashBytes(writeCertifiedReport(recheck))
        ? []
        : ['report.json does not follow from the evidence'],
      `${recheck.report.requirements.length} verdicts and all else of report.json computed again: the same`,
    ),
    check(
      'evidence',
      recheck.contradictions,
      `${recheck.demands.computed} demands on answers computed again; ${recheck.demands.attested} are attested`,
    ),
    check(
      'settings',
      isSame(statement.predicate.configuration, again.predicate.configuration)
        ? []
        : ['the settings are not the settings of the run'],
      'the same as in the run',
    ),
    check(
      'lists',
      isSame(dropValidity(statement), dropValidity(again))
        ? []
        : [
            'what it lists as passed, warned, not applicable, attested or claimed does not follow from the evidence',
          ],
      'passed, warned, not applicable, attested and claims follow from the evidence',
    ),
  ];
}

/** Checks that the certificate names the challenge that the run answers. */
function checkChallenge(certificate: Certificate, challenge: Challenge): VerificationCheck {
  const { nonce, issuedAt, notAfter, runBy, subject } = challenge;
  const isAnswered =
    isSame(certificate.challenge, { nonce, issuedAt, notAfter }) &&
    certificate.runBy === runBy &&
    certificate.subject === subject;
  return check(
    'challenge',
    isAnswered ? [] : ['the run answers another challenge than the certificate says'],
    `the run answers the challenge of ${issuedAt}, and was made by the ${runBy}`,
  );
}

/** Returns the judged build, if the statement names one. */
function buildOf({ subject }: Statement): Statement['subject'][number] | undefined {
  return subject.find(({ name }) => !SIGNED.includes(name));
}

/** Returns the statement without its validity, which the issuer chooses. */
function dropValidity(statement: Statement): unknown {
  const certificate = { ...statement.predicate[EXTENSION], validity: null };
  return { ...statement, predicate: { ...statement.predicate, [EXTENSION]: certificate } };
}

function isSame(one: unknown, other: unknown): boolean {
  return writeCanonicalJson(one) === writeCanonicalJson(other);
}
