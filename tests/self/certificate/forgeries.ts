/** What a vendor may change by hand in the evidence of a run before it hands it in, without the key of the issuer. */
import { spelled, type EvidenceRecord, type HeadRecord } from '../../../fixtures/evidence/log.ts';
import type { ExchangeRecord } from '../../../fixtures/evidence/record.ts';
import { pose } from '../../../reports/certificate/signed/challenge.ts';
import { BEGIN, ISSUER, pair } from './certified-run.ts';

/** One forgery: what was done, and in which words it is refused. */
interface Forgery {
  what: string;
  found: RegExp;
  forge: (records: readonly EvidenceRecord[]) => readonly EvidenceRecord[];
}

type Forge = Forgery['forge'];

const DAY = 86_400_000;
const isExchange = (each: EvidenceRecord): each is ExchangeRecord => each.kind === 'exchange';
const isList = ({ ask, response }: ExchangeRecord) =>
  ask.operation === 'listPets' && ask.credential === 'key' && response?.status === 200;
const isOf = (id: string) => (each: ExchangeRecord) => each.id === id;

/** The evidence as a file. */
export const lines = (records: readonly EvidenceRecord[]): string =>
  records.map((each) => `${spelled(each)}\n`).join('');

/** Changes the head. */
const head =
  (change: (head: HeadRecord) => Partial<HeadRecord>): Forge =>
  (records) =>
    records.map((each) => (each.kind === 'head' ? { ...each, ...change(each) } : each));

const settings = (changes: Partial<HeadRecord['settings']>): Forge =>
  head((each) => ({ settings: { ...each.settings, ...changes } }));

/** Changes every exchange of a kind; `most`: the first ones only. */
const exchanges =
  (
    which: (exchange: ExchangeRecord) => boolean,
    change: (exchange: ExchangeRecord) => Partial<ExchangeRecord>,
    most = Infinity,
  ): Forge =>
  (records) => {
    let left = most;
    return records.map((each) =>
      isExchange(each) && which(each) && left-- > 0 ? { ...each, ...change(each) } : each,
    );
  };

const one = (
  which: (exchange: ExchangeRecord) => boolean,
  change: (exchange: ExchangeRecord) => Partial<ExchangeRecord>,
) => exchanges(which, change, 1);

const answered = (
  which: (exchange: ExchangeRecord) => boolean,
  change: Partial<NonNullable<ExchangeRecord['response']>>,
) => one(which, ({ response }) => ({ response: response && { ...response, ...change } }));

const asked = (which: (exchange: ExchangeRecord) => boolean, change: Partial<ExchangeRecord['ask']>) =>
  one(which, ({ ask }) => ({ ask: { ...ask, ...change } }));

/** Leaves out lines. */
const without =
  (leaves: (record: EvidenceRecord) => boolean): Forge =>
  (records) =>
    records.filter((each) => !leaves(each));

/** Leaves out some exchanges, numbers the others anew, and lets everything that named them name them by their new number. */
const renumbered =
  (leaves: (exchange: ExchangeRecord) => boolean): Forge =>
  (records) => {
    const kept = records.filter((each) => !isExchange(each) || !leaves(each));
    const numbers = new Map(kept.filter(isExchange).map(({ id }, index) => [id, `x${index + 1}`]));
    const again = (ids: readonly string[]) => ids.flatMap((id) => numbers.get(id) ?? []);
    return kept.map((each): EvidenceRecord => {
      if (isExchange(each)) return { ...each, id: numbers.get(each.id) ?? '' };
      if (each.kind === 'judgement') return { ...each, exchanges: again(each.exchanges) };
      if (each.kind === 'sighting') return { ...each, evidence: again(each.evidence) };
      if (each.kind === 'demands')
        return {
          ...each,
          asked: again(each.asked),
          demands: each.demands.flatMap((demand) => again([demand.of]).map((of) => ({ ...demand, of }))),
        };
      return each;
    });
  };

const added =
  (make: (records: readonly EvidenceRecord[]) => unknown, at = -1): Forge =>
  (records) =>
    records.toSpliced(at, 0, make(records) as never);

