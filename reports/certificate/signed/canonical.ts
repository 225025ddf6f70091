/**
 * Writes JSON in canonical form (RFC 8785): equal values have equal bytes, so they can be signed and compared. Example: `{"b":1, "a":2}`
 * becomes `{"a":2,"b":1}`.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Returns a value as canonical JSON (RFC 8785).
 * @throws Error if JSON cannot represent the value
 */
export function writeCanonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('JSON cannot represent this value');
  return text;
}

/** Returns the SHA-256 in lower-case hexadecimal digits. */
export function hashBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
