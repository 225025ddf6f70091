/**
 * Writes each kind of reason in words: why a requirement is undecided, does not apply, or passes in part. A reason is data
 * (`fixtures/judgement/reason.ts`). Example: `{ kind: 'budget', variable: 'MAX_ANIMALS', limit: 20, more: 3 }` becomes `MAX_ANIMALS (20)
 * has no room for 3 more`. Pure.
 */
import type { AssumedAction, MissingSituation, Needs, Reason } from '../../../fixtures/judgement/reason.ts';
import { describeStop } from './stop-words.ts';

/** `Of<'budget'>` is the type of the reasons of the kind `budget`. */
type Of<Kind extends Reason['kind']> = Extract<Reason, { kind: Kind }>;

/** Reasons of the kind `no-such-situation`: the situation that a test needs does not exist at this target. */
export const SITUATIONS: Readonly<Record<MissingSituation, string>> = {
  'nothing-added': 'the run added no animal; to decide, let it add some',
  'no-animals-listed': 'lists showed no animals under two limits; to decide, judge a store that has animals',
  'no-animals-of-others': 'lists show no animals of others; to decide, judge a store that has some',
  'never-empty': 'every list of this store has animals; to decide, judge an empty store',
  'no-list-exactly-full':
    'no list of this store is exactly full below limit=100; to decide, judge a store with fewer animals',
  'no-default-status':
    'createPet shows no status that was not sent; this applies only to a target with a default status',
  'client-refused':
    'a gateway refuses ordinary clients by their User-Agent, so the suite could not ask as one of them',
  'not-at-once': 'the two requests were not under way at the same time',
  'not-asked-again': 'only a run under the certification profile asks again as an ordinary client asks',
  'meaningless-letter-case': 'the key reads as hex or has no letters: its letter case may mean nothing',
  'key-of-one-case':
    'all letters of the key are of one case; a service that takes the other case then breaks only a should',
  'key-without-claims': 'the key is not a JSON Web Token',
  'key-not-of-one-case': 'the key has letters of both cases, or its letter case means nothing',
  'not-removed-yet':
    'by the clocks of the suite and of the target, the day of removal is not over everywhere on Earth',
  removed: 'the day of removal of getPet is over',
  'maybe-removed': 'getPet may be gone',
  'day-of-removal': 'getPet may be gone: the day of removal has begun somewhere on Earth',
  'no-sunset': 'getPet sends no Sunset here',
  'no-deprecation': 'getPet sends no Deprecation here',
  'nothing-refused': 'the target refused no probe of an open question',
  'no-example': 'none of the generated examples is about this',
  'no-405': 'the target answers neither OPTIONS nor an invented method with 405',
  'never-without-content': 'the target answers neither OPTIONS nor a conditional request without content',
  'equal-names-refused': 'the target refuses a second animal with the same name',
  'sent-identifiers-refused': 'the target refuses a NewPet with an identifier',
};

/** Actions of other clients that the run assumes, because they explain its answers. */
const ACTIONS: Readonly<Record<AssumedAction, string>> = {
  deleted: 'deleted by others',
  freed: 'deleted by others before the identifier was given again',
  archived: 'archived by others',
  changed: 'changed by others',
};

const MODES: Readonly<Record<Of<'mode'>['mode'], string>> = {
  'read-only': 'read-only mode sends nothing that could add an animal',
  production: 'the suite leaves no strange names on production',
  quick: 'a quick run leaves it out; to decide, run the whole suite',
  certification: 'the musts of the certification profile need every wrong key',
  'marked-names-only': 'MARKED_NAMES_ONLY leaves out names without the mark of the run',
  'production-or-marked':
    'the suite leaves no strange names on production; MARKED_NAMES_ONLY leaves out names without the mark of the run',
};

/** Requests that are not sent, so that they do no harm to animals of others. */
const TACT: Readonly<Record<Of<'tact'>['of'], string>> = {
  poison:
    'not asked: half a surrogate pair and a categoryId of more than 19 digits have broken stores, and this one is not empty; to decide, judge an empty store',
  'free-id':
    'a service that adopts an identifier may count on from it, and lists show, or may hide, animals of others; to decide, judge an empty store',
};

const STOPPED: Readonly<Record<Exclude<Of<'stopped'>['of'], 'judging'>, string>> = {
  tests: 'no test of it ran; to decide, run the whole suite',
  request: 'the run ended before this got an answer; to decide, let a run come to its end',
  session: 'the run has ended',
};

const WORDS: { readonly [Kind in Reason['kind']]: (reason: Of<Kind>) => string } = {
  'blocked-by': ({ requirement }) => `skipped: ${requirement} failed`,
  budget: describeBudget,
  lag: (reason) => {
    const animals = `${reason.animals} ${reason.animals === 1 ? 'animal' : 'animals'}`;
    return 'read' in reason
      ? `reads lacked ${animals}, and the run ended before GET ${reason.read} could decide why`
      : `reads showed ${animals} only after the consistency window`;
  },
  assumed: describeAssumed,
  'not-read': ({ status }) =>
    `no read showed an animal that was added as ${status} within 2 s of its 201, or of a read that did not know it yet; to decide, judge the target from nearer by`,
  restart: ({ animals }) =>
    `all ${animals} animals of the run were gone from one moment on, as after a restart with an empty store; to decide, run again while the target keeps what it holds`,
  cut: describeCut,
  'refused-key': ({ answer }) =>
    answer === undefined
      ? 'the right key no longer works'
      : `after one request without a key and one with a wrong key, the target refuses the right key on every connection (${answer}); to decide, let it lock nobody out so soon`,
  'no-right': ({ status, added = 0 }) =>
    added === 0
      ? `createPet answers ${status} to the key; to decide, use a key that may add animals`
      : `createPet answers ${status} to this request; the key added ${added} ${added === 1 ? 'other' : 'others'}; to decide, use a key that may add more`,
  unreachable: describeUnreachable,
  'put-off': describePutOffRequest,
  unreadable: ({ error, isLarge }) =>
    isLarge
      ? `${error}; to decide, judge a store with fewer animals, or shorter ones`
      : `the suite cannot read the body: ${error}`,
  'not-taken': (reason) =>
    'animals' in reason
      ? `the target did not accept the ${reason.animals} animals that this needs`
      : `the target refused each category that the run tried (${reason.answer})`,
  stopped: (reason) =>
    reason.of === 'judging'
      ? `the suite does not judge what came after this: ${describeStop(reason.why)}`
      : STOPPED[reason.of],
  mode: (reason) =>
    'isEmpty' in reason && reason.isEmpty
      ? 'read-only mode adds nothing, and lists show no animal'
      : MODES[reason.mode],
  tact: ({ of }) => TACT[of],
  'no-such-situation': describeSituation,
  'suite-broke': ({ error }) => `the suite itself broke: ${error}`,
};

