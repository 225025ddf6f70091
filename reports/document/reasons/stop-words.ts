/** Says why a run stopped, and what would let it finish. Pure. */
import type { Remedy, Since, Stop } from '../../../fixtures/judgement/reason.ts';
import { cutText } from '../../../fixtures/exchange/short-texts.ts';

type Of<Kind extends Stop['kind']> = Extract<Stop, { kind: Kind }>;

const UNRENEWED = 'API_KEY_FILE had no new key within 3 s';
const RENEW = 'Let each new key take the place of the old one in API_KEY_FILE when the old one ends.';
const NOT_LOCKED = 'a key that is not locked, and lower MAX_WRONG_KEYS.';
const LASTING =
  'Use a key that lasts for the whole run, or name in API_KEY_FILE a file in which a new key takes the place of the old one.';

/** The remedy if a target puts off all requests. */
export const ASK_LATER: Remedy = { told: 'Lower MAX_RPS, or run at another time.' };
/** The words about a run that somebody interrupted: no change of the target would help. */
export const FROM_HERE: Remedy = { told: 'It was ended from here: this says nothing about the target.' };
/** The remedy if a target stopped answering during the run. */
export const LOOK_IN_LOG: Remedy = {
  told: 'Look in the log of the target for the last request, and start the target again.',
};
const SMALLER = { told: 'Judge a store with fewer animals, or shorter ones.' };

/** Returns for each kind of stop why the run stopped, and the change that would let it finish; null if nobody knows one. */
const STOPS: { readonly [Kind in Stop['kind']]: (stop: Of<Kind>) => [why: string, remedy: Remedy | null] } = {
  interrupted: ({ signal }) => [`the run was interrupted${signal === null ? '' : ` (${signal})`}`, FROM_HERE],
  time: ({ seconds }) => [`RUN_TIMEOUT (${seconds} s) is over`, { told: 'Raise RUN_TIMEOUT.' }],
  'put-off': ({ status }) => [
    `the target puts off every request (${status}); to decide, lower MAX_RPS, or run at another time`,
    ASK_LATER,
  ],
  broken: ({ answer, since }) => [
    `the target answers nothing but server errors (${answer})${describeSince(since)}`,
    LOOK_IN_LOG,
  ],
  banned: ({ answer, since }) => [
    `the target refuses a plain list with the right key (${answer})${describeSince(since)}; it may have banned this address after the odd requests of this run`,
    { told: 'Run from an address that is not banned.' },
  ],
  locked: ({ since, hasKeyFile }) =>
    hasKeyFile
      ? [
          `the key may have expired, and ${UNRENEWED}: it no longer works${describeSince(since)}; or the target may have locked it after the wrong keys of this run`,
          { told: `${RENEW} If it was locked: use ${NOT_LOCKED}` },
        ]
      : [
          `the right key no longer works${describeSince(since)}; the target may have locked it after the wrong keys of this run`,
          { told: `Use ${NOT_LOCKED}` },
        ],
  expired: ({ since, hasKeyFile }) => [
    `the key expired during the run (the target says so)${hasKeyFile ? `, and ${UNRENEWED}` : ''}${describeSince(since)}`,
    { told: hasKeyFile ? RENEW : LASTING },
  ],
  silent: ({ error, since, isLarge }) => [
    `${isLarge ? 'the target gives no answer that the suite reads' : 'the target has given no answer'}${describeSince(since)}; the last: ${error}`,
    isLarge ? SMALLER : LOOK_IN_LOG,
  ],
  exhausted: ({ error, since }) => [
    `too much time was lost on requests without an answer${describeSince(since)}; the last: ${error}`,
    LOOK_IN_LOG,
  ],
  'suite-broke': ({ error }) => [`the suite itself broke: ${error}`, null],
  decided: () => ['nothing more is left to ask', null],
  failed: () => ['a must has failed, and --fail-fast asks no more', null],
  obstacle: ({ told, remedy }) => [told, remedy],
};

/** Says why the run stopped. */
export function describeStop(stop: Stop): string {
  return explainStop(stop)[0];
}

/** Returns the change that would let the run finish; null if nobody knows one. */
export function findStopRemedy(stop: Stop): Remedy | null {
  return explainStop(stop)[1];
}

function explainStop(stop: Stop): [why: string, remedy: Remedy | null] {
  return (STOPS[stop.kind] as (stop: Stop) => [string, Remedy | null])(stop);
}

/** Names the request after which the trouble began: ` since GET /pets (x12, 2026-11-24T10:00:00.000Z)`. */
function describeSince(since: Since | null): string {
  if (since === null) return '';
  const { method, path, id, at } = since;
  return ` since ${method} ${cutText(path)} (${id}, ${new Date(at).toISOString()})`;
}
