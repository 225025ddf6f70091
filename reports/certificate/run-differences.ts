/** What a report tells of its run, held against the evidence: how it was made, when, what was sent, and the exchanges shown. Pure. */
import { pairCoverage } from '../../fixtures/credentials/pairwise/coverage.ts';
import type { EvidenceRecord, HeadRecord } from '../../fixtures/evidence/log.ts';
import { fromRecord, type ExchangeRecord } from '../../fixtures/evidence/record.ts';
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { bodyOf } from '../../fixtures/judgement/documented-answer.ts';
import { membersOf } from '../../fixtures/exchange/json.ts';
import type { Report } from '../document/report.ts';

/** Milliseconds by which clocks may differ. */
const DRIFT = 60_000;
/** Characters of a body that reports show whole. */
const WHOLE = 4_000;

/** Where the report tells of another run than the evidence, one line each. */
export function runDifferences(
  report: Report,
  head: HeadRecord,
  records: readonly EvidenceRecord[],
): string[] {
  const exchanges = records.filter((each): each is ExchangeRecord => each.kind === 'exchange');
  return [
    ...ofManner(report, head),
    ...ofTime(report, exchanges),
    ...ofCounts(report, exchanges),
    ...ofExchanges(report, exchanges),
  ];
}

function ofManner({ run }: Report, { mark, settings, clock }: HeadRecord): string[] {
  const asOf = Date.parse(run.clock ?? run.startedAt);
  return [
    ...(mark === run.id ? [] : [`the report is of the run ${run.id}, the evidence of ${mark}`]),
    ...(settings.mode === run.mode &&
    settings.seed === run.seed &&
    settings.propertyRuns === (run.propertyRuns ?? settings.propertyRuns) &&
    String(settings.seeds) === String(run.seeds)
      ? []
      : ['report and evidence differ in how the run was made']),
    ...(Math.abs(asOf - clock) < DRIFT ? [] : ['report and evidence differ in when the run was made']),
  ];
}

/** All exchanges lie between the beginning of the run and its end. */
function ofTime({ run }: Report, exchanges: readonly ExchangeRecord[]): string[] {
  const begun = Date.parse(run.startedAt);
  const outside = exchanges.find(
    ({ at, begin, end }) => !(at >= begun - DRIFT && at + (end - begin) <= begun + run.durationMs + DRIFT),
  );
  return outside === undefined ? [] : [`${outside.id} was not sent while the run lasted`];
}

function ofCounts({ run, footprint, timings }: Report, exchanges: readonly ExchangeRecord[]): string[] {
  const answered = exchanges.filter(({ response }) => response !== null);
  const crossed = pairCoverage(exchanges.map(fromRecord));
  const ofOperation = (operation: string) => answered.filter(({ ask }) => ask.operation === operation).length;
  const operations = [
    ...new Set([...Object.keys(timings), ...answered.map(({ ask }) => ask.operation)]),
  ] as (keyof typeof timings)[];
  const added = exchanges.filter(
    ({ ask, response }) =>
      ask.operation === 'createPet' && response !== null && response.status >= 200 && response.status < 300,
  );
  const told = new Set(footprint.map(({ id }) => id));
  return [
    // a request that a closed connection swallowed is sent again: two requests, one exchange
    ...(run.requests >= exchanges.length
      ? []
      : [`the report counts ${run.requests} requests, the evidence ${exchanges.length}`]),
    ...(run.crossed === undefined || (run.crossed.asked === crossed.asked && run.crossed.all === crossed.all)
      ? []
      : ['the report counts other pairs of credentials and requests than the evidence']),
    ...operations
      .filter((each) => (timings[each]?.count ?? 0) !== ofOperation(each))
      .map(
        (each) =>
          `the report counts ${timings[each]?.count ?? 0} answers of ${each}, the evidence ${ofOperation(each)}`,
      ),
    ...(run.animalsCreated === footprint.length && footprint.length >= added.length
      ? []
      : [
          `the report counts ${run.animalsCreated} animals added, and names ${footprint.length}; the evidence has ${added.length}`,
        ]),
    // one without an identifier is told with the one that a list shows, or with none
    ...added
      .filter((each) => isKept(each) && idOf(each) !== '' && !told.has(idOf(each)))
      .map(({ id }) => `${id} added an animal that the report does not name`),
  ];
}

/** Whether the answer is there to be read: of a large one, only the digest is. */
function isKept({ response }: ExchangeRecord): boolean {
  return response !== null && !('sha256' in response.body);
}

/** The identifier that a createPet answered, as the footprint has it: empty where it is none. */
function idOf(record: ExchangeRecord): string {
  const { response } = fromRecord(record);
  const { id } = response === null ? {} : membersOf(bodyOf(response));
  return typeof id === 'bigint' || Number.isInteger(id) ? String(id) : '';
}

/** What the report shows of an exchange is what the evidence holds; texts that it cuts are not compared. */
function ofExchanges(
  { exchanges, requirements, observations }: Report,
  kept: readonly ExchangeRecord[],
): string[] {
  const byId = new Map(kept.map((each) => [each.id, each]));
  const cited = new Set([...requirements, ...observations].flatMap(({ evidence }) => evidence));
  return [
    ...exchanges
      .filter((shown) => !isSame(shown, byId.get(shown.id)))
      .map(({ id }) => `${id}: the report shows another exchange than the evidence`),
    ...[...cited]
      .filter((id) => !byId.has(id))
      .map((id) => `${id}: the report rests on it, and the evidence does not have it`),
  ];
}

function isSame({ request, response }: Evidence, record: ExchangeRecord | undefined): boolean {
  if (record === undefined || record.ask.method !== request.method || record.ask.path !== request.path)
    return false;
  if (record.response?.status !== response?.status || (record.response === null) !== (response === null))
    return false;
  const [sent, came] = [record.ask.body, record.response?.body];
  const isText = (shown: string | null | undefined, body: typeof came | null) =>
    body === undefined ||
    body === null ||
    !('text' in body) ||
    body.text.length > WHOLE ||
    body.text === shown;
  return isText(request.body, sent) && isText(response?.body, came);
}
