import { createHash } from 'node:crypto';
import { ALLURE_HTTP_EXCHANGE_CONTENT_TYPE, ALLURE_HTTP_EXCHANGE_FILE_EXTENSION } from 'allure-js-commons/http';
import type { Evidence } from '../fixtures/exchange.ts';
import type { AllureResult, Leaf, RanTest, Word } from './allure-model.ts';
import { visible } from './escape.ts';
import { requestLine } from './evidence.ts';
import { anchor } from './failure-card.ts';
import { failureText } from './failure-text.ts';
import type { Observation, Report, RequirementResult } from './report.ts';

/** Allure has five statuses: broken is what wants a look without being a violation, unknown what nobody decided. */
const STATUS: Record<Word, AllureResult['status']> = {
  fail: 'failed',
  warn: 'broken',
  'suite-error': 'broken',
  inconclusive: 'unknown',
  'not-applicable': 'skipped',
  excused: 'skipped',
  pass: 'passed',
  observed: 'passed',
};

const SEVERITY = { must: 'critical', should: 'normal', silent: 'trivial' } as const;

/** Name of the label that holds the word; categories go by it. */
export const WORD = 'verdict';

/** One leaf: what a test (null: the report as a whole) says about a requirement or an open question. */
export function leaf(report: Report, word: Word, subject: RequirementResult | Observation, { test, exchanges }: { test: RanTest | null; exchanges: readonly Evidence[] }): Leaf {
  const isRequirement = 'statement' in subject;
  const level = isRequirement ? subject.level : 'silent';
  const name = test === null ? (UNTOLD[word] ?? subject.id) : [test.about, test.title].filter(Boolean).join(' › ');
  const fullName = test === null ? `report › ${subject.id}` : `${test.file} › ${name} › ${subject.id}`;
  const historyId = createHash('md5').update(fullName).digest('hex');
  const uuid = `${test?.uuid ?? report.run.id}-${subject.id}`;
  const start = test?.start ?? Date.parse(report.run.startedAt);
  const attached = exchanges.map((exchange, index): [string, Evidence] => [`${uuid}-${index}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`, exchange]);
  const result: AllureResult = {
    uuid,
    historyId,
    testCaseId: historyId,
    name,
    fullName,
    // the story says as much: hundreds of leaves that passed need not say it again
    description: word === 'pass' ? '' : isRequirement ? `${subject.statement}\n\n**${level}**, section *${subject.section}*` : `${subject.question}\n\nThe document leaves it open (section *${subject.section}*): it is observed, never judged.`,
    status: STATUS[word],
    statusDetails: isRequirement ? details(report, word, subject, exchanges) : word === 'observed' ? {} : { message: visible(test?.message ?? '') },
    stage: 'finished',
    start,
    stop: test?.stop ?? start,
    labels: [
      { name: 'epic', value: subject.section },
      { name: 'feature', value: isRequirement ? subject.operation : 'open questions' },
      { name: 'story', value: `${subject.id}: ${isRequirement ? subject.statement : subject.question}` },
      { name: 'severity', value: SEVERITY[level] },
      { name: 'tag', value: level },
      { name: WORD, value: word },
    ],
    links: [{ type: 'link', name: `Section ${subject.section}`, url: `../conformance.html#${isRequirement ? anchor(subject) : 'profile'}` }],
    parameters: isRequirement ? [] : [{ name: 'observed', value: subject.observed, excluded: true }],
    attachments: attached.map(([source, exchange]) => ({ name: visible(exchangeName(exchange)), type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE, source })),
  };
  return { result, exchanges: new Map(attached) };
}

/** Names of leaves that no test of the requirement has. */
const UNTOLD: Partial<Record<Word, string>> = {
  fail: 'found while other requirements were tested',
  warn: 'found while other requirements were tested',
  inconclusive: 'no test could decide it',
  excused: 'cannot be tested from outside',
};

function details(report: Report, word: Word, result: RequirementResult, exchanges: readonly Evidence[]): AllureResult['statusDetails'] {
  if (word === 'pass') return {};
  if (word !== 'fail' && word !== 'warn') return { message: visible(result.reason ?? 'no reason was given') };
  const { expected, received, pointer, waiver } = result;
  const lines = [`expected: ${expected ?? 'what the statement says'}`, `received: ${received ?? 'see the answer'}`, ...(pointer === null ? [] : [`at: ${pointer || 'the whole body'}`])];
  return { message: lines.map(visible).join('\n'), trace: failureText({ ...report, exchanges: [...exchanges] }, result), ...(waiver !== null && { known: true }) };
}

function exchangeName(exchange: Evidence): string {
  return `${requestLine(exchange)} → ${exchange.response?.status ?? exchange.error?.kind ?? 'no answer'}`;
}
