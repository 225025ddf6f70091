/** Lists the facts in a certificate that no file can prove, and who claims them. */
import type { Certificate } from './statement.ts';

/** Claims of the issuer. */
const ISSUER = [
  'the name of what was judged, and the digest of its build',
  'the time from which the certificate holds, and for how many days',
];
/** Claims of whoever ran the suite: the issuer or the vendor. */
const RUNNER = [
  'that the address is the one that answered, and its environment',
  'that requests and answers in the evidence are those that were sent and came, when, on which connection, and how fast',
  'that what was sent as another token was not the key, and what the key is like',
  'which answers each test was given, what did not apply, and observations',
];
const RELEASE = 'the release that answered, its commit and its web address';
const RUNTIME =
  'the version of Node, what read the bytes of the answers, and that the packages of the lock file were installed';

/** Returns what is claimed for readers, each with its claimant. A run without a release or a runtime claims nothing about it. */
export function listClaims(
  runner: Certificate['runBy'],
  { subject, node }: Pick<Certificate['claims'], 'subject' | 'node'>,
): Certificate['words'] {
  const ofRunner = [...RUNNER, ...(subject ? [RELEASE] : []), ...(node === undefined ? [] : [RUNTIME])];
  return [
    ...ISSUER.map((what) => ({ by: 'issuer' as const, what })),
    ...ofRunner.map((what) => ({ by: runner, what })),
  ];
}
