#!/usr/bin/env node
/** `npm run explain -- <id>`: all that the project knows of a requirement or an open question. 2: there is none of that id. */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../fixtures/implementations/freedoms/index.ts';
import { Reference } from '../fixtures/implementations/reference.ts';
import { judgeVariant } from '../fixtures/proof.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/requirements.ts';
import { nearest } from '../fixtures/settings/suggest.ts';
import { explanation } from '../reports/explanation.ts';
import { program } from './commands/explain.ts';
import { collectSuite } from './run/suite.ts';
import { spelled } from './run/again.ts';

program.parse();
const [id = ''] = program.args;
const { json = false } = program.opts<{ json?: boolean }>();
const known = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];

if (!known.includes(id)) {
  const suggestion = nearest(id, known);
  process.stderr.write(`There is no requirement or open question ${JSON.stringify(id)}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`} \`${spelled('list')}\` names them all.\n`);
  process.exitCode = 2;
} else {
  const tests = (await collectSuite()).filter(({ declared }) => [...declared.verifies, ...declared.observes].some((each) => each === id));
  const judged = await judgeVariant({ vary: () => Reference }, tests);
  const all = {
    id,
    requirement: REQUIREMENTS[id],
    silence: SILENCES[id],
    tests: tests.map(({ place }) => place.title),
    exchanges: judged.exchangesFor(id),
    faults: FAULTS.filter(({ breaks, also }) => breaks === id || also?.some((each) => each === id)),
    freedoms: FREEDOMS.filter(({ id: freedom, notApplicable, warns }) => freedom.startsWith(`${id.split('.')[0]}.`) || [...(notApplicable ?? []), ...(warns ?? [])].some((each) => each === id)),
  };
  process.stdout.write(json ? `${JSON.stringify(inShort(all), null, 2)}\n` : explanation(all));
}

/** For machines: ids in the place of programs, and no answers, which differ from run to run. */
function inShort({ id, requirement, silence, tests, faults, freedoms }: Parameters<typeof explanation>[0]): object {
  return { id, requirement: requirement ?? null, question: silence ?? null, tests, faults: faults.map((each) => each.id), freedoms: freedoms.map((each) => each.id) };
}
