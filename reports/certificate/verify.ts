/** Verifying an attestation: every check by its name, offline, from bytes alone. Pure but for the clock that is given. */
import type { KeyObject } from 'node:crypto';
import type { Case } from '../../fixtures/evidence/completeness.ts';
import { REMOVAL } from '../../fixtures/interface/removal.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { CERTIFICATION, shortcomings } from './certification-profile.ts';
import { readReport } from '../document/report-schema.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { open } from './envelope.ts';
import { LONGEST_VALIDITY, statementOf, untimely, type Issued } from './issue.ts';
import { readRevocations, revocationOf } from './revocation.ts';
import { NoEvidence, recheckEvidence } from './recheck-evidence.ts';
import { EXTENSION, PAYLOAD_TYPE, statementMistakes, type Certificate, type Statement } from './statement.ts';
import { EXCLUDED, type SuiteDigests } from './suite.ts';

/** All that a verification looks at. */
export interface Verifying {
  attestation: Uint8Array;
  publicKey: KeyObject;
  /** The files of the evidence folder by their names; null: not given, then nothing in them is looked at. */
  files: ReadonlyMap<string, Uint8Array> | null;
  /** What a certificate page and a badge of this attestation look like; files of these names have to be just so. */
  rendered: (statement: Statement, attestation: Uint8Array) => Readonly<Record<string, string>>;
  at: Date;
  /** The signed list, or null. */
  revoked: Uint8Array | null;
  suite: SuiteDigests;
  /** Every case that a complete run of this suite has. */
  plan: readonly Case[];
}

/** One check: whether it held, and in one line what was found. */
export interface Check {
  name: string;
  held: boolean;
  found: string;
}

/** What came of it. `statement` is null where it is not the issuer's. */
export interface Verification {
  verdict: 'valid' | 'invalid' | 'unusable';
  checks: Check[];
  /** What was not looked at, and what would let it be. */
  unchecked: string[];
  statement: Statement | null;
}

/** A version that npm knows. */
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[\w.-]{1,40})?$/;
/** Differences that are told. */
const TOLD = 5;
/** The files that an attestation names by their digests, whatever its subject. */
const SIGNED = ['report.json', 'evidence.jsonl'];

/** Verifies an attestation. Never throws for what the bytes hold. */
export function verify(input: Verifying): Verification {
  const opened = open(input.attestation, PAYLOAD_TYPE, input.publicKey);
  if ('check' in opened) return ended('invalid', [failed(opened.check, opened.why)]);
  const signed = passed('signature', 'one Ed25519 signature of the key given, over exactly this payload');
  const statement = readStatement(opened.payload);
  if ('why' in statement) return ended('invalid', [signed, failed('statement', statement.why)]);
  const certificate = statement.predicate[EXTENSION];
  const other = otherSuite(statement, input.suite);
  if (other !== null) return { verdict: 'unusable', checks: [signed, other], unchecked: [], statement };
  const checks = [
    signed,
    passed('statement', 'in-toto Statement v1 with test-result v0.1, in canonical spelling'),
    passed(
      'suite',
      `${input.suite.name} ${input.suite.version}: program, catalogue, schemas and exclusions are those that judged`,
    ),
    ...inTime(certificate, input.at),
    ...revocation(input),
    ...complete(statement),
  ];
  const unchecked = [
    ...(input.revoked === null ? ['revocation: give the signed list with --revoked'] : []),
    ...(input.files === null
      ? ['report, evidence and verdicts: give the folder of report.json and evidence.jsonl with --evidence']
      : []),
  ];
  if (input.files !== null) checks.push(...ofFiles(statement, input, input.files));
  const verdict = checks.every(({ held }) => held) ? 'valid' : 'invalid';
  return { verdict, checks, unchecked, statement };
}

function ended(verdict: Verification['verdict'], checks: Check[]): Verification {
  return { verdict, checks, unchecked: [], statement: null };
}

function passed(name: string, found: string): Check {
  return { name, held: true, found };
}

function failed(name: string, found: string): Check {
  return { name, held: false, found };
}

