#!/usr/bin/env node
/** `completion <shell>`: prints a script for a shell. */
import suite from '../package.json' with { type: 'json' };
import { REQUIREMENTS } from '../fixtures/requirements.ts';
import { described } from './commands/all.ts';
import { program, type SHELLS } from './commands/completion.ts';
import { SCRIPT_FOR, wordsOf } from './completion/scripts.ts';

const [shell] = program.parse().args as [(typeof SHELLS)[number]];
const commands = (await described()).flatMap(([, each]) => each);
const ids = Object.entries(REQUIREMENTS).flatMap(([id, { excused }]) => (excused === undefined ? [id] : []));
const stems = [...new Set(ids.map((id) => id.split('.')[0] ?? ''))];
process.stdout.write(SCRIPT_FOR[shell](suite.name, wordsOf(commands, { only: [...stems, ...ids] })));
