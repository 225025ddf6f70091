/** Forgeries by hand: a vendor may change its evidence before it hands the evidence in. It does not have the issuer's key. */
import { writeCanonically, type EvidenceRecord, type HeadRecord } from '../../../fixtures/evidence/log.ts';
import type { ExchangeRecord } from '../../../fixtures/evidence/record.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { BEGIN, ISSUER, makeKeyPair } from './certifiable-runs.ts';

type IsMeant = (exchange: ExchangeRecord) => boolean;
type Change = (exchange: ExchangeRecord) => Partial<ExchangeRecord>;
/** Makes forged evidence of the records of a run. */
type Forge = (records: readonly EvidenceRecord[]) => readonly EvidenceRecord[];

/** Makes a row of each change: `{ 'more than one': [a, b] }` gives two rows. `found` is the pattern of the words that refuse it. */
const listChanges = <Edit>(groups: Readonly<Record<string, Edit | readonly Edit[]>>) =>
  Object.entries(groups).flatMap(([words, changes]) =>
    [changes].flat().map((change) => ({ found: new RegExp(words), change: change as Edit })),
  );

const DAY = 86_400_000;
/** A moment of a run, in milliseconds, inside its two quiet minutes, in which no request names the suite. */
const IN_QUIET = 100_000;
const isExchange = (each: EvidenceRecord): each is ExchangeRecord => each.kind === 'exchange';
const isKeyedList = ({ ask, response }: ExchangeRecord) =>
  ask.operation === 'listPets' && ask.credential === 'key' && response?.status === 200;
const hasId = (id: string) => (each: ExchangeRecord) => each.id === id;

export const writeEvidence = (records: readonly EvidenceRecord[]): string =>
  records.map((each) => `${writeCanonically(each)}\n`).join('');

/** Changes the first line, the head. */
const changeHead =
  (change: (head: HeadRecord) => Partial<HeadRecord>): Forge =>
  (records) =>
    records.map((each) => (each.kind === 'head' ? { ...each, ...change(each) } : each));

const changeTarget = (changes: Partial<HeadRecord['target']>): Forge =>
  changeHead((each) => ({ target: { ...each.target, ...changes } }));
const changeSettings = (changes: Partial<HeadRecord['settings']>): Forge =>
  changeHead((each) => ({ settings: { ...each.settings, ...changes } }));

/** Changes each exchange that is meant, or the first `most` of them. */
const changeExchanges =
  (isMeant: IsMeant, change: Change, most = Infinity): Forge =>
  (records) => {
    const meant = new Set<EvidenceRecord>(records.filter(isExchange).filter(isMeant).slice(0, most));
    return records.map((each) => (isExchange(each) && meant.has(each) ? { ...each, ...change(each) } : each));
  };

const changeFirst = (isMeant: IsMeant, change: Change) => changeExchanges(isMeant, change, 1);

/** Changes the answer of the first exchange that is meant. */
const changeAnswer = (isMeant: IsMeant, change: Partial<NonNullable<ExchangeRecord['response']>>) =>
  changeFirst(isMeant, ({ response }) => ({ response: response && { ...response, ...change } }));

const changeRequest = (isMeant: IsMeant, change: Partial<ExchangeRecord['ask']>) =>
  changeFirst(isMeant, ({ ask }) => ({ ask: { ...ask, ...change } }));

const leaveOut =
  (isLeftOut: (record: EvidenceRecord) => boolean): Forge =>
  (records) =>
    records.filter((each) => !isLeftOut(each));

/** Leaves out exchanges, numbers the others anew, and changes every record that names one of them. */
const leaveOutAndRenumber =
  (isLeftOut: (exchange: ExchangeRecord) => boolean): Forge =>
  (records) => {
    const kept = records.filter((each) => !isExchange(each) || !isLeftOut(each));
    const numbers = new Map(kept.filter(isExchange).map(({ id }, index) => [id, `x${index + 1}`]));
    const renumber = (ids: readonly string[]) => ids.flatMap((id) => numbers.get(id) ?? []);
    return kept.map((each): EvidenceRecord => {
      if (isExchange(each)) return { ...each, id: numbers.get(each.id) ?? '' };
      if (each.kind === 'judgement') return { ...each, exchanges: renumber(each.exchanges) };
      if (each.kind === 'sighting') return { ...each, evidence: renumber(each.evidence) };
      if (each.kind === 'demands') return { ...each, asked: renumber(each.asked) };
      return each;
    });
  };

/** Adds a record before the one at this index; -1: before the last one. */
const addLine =
  (make: (records: readonly EvidenceRecord[]) => unknown, at = -1): Forge =>
  (records) =>
    records.toSpliced(at, 0, make(records) as never);

/** Moves the whole run in time by this number of milliseconds. */
const moveInTime =
  (by: number): Forge =>
  (records) =>
    records.map((each) => {
      if (isExchange(each)) return { ...each, at: each.at + by };
      return each.kind === 'head' ? { ...each, clock: each.clock + by } : each;
    });

