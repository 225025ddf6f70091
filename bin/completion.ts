#!/usr/bin/env node
/** `completion <shell>`: prints a script by which a shell completes commands, options and ids of requirements. */
import suite from '../package.json' with { type: 'json' };
import { REQUIREMENTS, SILENCES } from '../fixtures/interface/requirements.ts';
import { loadCommands } from './commands/all.ts';
import { program, type SHELLS } from './commands/completion.ts';
import { SCRIPT_FOR, listWords } from './completion/scripts.ts';
import { printUnchanged } from './command-line/output/print.ts';

const [shell] = program.parse().args as [(typeof SHELLS)[number]];
const commands = (await loadCommands()).flatMap(([, each]) => each);
// `--only` takes ids that a run can ask, or their stems, e.g. `list-pets`. `explain` takes every id.
const asked = [
  ...Object.entries(REQUIREMENTS).flatMap(([id, { excused }]) => (excused === undefined ? [id] : [])),
  ...Object.keys(SILENCES),
];
const stems = [...new Set(asked.map((id) => id.split('.')[0] ?? ''))];
const known = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];
printUnchanged(SCRIPT_FOR[shell](suite.name, listWords(commands, { only: [...stems, ...asked], id: known })));
