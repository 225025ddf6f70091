/** `npm run licences`: prints every package that is installed with this one, with its licence. Exit code 1: a licence is not allowed. */
import { listLicences } from './allowed-licences.ts';

const all = listLicences();
const width = Math.max(...all.map(({ name }) => name.length));
for (const { name, licence, isAllowed } of all)
  process.stdout.write(`${name.padEnd(width)}  ${licence}${isAllowed ? '' : '  not allowed'}\n`);
process.exitCode = all.every(({ isAllowed }) => isAllowed) ? 0 : 1;
