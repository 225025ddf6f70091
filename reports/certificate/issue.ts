/** Makes the statement that an issuer signs, from the evidence of a run. The signed statement is the certificate. Pure. */
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import type { HeadRecord } from '../../fixtures/evidence/log.ts';
import { CERTIFICATION } from '../../fixtures/settings/profiles.ts';
import { REMOVAL, findRemovalState } from '../../fixtures/interface/removal.ts';
import type { Report, RequirementResult } from '../document/report-document.ts';
import { writeCanonicalJson, hashBytes } from './signed/canonical.ts';
import type { EvidenceRecheck } from './recheck-evidence.ts';
import {
  EXTENSION,
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  type Certificate,
  type Resource,
  type Statement,
} from './statement.ts';
import { digestSuite, EXCLUDED } from './suite-digests.ts';

interface Inputs {
  recheck: EvidenceRecheck;
  evidence: Uint8Array;
  challenge: Challenge;
  /** The SHA-256 of the judged build; null if none was given. */
  sha256: string | null;
  /** The time of issue: milliseconds since the epoch. */
  now: number;
  validDays: number;
}

/** The most days for which a certificate is valid. */
export const LONGEST_VALIDITY = 366;
const DAY = 86_400_000;

/** Returns the bytes of the report that a certificate covers. */
export function writeCertifiedReport({ report }: Pick<EvidenceRecheck, 'report'>): Buffer {
  return Buffer.from(`${JSON.stringify(report)}\n`);
}

/** Makes the statement of a run, whose form `statement.ts` explains. Call it only if `findShortcomings` finds nothing. */
export function makeStatement({ recheck, evidence, challenge, sha256, now, validDays }: Inputs): Statement {
  const { report, head, unannounced, clockApart } = recheck;
  const { nonce, issuedAt, notAfter, runBy, subject } = challenge;
  // The service has two names. The issuer gave `subject` in the challenge. The one who ran the suite may have named the `release`.
  const { baseUrl, environment, subject: release } = report.target;
  const claims = {
    address: baseUrl,
    environment,
    ...(release == null ? {} : { subject: release }),
    ...head.runtime,
    run: report.run.id,
    startedAt: report.run.startedAt,
    durationMs: report.run.durationMs,
  };
  const warned = listIds(report, 'warn');
  const { name, version, parts } = digestSuite();
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
      configuration: [...parts, describeSettings(head)],
      passedTests: listIds(report, 'pass'),
      warnedTests: warned,
      failedTests: [],
      [EXTENSION]: {
        version: 2,
        subject,
        specification: report.specification.version,
        suite: { name, version },
        profile: { ...CERTIFICATION },
        runBy,
        challenge: { nonce, issuedAt, notAfter },
        validity: computeValidity(now, validDays),
        // `cut`: a list ended early, or announced that it goes on, so it did not show all animals.
        hidden: report.requirements.flatMap(({ id, partial, cause }) =>
          partial != null && cause?.kind === 'cut' ? [{ id, reason: partial.reason }] : [],
        ),
        notApplicable: listNotApplicable(report),
        excused: listIds(report, 'excused'),
        excluded: [...EXCLUDED],
        // How many requests did not name the suite, and how many of them got no ordinary answer.
        unannounced,
        // Seconds between the clocks of run and target, if they are far apart.
        clockApart,
        // Facts that no file can show, as sentences, each with the one who claims it.
        words: describeClaims(runBy, claims),
        claims,
      },
    },
  };
}

/** Returns the sorted ids of the requirements with this verdict. Requirements that do not count in this release are left out. */
function listIds({ requirements }: Report, verdict: RequirementResult['verdict']): string[] {
  return requirements
    .filter((each) => each.verdict === verdict && !EXCLUDED.includes(each.id))
    .map(({ id }) => id)
    .sort();
}

/** Lists requirements that do not apply, and each undecided `should`. A run with an undecided `must` gets no certificate. */
function listNotApplicable(report: Report): Certificate['notApplicable'] {
  const undecided = listIds(report, 'inconclusive');
  return [...listIds(report, 'not-applicable'), ...undecided].sort().map((id) => ({
    id,
    reason: report.requirements.find((each) => each.id === id)?.reason ?? '',
    ...(undecided.includes(id) && { undecided: true as const }),
  }));
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

/** Returns the time for which a certificate is valid. If getPet is not removed yet, it ends before the day of the removal. */
export function computeValidity(now: number, days = LONGEST_VALIDITY): Certificate['validity'] {
  const end = now + days * DAY;
  const last = findRemovalState(now) === 'ahead' ? Math.min(end, REMOVAL.begins) : end;
  return { notBefore: new Date(now).toISOString(), notAfter: new Date(last).toISOString() };
}

/** Facts that no file can show: the issuer claims them. */
const CLAIMS_OF_ISSUER = [
  'the name of what was judged, and the digest of its build',
  'the time from which the certificate holds, and for how many days',
];
/** Facts that the one who ran the suite claims: the issuer or the vendor. */
const CLAIMS_OF_RUNNER = [
  'that the address is the one that answered, and its environment',
  'that requests and answers in the evidence are those that were sent and came, when, on which connection, and how fast',
  'that what was sent as another token was not the key, and what the key is like',
  'which answers each test was given, what did not apply, and observations',
];
const CLAIM_OF_RELEASE = 'the release that answered, its commit and its web address';
const CLAIM_OF_RUNTIME =
  'the version of Node, what read the bytes of the answers, and that the packages of the lock file were installed';

/** Returns each claim with the one who makes it. A claim about the release or about Node is left out if the run does not name that. */
function describeClaims(
  runner: Certificate['runBy'],
  { subject, node }: Pick<Certificate['claims'], 'subject' | 'node'>,
): Certificate['words'] {
  const ofRunner = [...CLAIMS_OF_RUNNER];
  if (subject) ofRunner.push(CLAIM_OF_RELEASE);
  if (node !== undefined) ofRunner.push(CLAIM_OF_RUNTIME);
  return [
    ...CLAIMS_OF_ISSUER.map((what) => ({ by: 'issuer' as const, what })),
    ...ofRunner.map((what) => ({ by: runner, what })),
  ];
}