/** A check that holds where nothing speaks against it. */
function check(name: string, against: readonly string[], otherwise: string): Check {
  const more = against.length > TOLD ? `; and ${against.length - TOLD} more` : '';
  return against.length === 0
    ? passed(name, otherwise)
    : failed(name, `${against.slice(0, TOLD).join('; ')}${more}`);
}

function readStatement(payload: Buffer): Statement | { why: string } {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
    if (!Buffer.from(canonicalJson(value)).equals(payload))
      return { why: 'the payload is not in its canonical spelling' };
  } catch {
    return { why: 'the payload is no JSON' };
  }
  const [mistake] = statementMistakes(value);
  return mistake === undefined ? (value as Statement) : { why: mistake };
}

/** Rules of another catalogue cannot tell: the version that made it can. */
function otherSuite(statement: Statement, suite: SuiteDigests): Check | null {
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
  ]
    .filter(([of, own]) => digest(of ?? '') !== own)
    .map(([of]) => of);
  if (differing.length === 0 && version === suite.version && name === suite.name) return null;
  const what = differing.length === 0 ? 'another name or version' : `another ${differing.join(', ')}`;
  // what is signed may be anything: only a version becomes part of a command
  if (!VERSION.test(version) || name !== suite.name)
    return failed(
      'suite',
      `it was made by no version of ${suite.name}; nothing tells which suite can verify it`,
    );
  return failed(
    'suite',
    `it was made by ${name} ${version} with ${what} than this one (${suite.version}); that one can verify it: ${commandOf(version)}`,
  );
}

/** The command of a version of the suite that verifies what that version has attested. */
function commandOf(version: string): string {
  return `npx animal-store-conformance@${version} verify attestation.json --public-key key.pub.pem --evidence DIR`;
}

function inTime({ validity }: Certificate, at: Date): Check[] {
  const [from, to, now] = [Date.parse(validity.notBefore), Date.parse(validity.notAfter), at.getTime()];
  const against = [
    ...(now < from ? [`it holds from ${validity.notBefore} on only`] : []),
    ...(now >= to ? [`it expired at ${validity.notAfter}`] : []),
    ...(to - from > LONGEST_VALIDITY * 86_400_000
      ? [`it claims to hold longer than ${LONGEST_VALIDITY} days`]
      : []),
    ...(from < REMOVAL.begins && to > REMOVAL.begins
      ? ['it was judged with getPet and claims to hold beyond its removal']
      : []),
  ];
  return [check('validity', against, `holds until ${validity.notAfter}`)];
}

function revocation({ revoked, publicKey, attestation }: Verifying): Check[] {
  if (revoked === null) return [];
  const read = readRevocations(revoked, publicKey);
  if ('problem' in read) return [failed('revocation', read.problem)];
  const own = revocationOf(read.list, attestation);
  return [
    own === null
      ? passed('revocation', `not in the list of ${read.list.issuedAt}`)
      : failed('revocation', `revoked since ${own.since}: ${own.reason}`),
  ];
}

/** Every requirement of the catalogue is accounted for, once; nothing else is. */
function complete({ predicate }: Statement): Check[] {
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
      (id) => `${id} is told twice`,
    ),
    ...listed.filter((id) => !all.includes(id)).map((id) => `${id} is no requirement`),
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

/** Digests first: what is not the file that was signed is not read any further. */
function ofFiles(statement: Statement, input: Verifying, files: ReadonlyMap<string, Uint8Array>): Check[] {
  const rendered = new Map(Object.entries(input.rendered(statement, input.attestation)));
  const digests = statement.subject.filter(({ name }) => SIGNED.includes(name));
  const isEachNamedOnce = digests.length === 2 && digests[0]?.name !== digests[1]?.name;
  const others = [...files].filter(([name]) => !SIGNED.includes(name));
  const against = [
    isEachNamedOnce ? null : 'it does not name report.json and evidence.jsonl, once each',
    ...digests.map(({ name, digest }) => againstSigned(name, files.get(name), digest.sha256)),
    ...others.map(([name, file]) =>
      name === 'attestation.json'
        ? againstAttestation(file, input.attestation)
        : againstRendered(name, file, rendered.get(name)),
    ),
  ].filter((each) => each !== null);
  const found = check('files', against, 'report.json and evidence.jsonl are the ones that were signed');
  return found.held ? [found, ...ofContent(statement, input, files)] : [found];
}

