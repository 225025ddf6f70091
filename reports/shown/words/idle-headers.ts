/**
 * Takes idle headers out of a curl command: an ordinary client sends them, and the request fails without them too. Example: a createPet was
 * sent as a browser, so it had an `Accept-Language`. A reader would take this header for the reason of the failure.
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
/** Headers that ordinary clients may lack. If a request lacked one, evidence has it with an empty value. */
const MAY_LACK = /^(accept|accept-encoding|user-agent)$/i;

/** Kinds of decisions that experiments find only after they have sent the request without each header of the client in turn. */
const HEADERS_TRIED = new Set<Decision['kind'] | undefined>(['always', 'feature']);

/** True if an ordinary client sends this header by itself, or lacks it. A Content-Type belongs to the body, not to a client. */
export function isClientHeader(header: Header): boolean {
  const [name, value] = header;
  if (/^content-type$/i.test(name)) return false;
  return value === '' ? MAY_LACK.test(name) : OF_CLIENTS.has(header.join(': '));
}

/** True if the request lacked Accept-Encoding: evidence then has the header with an empty value. */
export function isMissingCoding([name, value]: Header): boolean {
  return /^accept-encoding$/i.test(name) && value === '';
}

/**
 * Returns the exchange without idle headers of its client. A header is idle if experiments left it out and the request still failed. It
 * is also idle if another request of the same kind failed without it.
 * @param failed the exchanges that show the same failure
 */
export function dropIdleHeaders(
  shown: Evidence,
  { decision }: Pick<RequirementResult, 'decision'>,
  failed: readonly Evidence[],
): Evidence {
  const experiments = decision?.experiments ?? [];
  // The first experiment (LONE) sends the same request again, with no other request under way.
  const [lone] = experiments;
  const isRepeated = lone?.without === LONE && lone.of > 1;
  // Each repeat of such a request would add an animal, so experiments cannot try each header.
  const addsAnimal = shown.request.method === 'POST' && (shown.response?.status ?? 0) < 300;
  const isTried = isRepeated && HEADERS_TRIED.has(decision?.kind) && !addsAnimal;
  // The traits that decide, a line each. In the pattern, `^` finds `accept: */*`, `missing` finds `a missing accept`, `its` finds
  // `with no br in its accept-encoding`, `header` finds `with the header origin`. CLIENT finds `the headers of curl`: each header may decide.
  const traits = experiments.map(({ without }) => without).join('\n');
  const isDeciding = ([name]: Header) =>
    new RegExp(`${CLIENT}|(^|with|no|its|header|missing) ?${name}\\b`, 'im').test(traits);
  // A 401 is only about the key, so all 401 of an operation are of one kind.
  const nameKind = (each: Evidence) =>
    each.response?.status === 401 ? `${each.operation} 401` : describeExchangeKind(each);
  const ofItsKind = failed.filter((each) => nameKind(each) === nameKind(shown));
  // True if a request failed without this header. Accept is never left out: the command would send another Accept in its place.
  const isLacked = (header: Header) =>
    !/^accept$/i.test(header[0]) &&
    ofItsKind.some(({ request }) => !request.headers.some((each) => each.join(': ') === header.join(': ')));
  // `spellCurl` must know that the request lacked Accept-Encoding, also if it does not decide.
  const isIdle = (each: Header) =>
    !isMissingCoding(each) && isClientHeader(each) && !isDeciding(each) && (isTried || isLacked(each));
  const headers = shown.request.headers.filter((each) => !isIdle(each));
  return { ...shown, request: { ...shown.request, headers } };
}
