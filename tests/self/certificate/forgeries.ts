/** A vendor may change evidence by hand before it hands it in. It does not have the key of the issuer. */
import { writeCanonically, type EvidenceRecord, type HeadRecord } from '../../../fixtures/evidence/log.ts';
import type { ExchangeRecord } from '../../../fixtures/evidence/record.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { BEGIN, ISSUER, pair } from './certified.ts';

type Forge = (records: readonly EvidenceRecord[]) => readonly EvidenceRecord[];

/** Lists changes. Each stands under the pattern of the words that refuse it. */
const listChanges = <Change>(groups: Readonly<Record<string, Change | readonly Change[]>>) =>
  Object.entries(groups).flatMap(([words, changes]) =>
    [changes].flat().map((change) => ({ found: new RegExp(words), change: change as Change })),
  );

const DAY = 86_400_000;
const isExchange = (each: EvidenceRecord): each is ExchangeRecord => each.kind === 'exchange';
const isList = ({ ask, response }: ExchangeRecord) =>
  ask.operation === 'listPets' && ask.credential === 'key' && response?.status === 200;
const isOf = (id: string) => (each: ExchangeRecord) => each.id === id;

/** The evidence as a file. */
export const lines = (records: readonly EvidenceRecord[]): string =>
  records.map((each) => `${writeCanonically(each)}\n`).join('');

/** Changes the head. */
const head =
  (change: (head: HeadRecord) => Partial<HeadRecord>): Forge =>
  (records) =>
    records.map((each) => (each.kind === 'head' ? { ...each, ...change(each) } : each));

const target = (changes: Partial<HeadRecord['target']>): Forge =>
  head((each) => ({ target: { ...each.target, ...changes } }));
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
      if (each.kind === 'demands') return { ...each, asked: again(each.asked) };
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

/** Changes the first record of a kind. */
const firstOf =
  <Of extends EvidenceRecord>(
    isMeant: (record: EvidenceRecord) => record is Of,
    change: (record: Of) => object,
  ): Forge =>
  (records) => {
    const at = records.findIndex(isMeant);
    return records.with(at, { ...records[at], ...change(records[at] as Of) } as EvidenceRecord);
  };
type Judgement = EvidenceRecord & { kind: 'judgement' };
const judged = (which: (record: Judgement) => boolean, change: object) =>
  firstOf(
    (each): each is Judgement => each.kind === 'judgement' && which(each),
    () => change,
  );

const posed = (subject: string, keys = ISSUER) =>
  poseChallenge({ subject, runBy: 'vendor', now: BEGIN - 60_000, validFor: DAY }, keys.privateKey);

const ERROR = { text: '{"code":"forged","message":"it is so"}' };
const isWithKey = ({ ask }: ExchangeRecord) => ask.credential === 'key';
const isOwnAnimal = (each: ExchangeRecord) =>
  isWithKey(each) && each.ask.operation === 'createPet' && each.response?.status === 201;
const isKeylessList = ({ ask, response }: ExchangeRecord) =>
  ask.operation === 'listPets' &&
  ask.method === 'GET' &&
  ask.credential === 'none' &&
  response?.status === 401;
const NO_ANIMALS = { status: 200, body: { text: '[]' } };
/** Adds a judgement of a case that nobody judged. */
const judgement = (more: object) =>
  added(() => ({
    ...{ kind: 'judgement', by: 'rule', rule: 'all is well', requirement: 'errors.json', verdict: 'pass' },
    ...{ case: null, exchanges: ['x1'], ...more },
  }));
const RENEWED = { length: 20, hasLetters: true, caseMayNotMatter: true, singleCase: false };

