/** People read plain English, e.g. `refused with 400` for `rejects-400` (CONTRIBUTING.md, "Words in what people read"). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import requirements from '../../../schemas/requirements.json' with { type: 'json' };
import silences from '../../../schemas/silences.json' with { type: 'json' };
import { SECTIONS } from '../../../fixtures/interface/sections.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderSummary } from '../../../reports/shown/text/run-text.ts';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';
import { sourcesBelow } from '../architecture/imports.ts';
import { textsIn } from '../architecture/source-texts.ts';
import { FIRST_SCREENS } from '../samples/first-screens.ts';
import { PROJECT } from '../samples/installed.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { failureWith, report } from '../samples/sample-reports.ts';

/** Words of the code (behind a dot they belong to an id), and numbers that do not agree with their noun. */
const INTERNAL = [
  /(?<!\.)\b(rejects|accepts|answers|redirects|fails)-\d{3}/,
  /not-observed/,
  /end of the bound/,
  /required property/,
  /additional propert/,
  /\b1 (failures|warnings|tests|requests|animals|exchanges|requirements|promises)\b/,
  /\d inconclusive/,
  /\(s\)/,
  /\bundefined\b|\bNaN\b|\[object /,
];

/** Turns of phrase for which there are plainer ones (CONTRIBUTING.md, "Words in what people read"). */
const CONTRIVED =
  /\b(that of|those of|none whose|told|tells?|stands?|stood|(?<!there )is no|where|aside|would decide|likewise|(?:is|are|was|were) answered)\b/i;

/** Answers of open questions as `report.json` has them, in words of the code. */
const OBSERVED =
  'rejects-400|accepts-201 accepts-201|answers-200-application/json|fails-501|redirects-308|400=invalid-json|not-observed|caps-at-50|defaults-to-pending|sends-link, x-total-count|refuses Go net/http, Python requests|404=no such pet 400=invalid-json';
const PROFILE = report(
  {},
  {
    observations: OBSERVED.split('|').map((observed) => ({
      id: 'list-pets.limit-zero',
      section: 'Errors',
      question: 'How is limit=0 answered?',
      observed,
      evidence: [],
    })),
  },
);

const REPORTS = { ...FIRST_SCREENS, profile: PROFILE };

test('no word of the code is in any report', () => {
  for (const [name, each] of Object.entries(REPORTS))
    for (const text of [renderConformancePage(each), renderPlain(each, 100), renderSummary(each)])
      for (const internal of INTERNAL) expect(text, name).not.toMatch(internal);
});

test('the page shows answers of open questions in plain words', () => {
  const page = renderConformancePage(PROFILE);
  for (const line of [
    'limit=0: refused with 400',
    'limit=0: accepted with 201<',
    'limit=0: answered with 200 (application/json)',
    'limit=0: 50 animals',
    'limit=0: yes: link, x-total-count<',
    'limit=0: refuses Go net/http, Python requests<',
    'limit=0: no such pet (with 404), invalid-json (with 400)<',
    '1 question not asked',
  ])
    expect(page).toContain(line);
});

test('the reason does not say the headline again', () => {
  const reading = report({}, { run: { mode: 'read-only' } });
  expect(reading.reason).toBe('conforming as far as read-only asks');
  const text = renderPlain(reading, 100);
  expect(text.match(/as far as read-only asks/g)).toHaveLength(1);
  expect(renderConformancePage(reading)).not.toContain('class="reason"');
});

test('a run that reached nothing counts nothing, and gives one advice', () => {
  const down = FIRST_SCREENS['target-down'];
  const text = renderPlain(down, 80);
  expect(text.split('\n').length).toBeLessThan(16);
  expect(text).not.toMatch(/undecided,|nobody can test/);
  expect(renderConformancePage(down)).not.toContain('id="undecided"');
});

test('one cause is written once, however many requirements it leaves undecided', () => {
  for (const name of ['target-down', 'interrupted', 'died-midway'] as const) {
    const text = renderPlain(FIRST_SCREENS[name]);
    const cause =
      name === 'interrupted' ? 'run was interrupted' : (FIRST_SCREENS[name].run.stopped ?? '').slice(0, 60);
    expect(text.split(cause)).toHaveLength(2);
  }
});

test('a terminal shows a failure in few lines, and the page to open', () => {
  const lines = renderPlain(FIRST_SCREENS['one-cause'], 200).trim().split('\n');
  expect(lines.length).toBeLessThan(34);
  expect(lines.at(-1)).toContain('reports/out/conformance.html');
});

test('advice comes from what is known, never from the words of a reason', () => {
  const reason = 'createPet answers 403 to the key; to decide, use a key that may add animals';
  const undecided = report({ 'create-pet.answers-201': { verdict: 'inconclusive', reason } });
  const text = renderPlain(undecided);
  expect(text).toContain(reason);
  expect(text).not.toContain('Nobody listens'); // advice for a target that takes no connection
  for (const shown of [text, renderSummary(undecided), renderConformancePage(undecided)])
    expect(shown.replaceAll('\\', '')).toContain('use a key that may add animals');
});

test('a run that --fail-fast ended says how many failures it had found', () => {
  const endedBy = (...ids: string[]) =>
    renderPlain(
      report(Object.fromEntries(ids.map((id) => [id, failureWith()])), {
        run: { complete: false, stopped: 'a must has failed', stoppedBy: 'failed' },
      }),
    );
  expect(endedBy('list-pets.limit', 'get-pet.same-id')).toContain('By then 2 failures had been found.');
  expect(endedBy('list-pets.limit')).not.toContain('By then');
});

test('a run that never began says which address to take, and its command has it', () => {
  const remedy = {
    told: 'The target does not speak TLS there.',
    variables: { BASE_URL: 'http://staging.example:8080/v1' },
  };
  const run = { complete: false, stopped: 'no connection (EPROTO)', remedy, progress: { ended: 0, all: 0 } };
  const text = renderPlain(report({}, { run }));
  expect(text).toContain(
    'The target does not speak TLS there. A whole run decides: BASE_URL=http://staging.example:8080/v1 ',
  );
});

test('statements, questions and variables are put plainly', () => {
  const catalogue: Record<
    string,
    Partial<Record<'statement' | 'broken' | 'excused' | 'considered', string>>
  > = requirements;
  const texts = [
    ...Object.values(catalogue).flatMap(({ statement = '', broken = '', excused = '', considered = '' }) => [
      statement,
      broken,
      excused,
      considered,
    ]),
    ...Object.values(silences).map(({ question }) => question),
    ...SECTIONS.flatMap(({ sentences }) => sentences.flatMap(({ says, untested = '' }) => [says, untested])),
    ...VARIABLES.flatMap(({ description, unset }) => [description, unset ?? '']),
  ];
  expect(texts.filter((text) => CONTRIVED.test(text))).toEqual([]);
});

/** Rooms whose texts people read, but for the files of NOT_READ. */
const PRINTING = [
  ...['bin', 'reports', 'tests'],
  ...'asking evidence implementations judgement session settings situations'
    .split(' ')
    .map((name) => `fixtures/${name}`),
];
/** Files of these rooms whose texts nobody reads: scripts and styles of pages, self-tests, services with other frameworks. */
const NOT_READ =
  /^(reports\/shown\/(page\/page-(script|style)|vendors\/matrix-(script|style))\.ts$|fixtures\/implementations\/others\/|tests\/self\/)/;

/** The id at the start of a fault or freedom: `envelope-where-cut: A list that is cut ...`. It is no sentence. */
const ROW_ID = /^[\w-]+: /;

test('messages, pages and help are put plainly', () => {
  const contrived = sourcesBelow(...PRINTING)
    .filter((file) => !NOT_READ.test(file))
    .flatMap((file) =>
      textsIn(readFileSync(join(PROJECT, file), 'utf8'))
        .filter((text) => CONTRIVED.test(text.replace(ROW_ID, '').replaceAll(/<[^>]*>/g, '')))
        .map((text) => `${file}: ${text}`),
    );
  expect(contrived).toEqual([]);
});

const DOCUMENTS =
  'README.md ARCHITECTURE.md CONTRIBUTING.md CERTIFICATION.md CHANGELOG.md SECURITY.md action.yml'.split(' ');

test('documents are put plainly', () => {
  const guides = readdirSync(join(PROJECT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const contrived = [...DOCUMENTS, ...guides].flatMap((file) =>
    readFileSync(join(PROJECT, file), 'utf8')
      .split('\n')
      // Removed before the search: code and quoted words in backticks, and `where to` and `where values`, which are about places
      .filter((line) => CONTRIVED.test(line.replaceAll(/`[^`]*`|where (to|values)\b/gi, '')))
      .map((line) => `${file}: ${line}`),
  );
  expect(contrived).toEqual([]);
});
