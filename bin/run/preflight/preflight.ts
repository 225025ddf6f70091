/** The first requests of a run: they find out if the target can be judged at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findHeader,
  type Answer,
  type Exchange,
  type TransportError,
  isSuccess,
} from '../../../fixtures/exchange/exchange.ts';
import { findBodyFlaws } from '../../../fixtures/interface/bodies.ts';
import { describeExchange } from '../../../fixtures/asking/client/test-arguments.ts';
import { describeStatus } from '../../../fixtures/judgement/describe-answer.ts';
import { parseBody } from '../../../fixtures/exchange/read-body.ts';
import { isPutOff } from '../../../fixtures/exchange/retry-after.ts';
import { ONE_ANIMAL } from '../../../fixtures/session/plain-requests.ts';
import type { Session } from '../../../fixtures/session/session.ts';
import type { Remedy } from '../../../fixtures/judgement/reason.ts';
import { ASK_LATER, LOOK_IN_LOG } from '../../../reports/document/reasons/stop-words.ts';

/** The reason why a run cannot begin, in one line. Exit code 2: a setting is wrong. Exit code 3: the target is down, busy or unreachable. */
export interface Obstacle {
  exitCode: 2 | 3;
  message: string;
  /** A change that lets a run begin, if the message does not say it. */
  remedy?: Remedy | null;
}

/** The first request of every run. */
export const PREFLIGHT_LIST = {
  operation: 'listPets',
  method: 'GET',
  path: '/pets',
  credential: 'key',
} as const;
/** A target with server errors is asked again after each of these pauses, in milliseconds: it may be starting. */
const PAUSES_BEFORE_RETRY = [0, 1_000, 1_000];

/**
 * Sends a first list with the key, and more requests if its answer is odd. Returns an obstacle only if every test would meet
 * it; null if the run can begin.
 */
export async function checkTarget(session: Session): Promise<Obstacle | null> {
  const obstacle = await askFirstList(session);
  // A certification run repeats requests as an ordinary client, and must know which User-Agent the target accepts.
  if (obstacle === null && (await session.facts()).repeatsAsClient) await session.chooseUserAgent();
  return obstacle;
}

async function askFirstList(session: Session): Promise<Obstacle | null> {
  const withKey = await session.send(PREFLIGHT_LIST);
  const { response, error } = withKey;
  // The answer is larger than the suite reads. It is an answer, so the run can begin.
  if (error?.kind === 'too-large') return null;
  if (response === null) return makeUnansweredObstacle(withKey, (await session.facts()).baseUrl);
  // The target only says to come back later: 429, or 503 with Retry-After.
  if (isPutOff(response)) return makeBusy(response);
  if (response.status >= 500) return (await isDown(session)) ? makeDown(response) : null;
  // 400: a server that speaks TLS may answer so to plain HTTP.
  const isSuspect = isRefused(response) || isElsewhere(response) || response.status === 400;
  return isSuspect ? findWrongSetting(session, withKey, response) : null;
}

/**
 * Names the setting that explains the first answer: BASE_URL or API_KEY. Null if neither explains it; then the target is judged. It
 * looks in this order for: another path with a list, a wrong key, TLS, another path with a 401, a redirect or a page of HTML.
 */
async function findWrongSetting(
  session: Session,
  withKey: Exchange,
  answer: Answer,
): Promise<Obstacle | null> {
  const rightUrl = await findBaseUrl(session, answer, 'a list with the key');
  if (rightUrl !== null)
    return blameSetting(
      `BASE_URL is not the address of the interface: GET /pets with the key gets ${describeStatus(answer)} there. ${pointTo(rightUrl)}`,
    );
  const withoutKey = await session.send({ ...PREFLIGHT_LIST, credential: 'none' });
  if (isRefused(answer)) return blameSetting(explainRefusal(answer.status, withoutKey));
  const { baseUrl } = await session.facts();
  const both = [withKey, withoutKey];
  if (both.every(wantsTls))
    return blameSetting(`The target speaks TLS there: set BASE_URL to ${replaceScheme(baseUrl, 'https')}.`);
  // The address is wrong only if both answers show it. Else, e.g. if one of them is a 400, the target is judged.
  if (!both.every(({ response }) => response !== null && isElsewhere(response))) return null;
  const likelyUrl = await findBaseUrl(session, answer, 'a list or a 401');
  if (likelyUrl !== null)
    return blameSetting(
      `GET /pets is not there (${describeExchange(withKey)}), with the key and without. ${pointTo(likelyUrl)}`,
    );
  return isUnavoidableRedirect(answer, baseUrl) ? null : blameSetting(explainElsewhere(withKey, baseUrl));
}

