#!/usr/bin/env node
/**
 * `npm run explain -- <id>`: prints all facts about a requirement or an open question, or the sentences of a section. It ends
 * with 2 if there is none of that name.
 */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { SEVERAL, type Fault } from '../fixtures/implementations/variant.ts';
import { FREEDOMS } from '../fixtures/implementations/freedoms/index.ts';
import { judgeVariant } from '../fixtures/implementations/judge-variant.ts';
import type { ReadTest } from '../fixtures/asking/lanes/collection.ts';
import { RULES_PLACE, shortenTestPath, type TestPlace } from '../fixtures/judgement/finding.ts';
import { RULES } from '../fixtures/judgement/rules/rules.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/interface/requirements.ts';
import { listSentences, SECTIONS } from '../fixtures/interface/sections.ts';
import { readDefault } from '../fixtures/settings/variables.ts';
import { findNearest } from '../fixtures/settings/nearest-name.ts';
import { listSection, renderExplanation } from '../reports/shown/text/explanation.ts';
import { explainCommand as program } from './command-descriptions.ts';
import { collectSuite } from './run/selection/collect-suite.ts';
import {
  FEW_INPUTS_SHOWN,
  findWhatIsSent,
  locateRules,
  locateTests,
  sortByPlainness,
} from './run/selection/where-judged.ts';
import { printError, printText, printJson } from './command-line/output/print.ts';
import { spellStart, spellCommand } from './command-line/output/rerun-command.ts';

program.parse();
const [id = ''] = program.args;
const { json = false, all = false } = program.opts<{ json?: boolean; all?: boolean }>();
/** To find a failure, at most this many faults are run, until the tests catch one of them. */
const MOST_FAULTS = 3;
const ids = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];

/** A heading that was given in place of an id, as `list --sections` prints it, or a part of a single heading, e.g. `getPet`. */
const heading = findHeading(id.replace(/ \(schemas\/.*\)$/, '').toLowerCase());

if (heading !== undefined) printSection(heading);
else if (ids.includes(id)) await printEntry();
else {
  const suggestion = findNearest(id, ids);
  printError(
    `There is no requirement, open question or section ${JSON.stringify(id)}${suggestion === undefined ? '.' : `; did you mean ${suggestion}?`} \`${spellCommand('list')}\` names them all.\n`,
  );
  process.exitCode = 2;
}

function findHeading(text: string): string | undefined {
  const headings = SECTIONS.map(({ section }) => section);
  const [named, another] = headings.filter((each) => text !== '' && each.toLowerCase().includes(text));
  // `get /pets` is the heading `GET /pets (listPets)`, although another heading begins with it.
  const whole = headings.find((each) =>
    [each, each.split(' (')[0]].some((name) => name?.toLowerCase() === text),
  );
  return whole ?? (another === undefined ? named : undefined);
}

function printSection(title: string): void {
  const section = { section: title, schema: findSchema(title), sentences: listSentences(title) };
  if (json) printJson(`${JSON.stringify(section, null, 2)}\n`);
  else printText(listSection(section).join('\n'));
}

/** Prints all facts about the requirement or open question. */
async function printEntry(): Promise<void> {
  const isAboutId = ({ declared }: ReadTest) =>
    [...declared.verifies, ...declared.observes].some((each) => each === id);
  const tests = (await collectSuite()).filter(isAboutId);
  const sortedTests = sortByPlainness(tests, id);
  const [requirement, silence] = [REQUIREMENTS[id], SILENCES[id]];
  // The facts that the text and the JSON share.
  const shared = {
    schema: findSchema((requirement ?? silence)?.section),
    tests: locateTests(sortedTests),
    rules: await locateRules(id),
  };
  const faults = FAULTS.filter(breaksExplained);
  const freedoms = FREEDOMS.filter(({ warns }) => warns?.some((each) => each === id));
  if (json) {
    const entry = { id, requirement: requirement ?? null, question: silence ?? null };
    // Programs get ids in place of faults and freedoms. They get no requests and answers, because these differ from run to run.
    const variants = { faults: faults.map((each) => each.id), freedoms: freedoms.map((each) => each.id) };
    return printJson(`${JSON.stringify({ ...entry, ...shared, ...variants }, null, 2)}\n`);
  }
  const { judged, sent } = await findWhatIsSent(id, sortedTests);
  // Faults with a short description come first. A run may miss faults with `beyondReach`, so these are left out.
  const plainestFaults = faults
    .filter(({ breaks, beyondReach }) => breaks === id && beyondReach === undefined)
    .toSorted((one, other) => one.what.length - other.what.length);
  printText(
    renderExplanation({
      id,
      requirement,
      silence,
      ...shared,
      // `judged.exchanges` returns the exchange without secrets, as reports show it.
      sent: sent.flatMap(({ exchange, by }) =>
        judged.exchanges([exchange.id]).map((redacted) => ({ exchange: redacted, by })),
      ),
      faults,
      freedoms,
      start: { command: spellStart(), variables: {} },
      all,
      failure: await findFailure(plainestFaults, tests),
    }),
  );
}

/** True if the fault breaks the promise `id`, as its only one or as one of several (SEVERAL). */
function breaksExplained({ id: fault, breaks }: Fault): boolean {
  return breaks === id || SEVERAL[fault]?.some((each) => each === id) === true;
}

/** Returns the file with the schema of a section, or null. */
function findSchema(title: string | undefined): string | null {
  const schema = SECTIONS.find(({ section }) => section === title)?.schema;
  return schema === undefined ? null : `schemas/${schema}`;
}

/** Serves one fault after the other, and returns the failure of the first fault that the tests find. Null: they find none. */
async function findFailure(
  faults: readonly Fault[],
  tests: Parameters<typeof judgeVariant>[1],
): Promise<Parameters<typeof renderExplanation>[0]['failure']> {
  for (const fault of faults.slice(0, MOST_FAULTS)) {
    const settings = { propertyRuns: FEW_INPUTS_SHOWN, ...fault.settings };
    const judged = await judgeVariant({ ...fault, settings }, tests);
    const found = judged.findings.filter(
      ({ requirement, verdict }) => requirement === id && verdict === 'fail',
    );
    const flaw = found[0]?.flaw;
    if (flaw) {
      const expected = setUsualWindow(flaw.expected);
      return {
        fault: fault.id,
        flaw: { ...flaw, expected },
        exchanges: judged.exchanges(flaw.evidence),
        by: [...new Set(found.map(({ test }) => nameFinder(test)))],
      };
    }
  }
  return null;
}

/** Names what made a finding: a rule, the function that judges single answers (answers.ts), or a test. */
function nameFinder({ title, file, line }: TestPlace): string {
  if (RULES.some(({ statement }) => statement === title)) return `the rule that says: ${title}`;
  // A finding without a test has the file of RULES_PLACE.
  return file === RULES_PLACE.file
    ? 'fixtures/judgement/rules/answers.ts'
    : `${shortenTestPath(file)}:${line}`;
}

/** Replaces the short window of this run by the default window, e.g. `added 0.3 s before, with CONSISTENCY_WINDOW at 0.2 s`. */
function setUsualWindow(expected: string): string {
  const usual = `${readDefault('CONSISTENCY_WINDOW')} s`;
  return expected
    .replace(
      /added [\d.]+ s before, with CONSISTENCY_WINDOW at [\d.]+ s/,
      `added more than CONSISTENCY_WINDOW (${usual}) before`,
    )
    .replace(/at the latest after [\d.]+ s/, `at the latest after ${usual} (CONSISTENCY_WINDOW)`);
}