const changeFirstRecord =
  <Of extends EvidenceRecord>(
    isMeant: (record: EvidenceRecord) => record is Of,
    change: (record: Of) => object,
  ): Forge =>
  (records) => {
    const at = records.findIndex(isMeant);
    return records.with(at, { ...records[at], ...change(records[at] as Of) } as EvidenceRecord);
  };
type Judgement = EvidenceRecord & { kind: 'judgement' };
const changeJudgement = (isMeant: (record: Judgement) => boolean, change: object) =>
  changeFirstRecord(
    (each): each is Judgement => each.kind === 'judgement' && isMeant(each),
    () => change,
  );

/** Poses another challenge for this subject. Its nonce differs from that of the run. */
const poseAgain = (subject: string, keys = ISSUER) =>
  poseChallenge({ subject, runBy: 'vendor', now: BEGIN - 60_000, validFor: DAY }, keys.privateKey);

const ERROR = { text: '{"code":"forged","message":"it is so"}' };
/** True for the key as it is, in no other spelling of `Bearer`. */
const hasPlainKey = ({ ask }: ExchangeRecord) => ask.credential === 'key';
const isOwnAnimal = (each: ExchangeRecord) =>
  hasPlainKey(each) && each.ask.operation === 'createPet' && each.response?.status === 201;
const isKeylessList = ({ ask, response }: ExchangeRecord) =>
  ask.operation === 'listPets' &&
  ask.method === 'GET' &&
  ask.credential === 'none' &&
  response?.status === 401;
const NO_ANIMALS = { status: 200, body: { text: '[]' } };
const WELL = {
  kind: 'judgement',
  by: 'rule',
  rule: 'all is well',
  requirement: 'errors.json',
  verdict: 'pass',
};
/** Adds a judgement of a case that nobody judged. */
const addJudgement = (more: object) => addLine(() => ({ ...WELL, case: null, exchanges: ['x1'], ...more }));
/** The traits of a key that came into use during the run. */
const LATER_KEY = { length: 20, hasLetters: true, caseMayNotMatter: true, singleCase: false };

/**
 * Each forgery of a conforming run, under a pattern of the words that refuse it. Nothing else is wrong with the run. Example:
 * the list with limit=37 is left out, and the other exchanges are numbered anew. It is refused: `no list was asked for with limit=37`.
 */