/** Placeholders for advice such as `set CATEGORY_IDS=...`, if nobody knows a value. Other variables without a value have to be raised. */
const VALUES: Readonly<Record<string, string>> = { CATEGORY_IDS: '<ids of categories that exist>' };

/** Says the reason and, where it helps, what to do: `...; to decide, raise MAX_REQUESTS`. */
export function describeReason(reason: Reason): string {
  const { examples } = reason;
  const few =
    examples === undefined ? '' : `${examples.undecided} of ${examples.all} examples are undecided: `;
  const needs = ('needs' in reason && reason.needs) || null;
  const advice = needs === null ? '' : `; to decide, ${writeAdvice(needs)}`;
  // If a budget has no room for generated input, no advice is needed: other tests ask the same.
  const isOfGenerated = 'more' in reason && reason.more === 'generated';
  return `${few}${describeWithoutAdvice(reason)}${isOfGenerated ? '; the plain tests ask the same' : advice}`;
}

/** Says the reason without what to do about it. */
export function describeWithoutAdvice(reason: Reason): string {
  return (WORDS[reason.kind] as (reason: Reason) => string)(reason);
}

function writeAdvice({ variable, value }: Needs): string {
  const known = value ?? VALUES[variable];
  return known === undefined ? `raise ${variable}` : `set ${variable}=${known}`;
}

/** About as many requests and animals as a whole run needs on an empty store. */
const WHOLE_RUN: Readonly<Record<string, string>> = { MAX_REQUESTS: '1,340', MAX_ANIMALS: '110' };

/** `more`: the number of animals that a test needs beyond the limit, or `generated`: nobody knows it for generated input. */
function describeBudget(reason: Of<'budget'>): string {
  const limit = `${reason.variable} (${reason.limit})`;
  if ('onlyShould' in reason && reason.onlyShould)
    return `${limit} leaves none for this; to decide, raise it`;
  if (!('more' in reason)) {
    const need = WHOLE_RUN[reason.variable];
    return `${limit} is used up; ${need === undefined ? '' : `a whole run takes about ${need}; `}to decide, raise it`;
  }
  return `${limit} has no room for ${reason.more === 'generated' ? 'generated input' : `${reason.more} more`}`;
}

function describeAssumed({ did, animals, named, isLikely }: Of<'assumed'>): string {
  const order = `${named.join(', ')}${named.length < animals ? ' ...' : ''}`;
  const action = `${animals} ${animals === 1 ? 'animal' : 'animals'} ${ACTIONS[did]}`;
  return isLikely
    ? `assumed: ${action} (${order})`
    : `only ${action} (in this order: ${order}) would explain the answers, and others seldom do so much; to decide, judge a store that nobody else uses`;
}

/** Says where lists ended, and how many animals that hides: `lists by status ended after 50 animals: 12 of 80 animals are hidden`. */
function describeCut({ lists, ends: { rows, bytes, header }, hidden, of }: Of<'cut'>): string {
  // `lists` may also be one status, e.g. `sold`.
  const words = { all: 'without a status', filtered: 'by status' };
  const after = [
    ...(rows === null ? [] : [`${rows} animals`]),
    ...(bytes === null ? [] : [`${bytes} bytes`]),
  ];
  const ended =
    header === null
      ? `ended after ${after.join(' or ')}`
      : `announced in the header ${header} that they go on`;
  return `lists ${lists in words ? words[lists as 'all'] : `by status=${lists}`} ${ended}: ${hidden} of ${of} animals are hidden`;
}

function describeUnreachable({ of, error, needs }: Of<'unreachable'>): string {
  const why = error === undefined ? '' : `: ${error}`;
  if (of === 'createPet') return `createPet got no answer${why}`;
  if (needs !== undefined) return `no answer${why}`;
  return `no answer${why}; to decide, run again when the target answers`;
}

function describePutOffRequest(reason: Of<'put-off'>): string {
  if (reason.of === 'wrong-keys')
    return 'the target put off wrong keys until the run gave up waiting; to decide, raise its limit on wrong keys';
  const { status } = reason;
  return reason.of === 'createPet'
    ? `createPet got ${status} until the run gave up waiting`
    : `it got ${status} until the run gave up waiting; to decide, ${status === 429 ? 'raise the rate limit of the target' : 'run at another time'}`;
}

function describeSituation(reason: Of<'no-such-situation'>): string {
  if (reason.situation !== 'identifier-taken') return SITUATIONS[reason.situation];
  return `an animal ${reason.isSure ? 'has' : 'may have'} the identifier ${reason.id}${reason.isSure ? ' here' : ''}`;
}
