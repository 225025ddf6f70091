/** What somebody who holds the key of the issuer may change in report and evidence together, before signing anew. */
import type { EvidenceRecord, HeadRecord } from '../../../fixtures/evidence/log.ts';
import type { ExchangeRecord } from '../../../fixtures/evidence/record.ts';
import type { Report } from '../../../reports/document/report.ts';

/** Report and evidence of one run. */
interface Files {
  report: Report;
  records: EvidenceRecord[];
}

/** One forgery: what was done, by which check it is found, and in which words. */
interface Forgery {
  what: string;
  check: 'plan' | 'verdicts' | 'evidence' | 'profile';
  found: RegExp;
  forge: (files: Files) => Files;
}

const isExchange = (each: EvidenceRecord): each is ExchangeRecord => each.kind === 'exchange';
const isList = ({ ask, response }: ExchangeRecord) =>
  ask.operation === 'listPets' && ask.credential === 'key' && response?.status === 200;

/** Leaves out some exchanges, numbers the others anew, and lets everything that named them name them by their new number. */
function without({ report, records }: Files, leaves: (exchange: ExchangeRecord) => boolean): Files {
  const kept = records.filter((each) => !isExchange(each) || !leaves(each));
  const numbers = new Map(kept.filter(isExchange).map(({ id }, index) => [id, `x${index + 1}`]));
  const again = (ids: readonly string[]) => ids.flatMap((id) => numbers.get(id) ?? []);
  const renumbered = kept.map((each): EvidenceRecord => {
    if (isExchange(each)) return { ...each, id: numbers.get(each.id) ?? '' };
    if (each.kind === 'judgement') return { ...each, exchanges: again(each.exchanges) };
    if (each.kind === 'demands')
      return {
        ...each,
        asked: again(each.asked),
        demands: each.demands.flatMap((demand) => again([demand.of]).map((of) => ({ ...demand, of }))),
      };
    return each;
  });
  const cited = <T extends { evidence: string[] }>(all: readonly T[]) =>
    all.map((each) => ({ ...each, evidence: again(each.evidence) }));
  const answered = (operation: string) =>
    renumbered.filter(
      (each) => isExchange(each) && each.response !== null && each.ask.operation === operation,
    ).length;
  const timings = Object.fromEntries(
    Object.entries(report.timings).map(([operation, timing]) => [
      operation,
      { ...timing, count: answered(operation) },
    ]),
  );
  const shown = report.exchanges.flatMap((each) => again([each.id]).map((id) => ({ ...each, id })));
  return {
    report: {
      ...report,
      run: { ...report.run, requests: numbers.size },
      requirements: cited(report.requirements),
      observations: cited(report.observations),
      exchanges: shown,
      timings,
    },
    records: renumbered,
  };
}

/** Changes the first exchange of a kind. */
function changed(
  { report, records }: Files,
  which: (exchange: ExchangeRecord) => boolean,
  change: (exchange: ExchangeRecord) => ExchangeRecord,
): Files {
  const first = records.find((each) => isExchange(each) && which(each));
  return { report, records: records.map((each) => (each === first ? change(each as ExchangeRecord) : each)) };
}

const withHead = ({ report, records }: Files, change: (head: HeadRecord) => HeadRecord): Files => ({
  report,
  records: records.map((each) => (each.kind === 'head' ? change(each) : each)),
});
const withRun = ({ report, records }: Files, run: Partial<Report['run']>): Files => ({
  report: { ...report, run: { ...report.run, ...run } },
  records,
});

