/** Faults, freedoms and hostile services by their ids, e.g. `findFault('list-pets.limit-one-more')`. */
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';

function findIn<Variant extends { id: string }>(variants: readonly Variant[]): (id: string) => Variant {
  return (id) => {
    const found = variants.find((each) => each.id === id);
    if (found === undefined) throw new Error(`there is no variant ${id}`);
    return found;
  };
}

export const findFault = findIn(FAULTS);
export const findFreedom = findIn(FREEDOMS);
export const findHostile = findIn(HOSTILE);