export const FORGERIES = listChanges<Forge>({
  'line 1: /target/baseUrl must match pattern': changeTarget({ baseUrl: 'https://me:it@vendor.example' }),
  'and the challenge was made for Rex Pets 2.3': changeTarget({
    subject: { name: 'rex-pets', version: '2.4.0', commit: null, url: null },
  }),
  'line 1: /settings/requestTimeout must be <= 600000': changeSettings({ requestTimeout: 3_600_000 }),
  'not one of this issuer': changeHead(() => ({ challenge: poseAgain('Rex Pets 2.3', makeKeyPair()) })),
  'the mark does not follow from the challenge': changeHead(() => ({ challenge: poseAgain('Rex Pets 2.3') })),
  'the wrong key of x\\d+ does not follow from the challenge': changeFirst(
    ({ ask }) => typeof ask.credential === 'object' && ask.credential.edits[0]?.edit === 'other',
    ({ ask }) => ({
      ask: { ...ask, credential: { scheme: 'Bearer', edits: [{ edit: 'other', seed: 4_097 }] } },
    }),
  ),
  'was not made in the time of the challenge': [moveInTime(20 * DAY), moveInTime(-20 * DAY)],
  'x40 was not sent in the time of the challenge': changeFirst(hasId('x40'), ({ at }) => ({
    at: at - 30 * DAY,
  })),
  'x40 ended before': changeFirst(hasId('x40'), () => ({ begin: 0, end: 1 })),
  // The last lists, with no name of the suite, begin 120 s after the last request that names it. 115 s earlier is too soon.
  'less than two minutes after': changeExchanges(
    ({ ask, begin }) => ask.unannounced === true && begin > IN_QUIET,
    ({ begin, end, at }) => ({ begin: begin - 115_000, end: end - 115_000, at: at - 115_000 }),
  ),
  'no list was asked for with limit=37': leaveOutAndRenumber(({ ask }) => ask.path === '/pets?limit=37'),
  'missing-key: passes in ".*", which was given no exchange': leaveOutAndRenumber(
    ({ ask }) => ask.credential === 'none' && ask.operation === 'storeOrders',
  ),
  'get-pet\\.id-exact: passes in ".*", and nothing was sent for it': leaveOutAndRenumber(
    ({ ask }) => ask.purpose === 'get-pet.id-exact',
  ),
  'is in the place of x\\d+': leaveOut((each) => isExchange(each) && each.id === 'x50'),
  'which was given no exchange': [
    leaveOutAndRenumber(({ ask, begin }) => ask.unannounced === true && begin > IN_QUIET),
    (records) => records.map((each) => (each.kind === 'demands' ? { ...each, asked: [] } : each)),
  ],
  // The check allows a few missing paths, because nobody recognizes a request in which a secret was replaced. So many are left out here.
  'generated input of the seeds was not sent': leaveOutAndRenumber(({ ask }) =>
    /purpose|x-|unheard/.test(ask.path),
  ),
  'in the plan of the suite, and the evidence has nothing of it': leaveOut(
    (each) => (each.kind === 'judgement' || each.kind === 'demands') && (each.test ?? 0) >= 300, // the last tests of the run
  ),
  'key 2 takes the place of another one, and no request says that this had expired': addLine(
    () => ({ kind: 'key', from: 20, key: LATER_KEY }),
    3,
  ),
  'does not end with the end of the run': addLine(() => ({ kind: 'done', lagMs: null }), 5),
  'found now, not in the evidence': [
    leaveOut((each) => each.kind === 'judgement' && each.by === 'rule'),
    changeExchanges(
      ({ ask }) => ask.operation === 'listPets' && ask.path.length > 40,
      ({ ask }) => ({ ask: { ...ask, path: '/pets' } }),
    ),
  ],
  'no test of the suite is called "all is well"': addJudgement({ by: 'test', test: 1 }),
  ': in the evidence, not found now': addJudgement({}),
  'a line of the kind "end"': addLine(() => ({ kind: 'end', last: 10, reason: { kind: 'decided' } })),
  'more than one': addLine((records) => records[0], 1),
  'does not begin with its head': (records) => records.toReversed(),
  'authentication.every-request fails: expected 401 with an Error': changeRequest(isOwnAnimal, {
    credential: 'none',
  }),
  'authentication.list-pets-missing-key fails: expected 401 with an Error': [
    changeAnswer(isKeylessList, NO_ANIMALS),
    changeAnswer((each) => isKeylessList(each) && each.ask.unannounced === true, NO_ANIMALS),
  ],
  'deprecation.deprecation: fail by the rule': changeExchanges(
    ({ response }) => response !== null,
    ({ response }) => ({
      response: response && {
        ...response,
        headers: response.headers.map(([name, value]) => [name, name === 'Deprecation' ? 'true' : value]),
      },
    }),
  ),
  'list-pets.limit fails: expected at most one animal, received 2 animals': changeAnswer(
    ({ ask, response }) =>
      ask.path === '/pets?limit=1' && ask.credential === 'key' && response?.status === 200,
    { body: { text: '[{"id":1,"name":"a","categoryId":1},{"id":2,"name":"b","categoryId":1}]' } },
  ),
  'x\\d+: the evidence has only the digest of a small body': changeAnswer(isKeyedList, {
    body: { bytes: 900, sha256: 'c'.repeat(64), head: '', tail: '' },
  }),
  'x\\d+ is called storeOrders, and is GET \\/pets': changeRequest(isKeyedList, { operation: 'storeOrders' }),
  // Now no request names the suite, so none counts as sent between requests that do.
  'too little was asked as an ordinary client asks': changeExchanges(
    ({ ask }) => ask.unannounced === undefined,
    ({ ask }) => ({ ask: { ...ask, unannounced: true } }),
  ),
  'fails: expected a, received b': changeJudgement(
    ({ by, requirement }) => by === 'test' && requirement === 'list-pets.limit',
    { verdict: 'fail', case: { expected: 'a', received: 'b', pointer: null } },
  ),
  'authentication.challenge: fail by the rule': changeFirst(isKeyedList, ({ ask, response }) => ({
    ask: { ...ask, credential: 'none' },
    response: response && { ...response, status: 401, body: ERROR },
  })),
});

type Spell = (file: string) => string;

/** Other spellings of the same records, by the words that refuse them. */
export const SPELLINGS = listChanges<Spell>({
  'line 2: it is not JSON': (file) => file.replace('\n', '\n\n'),
  'line \\d+: it is not JSON': (file) => `${file}\n`,
  'its last line has no end': (file) => file.slice(0, -1),
  'line 1 is not spelled': [
    (file) => file.replace(',"clock"', ', "clock"'),
    (file) => file.replace(/("claimed":\[\]),("clock":\d+)/, '$2,$1'),
    (file) => file.replace('"window":15000', '"window":1.5e4'),
    (file) => `\ufeff${file}`,
  ],
  'line 1: \\/kind is there twice': (file) => file.replace('"kind":"head"', '"kind":"head","kind":"head"'),
  'line 1: .*"zeal"': (file) => file.replace('}\n', ',"zeal":1}\n'),
  'line \\d+: .*"zeal"': (file) => file.replace(/("traceId":"[0-9a-f]{32}")\}\n/, '$1,"zeal":1}\n'),
  'does not begin with its head': () => '',
});