function againstSigned(name: string, file: Uint8Array | undefined, digest: string): string | null {
  if (file === undefined) return `${name} is missing`;
  return sha256(file) === digest ? null : `${name} is not the file that was signed`;
}

function againstAttestation(file: Uint8Array, attestation: Uint8Array): string | null {
  return Buffer.from(attestation).equals(file) ? null : 'attestation.json in the folder is another one';
}

function againstRendered(name: string, file: Uint8Array, rendered: string | undefined): string | null {
  if (rendered === undefined) return `${name} is covered by no digest`;
  return Buffer.from(rendered).equals(file) ? null : `${name} is not what this attestation gives`;
}

function ofContent(statement: Statement, input: Verifying, files: ReadonlyMap<string, Uint8Array>): Check[] {
  const read = readReport(files.get('report.json') ?? new Uint8Array());
  if ('mistakes' in read) return [failed('report', `it is no report of this suite: ${read.mistakes[0]}`)];
  try {
    const look = recheckEvidence(read.value, files.get('evidence.jsonl') ?? new Uint8Array(), input.plan);
    return ofRun(statement, input, files, { report: read.value, look });
  } catch (error) {
    // whatever was signed: what cannot be judged again is not valid
    const why =
      error instanceof NoEvidence
        ? `evidence.jsonl, ${error.message}`
        : 'report.json and evidence.jsonl are not those of one run';
    return [failed('report', `it cannot be judged again: ${why}`)];
  }
}

function ofRun(
  statement: Statement,
  { suite, plan }: Verifying,
  files: ReadonlyMap<string, Uint8Array>,
  { report, look }: Pick<Issued, 'report' | 'look'>,
): Check[] {
  const certificate = statement.predicate[EXTENSION];
  const issued = Date.parse(certificate.validity.notBefore);
  const again = statementOf({
    report,
    look,
    suite,
    files: {
      report: files.get('report.json') ?? new Uint8Array(),
      evidence: files.get('evidence.jsonl') ?? new Uint8Array(),
    },
    subject: { name: certificate.subject, sha256: buildOf(statement)?.digest.sha256 ?? null },
    now: issued,
    validDays: 1,
  });
  const lacking = [...shortcomings(report, Object.keys(EXCLUDED)), ...untimely(report, issued)];
  return [
    check(
      'profile',
      [
        ...(certificate.profile.version === CERTIFICATION.version ? [] : ['another version of the profile']),
        ...lacking.map(({ what }) => what),
      ],
      `version ${CERTIFICATION.version} of the certification profile lacks nothing`,
    ),
    check('plan', look.gaps, `${plan.length} cases of the suite, each with what it rests on`),
    check('verdicts', look.differences, `${look.results.length} verdicts computed again: the same`),
    check(
      'evidence',
      look.contradictions,
      `${look.demands.computed} demands on answers computed again; ${look.demands.attested} are attested`,
    ),
    check(
      'settings',
      isSame(statement.predicate.configuration, again.predicate.configuration)
        ? []
        : ['the settings are not those of the run'],
      'those of the run',
    ),
    check(
      'lists',
      isSame(withoutValidity(statement), withoutValidity(again))
        ? []
        : [
            'what it lists as passed, warned, not applicable, attested or claimed does not follow from report and evidence',
          ],
      'passed, warned, not applicable, attested and claims follow from report and evidence',
    ),
  ];
}

/** The build that was judged, where the statement names one. */
function buildOf({ subject }: Statement): Statement['subject'][number] | undefined {
  return subject.find(({ name }) => !SIGNED.includes(name));
}

/** A statement but for when it holds, which is up to the issuer. */
function withoutValidity(statement: Statement): unknown {
  const certificate = { ...statement.predicate[EXTENSION], validity: null };
  return { ...statement, predicate: { ...statement.predicate, [EXTENSION]: certificate } };
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
