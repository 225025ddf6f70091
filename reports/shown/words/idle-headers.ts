/**
 * Leaves out of a command the headers of ordinary clients that do not decide about a failure, e.g. `Accept-Language`: a reader would take
 * them for its reason.
 */
import { CLIENT_NAMES, listClientHeaders } from '../../../fixtures/exchange/client-headers.ts';
import type { Evidence, Header } from '../../../fixtures/exchange/exchange.ts';
import { CLIENT, LONE, type Decision } from '../../../fixtures/judgement/experiment.ts';
import type { RequirementResult } from '../../document/report-document.ts';
import { describeExchangeKind } from '../../document/shown-exchange.ts';

/** The headers of ordinary clients, e.g. `Accept-Encoding: gzip`. */
const OF_CLIENTS: ReadonlySet<string> = new Set(
  CLIENT_NAMES.flatMap(listClientHeaders).map((each) => each.join(': ')),
);
/** Headers that ordinary clients may lack. Evidence then has them with an empty value. */
const MAY_LACK = /^(accept|accept-encoding|user-agent)$/i;

/** Kinds of decisions for which experiments have left out each header of the client in turn. */
const HEADERS_TRIED = new Set<Decision['kind'] | undefined>(['always', 'feature']);

/** True if an ordinary client sends this header by itself, or lacks it. Content-Type is none of these: it belongs to the body. */
export function isOfClient(header: Header): boolean {
  const [name, value] = header;
  if (/^content-type$/i.test(name)) return false;
  return value === '' ? MAY_LACK.test(name) : OF_CLIENTS.has(header.join(': '));
}

/**
 * Returns the exchange without the headers of its client that do not decide: experiments left them out and it failed all the same, or
 * another request of its kind lacks them and failed.
 * @param failed the exchanges that show the same failure
 */
export function dropIdleHeaders(
  shown: Evidence,
  { decision }: Pick<RequirementResult, 'decision'>,
  failed: readonly Evidence[],
): Evidence {
  const experiments = decision?.experiments ?? [];
  const [lone] = experiments;
  // Experiments have tried each header, unless they sent the request only once, or it adds animals, so that few could be sent.
  const addsAnimal = shown.request.method === 'POST' && (shown.response?.status ?? 0) < 300;
  const isTried = lone?.without === LONE && lone.of > 1 && HEADERS_TRIED.has(decision?.kind) && !addsAnimal;
  // Names of traits that decide, e.g. `accept: */*`, `a missing accept`, `with no br in its accept-encoding`, `the headers of curl`.
  const isDecidingTrait = ([name]: Header) =>
    new RegExp(`${CLIENT}|(^|with|no|its|header|missing) ?${name}\\b`, 'im').test(
      experiments.map(({ without }) => without).join('\n'),
    );
  // A 401 is about the key alone, so all 401 of an operation are of one kind.
  const nameKind = (each: Evidence) =>
    each.response?.status === 401 ? `${each.operation} 401` : describeExchangeKind(each);
  const ofItsKind = failed.filter((each) => nameKind(each) === nameKind(shown));
  // A command without the client's Accept would send the suite's own, which no request may have failed with.
  const isLacked = (line: string) =>
    !/^accept:/i.test(line) &&
    ofItsKind.some(({ request }) => !request.headers.some((each) => each.join(': ') === line));
  const headers = shown.request.headers.filter(
    (each) => !isOfClient(each) || isDecidingTrait(each) || !(isTried || isLacked(each.join(': '))),
  );
  return { ...shown, request: { ...shown.request, headers } };
}
