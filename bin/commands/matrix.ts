import { makeCommand } from '../command-line/make-command.ts';

/** Describes `matrix`, which compares vendors. */
export const program = makeCommand('matrix', 'Writes vendors side by side: matrix.html and matrix.json.', {
  examples: [
    'reports/out/vendors',
    'reports/out/vendors --public-key issuer.pem.pub --revoked revoked.json',
    'seed-1 seed-2 felix=july/felix --out side-by-side',
  ],
  exits: { 0: 'written', 2: 'nothing to write, or bad input' },
})
  .summary('show vendors side by side')
  .argument('<dir...>', 'folders with a report.json, or folders of such folders; NAME=DIR names the vendor')
  .option('--out <dir>', 'the folder to write to', 'reports/out/matrix')
  .option('--public-key <file>', 'public key (PEM) of the issuer, to verify certificates with')
  .option('--keys <file>', 'signed list of the keys of the issuer; --public-key is the newest of them')
  .option('--revoked <file>', 'signed list of revocations of the issuer; needs --public-key')
  .option('--revoked-seen <file>', 'remembers the newest list; an older one is refused')
  .option('--json', 'print matrix.json, too');
