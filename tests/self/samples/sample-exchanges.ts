/** Makes exchanges and findings as a run has them. Example: `answerWith({ status: 404 })` is an ordinary answer but for its status. */
import type { Answer, Exchange } from '../../../fixtures/exchange/exchange.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';

/** A 200 with an empty list, with changes. */
export const answerWith = (more: Partial<Answer>): Answer => ({
  ...{ status: 200, statusText: '', headers: [], body: Buffer.from('[]') },
  ...{ undecodable: null, rawContentLength: null, ...more },
});

/** A GET /pets with the key and its answer, with changes. `answer`: the changes of the answer; null: none came. */
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
