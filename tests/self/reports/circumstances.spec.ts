/** Recorded answers say what decides a failure if no experiment can, e.g. that only the first request of a connection fails. */
import { expect, test } from '@playwright/test';
import { LONE, type Decision } from '../../../fixtures/judgement/experiment.ts';
import { makeFlaw } from '../../../fixtures/judgement/finding.ts';
import { Circumstances } from '../../../reports/document/circumstances.ts';
import { exchangeWith } from '../samples/sample-exchanges.ts';

const PROMISE = 'get-pet.answers-200';
/** The number of connections. The requests take them in turn: request 7 is the second one on connection 1. */
const CONNECTIONS = 6;
/** The experiments of the run have found nothing that decides: the request did not fail again in three tries. */
const TRIED: Decision = { kind: 'chance', experiments: [{ without: LONE, wrong: 0, of: 3 }] };

/** A condition on a getPet. `index`: its number in the run, from 0. `place`: its number on its connection, from 1. */
type Holds = (index: number, place: number) => boolean;

/**
 * Returns in words what decides for sixty getPets. Example: `history: 0 of 54 without: as the first request of a connection` says that the
 * place on the connection decides: of the 54 answers without this circumstance, 0 were wrong. A right 404 is not counted.
 * @param isWrong true: the getPet gets a wrong 404
 * @param isMissing true: it gets a right 404. All others get their animal.
 */
function decide(isWrong: Holds, isMissing: Holds = () => false) {
  const reads = Array.from({ length: 60 }, (_, index) => {
    const place = Math.floor(index / CONNECTIONS) + 1;
    const exchange = exchangeWith(
      { status: isWrong(index, place) || isMissing(index, place) ? 404 : 200 },
      {
        ...{ id: `x${index}`, begun: 10 * index, durationMs: 5, connection: index % CONNECTIONS },
        ask: { operation: 'getPet', method: 'GET', path: `/pets/${index}`, credential: 'key' },
      },
    );
    return { hasFlaw: isWrong(index, place), exchange };
  });
  const wrong = { expected: '200', received: '404' };
  const flaws = reads.flatMap(({ hasFlaw, exchange }) =>
    hasFlaw ? makeFlaw(PROMISE, [exchange.id], wrong) : [],
  );
  const exchanges = reads.map(({ exchange }) => exchange);
  const { kind, experiments } =
    new Circumstances({ listEveryFlaw: () => flaws }, exchanges).decide(PROMISE, TRIED) ?? {};
  return `${kind}: ${experiments?.[0]?.wrong} of ${experiments?.[0]?.of} without: ${experiments?.[0]?.without}`;
}

for (const [expected, ...answers] of [
  ['history: 0 of 54 without: as the first request of a connection', (_, place) => place === 1],
  ['history: 0 of 42 without: as each 3rd request of a connection', (_, place) => place % 3 === 0],
  ['history: 0 of 36 without: from the 7th request of a connection on', (_, place) => place > 6],
  // A right 404, then a wrong one, then right answers: of 48 answers without the right 404, 24 come directly after a 404.
  [
    'history: 0 of 24 without: directly after a getPet that gets 404',
    (index) => index % 5 === 1,
    (index) => index % 5 === 0,
  ],
  // On one of the connections, right and wrong 404 take turns.
  [
    'history: 0 of 50 without: directly after a getPet that gets 404 on its connection',
    (index, place) => index % CONNECTIONS === 0 && place % 2 === 0,
    (index, place) => index % CONNECTIONS === 0 && place % 2 === 1,
  ],
  // The wrong answers share nothing. Four or more of them: it is chance. Three or fewer: an earlier request may be the cause (`history`).
  // Both show the experiment (`TRIED`): 0 of 3 without other requests.
  ['chance: 0 of 3 without: other requests', (index) => [7, 22, 38, 51].includes(index)],
  ['history: 0 of 3 without: other requests', (index) => [7, 22, 38].includes(index)],
] as readonly [string, Holds, Holds?][])
  test(`recorded wrong answers show ${expected}`, () => {
    expect(decide(...answers)).toBe(expected);
  });
