#!/usr/bin/env node
/** `npm run list [-- <part>] [--json]`: every requirement and every open question. 2: an unknown option, or nothing of that name. */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/interface/requirements.ts';
import { program } from './commands/list.ts';
import { err, out, outJson } from './output/print.ts';

program.parse();
const [part = ''] = program.args;
const { json = false } = program.opts<{ json?: boolean }>();

const proving = (id: string) =>
  FAULTS.filter(({ breaks, beyondReach }) => breaks === id && beyondReach === undefined).length;
const fits = ({ id, section }: { id: string; section: string }) =>
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

if (requirements.length + questions.length === 0) {
  err('No requirement and no open question has this in its id or its section.\n');
  process.exitCode = 2;
} else if (json) {
  outJson(`${JSON.stringify({ requirements, questions }, null, 2)}\n`);
} else {
  const heading = (text: string, lines: string[]) =>
    lines.length === 0 ? [] : [text, ...lines.map((line) => `  ${line}`), ''];
  const text = [
    ...heading(
      'Requirements, which are judged',
      requirements.flatMap(({ id, level, section, statement, excused, faults }) => [
        `${id.padEnd(42)} ${(excused === null ? level : 'excused').padEnd(7)} ${String(faults).padStart(3)} faults  ${section}`,
        `    ${statement}`,
      ]),
    ),
    ...heading(
      'Open questions, which are observed and never judged',
      questions.flatMap(({ id, section, question }) => [`${id.padEnd(42)} ${section}`, `    ${question}`]),
    ),
  ];
  out(`${text.join('\n')}\n`);
}
