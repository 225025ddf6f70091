/**
 * Counts for each pair of factors which of their levels met in a request of the run. A factor is a property of a request, such
 * as `limit`; a level is its value, such as `20`. The page shows the counts as a map. Pure.
 */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { listPairs } from '../../fixtures/situations/coverage.ts';
import type { Situation } from '../../fixtures/situations/levels.ts';

/** The pairs of levels of two factors. `met` counts the pairs that a request had. */
export interface MapCell {
  factors: [string, string];
  met: number;
  /** The number of pairs that were not met and that the plan gives up with a reason. */
  givenUp: number;
  /** The number of all other pairs that were not met. */
  left: number;
  /** The number of met pairs that a failing request had. */
  failed: number;
}

/** One cell for each pair of factors, by operation. */
export type CoverageMap = Record<Asked, MapCell[]>;

type Asked = Situation['operation'];

/**
 * Makes the map of a run.
 * @param found the situations of all its exchanges
 * @param isFailing true for the exchange of a failure
 */
export function makeCoverageMap(
  found: ReadonlyMap<Exchange, Situation>,
  isFailing: (id: string) => boolean,
): CoverageMap {
  const situations = [...found];
  const met = new Set(situations.flatMap(([, each]) => listOwnPairs(each)));
  const failed = new Set(situations.flatMap(([{ id }, each]) => (isFailing(id) ? listOwnPairs(each) : [])));
  const listCells = (operation: Asked) => {
    const cells = new Map<string, MapCell>();
    // `apart` is the reason why the plan lets these two levels not meet.
    for (const { one, other, apart } of listPairs(operation)) {
      const factors: [string, string] = [one[0], other[0]];
      const empty = { factors, met: 0, givenUp: 0, left: 0, failed: 0 };
      const cell = cells.get(factors.join('|')) ?? empty;
      cells.set(factors.join('|'), cell);
      const key = keyOf(operation, one, other);
      const isMet = met.has(key);
      cell.met += Number(isMet);
      cell.failed += Number(failed.has(key));
      cell.givenUp += Number(!isMet && apart !== undefined);
      cell.left += Number(!isMet && apart === undefined);
    }
    return [...cells.values()];
  };
  return {
    listPets: listCells('listPets'),
    createPet: listCells('createPet'),
    getPet: listCells('getPet'),
  };
}

function listOwnPairs({ operation, levels }: Situation): string[] {
  const own = Object.entries(levels);
  return own.flatMap((one, index) => own.slice(index + 1).map((other) => keyOf(operation, one, other)));
}

function keyOf(operation: string, one: readonly [string, string], other: readonly [string, string]): string {
  return [operation, ...one, ...other].join('|');
}
