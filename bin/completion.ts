#!/usr/bin/env node
/** `completion <shell>`: prints a completion script for a shell. */
import suite from '../package.json' with { type: 'json' };
import { REQUIREMENTS, SILENCES } from '../fixtures/interface/requirements.ts';
import { described } from './commands/all.ts';
import { program, type SHELLS } from './commands/completion.ts';
import { SCRIPT_FOR, wordsOf } from './completion/scripts.ts';
import { outOwn } from './output/print.ts';

const [shell] = program.parse().args as [(typeof SHELLS)[number]];
const commands = (await described()).flatMap(([, each]) => each);
const asked = [
  ...Object.entries(REQUIREMENTS).flatMap(([id, { excused }]) => (excused === undefined ? [id] : [])),
  ...Object.keys(SILENCES),
];
const stems = [...new Set(asked.map((id) => id.split('.')[0] ?? ''))];
const known = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];
outOwn(SCRIPT_FOR[shell](suite.name, wordsOf(commands, { only: [...stems, ...asked], id: known })));
