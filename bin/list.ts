#!/usr/bin/env node
/**
 * `npm run list [-- <part>] [--sections] [--json]`: prints the catalogue of requirements and open questions whose id or section
 * contains `part`. Exit code 2: an unknown option, or no match.
 */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/interface/requirements.ts';
import { SECTIONS } from '../fixtures/interface/sections.ts';
import { listSection, writeIdLine } from '../reports/shown/text/explanation.ts';
import { listCommand as program } from './command-descriptions.ts';
import { printError, printText, printJson } from './command-line/output/print.ts';

program.parse();
const [part = ''] = program.args;
const { json = false, sections = false } = program.opts<{ json?: boolean; sections?: boolean }>();

/** Counts the faults that prove the tests of a promise: they break it, and every run can find them (no `beyondReach`). */
const countFaults = (id: string) =>
  FAULTS.filter(({ breaks, beyondReach }) => breaks === id && beyondReach === undefined).length;
/** True if one of the texts contains the part that the user asks for. */
const hasPart = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(part.toLowerCase()));
const requirements = Object.entries(REQUIREMENTS)
  .map(([id, { level, section, statement, excused }]) => ({
    id,
    level,
    section,
    statement,
    excused: excused ?? null,
    faults: countFaults(id),
  }))
  .filter(({ id, section }) => hasPart(id, section));
const questions = Object.entries(SILENCES)
  .map(([id, { section, question }]) => ({ id, section, question }))
  .filter(({ id, section }) => hasPart(id, section));
const listedIds = new Set([...requirements, ...questions].map(({ id }) => id));
/**
 * For --sections: the sections of the document with their sentences. `list limits --sections` shows all sentences of a section whose
 * title contains `limits`. Of other sections it shows the sentences that contain it or have a listed id.
 */
const listedSections = SECTIONS.map((each) => ({
  section: each.section,
  schema: each.schema === undefined ? null : `schemas/${each.schema}`,
  requirements: requirements.filter(({ section }) => section === each.section),
  questions: questions.filter(({ section }) => section === each.section),
  sentences: each.sentences
    .map(({ says, ids = [], untested = null }, index) => ({ number: index + 1, says, ids, untested }))
    .filter(({ says, ids }) => hasPart(each.section, says) || ids.some((id) => listedIds.has(id))),
})).filter((each) => each.sentences.length > 0);

const isEmpty = sections ? listedSections.length === 0 : requirements.length + questions.length === 0;
if (isEmpty) {
  printError('No requirement and no open question has this in its id or its section.\n');
  process.exitCode = 2;
} else if (json) {
  const listed = sections ? { sections: listedSections } : { requirements, questions };
  printJson(`${JSON.stringify(listed, null, 2)}\n`);
} else {
  printText(`${(sections ? listedSections.flatMap(listSection) : listCatalogue()).join('\n')}\n`);
}

/** Returns lines of the catalogue: requirements first, then open questions. */
function listCatalogue(): string[] {
  const heading = (text: string, lines: string[]) =>
    lines.length === 0 ? [] : [text, ...lines.map((line) => `  ${line}`), ''];
  return [
    ...heading(
      'Requirements, which are judged',
      requirements.flatMap(({ section, ...each }) => [
        `${writeIdLine(each)} ${String(each.faults).padStart(3)} faults  ${section}`,
        `    ${each.statement}`,
      ]),
    ),
    ...heading(
      'Open questions: their answers are observed, and judged only by standards',
      questions.flatMap(({ id, section, question }) => [`${id.padEnd(42)} ${section}`, `    ${question}`]),
    ),
  ];
}
