/** Makes the statement to sign from the evidence of a run, or lists what is missing. Pure. */
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import type { HeadRecord } from '../../fixtures/evidence/log.ts';
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
  type Certificate,
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
  /** The digest of the judged build; null if none was given. */
  sha256: string | null;
  /** The time of issue: milliseconds since the epoch. */
  now: number;
  validDays: number;
}

/** The most days between run and certificate, and the most days for which a certificate holds. */
const OLDEST_RUN = 30;
export const LONGEST_VALIDITY = 366;
const DAY = 86_400_000;
/** The clocks of run and issuer may differ by this many milliseconds. */
const DRIFT = 60_000;

const AGAIN = 'run again with this suite';
const AS_WRITTEN = 'use evidence.jsonl as the suite wrote it';
const OR_AGAIN = `${AS_WRITTEN}; if it is that file, run again on a fresh store, or with MAX_ANIMALS=150, because with few animals generated input is left out`;

/** Returns all that keeps a run from a certificate at this time: the profile, gaps and contradictions of its evidence. */
export function findLacking(recheck: EvidenceRecheck, suite: SuiteDigests, now: number): Shortcoming[] {
  return [
    ...findProfileLacking(recheck, suite, now),
    ...recheck.gaps.map((what) => ({ what, remedy: OR_AGAIN })),
    ...recheck.contradictions.map((what) => ({ what, remedy: AS_WRITTEN })),
  ];
}

/**
 * Returns what the profile asks for and the run lacks: settings, verdicts, version and age.
 * @param now milliseconds since the epoch
 */
export function findProfileLacking(
  { report, head }: EvidenceRecheck,
  suite: SuiteDigests,
  now: number,
): Shortcoming[] {
  const begun = Date.parse(report.run.startedAt);
  return [
    ...findSettingsLacking(head),
    ...findShortcomings(report, Object.keys(EXCLUDED)),
    head.suite !== suite.version && {
      what: `the run was made by version ${head.suite} of the suite, this is ${suite.version}`,
      remedy: AGAIN,
    },
    now - begun > OLDEST_RUN * DAY && { what: `the run is more than ${OLDEST_RUN} days old`, remedy: AGAIN },
    now + DRIFT < begun + report.run.durationMs && {
      what: 'by its clock, the run has not been made yet',
      remedy: 'set the clock, and run again',
    },
  ].filter((each) => each !== false);
}

/** Returns the bytes of the report that a certificate covers. */
export function writeCertifiedReport({ report }: Pick<EvidenceRecheck, 'report'>): Buffer {
  return Buffer.from(`${JSON.stringify(report)}\n`);
}

/** Makes the statement of a run. The run must lack nothing. */
export function makeStatement({
  recheck,
  evidence,
  challenge,
  suite,
  sha256,
  now,
  validDays,
}: Issued): Statement {
  const { report, head, attested, unannounced, clockApart } = recheck;
  const { nonce, issuedAt, notAfter, runBy, subject } = challenge;
  const { baseUrl, environment, subject: release } = report.target;
  const warned = listIds(report, 'warn');
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'report.json', digest: { sha256: hashBytes(writeCertifiedReport(recheck)) } },
      { name: 'evidence.jsonl', digest: { sha256: hashBytes(evidence) } },
      ...(sha256 === null ? [] : [{ name: subject, digest: { sha256 } }]),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [...listSuite(suite), describeSettings(head)],
      passedTests: listIds(report, 'pass'),
      warnedTests: warned,
      failedTests: [],
      [EXTENSION]: {
        version: STATEMENT_VERSION,
        subject,
        specification: report.specification.version,
        suite: { name: suite.name, version: suite.version },
        profile: { ...CERTIFICATION },
        runBy,
        challenge: { nonce, issuedAt, notAfter },
        validity: computeValidity(now, validDays),
        notApplicable: listNotApplicable(report),
        excused: listIds(report, 'excused'),
        excluded: Object.keys(EXCLUDED).sort(),
        attested,
        unannounced,
        clockApart,
        words: listClaims(runBy, { ...report.target, ...head.runtime }),
        claims: {
          address: baseUrl,
          environment,
          ...(release == null ? {} : { subject: release }),
          ...head.runtime,
          run: report.run.id,
          startedAt: report.run.startedAt,
          durationMs: report.run.durationMs,
        },
      },
    },
  };
}

/** Returns the sorted ids of the requirements with this verdict. Those that do not count in this release are left out. */
function listIds({ requirements }: Report, verdict: RequirementResult['verdict']): string[] {
  return requirements
    .filter((each) => each.verdict === verdict && !Object.hasOwn(EXCLUDED, each.id))
    .map(({ id }) => id)
    .sort();
}

function listNotApplicable(report: Report): Certificate['notApplicable'] {
  const undecided = listIds(report, 'inconclusive');
  return [...listIds(report, 'not-applicable'), ...undecided].sort().map((id) => ({
    id,
    reason: report.requirements.find((each) => each.id === id)?.reason ?? '',
    ...(undecided.includes(id) && { undecided: true as const }),
  }));
}

/** Returns the parts of the suite that judged, each with its SHA-256. */
export function listSuite({ name, version, ...suite }: SuiteDigests): Resource[] {
  return [
    { name: 'suite', uri: `pkg:npm/${name}@${version}`, digest: { sha256: suite.program } },
    ...(['catalogue', 'schemas', 'excluded', 'packages'] as const).map((part) => ({
      name: part,
      digest: { sha256: suite[part] },
    })),
  ];
}

/** Returns the settings of the run as canonical JSON, with their SHA-256. */
function describeSettings({ settings, window, target }: HeadRecord): Resource {
  const text = writeCanonicalJson({ ...settings, window, embedded: target.embedded });
  return {
    name: 'settings',
    digest: { sha256: hashBytes(text) },
    content: Buffer.from(text).toString('base64'),
    mediaType: 'application/json',
  };
}

/**
 * Returns the time for which a certificate holds. A certificate from before the removal of getPet ends when the day of
 * removal begins.
 */
export function computeValidity(now: number, days = LONGEST_VALIDITY): Certificate['validity'] {
  const end = now + days * DAY;
  const last = findRemovalState(now) === 'ahead' ? Math.min(end, REMOVAL.begins) : end;
  return { notBefore: new Date(now).toISOString(), notAfter: new Date(last).toISOString() };
}
