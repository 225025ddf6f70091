import { setTimeout as sleep } from 'node:timers/promises';
import { header, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { word } from '../../fixtures/client/test-arguments.ts';
import { statusLine } from '../../fixtures/judgement/documented-answer.ts';
import { saysLater } from '../../fixtures/exchange/retry-after.ts';
import type { Session } from '../../fixtures/session/session.ts';
import { baseUrlHint } from './base-url-hint.ts';

/** Why a run cannot begin, in one line, and the exit code that says so. */
export interface Obstacle {
  exitCode: 2 | 3;
  message: string;
}

/** Milliseconds before each look at a target that answers with server errors: one that is starting may be there by then. */
const LOOKS_AFTER = [0, 1_000, 1_000];

/** Asks listPets with the key and without, and stops only where every test would tell the same story. Null: go on. */
export async function preflight(session: Session): Promise<Obstacle | null> {
  const ask = { operation: 'listPets', method: 'GET', path: '/pets' } as const;
  const withKey = await session.send({ ...ask, credential: 'key' });
  if (withKey.response === null) return { exitCode: 3, message: `The target gave no answer: ${withKey.error?.message ?? 'unknown'}. Is BASE_URL right, and can it be reached from here?` };
  const { status } = withKey.response;
  if (saysLater(withKey.response)) return { exitCode: 3, message: `The target answered ${status} until the run gave up waiting; try again later, or with a lower MAX_RPS.` };
  if (status >= 500) return (await isDown(session)) ? { exitCode: 3, message: `The target is down: with the key, it answers GET /pets with ${statusLine(withKey.response)} and GET /pets/1 with a server error too. Try again when it is up.` } : null;
  const isRefused = status === 401 || status === 403;
  if (!isRefused && !isElsewhere(withKey) && status !== 400) return null;
  const meant = await baseUrlHint(session, true);
  if (meant !== null) return { exitCode: 2, message: `BASE_URL is not the address of the interface: GET /pets with the key is answered ${statusLine(withKey.response)} there. ${pointTo(meant)}` };
  if (isRefused) return { exitCode: 2, message: `The target refuses the key (${status}). Is API_KEY the key of this environment?` };
  if (!isElsewhere(withKey)) return null;
  const withoutKey = await session.send({ ...ask, credential: 'none' });
  if (!isElsewhere(withoutKey)) return null;
  const likely = await baseUrlHint(session, false);
  return { exitCode: 2, message: likely === null ? elsewhere(withKey) : `GET /pets is not there (${word(withKey)}), with the key and without. ${pointTo(likely)}` };
}

/** Whether nobody is served: server errors to a list and to a single animal, at each of several looks. */
async function isDown(session: Session): Promise<boolean> {
  for (const pause of LOOKS_AFTER) {
    await sleep(pause);
    for (const path of ['/pets', '/pets/1']) {
      const { response } = await session.send({ operation: path === '/pets' ? 'listPets' : 'getPet', method: 'GET', path, credential: 'key' });
      if (response !== null && response.status < 500) return false;
    }
  }
  return true;
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

function pointTo(address: string): string {
  return `${address} answers like this interface: set BASE_URL to it.`;
}

function isHtml(type: string | undefined): boolean {
  return /^\s*text\/html\b/i.test(type ?? '');
}
