/**
 * Lists the facts in a certificate that no file can prove, and who claims them.
 */

import type { Subject } from '../../fixtures/settings/subject.ts';

/** The one who claims a fact: the issuer, or the one who ran the suite. */
type Claimant = 'issuer' | 'runner';

/** Claims of every certificate, in words for readers. */
const SAID: readonly { by: Claimant; what: string }[] = [
  { by: 'issuer', what: 'the name of what was judged, and the digest of its build' },
  { by: 'issuer', what: 'the time from which the certificate holds, and for how many days' },
  { by: 'runner', what: 'that the address is the one that answered, and its environment' },
  {
    by: 'runner',
    what: 'that requests and answers in the evidence are those that were sent and came, when, on which connection, and how fast',
  },
  { by: 'runner', what: 'that what was sent as another token was not the key, and what the key is like' },
  {
    by: 'runner',
    what: 'which answers each test was given, what it demanded of them, what did not apply, what the evidence does not hold (listed as attested), and observations',
  },
];

/** A claim of certificates whose run names its subject. */
const OF_SUBJECT: (typeof SAID)[number] = {
  by: 'runner',
  what: 'the release that answered, its commit and its web address',
};

/** A claim of certificates whose evidence names the runtime. */
const OF_RUNTIME: (typeof SAID)[number] = {
  by: 'runner',
  what: 'the version of Node, what read the bytes of the answers, and that the packages of the lock file were installed',
};

/**
 * Returns the claims of a statement, each with its claimant.
 * @param claims facts about the run; a run without a subject makes no claim about it
 */
export function listClaims(
  runBy: 'issuer' | 'vendor',
  { subject = null, node }: { subject?: Subject | null; node?: string },
): { by: 'issuer' | 'vendor'; what: string }[] {
  const said = [
    ...SAID,
    ...(subject === null ? [] : [OF_SUBJECT]),
    ...(node === undefined ? [] : [OF_RUNTIME]),
  ];
  return said.map(({ by, what }) => ({ by: by === 'runner' ? runBy : by, what }));
}
