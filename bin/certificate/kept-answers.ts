/**
 * The session of a test that runs again. It sends nothing: its answers are those that the test got when the
 * evidence was made.
 */
import { keyAsk } from '../../fixtures/evidence/binding.ts';
import type { EvidenceRecord, HeadRecord } from '../../fixtures/evidence/log.ts';
import { toExchange, type ExchangeRecord } from '../../fixtures/evidence/record.ts';
import { isAnswered, type Ask, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { findAt, readJson, type Json } from '../../fixtures/exchange/json.ts';
import type { NewPet, PetStatus } from '../../fixtures/interface/bodies.ts';
import { findRemovalState } from '../../fixtures/interface/removal.ts';
import { parseBody, findAddedPet } from '../../fixtures/judgement/documented-answer.ts';
import { Undecided } from '../../fixtures/judgement/finding.ts';
import type { Facts, AddedAnimal, Sending, Session, StoreView } from '../../fixtures/session/session.ts';
import { isExplained, mayBeCut } from '../../fixtures/rules/explained.ts';
import { Judge } from '../../fixtures/rules/judge-exchanges.ts';
import { findInvalidBody, type KnownInvalidAnimals } from '../../fixtures/store/invalid-animals.ts';
import { spellCount } from '../../fixtures/store/run-mark.ts';
import { findHarmless } from '../../fixtures/store/harm.ts';
import { SeenAnimals } from '../../fixtures/store/seen-animals.ts';

/** Returns the facts about a run that tests may use. They do not change during the run. */
export function readFacts(head: HeadRecord): Facts {
  const { mark, window, key, target, settings } = head;
  return {
    runId: mark,
    baseUrl: target.baseUrl,
    mode: 'full',
    seed: settings.seed,
    ...(settings.seeds === undefined ? {} : { seeds: settings.seeds }),
    propertyRuns: settings.propertyRuns,
    replay: null,
    removal: findRemovalState(head.clock),
    consistencyWindow: window,
    key,
    production: false,
    asksAgain: true,
    markedNamesOnly: false,
    unmarkedElsewhere: false,
    answersAreKept: true,
  };
}

/** The exchanges of a run, and its knowledge about the store. */
export class KeptRun {
  readonly facts: Facts;
  readonly judge: Judge;
  readonly failed: ReadonlySet<string>;
  private readonly exchanges: ReadonlyMap<string, Exchange>;
  private readonly unkept: ReadonlySet<string>;
  private readonly alike = new Map<string, Exchange[]>();

  constructor(records: readonly EvidenceRecord[], head: HeadRecord) {
    this.facts = readFacts(head);
    this.judge = new Judge(head);
    for (const each of records) if (each.kind === 'key') this.judge.keys.renew(each.from, each.key);
    const kept = records.filter((each): each is ExchangeRecord => each.kind === 'exchange');
    this.unkept = new Set(kept.filter(isUnkept).map(({ id }) => id));
    const exchanges = kept.map((each) => toExchange(each));
    this.exchanges = new Map(exchanges.map((each) => [each.id, each]));
    this.failed = new Set(
      records.flatMap((each) =>
        each.kind === 'judgement' && each.verdict === 'fail' ? each.requirement : [],
      ),
    );
    for (const each of exchanges) {
      this.judge.take(each);
      const key = keyFully(each.ask);
      const alike = this.alike.get(key) ?? [];
      alike.push(each);
      this.alike.set(key, alike);
    }
  }

  /** True if the evidence does not hold the whole answer, so that a test cannot use it. */
  isUnkept(id: string): boolean {
    return this.unkept.has(id);
  }

  /**
   * Returns the facts for a test with these exchanges. The key is the one that was in force at the last exchange:
   * earlier exchanges may have added the animal of another test.
   */
  readFactsFor(asked: readonly string[]): Facts {
    const begun = Math.max(...asked.flatMap((id) => this.findExchange(id)).map((each) => each.begun));
    return { ...this.facts, key: this.judge.keys.at(begun) };
  }

  findExchange(id: string): Exchange[] {
    const found = this.exchanges.get(id);
    return found === undefined ? [] : [found];
  }

  /** Returns all exchanges with an equal request, of any test. */
  findEqual(ask: Ask): readonly Exchange[] {
    return this.alike.get(keyFully(ask)) ?? [];
  }

  /** Returns the first successful creation of an ordinary animal with this status. */
  findOrdinary(status: PetStatus | null): Exchange | undefined {
    return [...this.exchanges.values()].find((each) => isOrdinary(each, status, this.facts.runId));
  }

  /** The category of ordinary animals; 1 if there are none. */
  get category(): number | bigint {
    const first = [...this.exchanges.values()].find(
      ({ ask, response }) => response?.status === 201 && findOwnName(ask, this.facts.runId) !== undefined,
    );
    const category = first && findAt(parseSent(first.ask), '/categoryId');
    return typeof category === 'number' || typeof category === 'bigint' ? category : 1;
  }

  /** Returns the knowledge about the store at this time. */
  viewStore(time: number): StoreView {
    const seenAnimals = new SeenAnimals();
    for (const each of this.exchanges.values())
      if (isAnswered(each) && each.begun + each.durationMs <= time) seenAnimals.learn(each);
    const { seen, longestPage } = seenAnimals;
    const { model } = this.judge;
    return { ...model.view(time), seen, longestPage, lag: null, harmless: findHarmless(model, [], time) };
  }
}

/** Members of a session that only a live run needs. */
type NotKept = 'expectTests' | 'enter' | 'testEnded' | 'broke' | 'record' | 'evidence' | 'redact';

/** The session of one test on the evidence of an earlier run. */
export class KeptAnswers implements Omit<Session, NotKept> {
  /** False if the evidence lacks an answer that the test asked for, or a part of one. */
  isWhole = true;
  private readonly run: KeptRun;
  private readonly own: readonly Exchange[];
  private readonly left: Exchange[];
  /** Requests with the key, or without any, that none of the test's own answers is for. */
  private readonly unanswered: Ask[] = [];
  /** Results of newPet by the number of the call. */
  readonly names: Map<number, string>;
  private drafts = 0;
  private readonly made = new Map<string, Exchange>();
  /** Ids of exchanges that the test borrowed: they belong to other tests, or to no test. */
  private readonly others = new Set<string>();
  /** The time at which the last used answer came; before the first one, the time of the first request. */
  private now: number;

  /**
   * @param asked ids of the exchanges that belong to the test
   * @param names the names of the animals that the test adds, by the number of the call, as far as they are
   * known
   */
  constructor(run: KeptRun, asked: readonly string[], names: ReadonlyMap<number, string>) {
    this.run = run;
    this.own = asked.flatMap((id) => run.findExchange(id));
    this.left = [...this.own];
    this.now = Math.min(...this.left.map(({ begun }) => begun));
    this.names = new Map(names);
  }

  facts = () => Promise.resolve(this.run.facts);

  send(ask: Ask): Promise<Exchange> {
    const found = this.findAnswer(ask);
    return found === undefined ? this.rejectLost() : Promise.resolve(this.useAnswer(found));
  }

  sendOnce(ask: Ask): Promise<Exchange> {
    return this.send(ask);
  }

  private findAnswer(ask: Ask): Exchange | undefined {
    const [full, plain] = [keyFully(ask), keyAsk(ask)];
    const own =
      this.take((each) => keyFully(each.ask) === full) ??
      this.take((each) => keyAsk(each.ask) === plain && each.ask.unannounced === ask.unannounced) ??
      this.take((each) => this.isAlikeButForItsName(each.ask, ask));
    if (own !== undefined) return own;
    if (typeof ask.credential === 'string') this.unanswered.push(ask);
    // Invalid bodies are sent once in a run; all tests use the answer.
    if (findInvalidBody(ask) !== null && this.run.findEqual(ask).length > 0)
      return this.run.findEqual(ask)[0];
    const other = this.run.findEqual(ask).find((each) => !this.others.has(each.id));
    if (other !== undefined) this.others.add(other.id);
    return other;
  }

  /**
   * Exchanges that the test sends with the other credential: with the key, or without. A refusal of the key may have
   * been taken as the answer to another request.
   */
  get relabelled(): readonly Exchange[] {
    const isAsked = ({ ask }: Exchange) =>
      this.unanswered.some(
        (each) =>
          each.credential !== ask.credential &&
          keyAsk({ ...each, credential: ask.credential }) === keyAsk(ask),
      );
    const isSuspect = (each: Exchange) =>
      this.left.includes(each) || (each.ask.credential === 'key' && each.response?.status === 401);
    return this.own.filter(
      (each) => typeof each.ask.credential === 'string' && isSuspect(each) && isAsked(each),
    );
  }

  private take(is: (exchange: Exchange) => boolean): Exchange | undefined {
    const index = this.left.findIndex(is);
    return index < 0 ? undefined : this.left.splice(index, 1)[0];
  }

  private useAnswer(exchange: Exchange): Exchange {
    this.now = Math.max(this.now, exchange.begun + exchange.durationMs);
    if (this.run.isUnkept(exchange.id)) this.isWhole = false;
    return exchange;
  }

  private rejectLost(): Promise<never> {
    this.isWhole = false;
    return Promise.reject(new Undecided('inconclusive', { kind: 'stopped', of: 'request' }));
  }

  /** A name is unknown until the request with it is found. Until then a stand-in takes its place. */
  newPet(status?: PetStatus): Promise<NewPet> {
    const number = this.drafts++;
    const name = this.names.get(number) ?? makeStandIn(number);
    const pet = { name, categoryId: this.run.category, ...(status === undefined ? {} : { status }) };
    return Promise.resolve(pet);
  }

  /** True if the requests differ only in an unknown name. The name is known from then on. */
  private isAlikeButForItsName(then: Ask, { body, ...now }: Ask): boolean {
    if (typeof body !== 'string' || typeof then.body !== 'string') return false;
    const number = Array.from({ length: this.drafts }, (_, index) => index).find((each) =>
      body.includes(makeStandIn(each)),
    );
    if (number === undefined) return false;
    const around = joinBlanks(body).split(makeStandIn(number));
    const sent = joinBlanks(then.body);
    const length = (sent.length - around.join('').length) / (around.length - 1);
    const begin = around[0]?.length ?? 0;
    const name = sent.slice(begin, begin + length);
    const isName = findOwnName({ body: name }, this.run.facts.runId) === name;
    if (!isName || around.join(name) !== sent) return false;
    if (keyFully({ ...now, body: then.body }) !== keyFully(then)) return false;
    this.names.set(number, name);
    return true;
  }

  pet(status: PetStatus | null, nth: number): Promise<AddedAnimal> {
    const key = `${status} ${nth}`;
    const exchange =
      this.made.get(key) ??
      this.take((each) => isOrdinary(each, status, this.run.facts.runId)) ??
      this.run.findOrdinary(status);
    if (exchange?.response == null) return this.rejectLost();
    this.made.set(key, this.useAnswer(exchange));
    const pet = findAddedPet({ ...exchange, response: exchange.response }) ?? parseBody(exchange.response);
    return Promise.resolve({ exchange, sent: parseSent(exchange.ask), pet } as unknown as AddedAnimal);
  }

  /** If the request was not sent, MAX_ANIMALS had no room for it: the case was left out. */
  created(body: string, sending: Sending = {}): Promise<Exchange> {
    const rest = { credential: 'key', body, creates: true, ...sending } as const;
    const found = this.findAnswer({ operation: 'createPet', method: 'POST', path: '/pets', ...rest });
    if (found !== undefined) return Promise.resolve(this.useAnswer(found));
    this.isWhole = false;
    return Promise.reject(new Undecided('left-out', { kind: 'stopped', of: 'request' }));
  }

  atLeast = done;
  spare = done;
  spareForGenerated = done;
  noteInVain = done;
  noteLag = done;
  choosesClient = done;
  quiet = done;
  keyWorks = yes;
  succeeded = yes;
  servesOrdinaryClients = yes;
  firstTime = yes;
  isAwaitedInVain = no;
  isGivenAgain = (animals: readonly string[]) =>
    Promise.resolve(animals.some((id) => this.run.judge.model.givenAgain.has(id)));
  hasFailed = (requirement: string) => Promise.resolve(this.run.failed.has(requirement));
  mayBeCut = (exchange: string, animal: string) =>
    Promise.resolve(mayBeCut(this.run.judge, exchange, animal));
  explained = (animals: readonly string[]) =>
    Promise.resolve(animals.some((id) => isExplained(this.run.judge, id)));

  store(): Promise<StoreView> {
    return Promise.resolve(this.run.viewStore(this.now));
  }

  invalidAnimals(): Promise<KnownInvalidAnimals> {
    return Promise.resolve(this.run.judge.model.invalidAnimals.known);
  }

  cookies(): Promise<string[]> {
    return Promise.resolve(this.run.judge.model.cookies.all);
  }
}

function isUnkept({ ask, response }: ExchangeRecord): boolean {
  if (response === null) return false;
  const { body } = response;
  const isWithheld = ask.operation === 'storeOrders' && response.status < 300;
  return isWithheld || 'sha256' in body || body.redacted === true;
}

/** Returns a name that no sent body contains. */
function makeStandIn(number: number): string {
  return `standIn${spellCount(number)}Q`;
}

/** Returns the body with one blank for several: a body that is padded to a size has more of them beside a shorter name. */
function joinBlanks(body: string): string {
  return body.replace(/ {2,}/g, ' ');
}

function keyFully(ask: Ask): string {
  const { contentType, headers = [], without = [], unannounced = false, basePath = '' } = ask;
  return `${keyAsk(ask)} ${JSON.stringify([contentType === undefined ? '' : contentType, headers, without, unannounced, basePath])}`;
}

/** An ordinary name of the run: a letter, its mark, and a part of its own. */
const ordinaryName = (mark: string) => new RegExp(`[A-Za-z]${mark}(a[a-z]+|A[A-Z]+)(?![A-Za-z])`);

/** Returns the ordinary name in a body: the run chose it, not a test. */
function findOwnName({ body }: Pick<Ask, 'body'>, mark: string): string | undefined {
  if (typeof body !== 'string' || mark === '') return undefined;
  return ordinaryName(mark).exec(body)?.[0];
}

function parseSent({ body }: Ask): Json {
  try {
    return typeof body === 'string' ? readJson(body).value : null;
  } catch {
    return null;
  }
}

/** True if the run added the animal as an ordinary one, for any test that needs it. */
function isOrdinary({ ask, response }: Exchange, status: PetStatus | null, mark: string): boolean {
  const isOwn = ask.purpose === undefined && response !== null && response.status < 300;
  return (
    isOwn && findOwnName(ask, mark) !== undefined && (findAt(parseSent(ask), '/status') ?? null) === status
  );
}

const done = () => Promise.resolve();
const yes = () => Promise.resolve(true);
const no = () => Promise.resolve(false);
