/** `npm run licences`: every package that is installed with this one, and its licence. 1: one of them may not be used. */
import { licences } from './allowed.ts';

const all = licences();
const width = Math.max(...all.map(({ name }) => name.length));
for (const { name, licence, isAllowed } of all)
  process.stdout.write(`${name.padEnd(width)}  ${licence}${isAllowed ? '' : '  not allowed'}\n`);
process.exitCode = all.every(({ isAllowed }) => isAllowed) ? 0 : 1;