/** Each is done to a run that has nothing to hide, so that nothing but the forgery is found. */
export const FORGERIES = listChanges<Forge>({
  'line 1: /target/baseUrl must match pattern': target({ baseUrl: 'https://me:it@vendor.example' }),
  'and the challenge was made for Rex Pets 2.3': target({
    subject: { name: 'rex-pets', version: '2.4.0', commit: null, url: null },
  }),
  'line 1: /settings/requestTimeout must be <= 600000': settings({ requestTimeout: 3_600_000 }),
  'not one of this issuer': head(() => ({ challenge: posed('Rex Pets 2.3', pair()) })),
  'the mark does not follow from the challenge': head(() => ({ challenge: posed('Rex Pets 2.3') })),
  'the wrong key of x\\d+ does not follow from the challenge': one(
    ({ ask }) => typeof ask.credential === 'object' && ask.credential.edits[0]?.edit === 'other',
    ({ ask }) => ({
      ask: { ...ask, credential: { scheme: 'Bearer', edits: [{ edit: 'other', seed: 4_097 }] } },
    }),
  ),
  'was not made in the time of the challenge': [moved(20 * DAY), moved(-20 * DAY)],
  'x40 was not sent in the time of the challenge': one(isOf('x40'), ({ at }) => ({ at: at - 30 * DAY })),
  'x40 ended before': one(isOf('x40'), () => ({ begin: 0, end: 1 })),
  'less than two minutes after': exchanges(
    ({ ask, begin }) => ask.unannounced === true && begin > 100_000,
    ({ begin, end, at }) => ({ begin: begin - 115_000, end: end - 115_000, at: at - 115_000 }),
  ),
  'no list was asked for with limit=37': renumbered(({ ask }) => ask.path === '/pets?limit=37'),
  'missing-key: passes in ".*", which was given no exchange': renumbered(
    ({ ask }) => ask.credential === 'none' && ask.operation === 'storeOrders',
  ),
  'get-pet\\.id-exact: passes in ".*", and nothing was sent for it': renumbered(
    ({ ask }) => ask.purpose === 'get-pet.id-exact',
  ),
  'is in the place of x\\d+': without((each) => isExchange(each) && each.id === 'x50'),
  'which was given no exchange': [
    renumbered(({ ask, begin }) => ask.unannounced === true && begin > 60_000),
    (records) =>
      records.map((each) => (each.kind === 'demands' ? { ...each, asked: [], demands: [] } : each)),
  ],
  'generated input of the seeds was not sent': renumbered(({ ask }) => /purpose|x-|unheard/.test(ask.path)),
  'in the plan of the suite, and the evidence has nothing of it': without(
    (each) => (each.kind === 'judgement' || each.kind === 'demands') && (each.test ?? 0) >= 300,
  ),
  'authentication.create-pet-missing-key fails: expected 401 with an Error': asked(isOwnAnimal, {
    credential: 'none',
  }),
  'key 2 takes the place of another one, and no request says that this had expired': added(
    () => ({ kind: 'key', from: 20, key: RENEWED }),
    3,
  ),
  'does not end with the end of the run': added(() => ({ kind: 'done', lagMs: null }), 5),
  'found now, not in the evidence': [
    without((each) => each.kind === 'judgement' && each.by === 'rule'),
    exchanges(
      ({ ask }) => ask.operation === 'listPets' && ask.path.length > 40,
      ({ ask }) => ({ ask: { ...ask, path: '/pets' } }),
    ),
  ],
  'no test of the suite is called "all is well"': judgement({ by: 'test', test: 1 }),
  ': in the evidence, not found now': judgement({}),
  'a line of the kind "end"': added(() => ({ kind: 'end', last: 10, reason: { kind: 'decided' } })),
  'more than one': added((records) => records[0], 1),
  'does not begin with its head': (records) => records.toReversed(),
  'authentication.every-request fails: expected 401 with an Error': answered(isKeylessList, NO_ANIMALS),
  'authentication.list-pets-missing-key fails: expected 401': answered(
    (each) => isKeylessList(each) && each.ask.unannounced === true,
    NO_ANIMALS,
  ),
  'deprecation.deprecation: fail by the rule': exchanges(
    ({ response }) => response !== null,
    ({ response }) => ({
      response: response && {
        ...response,
        headers: response.headers.map(([name, value]) => [name, name === 'Deprecation' ? 'true' : value]),
      },
    }),
  ),
  'list-pets.limit fails: expected at most one animal, received 2 animals': answered(
    ({ ask, response }) =>
      ask.path === '/pets?limit=1' && ask.credential === 'key' && response?.status === 200,
    { body: { text: '[{"id":1,"name":"a","categoryId":1},{"id":2,"name":"b","categoryId":1}]' } },
  ),
  'x\\d+: the evidence has only the digest of a small body': answered(isList, {
    body: { bytes: 900, sha256: 'c'.repeat(64), head: '', tail: '' },
  }),
  'x\\d+ is called storeOrders, and is GET \\/pets': asked(isList, { operation: 'storeOrders' }),
  'too little was asked as an ordinary client asks': exchanges(
    ({ ask }) => ask.unannounced === undefined,
    ({ ask }) => ({ ask: { ...ask, unannounced: true } }),
  ),
  'fails: expected a, received b': judged(
    ({ by, requirement }) => by === 'test' && requirement === 'list-pets.limit',
    { verdict: 'fail', case: { expected: 'a', received: 'b', pointer: null } },
  ),
  'authentication.challenge: fail by the rule': one(isList, ({ ask, response }) => ({
    ask: { ...ask, credential: 'none' },
    response: response && { ...response, status: 401, body: ERROR },
  })),
});

