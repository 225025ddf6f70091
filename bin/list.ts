#!/usr/bin/env node
/**
 * `npm run list [-- <part>] [--sections] [--json]`: prints requirements and open questions. Exit code 2: an
 * unknown option, or no match.
 */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/interface/requirements.ts';
import { SECTIONS } from '../fixtures/interface/sections.ts';
import { program } from './commands/list.ts';
import { printError, printText, printJson } from './output/print.ts';

program.parse();
const [part = ''] = program.args;
const { json = false, sections = false } = program.opts<{ json?: boolean; sections?: boolean }>();

const proving = (id: string) =>
  FAULTS.filter(({ breaks, beyondReach }) => breaks === id && beyondReach === undefined).length;
const fits = ({ id = '', section }: { id?: string; section: string }) =>
  `${id} ${section}`.toLowerCase().includes(part.toLowerCase());
const requirements = Object.entries(REQUIREMENTS)
  .map(([id, { level, section, statement, excused }]) => ({
    id,
    level,
    section,
    statement,
    excused: excused ?? null,
    faults: proving(id),
  }))
  .filter(fits);
const questions = Object.entries(SILENCES)
  .map(([id, { section, question }]) => ({ id, section, question }))
  .filter(fits);
/** Sections with their listed entries. With a part, only sections that match it or have an entry that matches. */
const listedSections = SECTIONS.map((each) => ({
  section: each.section,
  schema: each.schema === undefined ? null : `schemas/${each.schema}`,
  untested: each.untested ?? null,
  requirements: requirements.filter(({ section }) => section === each.section),
  questions: questions.filter(({ section }) => section === each.section),
})).filter((each) => fits(each) || each.requirements.length + each.questions.length > 0);

const isEmpty = sections ? listedSections.length === 0 : requirements.length + questions.length === 0;
if (isEmpty) {
  printError('No requirement and no open question has this in its id or its section.\n');
  process.exitCode = 2;
} else if (json) {
  const listed = sections ? { sections: listedSections } : { requirements, questions };
  printJson(`${JSON.stringify(listed, null, 2)}\n`);
} else {
  printText(`${(sections ? listedSections.flatMap(sectionLines) : catalogueLines()).join('\n')}\n`);
}

/** Lines of the catalogue: requirements first, then open questions. */
function catalogueLines(): string[] {
  const heading = (text: string, lines: string[]) =>
    lines.length === 0 ? [] : [text, ...lines.map((line) => `  ${line}`), ''];
  return [
    ...heading(
      'Requirements, which are judged',
      requirements.flatMap(({ section, ...each }) => [
        `${idLine(each)} ${String(each.faults).padStart(3)} faults  ${section}`,
        `    ${each.statement}`,
      ]),
    ),
    ...heading(
      'Open questions, which are observed and never judged',
      questions.flatMap(({ id, section, question }) => [`${id.padEnd(42)} ${section}`, `    ${question}`]),
    ),
  ];
}

/** Lines of one section: heading and schema, the reason if nothing is tested, promises, open questions. */
function sectionLines({ section, schema, untested, ...held }: (typeof listedSections)[number]): string[] {
  return [
    `${section}${schema === null ? '' : ` (${schema})`}`,
    ...(untested === null ? [] : [`  Nothing to test: ${untested}`]),
    ...held.requirements.flatMap((each) => [
      `  ${idLine(each).trimEnd()}`,
      `      ${each.statement}`,
      ...(each.excused === null ? [] : [`      Not tested: ${each.excused}`]),
    ]),
    ...held.questions.map(({ id, question }) => `  ${id.padEnd(42)} open     ${question}`),
    '',
  ];
}

function idLine({
  id,
  level,
  excused,
}: Pick<(typeof requirements)[number], 'id' | 'level' | 'excused'>): string {
  return `${id.padEnd(42)} ${(excused === null ? level : 'excused').padEnd(7)}`;
}