const moved =
  (by: number): Forge =>
  (records) =>
    records.map((each) => {
      if (isExchange(each)) return { ...each, at: each.at + by };
      return each.kind === 'head' ? { ...each, clock: each.clock + by } : each;
    });

const judged = (
  which: (record: EvidenceRecord & { kind: 'judgement' }) => boolean,
  change: object,
): Forge => {
  return (records) => {
    let isDone = false;
    return records.map((each) => {
      if (isDone || each.kind !== 'judgement' || !which(each)) return each;
      isDone = true;
      return { ...each, ...change };
    });
  };
};

const posed = (subject: string, keys = ISSUER, now = BEGIN - 60_000, validFor = DAY) =>
  pose({ subject, runBy: 'vendor', now, validFor }, keys.privateKey);

const ERROR = { text: '{"code":"forged","message":"it is so"}' };
const isWithKey = ({ ask }: ExchangeRecord) => ask.credential === 'key';
const isRead = (each: ExchangeRecord) =>
  isWithKey(each) && each.ask.operation === 'getPet' && each.response?.status === 200;
const isOwnAnimal = (each: ExchangeRecord) =>
  isWithKey(each) && each.ask.operation === 'createPet' && each.response?.status === 201;
/** One that a test asks for: without an answer to one of the others the run knows less, and says nothing false. */
const isBadBody = (each: ExchangeRecord) =>
  isWithKey(each) &&
  each.ask.operation === 'createPet' &&
  each.ask.purpose !== undefined &&
  each.response?.status === 400;
const isFullList = (each: ExchangeRecord) => isList(each) && textOf(each).length > 200;
const textOf = ({ response }: ExchangeRecord) =>
  response !== null && 'text' in response.body ? response.body.text : '';

/** Changes the text of one answer. */
const changed = (which: (exchange: ExchangeRecord) => boolean, part: RegExp, by: string): Forge =>
  one(which, (each) => ({
    response: each.response && { ...each.response, body: { text: textOf(each).replace(part, by) } },
  }));

