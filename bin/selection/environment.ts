/** Names of environment variables by which the command tells its runner what to do. None carries a secret. */

/** Ids whose tests run, parted by blanks; empty: all. */
export const ONLY_VARIABLE = 'CONFORMANCE_ONLY';
