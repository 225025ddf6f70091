import { makeCommand } from '../command-line/make-command.ts';

/** Describes `judge`, which judges the evidence of a run again, offline. */
export const program = makeCommand(
  'judge',
  'Judges the evidence of earlier runs again, by the rules of this version; sends nothing. Shows what differs from the report next to it: what an upgrade would change.',
  {
    examples: ['reports/out', 'june/evidence.jsonl july/evidence.jsonl'],
    exits: { 0: 'conforming', 1: 'nonconforming', 2: 'not evidence of a run', 3: 'inconclusive' },
  },
)
  .summary('judge the evidence of a run again, offline')
  .argument('<evidence...>', 'evidence.jsonl of a run, or its folder')
  .option('--json', 'as JSON, a line for each run');
