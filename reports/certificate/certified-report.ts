/**
 * Makes the report of a run from its evidence, for certificates and for `judge`. It never reads report.json, so a wrong verdict there
 * cannot get into a certificate. Pure.
 */
import order from '../../schemas/order.json' with { type: 'json' };
import type { Case } from '../../fixtures/evidence/completeness.ts';
import { makeReportedExchange } from '../../fixtures/evidence/reported-exchange.ts';
import { readExchange, cutRecord, type ExchangeRecord } from '../../fixtures/evidence/record.ts';
import type { EvidenceRecord, HeadRecord, SightingRecord } from '../../fixtures/evidence/log.ts';
import type { recompute } from '../../fixtures/evidence/recompute.ts';
import { RULES_PLACE } from '../../fixtures/judgement/finding.ts';
import { CERTIFICATION, QUICK, QUICK_PROFILE } from '../../fixtures/settings/profiles.ts';
import { readDefault } from '../../fixtures/settings/variables.ts';
import { traceFootprint } from '../../fixtures/judgement/store/footprint.ts';
import { StoreModel } from '../../fixtures/judgement/store/store-model.ts';
import suite from '../../package.json' with { type: 'json' };
import { computeTimings } from '../document/latency.ts';
import { assemble } from '../document/assemble.ts';
import { Circumstances } from '../document/circumstances.ts';
import type { Report } from '../document/report-document.ts';

/** A case that one test has to ask (`Case`), with the file of this test. */
export interface PlannedCase extends Case {
  file: string;
}

/**
 * Makes the report from evidence and from what `recompute` found in it: findings, and explanations (actions of other clients). `judge`
 * is the judge that found them.
 * @param cases the plan: every test of the suite
 * @param only ids of the requirements that the run was asked for; empty if all were
 */
export function makeCertifiedReport(
  records: readonly EvidenceRecord[],
  { findings, explanations, judge }: Omit<ReturnType<typeof recompute>, 'contradictions'>,
  cases: readonly PlannedCase[],
  only: readonly string[] = [],
): Report {
  const [head] = records as [HeadRecord];
  const exchanges = records.filter((each): each is ExchangeRecord => each.kind === 'exchange');
  const byId = new Map(exchanges.map((each) => [each.id, each]));
  const files = new Map(cases.map(({ title, file }) => [title, file]));
  const footprint = findFootprint(head, exchanges);
  // Reports show long bodies cut. `findFootprint` needs the uncut ones, because it reads the animals in them.
  const cut = exchanges.map((each) => readExchange(cutRecord(each)));
  return assemble({
    explanations,
    // The answers to requests that failed and were sent again.
    trials: judge.trials,
    // Searches the exchanges for what decides if a promise is broken, e.g. `as each 5th request of a connection`.
    readCircumstances: () => new Circumstances(judge, cut),
    // Every exchange of the run: the timeline, and what came before a failure, are read from it.
    all: () => cut,
    suite: { name: suite.name, version: head.suite },
    target: head.target,
    run: { ...makeRun(head, records, exchanges), animalsCreated: footprint.length },
    only,
    findings: findings.map((each) => ({
      ...each,
      // A title that no test of the plan has is the one of a rule.
      test: { title: each.test.title, file: files.get(each.test.title) ?? RULES_PLACE.file },
    })),
    // A sighting is what one test observed of an open question.
    sightings: records.filter((each): each is SightingRecord => each.kind === 'sighting'),
    timings: computeTimings(exchanges),
    footprint,
    redact: (text) => text,
    evidence: (ids) =>
      ids.flatMap((id) => {
        const record = byId.get(id);
        return record === undefined ? [] : [makeReportedExchange(cutRecord(record), (text) => text)];
      }),
  });
}

/** Returns the member `run` of the report, as far as the evidence shows it. */
function makeRun(
  { mark, clock, settings }: HeadRecord,
  records: readonly EvidenceRecord[],
  exchanges: readonly ExchangeRecord[],
): Omit<Report['run'], 'animalsCreated'> {
  const { mode, strict, seed, seeds, propertyRuns } = settings;
  const done = records.find((each) => each.kind === 'done');
  const profile = [CERTIFICATION, QUICK_PROFILE].find(({ name }) => name === settings.profile);
  // True for a quick run that may add animals and send all its requests. Only for this run the `power` is known: the share of the kinds of
  // faults that it finds, e.g. 0.85.
  const isFullQuick =
    profile === QUICK_PROFILE && mode !== 'read-only' && (settings.maxRequests ?? 0) >= QUICK.requests;
  return {
    id: mark,
    startedAt: new Date(clock).toISOString(),
    durationMs: Math.ceil(Math.max(0, ...exchanges.map(({ end }) => end))),
    mode: mode === 'read-only' ? mode : 'full',
    strict,
    seed,
    ...(seeds === undefined ? {} : { seeds: [...seeds] }),
    propertyRuns,
    ...(profile && { profile: { ...profile } }),
    ...(isFullQuick && { power: order.power }),
    // The evidence does not have the values of --only as the user wrote them. `makeCertifiedReport` gets the ids.
    only: [],
    complete: done !== undefined,
    stopped: null,
    requests: exchanges.length,
    limits: {
      animals: settings.maxAnimals ?? readDefault('MAX_ANIMALS'),
      requests: settings.maxRequests ?? readDefault('MAX_REQUESTS'),
      inFlight: settings.maxInFlight,
      rps: settings.maxRps,
      wrongKeys: settings.maxWrongKeys,
    },
    lagMs: done?.lagMs ?? null,
  };
}

/** Returns the animals that the run left, found in its answers with the code that the run itself uses. */
function findFootprint({ mark }: HeadRecord, exchanges: readonly ExchangeRecord[]): Report['footprint'] {
  const model = new StoreModel(mark);
  for (const exchange of exchanges) model.learn(readExchange(exchange));
  return traceFootprint(model).leftAnimals.map((each) => ({ ...each }));
}
