/** The certificate of a vendor, as the matrix shows it. */
import { writeNameInFull } from '../words/subject-words.ts';

/**
 * The certificate of a vendor in the matrix. `state` is the result of its verification with the given key;
 * `why` is the reason.
 */
export interface VendorCertificate {
  /** Empty if the certificate cannot be read. */
  notAfter: string;
  state: 'valid' | 'expired' | 'revoked' | 'invalid' | 'unverified';
  why: string;
  /** The certified implementation, as the issuer names it; empty if the certificate cannot be read. */
  subject: string;
}

/**
 * Describes a certificate: its state, its end, and its subject. The name of the folder is not used, because nobody signed it.
 */
export function describeCertificate({ state, why, notAfter, subject }: VendorCertificate): string {
  const because = state === 'valid' || state === 'expired' ? '' : ` (${why})`;
  const until = notAfter === '' ? '' : `, until ${notAfter.slice(0, 10)}`;
  return `${state}${because}${until}${subject === '' ? '' : `, for ${writeNameInFull(subject)}`}`;
}
