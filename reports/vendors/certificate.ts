import { nameInFull } from '../words/subject.ts';

/** The certificate of a vendor in the matrix. `state`: verified with the key that was given, or why not. */
export interface VendorCertificate {
  notAfter: string;
  state: 'valid' | 'expired' | 'revoked' | 'invalid' | 'unverified';
  why: string;
  /** Who or what was certified, as the issuer names it; empty if nobody can read it. */
  subject: string;
}

/** A certificate in a few words: its state, until when, and for whom. The name of a folder is nobody's word. */
export function certificateInWords({ state, why, notAfter, subject }: VendorCertificate): string {
  const because = state === 'revoked' || state === 'invalid' ? ` (${why})` : '';
  return `${state}${because}, until ${notAfter.slice(0, 10)}${subject === '' ? '' : `, for ${nameInFull(subject)}`}`;
}
