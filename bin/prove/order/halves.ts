import { createHash } from 'node:crypto';

/** The order of cases is learnt from one half of the faults. This one is held back: what is measured on it was not learnt by heart. */
export function isHeldBack(fault: string): boolean {
  return createHash('sha256').update(`half ${fault}`).digest().readUInt8() % 2 === 1;
}
