/** Looks for the interface at other addresses of the same origin, if BASE_URL does not lead to it. */
import { findBodyFlaws } from '../../../fixtures/interface/bodies.ts';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../../fixtures/exchange/read-body.ts';
import type { Session } from '../../../fixtures/session/session.ts';

/**
 * Tries other paths of the origin. Returns the full address that answers like this interface, or null.
 * @param proof the answer that is enough. The 401 has an Error and comes without the key
 */
export async function findBaseUrl(
  session: Session,
  proof: 'a list with the key' | 'a list or a 401',
): Promise<string | null> {
  const { baseUrl } = await session.facts();
  const { origin, pathname } = new URL(baseUrl);
  for (const basePath of listLikelyPaths(pathname.replace(/\/+$/, ''))) {
    const ask = { operation: 'listPets', method: 'GET', path: '/pets', basePath } as const;
    if (isList(await session.send({ ...ask, credential: 'key' }))) return origin + basePath;
    if (proof === 'a list with the key') continue;
    if (isRefusedWithError(await session.send({ ...ask, credential: 'none' }))) return origin + basePath;
  }
  return null;
}

/** Returns other likely paths. For `/api/pets`: `/api`, `/api/v1` and `/api/pets/v1`. */
function listLikelyPaths(path: string): string[] {
  const bare = path.replace(/\/pets$/, '');
  const all = [bare, ...[bare, path].filter((each) => !each.endsWith('/v1')).map((each) => `${each}/v1`)];
  return [...new Set(all)].filter((each) => each !== path);
}

function isList({ response }: Exchange): boolean {
  return response?.status === 200 && Array.isArray(parseBody(response));
}

function isRefusedWithError({ response }: Exchange): boolean {
  const body = response?.status === 401 ? parseBody(response) : undefined;
  return body !== undefined && findBodyFlaws('Error', body).length === 0;
}
