import { createHash } from 'node:crypto';
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http';
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { AllureResult, Leaf, RanTest, Subject, Word } from './model.ts';
import { visible } from '../words/escape.ts';
import { requestLine } from '../words/evidence-lines.ts';
import { failureText } from '../words/failure-text.ts';
import { observedInWords, profileLine } from '../words/profile-words.ts';
import type { Report, RequirementResult } from '../document/report.ts';

/**
 * Allure has five statuses: broken is what wants a look without being a violation, unknown what nobody decided. What is
 * only observed has not passed anything; what stands behind a failure that another leaf tells is skipped.
 */
const STATUS: Record<Word, AllureResult['status']> = {
  fail: 'failed',
  warn: 'broken',
  'suite-error': 'broken',
  inconclusive: 'unknown',
  'not-applicable': 'skipped',
  excused: 'skipped',
  pass: 'passed',
  observed: 'skipped',
};

const SEVERITY = { must: 'critical', should: 'normal', silent: 'trivial' } as const;

/** Name of the label that holds the word; categories go by it. */
export const WORD = 'verdict';

/**
 * One leaf: what a test (null: the report as a whole) says. Its place in the tree is that of the first subject; the others
 * are labels, so that nothing is counted twice. It links nowhere: the page may be hosted apart from all others.
 */
export function leaf(report: Report, subjects: readonly [Subject, ...Subject[]], test: RanTest | null): Leaf {
  const [{ word, about, behind }] = subjects;
  const isRequirement = 'statement' in about;
  const level = isRequirement ? about.level : 'silent';
  const name = test === null ? (UNTOLD[word] ?? about.id) : nameOf(test);
  const fullName = test === null ? `report › ${about.id}` : fullNameOf(test);
  const historyId = createHash('md5').update(fullName).digest('hex');
  const uuid = test?.uuid ?? `${report.run.id}-${about.id}`;
  const start = test?.start ?? Date.parse(report.run.startedAt);
  const exchanges = [
    ...new Map(subjects.flatMap((each) => each.exchanges).map((each) => [each.id, each])).values(),
  ];
  const attached = exchanges.map((exchange, index): [string, Evidence] => [
    `${uuid}-${index}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`,
    exchange,
  ]);
  const story = `${about.id}: ${isRequirement ? about.statement : about.question}`;
  const result: AllureResult = {
    uuid,
    historyId,
    testCaseId: historyId,
    name,
    fullName,
    description: subjects.map(described).join('\n\n'),
    status: behind === null ? statusOf(report, word) : 'skipped',
    statusDetails: details(report, subjects, test),
    stage: 'finished',
    start,
    stop: test?.stop ?? start,
    labels: [
      { name: 'epic', value: about.section },
      { name: 'feature', value: isRequirement ? about.operation : 'open questions' },
      { name: 'story', value: story },
      // Allure 2 sorts by these
      { name: 'parentSuite', value: about.section },
      { name: 'suite', value: story },
      ...(test === null || test.about === '' ? [] : [{ name: 'subSuite', value: test.about }]),
      { name: 'package', value: (test?.file ?? 'report').replace(/\.spec\.[jt]s$/, '').replaceAll('/', '.') },
      { name: 'severity', value: SEVERITY[level] },
      { name: 'tag', value: level },
      ...subjects.map((each) => ({ name: 'tag', value: each.about.id })),
      ...subjects.map((each) => ({
        name: 'statement' in each.about ? 'requirement' : 'silence',
        value: each.about.id,
      })),
      { name: WORD, value: word },
    ],
    links: [],
    parameters: subjects.flatMap((each) =>
      'statement' in each.about
        ? []
        : [{ name: 'observed', value: observedInWords(each.about), excluded: true }],
    ),
    attachments: attached.map(([source, exchange]) => ({
      name: visible(exchangeName(exchange)),
      type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
      source,
    })),
  };
  return { result, exchanges: new Map(attached) };
}

function statusOf(report: Report, word: Word): AllureResult['status'] {
  return word === 'warn' && report.run.strict ? 'failed' : STATUS[word];
}

/** A test by its name and place, as its leaf bears it. */
export function fullNameOf(test: RanTest): string {
  return `${test.file} › ${nameOf(test)}`;
}

function nameOf({ about, title }: RanTest): string {
  return [about, title].filter(Boolean).join(' › ');
}

/** Names of leaves that no test of the requirement has. */
const UNTOLD: Partial<Record<Word, string>> = {
  fail: 'found while other requirements were tested',
  warn: 'found while other requirements were tested',
  inconclusive: 'no test could decide it',
  excused: 'cannot be tested from outside',
};

function described({ about }: Subject): string {
  if ('statement' in about)
    return `\`${about.id}\`: ${about.statement}\n\n**${about.level}**, section *${about.section}*`;
  return `${about.question}\n\nThe document leaves it open (section *${about.section}*): it is observed, never judged.`;
}

function details(
  report: Report,
  subjects: readonly Subject[],
  test: RanTest | null,
): AllureResult['statusDetails'] {
  const told = subjects.filter(({ word }) => word !== 'pass');
  const messages = told.map(({ word, about, behind }) => {
    if (!('statement' in about)) return word === 'observed' ? profileLine(about) : (test?.message ?? '');
    const reason = isFailure(word) ? versus(about) : (about.reason ?? 'no reason was given');
    const text = behind === null || behind === reason ? reason : `${behind}\n${reason}`;
    return subjects.length === 1 ? text : `${about.id}\n${text}`;
  });
  const failures = told.flatMap(({ word, about, exchanges }) =>
    'statement' in about && isFailure(word) ? [{ about, exchanges }] : [],
  );
  const trace = failures
    .map(({ about, exchanges }) => failureText({ ...report, exchanges: [...exchanges] }, about))
    .join('\n\n');
  const isKnown = failures.length > 0 && failures.every(({ about }) => about.waiver !== null);
  return {
    ...(messages.length > 0 && { message: visibleText(messages.join('\n')) }),
    ...(trace !== '' && { trace }),
    ...(isKnown && { known: true }),
  };
}

/** Whether a word says that a promise is broken. */
export function isFailure(word: Word): boolean {
  return word === 'fail' || word === 'warn';
}

function versus({ expected, received, pointer }: RequirementResult): string {
  return [
    `expected: ${expected ?? 'what the statement says'}`,
    `received: ${received ?? 'see the answer'}`,
    ...(pointer === null ? [] : [`at: ${pointer || 'the whole body'}`]),
  ]
    .map(visible)
    .join('\n');
}

function visibleText(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function exchangeName(exchange: Evidence): string {
  return `${requestLine(exchange)} → ${exchange.response?.status ?? exchange.error?.kind ?? 'no answer'}`;
}
