/** Looks for the interface at other addresses of the same origin, if BASE_URL does not lead to it. */
import { findBodyFlaws } from '../../../fixtures/interface/bodies.ts';
import { findHeader, type Answer, type Exchange } from '../../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../../fixtures/exchange/read-body.ts';
import type { Session } from '../../../fixtures/session/session.ts';

/**
 * Tries other paths of the origin. Returns the full address that answers like this interface, or null.
 * @param answer what GET /pets got
 * @param proof the answer that is enough. The 401 has an Error and comes without the key
 */
export async function findBaseUrl(
  session: Session,
  answer: Answer,
  proof: 'a list with the key' | 'a list or a 401',
): Promise<string | null> {
  const { baseUrl } = await session.facts();
  const { origin, pathname } = new URL(baseUrl);
  const redirect = readRedirect(answer, baseUrl);
  const redirected = redirect?.origin === origin ? redirect.pathname : '';
  for (const basePath of listLikelyPaths(pathname.replace(/\/+$/, ''), redirected)) {
    const ask = { operation: 'listPets', method: 'GET', path: '/pets', basePath } as const;
    if (isList(await session.send({ ...ask, credential: 'key' }))) return origin + basePath;
    if (proof === 'a list with the key') continue;
    if (isRefusedWithError(await session.send({ ...ask, credential: 'none' }))) return origin + basePath;
  }
  return null;
}

/** Returns the address to which a GET /pets is redirected; null if the answer names none. */
export function readRedirect(answer: Answer, baseUrl: string): URL | null {
  const location = isRedirect(answer) ? (findHeader(answer, 'location') ?? '') : '';
  const asked = `${baseUrl}/pets`;
  return location !== '' && URL.canParse(location, asked) ? new URL(location, asked) : null;
}

export function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400;
}

/**
 * Returns other likely paths. For `/api/pets`: `/api`, `/api/v1` and `/api/pets/v1`. For `/v2`: `/v1`.
 * @param redirected the path to which `/pets` is redirected, e.g. `/api/pets`, whose base path is likely too
 */
function listLikelyPaths(path: string, redirected: string): string[] {
  const bare = path.replace(/\/pets$/, '');
  const withoutVersion = bare.replace(/(\/v\d[^/]*)+$/i, '');
  const [, own = path] = /^(.*)\/pets$/.exec(redirected) ?? [];
  const all = [bare, `${withoutVersion}/v1`, own, ...(path === bare ? [] : [`${path}/v1`])];
  return [...new Set(all)].filter((each) => each !== path);
}

function isList({ response }: Exchange): boolean {
  return response?.status === 200 && Array.isArray(parseBody(response));
}

function isRefusedWithError({ response }: Exchange): boolean {
  const body = response?.status === 401 ? parseBody(response) : undefined;
  return body !== undefined && findBodyFlaws('Error', body).length === 0;
}
