/** Makes the statement to sign from the evidence of a run, or lists what is missing. Pure. */
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { REMOVAL, findRemovalState } from '../../fixtures/interface/removal.ts';
import { CERTIFICATION, findSettingsLacking, findShortcomings, type Shortcoming } from './shortcomings.ts';
import type { Report, RequirementResult } from '../document/report-document.ts';
import { writeCanonicalJson, hashBytes } from './signed/canonical.ts';
import type { EvidenceRecheck } from './recheck-evidence.ts';
import {
  EXTENSION,
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  STATEMENT_VERSION,
  type Resource,
  type Statement,
} from './statement.ts';
import { EXCLUDED, type SuiteDigests } from './suite-digests.ts';
import { listClaims } from './whose-word.ts';

/** All facts from which a statement is made. */
interface Issued {
  recheck: EvidenceRecheck;
  evidence: Uint8Array;
  challenge: Challenge;
  suite: SuiteDigests;
  subject: { name: string; sha256: string | null };
  /** The time of issue: milliseconds since the epoch. */
  now: number;
  validDays: number;
}

/**
 * OLDEST_RUN limits the days between run and certificate, LONGEST_VALIDITY the days for which a certificate
 * holds.
 */
export const OLDEST_RUN = 30;
export const LONGEST_VALIDITY = 366;
const DAY = 86_400_000;
/** The clocks of run and issuer may differ by this many milliseconds. */
const DRIFT = 60_000;

const AGAIN = 'run again with this suite';

/**
 * Returns all that keeps a run from a certificate at this time: settings, verdicts, version, age, gaps and
 * contradictions of its evidence.
 */
export function findLacking(recheck: EvidenceRecheck, suite: SuiteDigests, now: number): Shortcoming[] {
  const { report, head } = recheck;
  return [
    ...findSettingsLacking(head),
    ...findShortcomings(report, Object.keys(EXCLUDED)),
    ...(head.suite === suite.version
      ? []
      : [
          {
            what: `the run was made by version ${head.suite} of the suite, this is ${suite.version}`,
            remedy: AGAIN,
          },
        ]),
    ...findUntimely(report, now),
    ...recheck.gaps.map((what) => ({
      what,
      remedy:
        'use evidence.jsonl as the suite wrote it; if it is that file, run again on a fresh store, or with MAX_ANIMALS=150, because with few animals generated input is left out',
    })),
    ...recheck.contradictions.map((what) => ({
      what,
      remedy: 'use evidence.jsonl as the suite wrote it',
    })),
  ];
}

/**
 * Returns a shortcoming if the run is too old, or if it ends after the time of issue.
 * @param issued milliseconds since the epoch
 */
export function findUntimely({ run }: Report, issued: number): Shortcoming[] {
  const begun = Date.parse(run.startedAt);
  return [
    ...(issued - begun > OLDEST_RUN * DAY
      ? [{ what: `the run is more than ${OLDEST_RUN} days old`, remedy: AGAIN }]
      : []),
    ...(issued + DRIFT < begun + run.durationMs
      ? [{ what: 'by its clock, the run has not been made yet', remedy: 'set the clock, and run again' }]
      : []),
  ];
}

/** Returns the bytes of the report that a certificate covers. */
export function writeCertifiedReport({ report }: Pick<EvidenceRecheck, 'report'>): Buffer {
  return Buffer.from(`${JSON.stringify(report)}\n`);
}

/** Makes the statement of a run. The run must lack nothing. */
export function makeStatement(issued: Issued): Statement {
  const { recheck, evidence, suite, subject } = issued;
  const ids = (...verdicts: RequirementResult['verdict'][]) =>
    recheck.report.requirements
      .filter(({ verdict }) => verdicts.includes(verdict))
      .map(({ id }) => id)
      .sort();
  const excluded = Object.keys(EXCLUDED).sort();
  const counted = (all: readonly string[]) => all.filter((id) => !excluded.includes(id));
  const warned = counted(ids('warn'));
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'report.json', digest: { sha256: hashBytes(writeCertifiedReport(recheck)) } },
      { name: 'evidence.jsonl', digest: { sha256: hashBytes(evidence) } },
      ...(subject.sha256 === null ? [] : [{ name: subject.name, digest: { sha256: subject.sha256 } }]),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: listConfiguration(suite, recheck),
      passedTests: counted(ids('pass')),
      warnedTests: warned,
      failedTests: counted(ids('fail')),
      [EXTENSION]: { ...makeCertificate(issued), excused: counted(ids('excused')), excluded },
    },
  };
}

/** Returns the suite's own member of the statement, without its lists of ids. */
function makeCertificate({ recheck, suite, subject, challenge, now, validDays }: Issued) {
  const { report } = recheck;
  const { nonce, issuedAt, notAfter, runBy } = challenge;
  return {
    version: STATEMENT_VERSION as typeof STATEMENT_VERSION,
    subject: subject.name,
    specification: report.specification.version,
    suite: { name: suite.name, version: suite.version },
    profile: { ...CERTIFICATION },
    runBy,
    challenge: { nonce, issuedAt, notAfter },
    validity: computeValidity(now, validDays),
    notApplicable: listNotApplicable(report),
    attested: recheck.attested,
    unannounced: recheck.unannounced,
    clockApart: recheck.clockApart,
    words: listClaims(runBy, { ...report.target, ...recheck.head.runtime }),
    claims: {
      address: report.target.baseUrl,
      environment: report.target.environment,
      ...(report.target.subject == null ? {} : { subject: report.target.subject }),
      ...recheck.head.runtime,
      run: report.run.id,
      startedAt: report.run.startedAt,
      durationMs: report.run.durationMs,
    },
  };
}

function listNotApplicable({ requirements }: Report) {
  return requirements
    .filter(
      ({ verdict, id }) =>
        !Object.hasOwn(EXCLUDED, id) && (verdict === 'not-applicable' || verdict === 'inconclusive'),
    )
    .map(({ id, verdict, reason }) => ({
      id,
      reason: reason ?? '',
      ...(verdict === 'inconclusive' && { undecided: true as const }),
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Returns the suite and the settings that judged: canonical JSON or files, each with its SHA-256. */
function listConfiguration(suite: SuiteDigests, { head }: Pick<EvidenceRecheck, 'head'>): Resource[] {
  const { settings, window, target } = head;
  const text = writeCanonicalJson({ ...settings, window, embedded: target.embedded });
  return [
    { name: 'suite', uri: `pkg:npm/${suite.name}@${suite.version}`, digest: { sha256: suite.program } },
    { name: 'catalogue', digest: { sha256: suite.catalogue } },
    { name: 'schemas', digest: { sha256: suite.schemas } },
    { name: 'excluded', digest: { sha256: suite.excluded } },
    { name: 'packages', digest: { sha256: suite.packages } },
    {
      name: 'settings',
      digest: { sha256: hashBytes(text) },
      content: Buffer.from(text).toString('base64'),
      mediaType: 'application/json',
    },
  ];
}

/**
 * The time for which a certificate holds. A certificate from before the removal of getPet ends when the day of
 * removal begins.
 */
function computeValidity(now: number, days: number): { notBefore: string; notAfter: string } {
  const end = now + days * DAY;
  const last = findRemovalState(now) === 'ahead' ? Math.min(end, REMOVAL.begins) : end;
  return { notBefore: new Date(now).toISOString(), notAfter: new Date(last).toISOString() };
}
