/** Exchanges and findings of a run, as its judges get them. A test names only what differs. */
import type { Answer, Exchange } from '../../../fixtures/exchange/exchange.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';

/** An answer with no animals, with changes. */
export const answerWith = (more: Partial<Answer>): Answer => ({
  ...{ status: 200, statusText: '', headers: [], body: Buffer.from('[]') },
  ...{ undecodable: null, rawContentLength: null, ...more },
});

/** An exchange with changes. `answer`: the changes of its answer; null if none came. */
export const exchangeWith = (answer: Partial<Answer> | null, more: Partial<Exchange>): Exchange => ({
  ...{ id: 'x1', startedAt: 0, begun: 0, durationMs: 1, error: null },
  ask: { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' },
  response: answer && answerWith(answer),
  ...more,
});

/** The verdict of a test on a requirement. `more`: e.g. its flaw. */
export const findingWith = (
  requirement: RequirementId,
  verdict: Finding['verdict'],
  more: Partial<Finding> = {},
): Finding => ({
  ...{ requirement, verdict, reason: null, flaw: null, evidence: [], replay: null },
  test: { title: 'a test', file: 'tests/a.spec.ts', line: 1 },
  ...more,
});
