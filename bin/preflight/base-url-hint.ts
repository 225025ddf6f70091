/** Looks for the interface at other addresses of the same origin, if BASE_URL does not lead to it. */
import { findBodyFlaws } from '../../fixtures/interface/bodies.ts';
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../fixtures/judgement/read-body.ts';
import type { Session } from '../../fixtures/session/session.ts';

/**
 * Returns the full address that answers like this interface, or null.
 * @param surely true if only a list for the key counts; else a documented 401 without the key is enough
 */
export async function findBaseUrl(session: Session, surely: boolean): Promise<string | null> {
  const { baseUrl } = await session.facts();
  const { origin, pathname } = new URL(baseUrl);
  for (const basePath of likely(pathname.replace(/\/+$/, ''))) {
    const ask = { operation: 'listPets', method: 'GET', path: '/pets', basePath } as const;
    if (isList(await session.send({ ...ask, credential: 'key' }))) return origin + basePath;
    if (!surely && isRefusedWithError(await session.send({ ...ask, credential: 'none' })))
      return origin + basePath;
  }
  return null;
}

/** Returns other likely paths: without the path of the operations, and with the version. */
function likely(path: string): string[] {
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
