/** Where the interface is, when it is not where BASE_URL says: other addresses of the same origin that people mean. */
import { flawsOf } from '../../fixtures/interface/bodies.ts';
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { bodyOf } from '../../fixtures/judgement/documented-answer.ts';
import type { Session } from '../../fixtures/session/session.ts';

/** The address that answers like this interface, in full, or null. `surely`: it serves a list to the key. */
export async function baseUrlHint(session: Session, surely: boolean): Promise<string | null> {
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

/** The path without what belongs to the operations, and with the version. */
function likely(path: string): string[] {
  const bare = path.replace(/\/pets$/, '');
  const all = [bare, ...[bare, path].filter((each) => !each.endsWith('/v1')).map((each) => `${each}/v1`)];
  return [...new Set(all)].filter((each) => each !== path);
}

function isList({ response }: Exchange): boolean {
  return response?.status === 200 && Array.isArray(bodyOf(response));
}

function isRefusedWithError({ response }: Exchange): boolean {
  const body = response?.status === 401 ? bodyOf(response) : undefined;
  return body !== undefined && flawsOf('Error', body).length === 0;
}
