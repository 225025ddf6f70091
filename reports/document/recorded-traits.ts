/** Names the traits of a request by which a service may treat it differently: headers, parameters, members of a NewPet. Pure. */
import { listClientHeaders } from '../../fixtures/exchange/client-headers.ts';
import type { Ask } from '../../fixtures/exchange/exchange.ts';
import { readMembers } from '../../fixtures/exchange/json.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';

/** Headers that each request has, with values that differ. */
const NEEDED = /^(host|authorization|content-length|content-type|cache-control)$/;
/** Headers that clients may lack. */
const MAY_LACK = ['accept', 'accept-encoding', 'user-agent'];

/** Returns e.g. `with Connection: close`, `with no user-agent`, `with limit=7`, `with the status "sold"`. */
export function nameTraits(ask: Ask): string[] {
  return [...nameHeaders(ask), ...nameParameters(ask), ...nameMembers(ask)].map((each) => `with ${each}`);
}

/**
 * Names headers of ordinary clients only: the suite's own ones are on most requests. All headers come first, and are named if
 * no single one separates better.
 */
function nameHeaders({ client, headers = [], without = [] }: Ask): string[] {
  if (client === undefined) return [];
  const changed = new Set([...headers.map(([name]) => name.toLowerCase()), ...without]);
  const kept = listClientHeaders(client).filter(([name]) => !changed.has(name.toLowerCase()));
  const sent = [...kept, ...headers].filter(([name]) => !NEEDED.test(name.toLowerCase()));
  const names = new Set(sent.map(([name]) => name.toLowerCase()));
  const lacking = MAY_LACK.filter((name) => !names.has(name)).map((name) => `no ${name}`);
  return [
    `the headers of ${client}`,
    ...lacking,
    ...sent.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])),
  ];
}

function nameParameters({ operation, path }: Ask): string[] {
  if (operation !== 'listPets') return [];
  const query = new URLSearchParams(path.split('?')[1]);
  return ['limit', 'status'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [`no ${name}`] : [`a ${name}`, `${name}=${value}`];
  });
}

/** The numbers of characters and the values at which stores often change. */
const LENGTHS = [20, 32, 64, 100, 128, 255];
const LARGEST_INT = 2 ** 31 - 1;

/** Names the status, the kind of category, and the length and the odd characters of the name. */
function nameMembers({ method, body }: Ask): string[] {
  if (method !== 'POST' || typeof body !== 'string') return [];
  const { name, categoryId, status } = readMembers(parseText(body));
  const characters = typeof name === 'string' ? [...name] : [];
  const odd = characters.filter((each) => !/[A-Za-z0-9]/.test(each));
  const nameOdd = (each: string) =>
    each > '~' ? ['a character beyond ASCII in its name'] : [`${JSON.stringify(each)} in its name`];
  return [
    typeof status === 'string' ? `the status "${status}"` : 'no status',
    ...(Math.abs(Number(categoryId)) > LARGEST_INT ? ['a categoryId beyond 32 bits'] : []),
    ...(Number(categoryId) <= 0 ? ['a categoryId of 0 or less'] : []),
    ...LENGTHS.filter((each) => characters.length > each).map(
      (each) => `a name of more than ${each} characters`,
    ),
    ...new Set(odd.flatMap(nameOdd)),
  ];
}
