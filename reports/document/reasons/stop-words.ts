/** Says why a run stopped, and what would let it finish. Pure. */
import type { Remedy, Since, Stop } from '../../../fixtures/judgement/reason.ts';
import { cutText } from '../../../fixtures/exchange/short-texts.ts';

type Of<Kind extends Stop['kind']> = Extract<Stop, { kind: Kind }>;
/** A function for each kind of stop. */
type ByKind<T> = { readonly [Kind in Stop['kind']]: (stop: Of<Kind>) => T };

const UNRENEWED = 'API_KEY_FILE had no new key within 3 s';
const RENEW = 'Let each new key take the place of the old one in API_KEY_FILE when the old one ends.';

const WORDS: ByKind<string> = {
  interrupted: ({ signal }) => `the run was interrupted${signal === null ? '' : ` (${signal})`}`,
  time: ({ seconds }) => `RUN_TIMEOUT (${seconds} s) is over`,
  'put-off': ({ status }) =>
    `the target puts off every request (${status}); to decide, lower MAX_RPS, or run at another time`,
  broken: ({ answer, since }) =>
    `the target answers nothing but server errors (${answer})${describeSince(since)}`,
  banned: ({ answer, since }) =>
    `the target refuses a plain list with the right key (${answer})${describeSince(since)}; it may have banned this address after the odd requests of this run`,
  locked: ({ since, hasKeyFile }) =>
    hasKeyFile
      ? `the key may have expired, and ${UNRENEWED}: it no longer works${describeSince(since)}; or the target may have locked it after the wrong keys of this run`
      : `the right key no longer works${describeSince(since)}; the target may have locked it after the wrong keys of this run`,
  expired: ({ since, hasKeyFile }) =>
    `the key expired during the run (the target says so)${hasKeyFile ? `, and ${UNRENEWED}` : ''}${describeSince(since)}`,
  silent: ({ error, since, isLarge }) =>
    `${isLarge ? 'the target gives no answer that the suite reads' : 'the target has given no answer'}${describeSince(since)}; the last: ${error}`,
  exhausted: ({ error, since }) =>
    `too much time was lost on requests without an answer${describeSince(since)}; the last: ${error}`,
  'suite-broke': ({ error }) => `the suite itself broke: ${error}`,
  decided: () => 'nothing more is left to ask',
  failed: () => 'a must has failed, and --fail-fast asks no more',
  obstacle: ({ told }) => told,
};

/** The remedy if a target puts off all requests, i.e. answers each with 429 or 503. */
export const ASK_LATER: Remedy = { told: 'Lower MAX_RPS, or run at another time.' };
/** The words about a run that somebody interrupted: no change of the target would help. */
export const FROM_HERE: Remedy = { told: 'It was ended from here: this says nothing about the target.' };
/** The remedy if a target stopped answering during the run. */
export const LOOK_IN_LOG: Remedy = {
  told: 'Look in the log of the target for the last request, and start the target again.',
};
const SMALLER = { told: 'Judge a store with fewer animals, or shorter ones.' };

const REMEDIES: ByKind<Remedy | null> = {
  interrupted: () => FROM_HERE,
  time: () => ({ told: 'Raise RUN_TIMEOUT.' }),
  'put-off': () => ASK_LATER,
  broken: () => LOOK_IN_LOG,
  banned: () => ({ told: 'Run from an address that is not banned.' }),
  locked: ({ hasKeyFile }) => ({
    told: `${hasKeyFile ? `${RENEW} If it was locked: use` : 'Use'} a key that is not locked, and lower MAX_WRONG_KEYS.`,
  }),
  expired: ({ hasKeyFile }) => ({
    told: hasKeyFile
      ? RENEW
      : 'Use a key that lasts for the whole run, or name in API_KEY_FILE a file in which a new key takes the place of the old one.',
  }),
  silent: ({ isLarge }) => (isLarge ? SMALLER : LOOK_IN_LOG),
  exhausted: () => LOOK_IN_LOG,
  'suite-broke': () => null,
  decided: () => null,
  failed: () => null,
  obstacle: ({ remedy }) => remedy,
};

export function describeStop(stop: Stop): string {
  return (WORDS[stop.kind] as (stop: Stop) => string)(stop);
}

/** Returns the change that would let the run finish; null if nobody knows one. */
export function findStopRemedy(stop: Stop): Remedy | null {
  return (REMEDIES[stop.kind] as (stop: Stop) => Remedy | null)(stop);
}

/** Names the request after which the trouble began: ` since GET /pets (x12, 2026-11-24T10:00:00.000Z)`. */
function describeSince(since: Since | null): string {
  if (since === null) return '';
  const { method, path, id, at } = since;
  return ` since ${method} ${cutText(path)} (${id}, ${new Date(at).toISOString()})`;
}
