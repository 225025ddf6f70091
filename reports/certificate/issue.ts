/** From a report and its evidence to the statement that is signed; or to what is missing. Pure. */
import { REMOVAL, removalAt } from '../../fixtures/interface/removal.ts';
import { CERTIFICATION, shortcomings, type Shortcoming } from './certification-profile.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import type { EvidenceRecheck } from './recheck-evidence.ts';
import { EXTENSION, PREDICATE_TYPE, STATEMENT_TYPE, type Resource, type Statement } from './statement.ts';
import { EXCLUDED, type SuiteDigests } from './suite.ts';

/** All that a statement is made of. */
export interface Issued {
  report: Report;
  look: EvidenceRecheck;
  files: { report: Uint8Array; evidence: Uint8Array };
  suite: SuiteDigests;
  subject: { name: string; sha256: string | null };
  /** When it is issued: milliseconds since the epoch. */
  now: number;
  validDays: number;
}

/** Days between a run and its certificate, at most; and of validity. */
const OLDEST_RUN = 30;
export const LONGEST_VALIDITY = 366;
const DAY = 86_400_000;

const AGAIN = 'run again with this suite';

/** What keeps a run from a certificate at this time: what the report lacks, what its evidence does not bear out, and its age. */
export function missing({
  report,
  look,
  suite,
  now,
}: Pick<Issued, 'report' | 'look' | 'suite' | 'now'>): Shortcoming[] {
  return [
    ...shortcomings(report, Object.keys(EXCLUDED)),
    ...(report.suite.version === suite.version
      ? []
      : [
          {
            what: `the report was made by version ${report.suite.version} of the suite, this is ${suite.version}`,
            remedy: AGAIN,
          },
        ]),
    ...untimely(report, now),
    ...look.gaps.map((what) => ({
      what,
      remedy:
        'take evidence.jsonl as the suite wrote it; where it is that one, run again on a fresh store, or with MAX_ANIMALS=150: few animals set generated input aside',
    })),
    ...[...look.contradictions, ...look.differences].map((what) => ({
      what,
      remedy: 'take report.json and evidence.jsonl of one run, as the suite wrote them',
    })),
  ];
}

/** A run is certified after it was made, by its own clock, and not long after. */
export function untimely({ run }: Report, issued: number): Shortcoming[] {
  const age = issued - Date.parse(run.clock ?? run.startedAt);
  return [
    ...(age > OLDEST_RUN * DAY
      ? [{ what: `the run is more than ${OLDEST_RUN} days old`, remedy: AGAIN }]
      : []),
    ...(age < -DAY
      ? [{ what: 'by its clock, the run has not been made yet', remedy: 'run without AS_OF' }]
      : []),
  ];
}

/** The statement of a run that lacks nothing. */
export function statementOf({ report, look, files, suite, subject, now, validDays }: Issued): Statement {
  const ids = (...verdicts: RequirementResult['verdict'][]) =>
    look.results
      .filter(({ verdict }) => verdicts.includes(verdict))
      .map(({ id }) => id)
      .sort();
  const excluded = Object.keys(EXCLUDED).sort();
  const counted = (all: readonly string[]) => all.filter((id) => !excluded.includes(id));
  const warned = counted(ids('warn'));
  const { run, target } = report;
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'report.json', digest: { sha256: sha256(files.report) } },
      { name: 'evidence.jsonl', digest: { sha256: sha256(files.evidence) } },
      ...(subject.sha256 === null ? [] : [{ name: subject.name, digest: { sha256: subject.sha256 } }]),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: configurationOf(suite, report, look),
      passedTests: counted(ids('pass')),
      warnedTests: warned,
      failedTests: counted(ids('fail')),
      [EXTENSION]: {
        version: 1,
        subject: subject.name,
        specification: report.specification.version,
        suite: { name: suite.name, version: suite.version },
        profile: { ...CERTIFICATION },
        validity: validity(now, validDays),
        notApplicable: look.results
          .filter(
            ({ verdict, id }) =>
              verdict === 'not-applicable' || (verdict === 'inconclusive' && !excluded.includes(id)),
          )
          .map(({ id, verdict, reason }) => ({
            id,
            reason: reason ?? '',
            ...(verdict === 'inconclusive' && { undecided: true as const }),
          })),
        excused: ids('excused'),
        excluded,
        attested: look.attested,
        claims: {
          address: target.baseUrl,
          environment: target.environment,
          run: run.id,
          startedAt: run.startedAt,
          durationMs: run.durationMs,
        },
      },
    },
  };
}

/** What judged, and how; each by the digest of its canonical JSON or of its files. */
function configurationOf(
  suite: SuiteDigests,
  report: Report,
  { head }: Pick<EvidenceRecheck, 'head'>,
): Resource[] {
  const { run } = report;
  const settings = canonicalJson({
    ...head.settings,
    window: head.window,
    clock: new Date(head.clock).toISOString(),
    strict: run.strict,
    limits: run.limits,
    embedded: report.target.embedded,
    environment: report.target.environment,
  });
  return [
    { name: 'suite', uri: `pkg:npm/${suite.name}@${suite.version}`, digest: { sha256: suite.program } },
    { name: 'catalogue', digest: { sha256: suite.catalogue } },
    { name: 'schemas', digest: { sha256: suite.schemas } },
    { name: 'excluded', digest: { sha256: suite.excluded } },
    {
      name: 'settings',
      digest: { sha256: sha256(settings) },
      content: Buffer.from(settings).toString('base64'),
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
