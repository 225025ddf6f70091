/** Names of environment variables by which the command tells its runner what to do. None carries a secret. */

/** Ids whose tests run, parted by blanks; empty: all. */
export const ONLY = 'CONFORMANCE_ONLY';
/** Folder for Allure's results; unset: none are written. */
export const ALLURE_RESULTS = 'CONFORMANCE_ALLURE_RESULTS';
