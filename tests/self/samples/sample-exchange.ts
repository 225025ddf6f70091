/** Exchanges of a run: a list that it asked for, and the answer. */
import type { Answer, Exchange } from '../../../fixtures/exchange/exchange.ts';

/** An answer with no animals, with changes. */
export const answerWith = (more: Partial<Answer>): Answer => {
  const body = Buffer.from('[]');
  return {
    status: 200,
    statusText: '',
    headers: [],
    body,
    undecodable: null,
    rawContentLength: null,
    ...more,
  };
};

/** An exchange with changes. `answer`: the changes of its answer; null if none came. */
export const exchangeWith = (answer: Partial<Answer> | null, more: Partial<Exchange>): Exchange => ({
  ...{ id: 'x1', startedAt: 0, begun: 0, durationMs: 1, error: null },
  ask: { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' },
  response: answer && answerWith(answer),
  ...more,
});
