/**
 * Names what all wrong answers have and no right answer to an equal request has: a header that says who answered, such as
 * `x-pod: 3`, or the client. It tells an operator where to look. A factor is the name of the header, its value is `3`. Pure.
 */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { Comparable } from './comparable-answers.ts';
import type { CauseSummary } from './report-document.ts';

/** Headers that identify who answered: a server, a proxy, a cache, a part of a deployment. */
const WHO =
  /^(server|via|x-cache|x-served-by|content-language|(x-|cf-|fly-).*(pod|node|host|instance|region|zone|backend|server|version|release|deploy|upstream|replica|shard|cell|cluster|pop|ray|edge))$/;
/** Fewer wrong or right answers than FEWEST may be chance. At most MOST_NAMED traits are named. */
const [FEWEST, MOST_NAMED] = [4, 2];

/** Returns the traits that separate wrong from right answers; empty if there are none. */
export function computeShares(answers: readonly Comparable[]): CauseSummary['shares'] {
  const [wrong = [], right = []] = keepMixed(answers).map((side) => side.map(listTraits));
  if (Math.min(wrong.length, right.length) < FEWEST) return [];
  const isIn = ([factor, value]: [string, string]) => {
    return (own: ReadonlyMap<string, string>) => own.get(factor) === value;
  };
  return [...(wrong[0] ?? [])]
    .filter((trait) => wrong.every(isIn(trait)) && !right.some(isIn(trait)))
    .map(([factor, value]) => ({ factor, value, wrong: wrong.length, right: 0 }))
    .slice(0, MOST_NAMED);
}

/**
 * Returns the wrong and the right answers to requests that got both. If equal requests always get equal answers, the request
 * itself is the cause, and no trait of the answer explains anything.
 */
function keepMixed(answers: readonly Comparable[]): Exchange[][] {
  const sides = [true, false].map((side) => answers.filter(({ isWrong }) => isWrong === side));
  const keys = sides.map((side) => new Set(side.map(({ exchange }) => writeRequestKey(exchange))));
  return sides.map((side) =>
    side
      .map(({ exchange }) => exchange)
      .filter((each) => keys.every((known) => known.has(writeRequestKey(each)))),
  );
}

/** Returns a key of the request. Names that the run gives its animals count as equal. */
function writeRequestKey({ ask }: Exchange): string {
  const { method, path, body, credential } = ask;
  // The mark of a run begins with `cs`, behind at most one letter.
  const sent = typeof body === 'string' ? body.replace(/"[A-Za-z]?cs[A-Za-z]{5,}"/g, '"marked"') : '';
  return JSON.stringify([method, path, sent, credential]);
}

function listTraits({ ask, response }: Exchange): ReadonlyMap<string, string> {
  const headers = (response?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value] as const);
  return new Map([
    ...headers.filter(([name]) => WHO.test(name)),
    ['client', ask.unannounced === true ? 'an ordinary client' : (ask.client ?? 'the suite')],
  ]);
}
