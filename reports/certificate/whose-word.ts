/**
 * Lists the facts in a certificate that no file can prove, and who claims them.
 */

import type { Subject } from '../../fixtures/settings/subject.ts';

/** Facts about the run; a run without a subject or a runtime makes no claim about it. */
interface Run {
  subject?: Subject | null;
  node?: string;
}

/** Claims in words for readers: who claims it, what, and of which runs. */
const SAID: readonly (readonly [by: 'issuer' | 'runner', what: string, isOf?: (run: Run) => boolean])[] = [
  ['issuer', 'the name of what was judged, and the digest of its build'],
  ['issuer', 'the time from which the certificate holds, and for how many days'],
  ['runner', 'that the address is the one that answered, and its environment'],
  [
    'runner',
    'that requests and answers in the evidence are those that were sent and came, when, on which connection, and how fast',
  ],
  ['runner', 'that what was sent as another token was not the key, and what the key is like'],
  [
    'runner',
    'which answers each test was given, what it demanded of them, what did not apply, what the evidence does not hold (listed as attested), and observations',
  ],
  [
    'runner',
    'the release that answered, its commit and its web address',
    ({ subject = null }) => subject !== null,
  ],
  [
    'runner',
    'the version of Node, what read the bytes of the answers, and that the packages of the lock file were installed',
    ({ node }) => node !== undefined,
  ],
];

/** Returns the claims of a statement, each with its claimant. */
export function listClaims(
  runBy: 'issuer' | 'vendor',
  run: Run,
): { by: 'issuer' | 'vendor'; what: string }[] {
  return SAID.filter(([, , isOf]) => isOf?.(run) !== false).map(([by, what]) => ({
    by: by === 'runner' ? runBy : by,
    what,
  }));
}
