#!/usr/bin/env node
/** `npm run list`: every requirement with its level, section and the faults that prove its tests. */
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { REQUIREMENTS, SILENCES } from '../fixtures/requirements.ts';

const proving = (id: string) => FAULTS.filter(({ breaks, beyondReach }) => breaks === id && beyondReach === undefined).length;
const lines = Object.entries(REQUIREMENTS).map(([id, { level, section, excused }]) => `${id.padEnd(42)} ${excused === undefined ? level.padEnd(7) : 'excused'} ${String(proving(id)).padStart(3)} faults  ${section}`);
const silences = Object.entries(SILENCES).map(([id, { section }]) => `${id.padEnd(42)} silent              ${section}`);
process.stdout.write(`${[...lines, '', ...silences].join('\n')}\n`);
