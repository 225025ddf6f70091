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

/** Lines of an error. The exchanges are attached, and the page of the run has the commands. */
const LONGEST_ERROR = 10;

/** Name of the label that holds the word; categories go by it. */
export const WORD = 'verdict';

/**
 * One leaf: what a test (null: the report as a whole) says. Its place in the tree is that of the first subject; the others
 * are labels, so that nothing is counted twice. It links to the page of the run, which lies beside the report.
 */
export function leaf(report: Report, subjects: readonly [Subject, ...Subject[]], test: RanTest | null): Leaf {
  const [{ word, behind }] = subjects;
  const origin = test === null ? reportAsOrigin(report, subjects[0]) : testAsOrigin(test);
  const { uuid, name, fullName, start, stop } = origin;
  const historyId = createHash('md5').update(fullName).digest('hex');
  const exchanges = new Map(subjects.flatMap((each) => each.exchanges).map((each) => [each.id, each]));
  const attached = [...exchanges.values()].map((exchange, index): [string, Evidence] => [
    `${uuid}-${index}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`,
    exchange,
  ]);
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
    stop,
    labels: labelsOf(subjects, origin),
    links: [
      {
        type: 'link',
        name: 'on the page of the run',
        url: `../conformance.html${'statement' in subjects[0].about ? `#req-${subjects[0].about.id}` : '#profile'}`,
      },
    ],
    parameters: subjects.flatMap(({ about }) =>
      'statement' in about ? [] : [{ name: 'observed', value: observedInWords(about), excluded: true }],
    ),
    attachments: attached.map(([source, exchange]) => ({
      name: visible(exchangeName(exchange)),
      type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
      source,
    })),
  };
  return { result, exchanges: new Map(attached) };
}

/** What a leaf was made by: where it is found, and when. */
interface Origin extends Pick<AllureResult, 'uuid' | 'name' | 'fullName' | 'start' | 'stop'> {
  file: string;
  /** The describe blocks around a test. */
  group: string;
}

function testAsOrigin(test: RanTest): Origin {
  const { uuid, file, about, start, stop } = test;
  return { uuid, name: nameOf(test), fullName: fullNameOf(test), start, stop, file, group: about };
}

function reportAsOrigin({ run }: Report, { word, about: { id } }: Subject): Origin {
  const start = Date.parse(run.startedAt);
  return {
    uuid: `${run.id}-${id}`,
    name: UNTOLD[word] ?? id,
    fullName: `report › ${id}`,
    start,
    stop: start,
    file: 'report',
    group: '',
  };
}

function labelsOf(
  subjects: readonly [Subject, ...Subject[]],
  { file, group }: Origin,
): AllureResult['labels'] {
  const [{ word, about }] = subjects;
  const { level, feature, text } = kindOf(about);
  const story = `${about.id}: ${text}`;
  return [
    { name: 'epic', value: about.section },
    { name: 'feature', value: feature },
    { name: 'story', value: story },
    // Allure 2 sorts by these
    { name: 'parentSuite', value: about.section },
    { name: 'suite', value: story },
    ...(group === '' ? [] : [{ name: 'subSuite', value: group }]),
    { name: 'package', value: file.replace(/\.spec\.[jt]s$/, '').replaceAll('/', '.') },
    { name: 'severity', value: SEVERITY[level] },
    { name: 'tag', value: level },
    ...subjects.map((each) => ({ name: 'tag', value: each.about.id })),
    ...subjects.map((each) => ({ name: kindOf(each.about).label, value: each.about.id })),
    { name: WORD, value: word },
  ];
}

/** How a requirement, or an open question, is labelled. */
function kindOf(about: Subject['about']): {
  label: 'requirement' | 'silence';
  level: keyof typeof SEVERITY;
  feature: string;
  text: string;
} {
  return 'statement' in about
    ? { label: 'requirement', level: about.level, feature: about.operation, text: about.statement }
    : { label: 'silence', level: 'silent', feature: 'open questions', text: about.question };
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
    .join('\n\n')
    .split('\n')
    .slice(0, LONGEST_ERROR)
    .join('\n');
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