type Spell = (file: string) => string;

/** Changes of the spelling of the file: the lines, and the words of the refusal. */
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

// A machine changes every member of a document in every way that its kind of value allows.

/** A place in a document. */
interface Place {
  pointer: string;
  value: unknown;
}

/** All places in a value, the outer ones first. */
export function placesIn(value: unknown, pointer = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const own = `${pointer}/${name}`;
    return [{ pointer: own, value: each as unknown }, ...placesIn(each, own)];
  });
}

/** The changes of a value of each kind, by their names. */
const CHANGES = {
  string: (value: string) => ({
    ...{ emptied: '', longer: `${value}x`, cut: value.slice(0, -1), 'a number': value.length },
    'other letters': value.replace(/[a-z0-9]/g, (letter) => (letter === '7' ? '3' : '7')),
  }),
  number: (value: number) => ({
    more: value + 1,
    less: value - 1,
    large: 1e12,
    none: 0,
    'a text': `${value}`,
  }),
  boolean: (value: boolean) => ({ turned: !value, 'a text': `${value}`, null: null }),
  null: () => ({ 'a text': 'x', 'a number': 7, 'an object': {} }),
  array: (value: unknown[]) => ({
    ...{ emptied: [], cut: value.slice(1), doubled: [...value, ...value.slice(0, 1)] },
    'turned round': value.toReversed(),
  }),
  object: (value: object) => ({ emptied: {}, more: { ...value, more: 1 }, null: null }),
};
const kindOf = (value: unknown) => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object');
};

/** A document with one thing in it changed. */
interface Forged<T> {
  what: string;
  pointer: string;
  /** The document, made when it is needed: there are many. */
  make: () => T;
}

/** Every change of every place, and every place left out; those that change nothing are passed over. */
export function* forgeriesOf<T>(document: T): Generator<Forged<T>> {
  for (const { pointer, value } of placesIn(document)) {
    const changes: Record<string, unknown> = CHANGES[kindOf(value)](value as never);
    for (const [what, into] of Object.entries({ ...changes, 'left out': undefined }))
      if (JSON.stringify(into) !== JSON.stringify(value))
        yield { what, pointer, make: () => withPlace(document, pointer, into) };
  }
}

/** A copy in which a place has another value; undefined: it is left out. */
export function withPlace<T>(document: T, pointer: string, into: unknown): T {
  const copy: unknown = structuredClone(document);
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  const holder = names.reduce((value: unknown, name) => (value as Record<string, unknown>)[name], copy);
  const own = { value: into, enumerable: true, configurable: true, writable: true };
  // an assignment to __proto__ makes no member
  if (into !== undefined) Object.defineProperty(holder, last, own);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string, unknown>)[last];
  return copy as T;
}

/** Every so many-th of a list. */
export function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}
