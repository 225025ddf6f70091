/** Verifies an attestation offline, from bytes alone; each check has a name. Pure: the caller gives the time. */
import { computeValidity, findProfileLacking, listSuite, makeStatement } from './issue.ts';
import { hashBytes, writeCanonicalJson } from './signed/canonical.ts';
import { openEnvelope } from './signed/envelope.ts';
import { findSigner, isSignedInTime, isVouchedFor, type IssuerKey } from './signed/key-list.ts';
import {
  explainOutdated,
  findRevocation,
  hasOtherKeys,
  readRevocations,
  type SeenList,
} from './signed/revocation.ts';
import { readPosedWith } from './signed/signed-challenge.ts';
import { NoEvidence, readHead, recheckEvidence, type RecheckPlan } from './recheck-evidence.ts';
import { EXTENSION, PAYLOAD_TYPE, statementMistakes, type Certificate, type Statement } from './statement.ts';
import type { SuiteDigests } from './suite-digests.ts';

/** All inputs of a verification. */
interface Verifying {
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
  const { attestation, issuer, files, at } = input;
  const signer = findSigner(attestation, issuer);
  const opened = openEnvelope(attestation, PAYLOAD_TYPE, signer.key);
  if ('check' in opened) return conclude([check(opened.check, [opened.why], '')]);
  const signed = check('signature', [], 'one Ed25519 signature of the key given, over exactly this payload');
  const read = readStatement(opened.payload);
  if ('why' in read) return conclude([signed, check('statement', [read.why], '')]);
  const { statement } = read;
  const certificate = statement.predicate[EXTENSION];
  const ofSuite = checkSuite(statement, input.suite);
  if (!ofSuite.held) return { ...conclude([signed, ofSuite], { statement }), verdict: 'unusable' };
  const checks = [
    signed,
    check('statement', [], 'in-toto Statement v1 with test-result v0.1, in canonical spelling'),
    ofSuite,
    checkKey(certificate, signer, attestation),
    checkTime(certificate, at),
    ...checkRevocation(statement, input),
    ...(files === null ? [] : checkFiles(statement, input, files)),
  ];
  return conclude(checks, { statement, unchecked: listUnchecked(input) });
}

function conclude(
  checks: VerificationCheck[],
  { statement = null, unchecked = [] }: Partial<Pick<Verification, 'statement' | 'unchecked'>> = {},
): Verification {
  return { verdict: checks.every(({ held }) => held) ? 'valid' : 'invalid', checks, unchecked, statement };
}

/** Makes a check that holds if `against` is empty. */
function check(name: string, against: readonly (string | false)[], otherwise: string): VerificationCheck {
  const found = against.filter((each) => each !== false);
  const more = found.length > SHOWN ? `; and ${found.length - SHOWN} more` : '';
  return found.length === 0
    ? { name, held: true, found: otherwise }
    : { name, held: false, found: `${found.slice(0, SHOWN).join('; ')}${more}` };
}

function listUnchecked({ revoked, keys, issuer, files }: Verifying): string[] {
  const read = revoked === null ? null : readRevocations(revoked, issuer);
  const namesKeys = read !== null && 'list' in read && typeof read.list.keys === 'string';
  return [
    revoked === null && 'revocation: give the signed list with --revoked',
    keys !== null &&
      !namesKeys &&
      'newer list of keys: a list of revocations that names the newest one would show it (--revoked)',
    files === null &&
      'report, evidence and verdicts: give the folder of report.json and evidence.jsonl with --evidence',
  ].filter((each) => each !== false);
}

function readStatement(payload: Buffer): { statement: Statement } | { why: string } {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    if (!Buffer.from(writeCanonicalJson(value)).equals(payload))
      return { why: 'the payload is not in its canonical spelling' };
    const [mistake] = statementMistakes(value);
    return mistake === undefined ? { statement: value as Statement } : { why: mistake };
  } catch {
    return { why: 'the payload is not JSON' };
  }
}

/** Fails if another version of the suite made the statement: only that version can verify it. */
function checkSuite({ predicate }: Statement, suite: SuiteDigests): VerificationCheck {
  const { name, version } = predicate[EXTENSION].suite;
  const differing = listSuite(suite)
    .filter((own) => !predicate.configuration.some((each) => isSame(each, own)))
    .map((own) => own.name);
  const isOther = differing.length > 0 || version !== suite.version || name !== suite.name;
  // A signed text may hold anything, so only a valid version becomes part of a command.
  const isKnown = VERSION.test(version) && name === suite.name;
  return check(
    'suite',
    [
      isOther &&
        !isKnown &&
        `no version of ${suite.name} made it, and it does not say which suite can verify it`,
      isOther &&
        isKnown &&
        `it was made by ${name} ${version} with another ${differing.join(', ') || 'version'} than this one (${suite.version}); that one can verify it: npx animal-store-conformance@${version} verify attestation.json --public-key issuer.pem.pub --evidence DIR`,
    ],
    `${suite.name} ${suite.version}: program, catalogue, schemas and exclusions are those that judged`,
  );
}