/** Each is done to a run that has nothing to hide, so that nothing but the forgery is found. */
export const FORGERIES: readonly Forgery[] = [
  // what was judged, and how
  {
    what: 'the embedded reference is judged',
    found: /the reference was judged/,
    forge: head(({ target }) => ({ target: { ...target, embedded: true } })),
  },
  {
    what: 'the address is none',
    found: /address that was judged is none/,
    forge: head(({ target }) => ({ target: { ...target, baseUrl: 'vendor' } })),
  },
  {
    what: 'the address ends with a slash',
    found: /address that was judged is none/,
    forge: head(({ target }) => ({ target: { ...target, baseUrl: 'https://vendor.example/' } })),
  },
  {
    what: 'the address holds credentials',
    found: /address that was judged is none/,
    forge: head(({ target }) => ({ target: { ...target, baseUrl: 'https://me:it@vendor.example' } })),
  },
  {
    what: 'the address is a script',
    found: /address that was judged is none/,
    forge: head(({ target }) => ({ target: { ...target, baseUrl: 'javascript:1' } })),
  },
  {
    what: 'another version of the suite ran',
    found: /made by version 9\.9\.9/,
    forge: head(() => ({ suite: '9.9.9' })),
  },
  {
    what: 'no profile',
    found: /not made under the certification profile/,
    forge: settings({ profile: null }),
  },
  {
    what: 'another profile',
    found: /not made under the certification profile/,
    forge: settings({ profile: 'lenient' }),
  },
  { what: 'a window of 10^12 ms', found: /not given 15 seconds/, forge: head(() => ({ window: 1e12 })) },
  { what: 'a window of nothing', found: /not given 15 seconds/, forge: head(() => ({ window: 0 })) },
  { what: 'the run only read', found: /the run only read/, forge: settings({ mode: 'read-only' }) },
  { what: 'one generated input', found: /not 200 generated inputs/, forge: settings({ propertyRuns: 1 }) },
  {
    what: 'more generated input than there was',
    found: /not 200 generated inputs/,
    forge: settings({ propertyRuns: 400 }),
  },
  { what: 'few requests', found: /not limited to 3000 requests/, forge: settings({ maxRequests: 300 }) },
  {
    what: 'no end of requests',
    found: /not limited to 3000 requests/,
    forge: settings({ maxRequests: 1e9 }),
  },
  { what: 'few animals', found: /limited to other than 150 animals/, forge: settings({ maxAnimals: 5 }) },
  { what: 'no wrong keys', found: /not limited to 60 wrong keys/, forge: settings({ maxWrongKeys: 0 }) },
  {
    what: 'marked names only',
    found: /what names and clients may be/,
    forge: settings({ markedNamesOnly: true }),
  },
  { what: 'strict', found: /counted as a failure/, forge: settings({ strict: true }) },
  { what: 'a pace of nothing', found: /no run has such a pace/, forge: settings({ maxInFlight: 0 }) },
  {
    what: 'an hour for each request',
    found: /no run has such a pace/,
    forge: settings({ requestTimeout: 3_600_000 }),
  },
  {
    what: 'one request at a time',
    found: /was sent beside more others than may be under way/,
    forge: settings({ maxInFlight: 1 }),
  },
  {
    what: 'a request for nothing that anybody asks about',
    found: /which nobody asks about/,
    forge: asked(isList, { purpose: 'list-pets.all-is-well' }),
  },
  { what: 'incognito', found: /what names and clients may be/, forge: settings({ incognito: true }) },
  // the challenge
  { what: 'no challenge', found: /answers no challenge/, forge: head(() => ({ challenge: null })) },
  {
    what: 'a challenge that is none',
    found: /not one of this issuer/,
    forge: head(() => ({ challenge: '{}' })),
  },
  {
    what: 'a challenge of the vendor',
    found: /not one of this issuer/,
    forge: head(() => ({ challenge: posed('Rex Pets 2.3', pair()) })),
  },
  {
    what: 'a later challenge for the same evidence',
    found: /the mark does not follow from the challenge/,
    forge: head(() => ({ challenge: posed('Rex Pets 2.3') })),
  },
  {
    what: 'a challenge that ended before the run',
    found: /not made in the time of the challenge|was not sent in the time/,
    forge: head(() => ({ challenge: posed('Rex Pets 2.3', ISSUER, BEGIN - 9 * DAY) })),
  },
  {
    what: 'seeds of the vendor',
    found: /not drawn from the seeds of the challenge/,
    forge: settings({ seeds: [1, 2] }),
  },
  { what: 'one seed', found: /does not come from two seeds/, forge: settings({ seeds: [1] }) },
  {
    what: 'seeds in another order',
    found: /not drawn from the seeds of the challenge/,
    forge: head(({ settings: own }) => ({ settings: { ...own, seeds: own.seeds?.toReversed() ?? [] } })),
  },
  {
    what: 'another mark',
    found: /the mark does not follow from the challenge/,
    forge: head(() => ({ mark: 'cszzzzz' })),
  },
  {
    what: 'no mark',
    found: /the mark does not follow from the challenge/,
    forge: head(() => ({ mark: '' })),
  },
  {
    what: 'wrong keys of every run',
    found: /the wrong key of x\d+ does not follow from the challenge/,
    forge: exchanges(
      ({ ask }) => typeof ask.credential === 'object',
      ({ ask }) => ({
        ask: { ...ask, credential: { scheme: 'Bearer', edits: [{ edit: 'other', seed: 1 }] } },
      }),
    ),
  },
  {
    what: 'one wrong key of another run',
    found: /the wrong key of x\d+ does not follow from the challenge/,
    forge: one(
      ({ ask }) => typeof ask.credential === 'object' && ask.credential.edits[0]?.edit === 'other',
      ({ ask }) => ({
        ask: { ...ask, credential: { scheme: 'Bearer', edits: [{ edit: 'other', seed: 4_097 }] } },
      }),
    ),
  },
  // time
  {
    what: 'all times are moved by 20 days',
    found: /not made in the time of the challenge/,
    forge: moved(20 * DAY),
  },
  {
    what: 'all times are moved back by 20 days',
    found: /not made in the time of the challenge/,
    forge: moved(-20 * DAY),
  },
  {
    what: 'the clock alone is moved',
    found: /not of the time at which the run began/,
    forge: head(({ clock }) => ({ clock: clock + 3_600_000 })),
  },
  {
    what: 'an answer of another day',
    found: /x40 was not sent in the time|the time of x40/,
    forge: one(isOf('x40'), ({ at }) => ({ at: at - 30 * DAY })),
  },
  {
    what: 'an answer is moved to another time',
    found: /x40 ended before/,
    forge: one(isOf('x40'), () => ({ begin: 0, end: 1 })),
  },
  {
    what: 'an answer ends before its request',
    found: /x40 ended before it began/,
    forge: one(isOf('x40'), ({ begin }) => ({ end: begin - 1 })),
  },
  {
    what: 'the two minutes are left out',
    found: /less than two minutes after/,
    forge: exchanges(
      ({ ask, begin }) => ask.unannounced === true && begin > 100_000,
      ({ begin, end, at }) => ({ begin: begin - 115_000, end: end - 115_000, at: at - 115_000 }),
    ),
  },
  // what was left out
  {
    what: 'one list, all others numbered anew',
    found: /no list was asked for with limit=37/,
    forge: renumbered(({ ask }) => ask.path === '/pets?limit=37'),
  },
  {
    what: 'all requests without a key to one operation',
    found: /missing-key: passes in ".*", which was given no exchange/,
    forge: renumbered(({ ask }) => ask.credential === 'none' && ask.operation === 'storeOrders'),
  },
  {
    what: 'an exchange, and no other number',
    found: /is in the place of x\d+/,
    forge: without((each) => isExchange(each) && each.id === 'x50'),
  },
  {
    what: 'all that is unannounced',
    found: /too little was asked as an ordinary client asks|given no exchange/,
    forge: renumbered(({ ask }) => ask.unannounced === true),
  },
  {
    what: 'all that is asked after two minutes',
    found: /too little was asked after two minutes|given no exchange/,
    forge: renumbered(({ ask, begin }) => ask.unannounced === true && begin > 60_000),
  },
  {
    what: 'a generated body',
    found: /generated input of the seeds was not sent/,
    forge: (records) => {
      const body = records.filter(isExchange).find(
        ({ ask }) =>
          ask.operation === 'createPet' &&
          ask.body !== null &&
          'text' in ask.body &&
          /"name":"cs\w{5}b[a-z]+"/.test(ask.body.text) &&
          // which category a store has does not follow from the seeds
          !/"categoryId":-?\d/.test(ask.body.text),
      );
      return renumbered(({ id }) => id === body?.id)(records);
    },
  },
  {
    what: 'generated queries',
    found: /generated input of the seeds was not sent/,
    forge: renumbered(({ ask }) => /purpose|x-|unheard/.test(ask.path)),
  },
  {
    what: 'tests from the 300th on',
    found: /in the plan of the suite, and the evidence has nothing of it/,
    forge: without(
      (each) => (each.kind === 'judgement' || each.kind === 'demands') && (each.test ?? 0) >= 300,
    ),
  },
  {
    what: 'all judgements',
    found: /in the plan of the suite, and the evidence has nothing of it/,
    forge: without(({ kind }) => kind === 'judgement'),
  },
  {
    what: 'all judgements of the second asking',
    found: /in the plan of the suite, and the evidence has nothing of it/,
    forge: without((each) => each.kind === 'judgement' && each.rule.includes('not announced')),
  },
  {
    what: 'what passes is given no exchange',
    found: /which was given no exchange/,
    forge: (records) =>
      records.map((each) => (each.kind === 'demands' ? { ...each, asked: [], demands: [] } : each)),
  },
  {
    what: 'the last line',
    found: /does not end with the end of the run/,
    forge: without(({ kind }) => kind === 'done'),
  },
  {
    what: 'all behind the middle',
    found: /does not end with the end of the run/,
    forge: (records) => records.slice(0, records.length / 2),
  },
  {
    what: 'findings of rules',
    found: /found now, not in the evidence/,
    forge: without((each) => each.kind === 'judgement' && each.by === 'rule'),
  },
  {
    what: 'a pass that rests on what its test was not given',
    found: /which it was not given/,
    forge: judged(({ by, verdict }) => by === 'test' && verdict === 'pass', { exchanges: ['x2'] }),
  },
  {
    what: 'a judgement of another test',
    found: /are not next to each other/,
    forge: judged(({ test = 0 }) => test > 100, { test: 99 }),
  },
  {
    what: 'an observation that nobody asks about',
    found: /nobody asks about zoo\.keeps/,
    forge: (records) =>
      records.map((each) => (each.kind === 'sighting' ? { ...each, silence: 'zoo.keeps' as never } : each)),
  },
  // what was put in
  {
    what: 'a test that the suite does not have',
    found: /no test of the suite is called "all is well"/,
    forge: added(() => ({
      kind: 'judgement',
      by: 'test',
      rule: 'all is well',
      requirement: 'errors.json',
      verdict: 'pass',
      case: null,
      exchanges: ['x1'],
      test: 1,
    })),
  },
  {
    what: 'a rule that the suite does not have',
    found: /: in the evidence, not found now/,
    forge: added(() => ({
      kind: 'judgement',
      by: 'rule',
      rule: 'all is well',
      requirement: 'errors.json',
      verdict: 'pass',
      case: null,
      exchanges: ['x1'],
    })),
  },
  {
    what: 'an end',
    found: /a line of the kind "end"/,
    forge: added(() => ({ kind: 'end', last: 10, reason: { kind: 'decided' } })),
  },
  { what: 'a line of no kind', found: /a line of the kind "note"/, forge: added(() => ({ kind: 'note' })) },
  { what: 'a second head', found: /more than one/, forge: added((records) => records[0], 1) },
  {
    what: 'a second end',
    found: /does not end with the end of the run/,
    forge: added(() => ({ kind: 'done', lagMs: null }), 5),
  },
  {
    what: 'an exchange twice',
    found: /is in the place of x\d+/,
    forge: added((records) => records.find(isExchange), 3),
  },
  {
    what: 'a head that is not first',
    found: /does not begin with its head/,
    forge: (records) => records.toReversed(),
  },
  // what came
  {
    what: 'a keyless request is answered with success',
    found: /is refused as documented.*found now, not in the evidence|does not meet a demand/,
    forge: answered(
      ({ ask, response }) =>
        ask.operation === 'listPets' &&
        ask.method === 'GET' &&
        ask.credential === 'none' &&
        response?.status === 401,
      { status: 200, body: { text: '[]' } },
    ),
  },
  {
    what: 'an unannounced keyless request is answered with success',
    found: /does not meet a demand|found now, not in the evidence/,
    forge: answered(
      ({ ask, response }) =>
        ask.unannounced === true && ask.credential === 'none' && response?.status === 401,
      { status: 200, body: { text: '[]' } },
    ),
  },
  {
    what: 'an animal was not added',
    found: /x\d+/,
    forge: answered(({ ask, response }) => ask.operation === 'createPet' && response?.status === 201, {
      status: 400,
    }),
  },
  {
    what: 'a list is longer than its limit',
    found: /found now, not in the evidence|does not meet/,
    forge: answered(
      ({ ask, response }) =>
        ask.path === '/pets?limit=1' && ask.credential === 'key' && response?.status === 200,
      { body: { text: '[{"id":1,"name":"a","categoryId":1},{"id":2,"name":"b","categoryId":1}]' } },
    ),
  },
  {
    what: 'a list is no JSON',
    found: /found now, not in the evidence|does not meet/,
    forge: answered(isList, { body: { text: '[' } }),
  },
  {
    what: 'a list is of another type',
    found: /found now, not in the evidence|does not meet/,
    forge: answered(isList, { headers: [['Content-Type', 'text/html']] }),
  },
  {
    what: 'a server error',
    found: /found now, not in the evidence|does not meet/,
    forge: answered(isList, { status: 500 }),
  },
  {
    what: 'an answer is said to have held a secret',
    found: /x\d+: a secret is said to be taken out/,
    forge: one(isList, ({ response }) => ({
      response: response && { ...response, body: { ...response.body, redacted: true } },
    })),
  },
  {
    what: 'of an answer only the digest is left',
    found: /x\d+: the evidence has only the digest of a small body/,
    forge: answered(isList, { body: { bytes: 900, sha256: 'c'.repeat(64), head: '', tail: '' } }),
  },
  {
    what: 'an answer is called something that nobody looks into',
    found: /x\d+ is called storeOrders, and is GET \/pets/,
    forge: asked(isList, { operation: 'storeOrders' }),
  },
  {
    what: 'a list is called other',
    found: /x\d+ is called other/,
    forge: asked(isList, { operation: 'other' }),
  },
  {
    what: 'a request without a key is said to bear it',
    found: /./,
    forge: asked(
      ({ ask, response }) =>
        ask.credential === 'none' && ask.operation === 'listPets' && response?.status === 401,
      { credential: 'key' },
    ),
  },
  {
    what: 'a generated query is another',
    found: /found now, not in the evidence/,
    forge: exchanges(
      ({ ask }) => ask.operation === 'listPets' && ask.path.length > 40,
      ({ ask }) => ({ ask: { ...ask, path: '/pets' } }),
    ),
  },
  {
    what: 'the pause is said to be unannounced',
    found: /./,
    forge: exchanges(
      ({ ask }) => ask.unannounced === undefined,
      ({ ask }) => ({ ask: { ...ask, unannounced: true } }),
    ),
  },
  // what was judged
  {
    what: 'a demand is said not to be met',
    found: /meets a demand that is recorded as not met/,
    forge: (records) => {
      let isDone = false;
      return records.map((each) => {
        if (isDone || each.kind !== 'demands' || each.demands.length === 0) return each;
        isDone = true;
        return { ...each, demands: each.demands.map((demand) => ({ ...demand, unmet: true as const })) };
      });
    },
  },
  {
    what: 'a demand on an exchange that is not there',
    found: /which is not in the evidence/,
    forge: (records) => {
      let isDone = false;
      return records.map((each) => {
        if (isDone || each.kind !== 'demands' || each.demands.length === 0) return each;
        isDone = true;
        return { ...each, demands: each.demands.map((demand) => ({ ...demand, of: 'x99999' })) };
      });
    },
  },
  {
    what: 'a judgement rests on what is not there',
    found: /rests on x99999, which is not in the evidence/,
    forge: judged(() => true, { exchanges: ['x99999'] }),
  },
  {
    what: 'a pass of another requirement',
    found: /the evidence has nothing of it about/,
    forge: judged(({ by, verdict }) => by === 'test' && verdict === 'pass', { requirement: 'errors.json' }),
  },
  {
    what: 'a must that fails',
    found: /fails: expected a, received b/,
    forge: judged(({ by, requirement }) => by === 'test' && requirement === 'list-pets.limit', {
      verdict: 'fail',
      case: { expected: 'a', received: 'b', pointer: null },
    }),
  },
  {
    what: 'a must that is undecided',
    found: /is undecided|is judged in part/,
    forge: judged(({ by, requirement }) => by === 'test' && requirement === 'list-pets.limit', {
      verdict: 'left-out',
      case: { reason: { kind: 'budget', variable: 'MAX_REQUESTS', limit: 3 } },
    }),
  },
  // what came, so that a broken promise looks like bad luck
  {
    what: 'a refusal of the key is said to be of a request without it',
    found: /x\d+/,
    forge: one(isList, ({ ask, response }) => ({
      ask: { ...ask, credential: 'none' },
      response: response && { ...response, status: 401, body: ERROR },
    })),
  },
  {
    what: 'an animal has two identifiers',
    found: /x\d+/,
    forge: changed(isOwnAnimal, /"id":\d+/, '"id":77'),
  },
  {
    what: 'an animal has another name in one list',
    found: /x\d+/,
    forge: changed(isFullList, /"name":"[^"]*"/, '"name":"Rex"'),
  },
  {
    what: 'an error has lost its message',
    found: /x\d+/,
    forge: changed(isBadBody, /"message":"[^"]*"/, '"message":null'),
  },
  {
    what: 'a refusal is said to have had no answer',
    found: /x\d+/,
    forge: one(isBadBody, () => ({
      response: null,
      error: { kind: 'timeout', message: 'no answer', arrived: false },
    })),
  },
  {
    what: 'a list is said to be put off',
    found: /x\d+/,
    forge: answered(isList, { status: 429, headers: [['Retry-After', '1']], body: ERROR }),
  },
  {
    what: 'a getPet is said to follow a deletion',
    found: /x\d+/,
    forge: answered(isRead, { status: 404, body: ERROR }),
  },
  {
    what: 'a body that was refused is said to be taken',
    found: /x\d+/,
    forge: answered(isBadBody, { status: 201, body: { text: '{"id":77,"name":"Rex","categoryId":1}' } }),
  },
  {
    what: 'orders are said to be served without the key',
    found: /x\d+/,
    forge: answered(({ ask }) => ask.operation === 'storeOrders' && ask.credential === 'none', {
      status: 200,
      body: { text: '[]' },
    }),
  },
  {
    what: 'what was read is said to be of another animal',
    found: /x\d+/,
    forge: asked(isRead, { path: '/pets/1' }),
  },
];

