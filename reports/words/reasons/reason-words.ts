/** Reasons in words, by their kind. Pure. */
import { type Deed, type Needs, type Reason, type Situation } from '../../../fixtures/judgement/reason.ts';
import { stopInWords } from './stop-words.ts';

type Of<Kind extends Reason['kind']> = Extract<Reason, { kind: Kind }>;

const SITUATIONS: Readonly<Record<Situation, string>> = {
  'nothing-added': 'no animal was added; a run that adds some would decide',
  'no-animals-listed': 'lists showed no animals under two limits; a store with animals would decide',
  'no-animals-of-others': 'no animals of others are listed; a store with some would decide',
  'never-empty': 'every list of this store has animals; an empty store would decide',
  'no-list-exactly-full':
    'no list of this store is exactly full below limit=100; a store with fewer animals would decide',
  'new-animals-unlisted':
    'lists of this store do not show even a new animal that was accepted; a store with fewer animals would decide',
  'changed-by-others': 'somebody else deleted or changed what this needs; another run would decide',
  'poisonous-names': 'such names have poisoned stores; one that shows no animals of others would decide',
  'no-default-status':
    'createPet shows no status that was not sent; a target that has a default would decide',
  'status-always-shown':
    'every animal here shows a status, also one added without; an animal without would decide',
  'no-letter-case-in-key': 'the letter case of this key may mean nothing',
  'client-refused':
    'a gateway refuses ordinary clients by their User-Agent, so nothing was asked as one asks',
  'not-asked-again': 'only a run under the certification profile asks again as an ordinary client asks',
  'meaningless-letter-case': 'the key reads as hex or has no letters: its letter case may mean nothing',
  'key-of-one-case':
    'the letters of the key are all of one case: that it is read in the other is only not to be expected',
  'key-not-of-one-case': 'the key has letters of both cases, or none whose case may mean something',
  'not-removed-yet':
    'its day of removal is not over everywhere, by the clocks of the suite and of the target',
  removed: 'getPet is past its day of removal',
  'maybe-removed': 'getPet may be gone',
  'day-of-removal': 'getPet may be gone: its day of removal has begun somewhere on Earth',
  'no-sunset': 'getPet sends no Sunset here',
  'no-deprecation': 'getPet sends no Deprecation here',
  'nothing-refused': 'no probe of an open question was refused here',
  'no-405': 'neither OPTIONS nor an invented method is answered 405 here',
  'never-without-content': 'neither OPTIONS nor a conditional request is answered without content here',
};

const DEEDS: Readonly<Record<Deed, string>> = {
  deleted: 'deleted by others',
  freed: 'deleted by others before the identifier was given again',
  archived: 'archived by others',
  changed: 'changed by others',
};

const REFUSED: Readonly<
  Record<Extract<Reason, { situation: 'refused-here' }>['what'], (here: string) => string>
> = {
  it: (here) => `${here}; a target that accepts it would decide`,
  'such-names': (here) => `${here}; a target that accepts such names would decide`,
  'such-characters': (here) => `a name of such characters is ${here}; a target that accepts it would decide`,
  'equal-names': (here) => `a second animal of the same name is ${here}`,
  identifiers: (here) => `a NewPet with an identifier is ${here}`,
};

const MODES: Readonly<Record<Of<'mode'>['mode'], string>> = {
  'read-only': 'read-only mode sends nothing that could create',
  production: 'no strange names are left on production',
  'marked-names-only': 'MARKED_NAMES_ONLY leaves out names without the mark of the run',
  'production-or-marked':
    'no strange names are left on production, and none without the mark under MARKED_NAMES_ONLY',
};

const SHARES: Readonly<Record<Exclude<Of<'share'>['of'], 'lost'>, string>> = {
  'unmarked-names': 'names without the mark of the run are sent by one machine, and it was another',
  animals:
    'each machine held only its own animals against its own answers; a run on one machine holds all against all',
  tests: 'a test of it was not run by any shard; a whole run would decide',
};

const STOPPED: Readonly<Record<Exclude<Of<'stopped'>['of'], 'judging'>, string>> = {
  tests: 'no test of it ran; a complete run would decide',
  request: 'the run stopped before this was answered; a complete run would decide',
  session: 'the run has ended',
};

