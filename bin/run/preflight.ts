import { header, type Exchange } from '../../fixtures/exchange.ts';
import { word } from '../../fixtures/args.ts';
import { saysLater } from '../../fixtures/session/pace.ts';
import type { Session } from '../../fixtures/session/session.ts';

/** Why a run cannot begin, in one line, and the exit code that says so. */
export interface Obstacle {
  exitCode: 2 | 3;
  message: string;
}

/** Asks listPets with the key and without, and stops only where every test would tell the same story. Null: go on. */
export async function preflight(session: Session): Promise<Obstacle | null> {
  const ask = { operation: 'listPets', method: 'GET', path: '/pets' } as const;
  const withKey = await session.send({ ...ask, credential: 'key' });
  if (withKey.response === null) return { exitCode: 3, message: `The target gave no answer: ${withKey.error?.message ?? 'unknown'}. Is BASE_URL right, and can it be reached from here?` };
  const { status } = withKey.response;
  if (saysLater(withKey.response)) return { exitCode: 3, message: `The target answered ${status} until the end of the bound; try again later, or with a lower MAX_RPS.` };
  if (status === 401 || status === 403) return { exitCode: 2, message: `The target refuses the key (${status}). Is API_KEY the key of this environment?` };
  if (!isElsewhere(withKey)) return null;
  const withoutKey = await session.send({ ...ask, credential: 'none' });
  return isElsewhere(withoutKey) ? { exitCode: 2, message: elsewhere(withKey) } : null;
}

/** Answers that say: there is no such interface at this address. */
function isElsewhere({ response }: Exchange): boolean {
  if (response === null) return false;
  const { status } = response;
  return status === 404 || status === 405 || (status >= 300 && status < 400) || (status >= 200 && status < 300 && isHtml(header(response, 'content-type')));
}

function elsewhere(exchange: Exchange): string {
  const location = exchange.response && header(exchange.response, 'location');
  if (location !== undefined && location !== null) return `GET /pets redirects to ${JSON.stringify(location.slice(0, 200))}, with the key and without. BASE_URL must be the address that answers itself.`;
  return `GET /pets is not there (${word(exchange)}), with the key and without. Does BASE_URL lack its path prefix, which ends in /v1?`;
}

function isHtml(type: string | undefined): boolean {
  return /^\s*text\/html\b/i.test(type ?? '');
}
