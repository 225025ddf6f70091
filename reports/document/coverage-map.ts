/** Which levels of two factors met in a run, for each two factors. Pure. */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { pairsOfTable, situationsOf } from '../../fixtures/situations/coverage.ts';
import type { Situation } from '../../fixtures/situations/levels.ts';

/** Pairs of levels of two factors. */
export interface MapCell {
  factors: [string, string];
  met: number;
  /** Not met, and the plan gives them up, with a reason. */
  givenUp: number;
  /** Not met in this run alone. */
  left: number;
  /** Of those that met, how many a failing request has. */
  failed: number;
}

/** By operation, a cell for each two factors. */
export type CoverageMap = Record<Asked, MapCell[]>;

type Asked = Situation['operation'];

/** @param isFailing true for the exchange of a failure */
export function coverageMapOf(
  exchanges: readonly Exchange[],
  isFailing: (id: string) => boolean,
): CoverageMap {
  const situations = [...situationsOf(exchanges)];
  const met = new Set(situations.flatMap(([, each]) => pairsIn(each)));
  const failed = new Set(situations.flatMap(([{ id }, each]) => (isFailing(id) ? pairsIn(each) : [])));
  const cellsOf = (operation: Asked) => {
    const cells = new Map<string, MapCell>();
    for (const { one, other, apart } of pairsOfTable(operation)) {
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
    listPets: cellsOf('listPets'),
    createPet: cellsOf('createPet'),
    getPet: cellsOf('getPet'),
  };
}

function pairsIn({ operation, levels }: Situation): string[] {
  const own = Object.entries(levels);
  return own.flatMap((one, index) => own.slice(index + 1).map((other) => keyOf(operation, one, other)));
}

function keyOf(operation: string, one: readonly [string, string], other: readonly [string, string]): string {
  return [operation, ...one, ...other].join('|');
}
