#!/usr/bin/env node
/** Runs the command against the hostile targets alone; `npm run prove` does so after its faults and freedoms. */
import { Command } from 'commander';
import { attackAll } from './prove/hostile.ts';

const { only = '' } = new Command('prove-hostile').description('Runs the command against hostile targets.').exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2)).option('--only <part>', 'only those whose id contains this').parse().opts<{ only?: string }>();
const out = (text: string) => void process.stdout.write(`${text}\n`);
const battery = await attackAll(only, out);
out(JSON.stringify(battery));
process.exitCode = battery.hostile > 0 && battery.failed.length === 0 ? 0 : 1;