/** What a vendor may do to the spelling of the file: the lines, and in which words it is refused. */
export const SPELLINGS: readonly { what: string; found: RegExp; spell: (file: string) => string }[] = [
  { what: 'a blank line', found: /line 2: it is not JSON/, spell: (file) => file.replace('\n', '\n\n') },
  { what: 'a blank line at the end', found: /line \d+: it is not JSON/, spell: (file) => `${file}\n` },
  { what: 'no end of the last line', found: /its last line has no end/, spell: (file) => file.slice(0, -1) },
  {
    what: 'blanks between members',
    found: /line 1 is not spelled/,
    spell: (file) => file.replace(',"clock"', ', "clock"'),
  },
  {
    what: 'members in another order',
    found: /line 1 is not spelled/,
    spell: (file) => file.replace(/("claimed":\[\]),("clock":\d+)/, '$2,$1'),
  },
  {
    what: 'a member twice',
    found: /line 1: \/kind is there twice/,
    spell: (file) => file.replace('"kind":"head"', '"kind":"head","kind":"head"'),
  },
  {
    what: 'an unknown member of the head',
    found: /line 1: .*"zeal"/,
    spell: (file) => file.replace('}\n', ',"zeal":1}\n'),
  },
  {
    what: 'an unknown member of an exchange',
    found: /line \d+: .*"zeal"/,
    spell: (file) => file.replace(/("traceId":"[0-9a-f]{32}")\}\n/, '$1,"zeal":1}\n'),
  },
  {
    what: 'a letter as an escape',
    found: /line 1 is not spelled/,
    spell: (file) => file.replace('"head"', '"he\\u0061d"'),
  },
  {
    what: 'a number with a fraction of nothing',
    found: /line 1 is not spelled/,
    spell: (file) => file.replace('"window":15000', '"window":15000.0'),
  },
  {
    what: 'a number with an exponent',
    found: /line 1 is not spelled/,
    spell: (file) => file.replace('"window":15000', '"window":1.5e4'),
  },
  {
    what: 'ends of lines as elsewhere',
    found: /line 1 is not spelled/,
    spell: (file) => file.replaceAll('\n', '\r\n'),
  },
  {
    what: 'a byte order mark',
    found: /line 1 is not spelled|it is not JSON/,
    spell: (file) => `\ufeff${file}`,
  },
  { what: 'nothing', found: /./, spell: () => '' },
  { what: 'one end of a line', found: /./, spell: () => '\n' },
];
