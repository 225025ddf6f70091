/** From the evidence of a run to the statement that is signed; or to what is missing. Pure. */
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { REMOVAL, removalAt } from '../../fixtures/interface/removal.ts';
import { CERTIFICATION, settingsLacking, shortcomings, type Shortcoming } from './certification-profile.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { canonicalJson, sha256 } from './signed/canonical.ts';
import type { EvidenceRecheck } from './recheck-evidence.ts';
import {
  EXTENSION,
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  STATEMENT_VERSION,
  type Resource,
  type Statement,
} from './statement.ts';
import { EXCLUDED, type SuiteDigests } from './suite.ts';
import { wordsOf } from './whose-word.ts';

/** All that a statement is made of. */
interface Issued {
  look: EvidenceRecheck;
  evidence: Uint8Array;
  challenge: Challenge;
  suite: SuiteDigests;
  subject: { name: string; sha256: string | null };
  /** When it is issued: milliseconds since the epoch. */
  now: number;
  validDays: number;
}

/** Days between a run and its certificate, at most; and of validity. */
export const OLDEST_RUN = 30;
export const LONGEST_VALIDITY = 366;
const DAY = 86_400_000;
/** Milliseconds by which the clocks of run and issuer may differ. */
const DRIFT = 60_000;

const AGAIN = 'run again with this suite';

/** What keeps a run from a certificate at this time: what its settings and verdicts lack, what its evidence does not bear out, and its age. */
export function missing(look: EvidenceRecheck, suite: SuiteDigests, now: number): Shortcoming[] {
  const { report, head } = look;
  return [
    ...settingsLacking(head),
    ...shortcomings(report, Object.keys(EXCLUDED)),
    ...(head.suite === suite.version
      ? []
      : [
          {
            what: `the run was made by version ${head.suite} of the suite, this is ${suite.version}`,
            remedy: AGAIN,
          },
        ]),
    ...untimely(report, now),
    ...look.gaps.map((what) => ({
      what,
      remedy:
        'use evidence.jsonl as the suite wrote it; if it is that file, run again on a fresh store, or with MAX_ANIMALS=150, because with few animals generated input is left out',
    })),
    ...look.contradictions.map((what) => ({
      what,
      remedy: 'use evidence.jsonl as the suite wrote it',
    })),
  ];
}

/** A run is certified after it was made, and not long after. */
export function untimely({ run }: Report, issued: number): Shortcoming[] {
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

/** The bytes of the report that a certificate covers. */
export function reportBytes({ report }: Pick<EvidenceRecheck, 'report'>): Buffer {
  return Buffer.from(`${JSON.stringify(report)}\n`);
}

/** The statement of a run that lacks nothing. */
export function statementOf(issued: Issued): Statement {
  const { look, evidence, suite, subject } = issued;
  const ids = (...verdicts: RequirementResult['verdict'][]) =>
    look.report.requirements
      .filter(({ verdict }) => verdicts.includes(verdict))
      .map(({ id }) => id)
      .sort();
  const excluded = Object.keys(EXCLUDED).sort();
  const counted = (all: readonly string[]) => all.filter((id) => !excluded.includes(id));
  const warned = counted(ids('warn'));
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'report.json', digest: { sha256: sha256(reportBytes(look)) } },
      { name: 'evidence.jsonl', digest: { sha256: sha256(evidence) } },
      ...(subject.sha256 === null ? [] : [{ name: subject.name, digest: { sha256: subject.sha256 } }]),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: configurationOf(suite, look),
      passedTests: counted(ids('pass')),
      warnedTests: warned,
      failedTests: counted(ids('fail')),
      [EXTENSION]: { ...certificateOf(issued), excused: counted(ids('excused')), excluded },
    },
  };
}

/** Our part of the statement, but for its lists of ids. */
function certificateOf({ look, suite, subject, challenge, now, validDays }: Issued) {
  const { report } = look;
  const { nonce, issuedAt, notAfter, runBy } = challenge;
  return {
    version: STATEMENT_VERSION as typeof STATEMENT_VERSION,
    subject: subject.name,
    specification: report.specification.version,
    suite: { name: suite.name, version: suite.version },
    profile: { ...CERTIFICATION },
    runBy,
    challenge: { nonce, issuedAt, notAfter },
    validity: validity(now, validDays),
    notApplicable: notApplicableIn(report),
    attested: look.attested,
    unannounced: look.unannounced,
    clockApart: look.clockApart,
    words: wordsOf(runBy, { ...report.target, ...look.head.runtime }),
    claims: {
      address: report.target.baseUrl,
      environment: report.target.environment,
      ...(report.target.subject == null ? {} : { subject: report.target.subject }),
      ...look.head.runtime,
      run: report.run.id,
      startedAt: report.run.startedAt,
      durationMs: report.run.durationMs,
    },
  };
}

function notApplicableIn({ requirements }: Report) {
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

/** What judged, and how; each by the digest of its canonical JSON or of its files. */
function configurationOf(suite: SuiteDigests, { head }: Pick<EvidenceRecheck, 'head'>): Resource[] {
  const { settings, window, target } = head;
  const text = canonicalJson({ ...settings, window, embedded: target.embedded });
  return [
    { name: 'suite', uri: `pkg:npm/${suite.name}@${suite.version}`, digest: { sha256: suite.program } },
    { name: 'catalogue', digest: { sha256: suite.catalogue } },
    { name: 'schemas', digest: { sha256: suite.schemas } },
    { name: 'excluded', digest: { sha256: suite.excluded } },
    ...(suite.packages === null ? [] : [{ name: 'packages', digest: { sha256: suite.packages } }]),
    {
      name: 'settings',
      digest: { sha256: sha256(text) },
      content: Buffer.from(text).toString('base64'),
      mediaType: 'application/json',
    },
  ];
}

/** No certificate outlives the rules that it was judged by: one from before the removal of getPet ends when that day begins. */
function validity(now: number, days: number): { notBefore: string; notAfter: string } {
  const end = now + days * DAY;
  const last = removalAt(now) === 'ahead' ? Math.min(end, REMOVAL.begins) : end;
  return { notBefore: new Date(now).toISOString(), notAfter: new Date(last).toISOString() };
}
