/** One spelling of JSON for what is signed and digested (RFC 8785), so that equal content has equal bytes. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The value in the one spelling of RFC 8785. @throws Error if it is not JSON */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('what has no JSON has no canonical spelling');
  return text;
}

/** SHA-256 in small hexadecimal digits. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** SHA-256 of a value in its canonical spelling. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