/** Each is done to a run that has nothing to hide, so that nothing but the forgery is found. */
export const FORGERIES: readonly Forgery[] = [
  {
    what: 'one list is left out and all others are numbered anew',
    check: 'plan',
    found: /no list was asked for with limit=37/,
    forge: (files) => without(files, ({ ask }) => ask.path === '/pets?limit=37'),
  },
  {
    what: 'all requests without a key to one operation are left out',
    check: 'plan',
    found: /missing-key: passes in ".*", which was given no exchange/,
    forge: (files) =>
      without(files, ({ ask }) => ask.credential === 'none' && ask.operation === 'storeOrders'),
  },
  {
    what: 'a run that ended early is called complete',
    check: 'plan',
    found: /is in the plan of the suite, and the evidence has nothing of it about/,
    forge: ({ report, records }) => ({
      report,
      records: records.filter(
        (each) => (each.kind !== 'judgement' && each.kind !== 'demands') || (each.test ?? 0) < 300,
      ),
    }),
  },
  {
    what: 'a test that the suite does not have is put in',
    check: 'plan',
    found: /no test of the suite is called "all is well"/,
    forge: ({ report, records }) => ({
      report,
      records: [
        ...records,
        {
          kind: 'judgement',
          by: 'test',
          rule: 'all is well',
          requirement: 'errors.json',
          verdict: 'pass',
          case: null,
          exchanges: ['x1'],
          test: 1,
        },
      ],
    }),
  },
  {
    what: 'nothing after the tenth exchange counts',
    check: 'plan',
    found: /a line of the kind "end"/,
    forge: ({ report, records }) => ({
      report,
      records: [...records, { kind: 'end', last: 10, reason: { kind: 'decided' } }],
    }),
  },
  {
    what: 'the mark of the run is another, so that no animal is known',
    check: 'plan',
    found: /do not bear the mark cszzzzz/,
    forge: (files) =>
      withRun(
        withHead(files, (head) => ({ ...head, mark: 'cszzzzz' })),
        { id: 'cszzzzz' },
      ),
  },
  {
    what: 'an answer is called something that nobody looks into',
    check: 'plan',
    found: /x\d+ is called storeOrders, and is GET \/pets/,
    forge: (files) =>
      changed(files, isList, (each) => ({ ...each, ask: { ...each.ask, operation: 'storeOrders' } })),
  },
  {
    what: 'an answer is said to have held a secret',
    check: 'plan',
    found: /x\d+: a secret is said to be taken out/,
    forge: (files) =>
      changed(files, isList, (each) => ({
        ...each,
        response: { ...each.response!, body: { ...each.response!.body, redacted: true } },
      })),
  },
  {
    what: 'of an answer only the digest is left',
    check: 'plan',
    found: /x\d+: only the digest of a small body is kept/,
    forge: (files) =>
      changed(files, isList, (each) => ({
        ...each,
        response: { ...each.response!, body: { bytes: 900, sha256: 'c'.repeat(64), head: '', tail: '' } },
      })),
  },
  {
    what: 'an answer is moved to another time',
    check: 'plan',
    found: /x\d+ ended before/,
    forge: (files) =>
      changed(
        files,
        ({ id }) => id === 'x40',
        (each) => ({ ...each, begin: 0, end: 1 }),
      ),
  },
  {
    what: 'an answer of another day is put in',
    check: 'plan',
    found: /the time of x\d+ is not one of this run/,
    forge: (files) =>
      changed(
        files,
        ({ id }) => id === 'x40',
        (each) => ({ ...each, at: each.at - 86_400_000 }),
      ),
  },
  {
    what: 'the answer of a keyless request is made a success',
    check: 'evidence',
    found: /was answered 200, and no judgement says that it is broken/,
    forge: (files) =>
      changed(
        files,
        ({ ask, response }) =>
          ask.operation === 'listPets' &&
          ask.method === 'GET' &&
          ask.credential === 'none' &&
          response?.status === 401,
        (each) => ({ ...each, response: { ...each.response!, status: 200 } }),
      ),
  },
  {
    what: 'an animal is taken out of an answer to createPet',
    check: 'evidence',
    found: /x\d+/,
    forge: (files) =>
      changed(
        files,
        ({ ask, response }) => ask.operation === 'createPet' && response?.status === 201,
        (each) => ({ ...each, response: { ...each.response!, status: 400 } }),
      ),
  },
  {
    what: 'an exchange is invented',
    check: 'verdicts',
    found: /the report counts \d+ requests, the evidence \d+[^]*answers of \w+, the evidence \d+/,
    forge: ({ report, records }) => ({
      report,
      records: [
        ...records,
        {
          ...(records.findLast(isExchange) as ExchangeRecord),
          id: `x${records.filter(isExchange).length + 1}`,
        },
      ],
    }),
  },
  {
    what: 'the report shows a better answer than the evidence',
    check: 'verdicts',
    found: /x\d+: the report shows another exchange than the evidence/,
    forge: ({ report, records }) => ({
      report: {
        ...report,
        exchanges: report.exchanges.map((each, index) =>
          index === 0 ? { ...each, request: { ...each.request, path: '/pets?limit=1&more' } } : each,
        ),
      },
      records,
    }),
  },
  {
    what: 'the report names fewer animals than were added',
    check: 'verdicts',
    found: /animals added, and names|added an animal that the report does not name/,
    forge: ({ report, records }) => ({
      report: { ...report, footprint: report.footprint.slice(1) },
      records,
    }),
  },
  {
    what: 'the report claims another seed',
    check: 'verdicts',
    found: /report and evidence differ in how the run was made/,
    forge: (files) => withRun(files, { seeds: [1, 4] }),
  },
  {
    what: 'the report claims more generated input',
    check: 'verdicts',
    found: /report and evidence differ in how the run was made/,
    forge: (files) => withRun(files, { propertyRuns: 400 }),
  },
  {
    what: 'the report claims a crossing of everything',
    check: 'verdicts',
    found: /other pairs of credentials/,
    forge: (files) => withRun(files, { crossed: { asked: 228, all: 228 } }),
  },
  {
    what: 'the report is of another hour',
    check: 'verdicts',
    found: /was not sent while the run lasted/,
    forge: ({ report, records }) =>
      withRun(
        withHead({ report, records }, (head) => ({ ...head, clock: head.clock + 3_600_000 })),
        { startedAt: new Date(Date.parse(report.run.startedAt) + 3_600_000).toISOString() },
      ),
  },
  {
    what: 'the limits of the run are lower than the profile asks for',
    check: 'profile',
    found: /the run was limited to 300 requests/,
    forge: (files) => withRun(files, { limits: { ...files.report.run.limits, requests: 300 } }),
  },
];

/** The evidence as a file. */
export const lines = (records: readonly EvidenceRecord[]): string =>
  `${records.map((each) => JSON.stringify(each)).join('\n')}\n`;
