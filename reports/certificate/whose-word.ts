/**
 * Lists the facts in a certificate that no file can prove, and who claims them. A self-test compares the list
 * with the members of the statement.
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
 * The check or the claimant behind each member of a statement. `*` stands for each element of a list, or each
 * id.
 */
export const BACKED: Readonly<Record<string, Claimant | `check ${string}`>> = {
  '/_type': 'check statement',
  '/subject/0/name': 'check consistency',
  '/subject/0/digest/sha256': 'check files',
  '/subject/1/name': 'check consistency',
  '/subject/1/digest/sha256': 'check files',
  '/subject/2/name': 'check consistency',
  '/subject/2/digest/sha256': 'issuer',
  '/predicateType': 'check statement',
  '/predicate/result': 'check consistency',
  '/predicate/configuration/*/name': 'check consistency',
  '/predicate/configuration/*/uri': 'check consistency',
  '/predicate/configuration/*/digest/sha256': 'check suite, settings',
  '/predicate/configuration/*/content': 'check consistency',
  '/predicate/configuration/*/mediaType': 'check consistency',
  '/predicate/passedTests/*': 'check completeness',
  '/predicate/warnedTests/*': 'check completeness',
  '/predicate/failedTests/*': 'check completeness',
  '/predicate/animalStoreConformance_certificate/version': 'check statement',
  '/predicate/animalStoreConformance_certificate/subject': 'issuer',
  '/predicate/animalStoreConformance_certificate/specification': 'check consistency',
  '/predicate/animalStoreConformance_certificate/suite/name': 'check suite',
  '/predicate/animalStoreConformance_certificate/suite/version': 'check suite',
  '/predicate/animalStoreConformance_certificate/profile/name': 'check consistency',
  '/predicate/animalStoreConformance_certificate/profile/version': 'check consistency',
  '/predicate/animalStoreConformance_certificate/runBy': 'check challenge',
  '/predicate/animalStoreConformance_certificate/challenge/nonce': 'check challenge',
  '/predicate/animalStoreConformance_certificate/challenge/issuedAt': 'check challenge',
  '/predicate/animalStoreConformance_certificate/challenge/notAfter': 'check challenge',
  '/predicate/animalStoreConformance_certificate/validity/notBefore': 'issuer',
  '/predicate/animalStoreConformance_certificate/validity/notAfter': 'issuer',
  '/predicate/animalStoreConformance_certificate/notApplicable/*/id': 'check completeness',
  '/predicate/animalStoreConformance_certificate/notApplicable/*/reason': 'check lists',
  '/predicate/animalStoreConformance_certificate/notApplicable/*/undecided': 'check completeness',
  '/predicate/animalStoreConformance_certificate/excused/*': 'check completeness',
  '/predicate/animalStoreConformance_certificate/excluded/*': 'check completeness',
  '/predicate/animalStoreConformance_certificate/attested/*/*': 'check consistency, lists',
  '/predicate/animalStoreConformance_certificate/unannounced/asked': 'check lists',
  '/predicate/animalStoreConformance_certificate/unannounced/refused': 'check lists',
  '/predicate/animalStoreConformance_certificate/clockApart': 'check lists',
  '/predicate/animalStoreConformance_certificate/words/*/by': 'check consistency',
  '/predicate/animalStoreConformance_certificate/words/*/what': 'check consistency',
  '/predicate/animalStoreConformance_certificate/claims/address': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/environment': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/subject/name': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/subject/version': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/subject/commit': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/subject/url': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/node': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/wire': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/run': 'check consistency',
  '/predicate/animalStoreConformance_certificate/claims/startedAt': 'runner',
  '/predicate/animalStoreConformance_certificate/claims/durationMs': 'runner',
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
