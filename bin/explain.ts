#!/usr/bin/env node
/** `npm run explain -- <id>`: all that the project knows of a requirement or an open question. 2: there is none of that id. */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../fixtures/implementations/freedoms/index.ts';
import { Reference } from '../fixtures/implementations/reference.ts';
import { judgeVariant } from '../fixtures/proof.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/requirements.ts';
import { nearest } from '../fixtures/settings/suggest.ts';
import { explanation } from '../reports/explanation.ts';
import { collectSuite } from './prove/suite.ts';
import { command } from './command.ts';

const program = command('explain', 'Tells all that the project knows of a requirement or an open question.')
  .argument('<id>', 'as `npm run list` names it')
  .parse();
const [id = ''] = program.args;
const known = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];

if (!known.includes(id)) {
  const suggestion = nearest(id, known);
  process.stderr.write(`There is no requirement or open question ${JSON.stringify(id)}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`} \`npm run list\` names them all.\n`);
  process.exitCode = 2;
} else {
  const tests = (await collectSuite()).filter(({ declared }) => [...declared.verifies, ...declared.observes].some((each) => each === id));
  const judged = await judgeVariant({ vary: () => Reference }, tests);
  process.stdout.write(
    explanation({
      id,
      requirement: REQUIREMENTS[id],
      silence: SILENCES[id],
      tests: tests.map(({ place }) => place.title),
      exchanges: judged.exchangesFor(id),
      faults: FAULTS.filter(({ breaks, also }) => breaks === id || also?.some((each) => each === id)),
      freedoms: FREEDOMS.filter(({ id: freedom, notApplicable, warns }) => freedom.startsWith(`${id.split('.')[0]}.`) || [...(notApplicable ?? []), ...(warns ?? [])].some((each) => each === id)),
    }),
  );
}