const WORDS: { readonly [Kind in Reason['kind']]: (reason: Of<Kind>) => string } = {
  'blocked-by': ({ requirement }) => `blocked by ${requirement}`,
  budget: budgetInWords,
  lag: ({ animals }) =>
    `${animals} ${animals === 1 ? 'animal was' : 'animals were'} shown only after the consistency window`,
  assumed: assumedInWords,
  'refused-key': ({ answer }) =>
    answer === undefined
      ? 'the right key has stopped working'
      : `after one request without a key and one with a wrong one, the right key is refused on every connection (${answer}); a target that locks nobody out so soon would decide`,
  'no-right': ({ status }) => `createPet refused the key (${status}); one that may add would decide`,
  unreachable: unreachableInWords,
  'put-off': putOffInWords,
  unreadable: ({ error, isLarge }) =>
    isLarge
      ? `${error}; a store with fewer animals, or shorter ones, would decide`
      : `the suite cannot read the body: ${error}`,
  'not-taken': (reason) =>
    'animals' in reason
      ? `the target did not take the ${reason.animals} animals that this needs`
      : `each category that was tried was refused (${reason.answer})`,
  stopped: (reason) =>
    reason.of === 'judging'
      ? `what came after the target had turned away is not judged: ${stopInWords(reason.why)}`
      : STOPPED[reason.of],
  mode: (reason) =>
    'isEmpty' in reason && reason.isEmpty
      ? 'read-only mode adds nothing, and lists show no animal'
      : MODES[reason.mode],
  share: (reason) =>
    reason.of === 'lost'
      ? `${lostInWords(reason.shards)}, and a test of it with it; running it again would decide`
      : SHARES[reason.of],
  'no-such-situation': situationInWords,
  'left-to-judge': () => 'the last look decides',
  'suite-broke': ({ error }) => `the suite itself broke: ${error}`,
};

/** Values that are not a number, or not known, by their variable. */
const VALUES: Readonly<Record<string, string>> = { CATEGORY_IDS: '<ids of categories that exist>' };

/** Why, and what would decide. */
export function reasonInWords(reason: Reason): string {
  const { examples } = reason;
  const few =
    examples === undefined ? '' : `${examples.undecided} of ${examples.all} examples could not be decided: `;
  const needs = ('needs' in reason && reason.needs) || null;
  const advice = needs === null ? '' : `; ${adviceIn(needs)} would decide`;
  return `${few}${withoutAdvice(reason)}${isOfGenerated(reason) ? '; the examples ask the same' : advice}`;
}

/** The same where there are no examples besides generated input. */
export function reasonWithoutExamples(reason: Reason): string {
  return isOfGenerated(reason) ? withoutAdvice(reason) : reasonInWords(reason);
}

function isOfGenerated(reason: Reason): boolean {
  return 'more' in reason && reason.more === 'generated';
}

/** What of a reason says why, and not what to do. */
export function withoutAdvice(reason: Reason): string {
  return (WORDS[reason.kind] as (reason: Reason) => string)(reason);
}

/** The shards that are lost, and that they are. */
export function lostInWords(shards: readonly string[]): string {
  return `${shards.length === 1 ? 'shard' : 'shards'} ${shards.join(', ')} ${shards.length === 1 ? 'is' : 'are'} lost`;
}

function adviceIn({ variable, value }: Needs): string {
  const known = value ?? VALUES[variable];
  if (known !== undefined) return `${variable}=${known}`;
  return variable === 'CONSISTENCY_WINDOW' ? `a longer ${variable}` : `a higher ${variable}`;
}

function budgetInWords(reason: Of<'budget'>): string {
  const { variable, limit } = reason;
  const named = `${variable} (${limit})`;
  if (variable === 'MAX_REQUESTS') return `${named} is used up; a higher one would decide`;
  if (variable === 'MAX_WRONG_KEYS')
    return `${named} ${reason.lesser ? 'leaves none for this' : 'is used up'}; a higher one would decide`;
  return `${named} has no room for ${reason.more === 'generated' ? 'generated input' : `${reason.more} more`}`;
}

function assumedInWords({ did, animals, named, isLikely }: Of<'assumed'>): string {
  const told = `${animals} ${animals === 1 ? 'animal' : 'animals'} ${DEEDS[did]} (${named.join(', ')})`;
  return isLikely
    ? `assumed: ${told}`
    : `only ${told} would explain what was seen, and this store shows no animals of others; a store that nobody else uses would decide`;
}

function unreachableInWords({ of, error }: Of<'unreachable'>): string {
  const why = error === undefined ? '' : `: ${error}`;
  if (of === 'createPet') return `createPet had no answer${why}`;
  return `${of === 'it' ? 'no answer' : 'the plainer request had no answer'}${why}; a target that answers would decide`;
}

function putOffInWords(reason: Of<'put-off'>): string {
  if (reason.of === 'wrong-keys')
    return 'the target puts off wrong keys until the run gives up waiting; a higher limit on them would decide';
  const { status } = reason;
  return reason.of === 'createPet'
    ? `createPet was answered ${status} until the run gave up waiting`
    : `${status} until the run gave up waiting; ${status === 429 ? 'a higher rate limit' : 'another time'} would decide`;
}

function situationInWords(reason: Of<'no-such-situation'>): string {
  switch (reason.situation) {
    case 'refused-here':
      return REFUSED[reason.what](
        `refused here${reason.status === undefined ? '' : ` with ${reason.status}`}`,
      );
    case 'gone':
      return `${reason.path} is not found with the key either; an animal that nobody deletes would decide`;
    case 'identifier-taken':
      return `an animal ${reason.isSure ? 'has' : 'may have'} the identifier ${reason.id}${reason.isSure ? ' here' : ''}`;
    case 'list-may-be-cut':
      return `a list of ${reason.rows} animals may be cut where animal ${reason.animal} would stand; a store with fewer animals would decide`;
    default:
      return SITUATIONS[reason.situation];
  }
}