/** The owner of an ended key can write any date. Such a certificate holds only if the list of keys names it. */
function checkKey({ validity }: Certificate, signer: IssuerKey, attestation: Uint8Array): VerificationCheck {
  const { until } = signer;
  return check(
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
  const [from, to] = [Date.parse(notBefore), Date.parse(notAfter)];
  const longest = computeValidity(from).notAfter;
  return check(
    'validity',
    [
      from >= to && 'it never holds',
      at.getTime() < from && `it holds from ${notBefore} on only`,
      at.getTime() >= to && `it expired at ${notAfter}`,
      to > Date.parse(longest) && `it claims to hold beyond ${longest}, the longest time`,
    ],
    `holds until ${notAfter}`,
  );
}

function checkRevocation(statement: Statement, input: Verifying): VerificationCheck[] {
  const { revoked, seen, at, issuer, attestation, keys } = input;
  if (revoked === null) return [];
  const read = readRevocations(revoked, issuer);
  if ('problem' in read) return [check('revocation', [read.problem], '')];
  const { list } = read;
  const own = findRevocation(list, { attestation, evidence: findEvidenceDigest(statement) });
  return [
    check(
      'revocation',
      [
        explainOutdated(list, revoked, at, seen) ?? false,
        hasOtherKeys(list, keys) && 'the list of revocations names another list of keys: take the newest one',
        own !== null && `revoked since ${own.since}: ${own.reason}`,
      ],
      `not in list ${list.number}, of ${list.issuedAt}`,
    ),
  ];
}

/** Returns the SHA-256 of the evidence, which identifies the run. */
export function findEvidenceDigest({ subject }: Statement): string {
  return subject.find(({ name }) => name === 'evidence.jsonl')?.digest.sha256 ?? '';
}

/** Checks the digests first. A file that was not signed is not read further. */
function checkFiles(
  statement: Statement,
  input: Verifying,
  files: ReadonlyMap<string, Uint8Array>,
): VerificationCheck[] {
  const ofAttestation = {
    'attestation.json': input.attestation,
    ...input.rendered(statement, input.attestation),
  };
  const digests = new Map([
    ...statement.subject
      .filter(({ name }) => SIGNED.includes(name))
      .map(({ name, digest }) => [name, digest.sha256] as const),
    ...Object.entries(ofAttestation).map(([name, file]) => [name, hashBytes(file)] as const),
  ]);
  const found = check(
    'files',
    [
      ...SIGNED.map((name) => !files.has(name) && `${name} is missing`),
      ...[...files].map(([name, file]) => {
        if (!digests.has(name)) return `${name} is covered by no digest`;
        const whose = SIGNED.includes(name) ? 'the file that was signed' : 'the one of this attestation';
        return digests.get(name) !== hashBytes(file) && `${name} is not ${whose}`;
      }),
    ],
    'report.json and evidence.jsonl are the ones that were signed',
  );
  const evidence = files.get('evidence.jsonl');
  return found.held && evidence !== undefined
    ? [found, ...checkEvidence(statement, input, evidence)]
    : [found];
}

/** Judges the evidence again. The whole statement has to follow from it, but for the issuer's own words. */
function checkEvidence(statement: Statement, input: Verifying, evidence: Uint8Array): VerificationCheck[] {
  try {
    const { challenge: text } = readHead(evidence);
    const poser = findSigner(Buffer.from(text ?? ''), input.issuer);
    const challenge = readPosedWith(text, poser.key);
    if ('problem' in challenge) return [check('challenge', [challenge.problem], '')];
    if (!isSignedInTime(poser, challenge.issuedAt))
      return [check('challenge', ['the issuer did not sign with the key of the challenge then'], '')];
    const { suite, plan } = input;
    const recheck = (input.recheck ?? recheckEvidence)(evidence, plan, challenge);
    const { validity, profile } = statement.predicate[EXTENSION];
    const now = Date.parse(validity.notBefore);
    const build = statement.subject.find(({ name }) => !SIGNED.includes(name));
    const sha256 = build?.digest.sha256 ?? null;
    const again = makeStatement({ recheck, evidence, challenge, suite, sha256, now, validDays: 1 });
    const lacking = findProfileLacking(recheck, suite, now).map(({ what }) => what);
    const differing = listDiffering(statement, again);
    return [
      check('challenge', [], `of ${challenge.issuedAt}, to a run that was made by the ${challenge.runBy}`),
      check('profile', lacking, `version ${profile.version} of the certification profile lacks nothing`),
      check('plan', recheck.gaps, `${plan.cases.length} cases of the suite, each with what it rests on`),
      check(
        'evidence',
        recheck.contradictions,
        `${recheck.demands.computed} demands on answers computed again; ${recheck.demands.attested} are attested`,
      ),
      check(
        'verdicts',
        differing.map((name) => `${name} does not follow from the evidence`),
        `${recheck.report.requirements.length} verdicts, and all else that it says of the run, computed again: the same`,
      ),
    ];
  } catch (error) {
    // Evidence that cannot be judged again is invalid, even if it was signed.
    const why = error instanceof NoEvidence ? error.message : 'it does not come from one run';
    return [check('evidence', [`evidence.jsonl cannot be judged again: ${why}`], '')];
  }
}

/** Returns the names of the members that differ. The validity is the issuer's choice, and is not compared. */
function listDiffering(one: Statement, other: Statement): string[] {
  const membersOf = ({ subject, predicate }: Statement): Record<string, unknown> => ({
    ...predicate[EXTENSION],
    ...predicate,
    [EXTENSION]: null,
    validity: null,
    subject: [predicate[EXTENSION].subject, subject.slice(2)],
    'report.json': subject[0],
    'evidence.jsonl': subject[1],
  });
  const [members, others] = [membersOf(one), membersOf(other)];
  return Object.keys(others).filter((name) => !isSame(members[name], others[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return writeCanonicalJson(one ?? null) === writeCanonicalJson(other ?? null);
}
