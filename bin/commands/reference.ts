import { makeCommand } from '../command-line/make-command.ts';

/** Describes `reference`, which serves the reference service. */
export const program = makeCommand(
  'reference',
  'Serves the reference service for people to play with, until Ctrl-C; address and key are printed. PORT, HOST, API_KEY and API_KEY_FILE are honoured.',
  {
    examples: ['', '--port 8080', '--host 0.0.0.0 --port 8080', '--health --port 8080'],
    exits: {
      0: 'it has ended, or with --health: it answers',
      1: 'with --health: it does not answer',
      2: 'not possible as configured',
    },
  },
)
  .summary('serve the reference service')
  .option('--port <number>', 'port to listen on; default: PORT, or any that is free')
  .option('--host <address>', 'address to listen on; default: HOST, or 127.0.0.1')
  .option('--health', 'ask the reference on this machine and port whether it answers, and end');
