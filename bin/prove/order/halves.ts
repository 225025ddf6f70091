import { createHash } from 'node:crypto';

/**
 * True for the half of the faults that is held back. `order.ts` chooses the cases of quick runs by the other half. How much
 * quick runs find is measured on this half.
 */
export function isHeldBack(fault: string): boolean {
  return createHash('sha256').update(`half ${fault}`).digest().readUInt8() % 2 === 1;
}