/**
 * True if the answer is a redirect that no other BASE_URL avoids: then the target is judged. For GET `http://host/v1/pets`:
 * - to `http://host/v1/pets/`, or to no address: true
 * - to `https://host/v1/pets`: false, because BASE_URL needs `https`
 * - to `http://other/v1/pets`: false, because BASE_URL needs the other host
 */
function isUnavoidableRedirect(answer: Answer, baseUrl: string): boolean {
  const [asked, to] = [new URL(`${baseUrl}/pets`), readRedirect(answer, baseUrl)];
  if (to === null) return isRedirect(answer);
  const isOnlyOtherScheme = to.origin !== asked.origin && to.pathname === asked.pathname;
  return to.host === asked.host && !isOnlyOtherScheme;
}

function blameSetting(message: string): Obstacle {
  return { exitCode: 2, message };
}

function makeBusy({ status }: Answer): Obstacle {
  return {
    exitCode: 3,
    message: `The target answered ${status} until the run gave up waiting; try again later, or with a lower MAX_RPS.`,
    remedy: ASK_LATER,
  };
}

function makeDown(answer: Answer): Obstacle {
  return {
    exitCode: 3,
    message: `The target is down: with the key, it answers GET /pets with ${describeStatus(answer)} and GET /pets/1 with a server error too. Try again when it is up.`,
    remedy: LOOK_IN_LOG,
  };
}

function makeUnansweredObstacle({ error }: Exchange, baseUrl: string): Obstacle {
  const remedy = error === null ? null : findNetworkRemedy(error, baseUrl);
  const hint = remedy === null ? ' Is BASE_URL right, and can it be reached from here?' : '';
  return {
    exitCode: 3,
    message: `The target gave no answer: ${error?.message ?? 'unknown'}.${hint}`,
    remedy,
  };
}

function explainRefusal(status: number, { response }: Exchange): string {
  const served =
    response !== null && isSuccess(response)
      ? ` The same request without the key was served (${describeStatus(response)}): does the target take this key for a wrong one, and none for a right one?`
      : '';
  return `The target refuses the key (${status}). Is API_KEY the key of this environment?${served}`;
}

/** True if the port speaks TLS: usual servers answer 400 to plain HTTP, with a text that names HTTPS. */
function wantsTls({ response }: Exchange): boolean {
  if (response?.status !== 400 || parseBody(response) !== undefined) return false;
  return /\bHTTPS\b/.test(new TextDecoder().decode(response.body.slice(0, 2_000)));
}

/** True if a list and getPet get server errors or no answer, three times in a row. */
async function isDown(session: Session): Promise<boolean> {
  for (const pause of PAUSES_BEFORE_RETRY) {
    await sleep(pause);
    for (const probe of [PREFLIGHT_LIST, ONE_ANIMAL]) {
      const { response } = await session.send(probe);
      if (response !== null && response.status < 500) return false;
    }
  }
  return true;
}

/** True if the answer shows that the interface is not at this address: 404, 405, a redirect, or a page of HTML. */
export function isElsewhere(answer: Answer): boolean {
  const { status } = answer;
  return status === 404 || status === 405 || isRedirect(answer) || (isSuccess(answer) && isHtml(answer));
}

function explainElsewhere(exchange: Exchange, baseUrl: string): string {
  const { response } = exchange;
  const location = response === null ? undefined : findHeader(response, 'location');
  if (location !== undefined)
    return `GET /pets redirects to ${JSON.stringify(location.slice(0, 200))}, with the key and without. BASE_URL must be the address that answers itself.`;
  if (response !== null && response.status < 300)
    return `GET /pets gets a page of HTML (${describeStatus(response)}), with the key and without: a login page or a proxy?${hintAtVersion(baseUrl)}`;
  return `GET /pets is not there (${describeExchange(exchange)}), with the key and without.${hintAtVersion(baseUrl) || ' Is BASE_URL right?'}`;
}

function hintAtVersion(baseUrl: string): string {
  return baseUrl.endsWith('/v1') ? '' : ' Is the path prefix of BASE_URL right? It ends in /v1.';
}

function pointTo(address: string): string {
  return `${address} answers like this interface: set BASE_URL to it.`;
}

function isRefused({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

function isHtml(answer: Answer): boolean {
  return /^\s*text\/html\b/i.test(findHeader(answer, 'content-type') ?? '');
}

/**
 * Tries other paths of the origin. Returns the full address that answers like this interface, or null.
 * @param answer what GET /pets got
 * @param proof what an address must answer. A list always counts. With `a list or a 401`, a 401 with an Error to a request without
 * the key counts too
 */
async function findBaseUrl(
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
function readRedirect(answer: Answer, baseUrl: string): URL | null {
  const location = isRedirect(answer) ? (findHeader(answer, 'location') ?? '') : '';
  const asked = `${baseUrl}/pets`;
  return location !== '' && URL.canParse(location, asked) ? new URL(location, asked) : null;
}

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400;
}

/**
 * Returns other likely paths. For `/api/pets`: `/api`, `/api/v1` and `/api/pets/v1`. For `/v2`: `/v1`.
 * @param redirected the path to which `/pets` is redirected, e.g. `/api/pets`, whose base path is likely too
 */
function listLikelyPaths(path: string, redirected: string): string[] {
  const bare = path.replace(/\/pets$/, '');
  const withoutVersion = bare.replace(/(\/v\d[^/]*)+$/i, '');
  const [, baseOfRedirect = path] = /^(.*)\/pets$/.exec(redirected) ?? [];
  const all = [bare, `${withoutVersion}/v1`, baseOfRedirect, ...(path === bare ? [] : [`${path}/v1`])];
  return [...new Set(all)].filter((each) => each !== path);
}

function isList({ response }: Exchange): boolean {
  return response?.status === 200 && Array.isArray(parseBody(response));
}

function isRefusedWithError({ response }: Exchange): boolean {
  const body = response?.status === 401 ? parseBody(response) : undefined;
  return body !== undefined && findBodyFlaws('Error', body).length === 0;
}

/** Advice by the cause of an error of the connection. */
const ADVICE: Partial<Record<NonNullable<TransportError['cause']>, string>> = {
  refused:
    'Nobody listens there: is the target up, and is the port of BASE_URL right? WAIT=60 waits a minute for one that is starting.',
  'no-such-host': 'Nobody knows this host name: look at BASE_URL, or at the proxy that leads there.',
  'not-trusted': 'CA_FILE names a file with the certificate of an authority to trust.',
  'no-http-1': 'The target offers no HTTP/1.1 there (HTTP/2 alone?), and the suite speaks HTTP/1.1.',
  proxy: 'Look at the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or take the target into NO_PROXY.',
};

/** Returns advice for an error of the connection, or null. A server that speaks TLS breaks a plain connection before its first byte. */
function findNetworkRemedy({ kind, cause, arrived }: TransportError, baseUrl: string): Remedy | null {
  const advice = cause === undefined ? undefined : ADVICE[cause];
  if (advice !== undefined) return { told: advice };
  if (cause === 'no-tls') {
    const variables = { BASE_URL: replaceScheme(baseUrl, 'http') };
    return { told: 'The target does not speak TLS there.', variables };
  }
  if (kind === 'broken' && !arrived && baseUrl.startsWith('http:'))
    return {
      told: `Does that port speak TLS? Then BASE_URL=${replaceScheme(baseUrl, 'https')} is its address.`,
    };
  return kind === 'timeout'
    ? { told: 'A longer REQUEST_TIMEOUT waits longer; is the way to the target open from here?' }
    : null;
}

function replaceScheme(baseUrl: string, scheme: 'http' | 'https'): string {
  return baseUrl.replace(/^https?:/, `${scheme}:`);
}
