/**
 * DSSE envelopes (Dead Simple Signing Envelope 1.0), signed with Ed25519. Each envelope has one valid form in
 * bytes.
 */
import { createPublicKey, sign as signBytes, verify as verifyBytes, type KeyObject } from 'node:crypto';
import { writeCanonicalJson, hashBytes } from './canonical.ts';

/** The payload of a verified envelope, or the first check that failed with its reason. */
type Opened = { payload: Buffer } | { check: 'envelope' | 'payload type' | 'key' | 'signature'; why: string };

interface Envelope {
  payload: string;
  payloadType: string;
  signatures: { keyid: string; sig: string }[];
}

/** Returns the id of a public key: SHA-256 of its SPKI in DER, in hexadecimal digits. */
export function computeKeyId(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return hashBytes(publicKey.export({ type: 'spki', format: 'der' }));
}

/**
 * Returns the id of the key that an envelope names as its signer; null if it names none. The signature is not
 * verified.
 */
export function readKeyId(file: Uint8Array): string | null {
  return read(file)?.signatures[0]?.keyid ?? null;
}

/** Returns the bytes to sign. They hold type and payload with their lengths, so one cannot be read as the other. */
function encodeForSigning(payloadType: string, payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload,
  ]);
}

/** Signs a payload. Returns the envelope as the text of its file. */
export function sealEnvelope(payloadType: string, payload: string, privateKey: KeyObject): string {
  const bytes = Buffer.from(payload);
  const sig = signBytes(null, encodeForSigning(payloadType, bytes), privateKey).toString('base64');
  return writeEnvelope({
    payload: bytes.toString('base64'),
    payloadType,
    signatures: [{ keyid: computeKeyId(privateKey), sig }],
  });
}

/** Opens an envelope. It must be written as `sealEnvelope` writes it, with one signature, made with this key. */
export function openEnvelope(file: Uint8Array, payloadType: string, publicKey: KeyObject): Opened {
  const envelope = read(file);
  if (envelope === null)
    return { check: 'envelope', why: 'it is not a DSSE envelope with exactly one signature' };
  const payload = Buffer.from(envelope.payload, 'base64');
  const [signature] = envelope.signatures;
  const sig = Buffer.from(signature?.sig ?? '', 'base64');
  const again = writeEnvelope({
    ...envelope,
    payload: payload.toString('base64'),
    signatures: [{ keyid: signature?.keyid ?? '', sig: sig.toString('base64') }],
  });
  if (!Buffer.from(again).equals(file))
    return { check: 'envelope', why: 'it is not spelled in the one way in which this suite writes it' };
  if (envelope.payloadType !== payloadType)
    return {
      check: 'payload type',
      why: `it carries ${JSON.stringify(envelope.payloadType.slice(0, 100))} and not ${payloadType}`,
    };
  if (signature?.keyid !== computeKeyId(publicKey))
    return { check: 'key', why: 'it names another key than the one given' };
  if (!verifyBytes(null, encodeForSigning(payloadType, payload), publicKey, sig))
    return { check: 'signature', why: 'the signature is not one of this key over this payload' };
  return { payload };
}

function writeEnvelope(envelope: Envelope): string {
  return `${writeCanonicalJson(envelope)}\n`;
}

/** Returns the members of an envelope. Null if a member is missing, has another type, or does not belong to an envelope. */
function read(file: Uint8Array): Envelope | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file));
  } catch {
    return null;
  }
  if (!hasMembers(value, ['payload', 'payloadType', 'signatures'])) return null;
  const { payload, payloadType, signatures } = value;
  if (
    typeof payload !== 'string' ||
    typeof payloadType !== 'string' ||
    !Array.isArray(signatures) ||
    signatures.length !== 1
  )
    return null;
  const [signature] = signatures as unknown[];
  if (
    !hasMembers(signature, ['keyid', 'sig']) ||
    typeof signature.keyid !== 'string' ||
    typeof signature.sig !== 'string'
  )
    return null;
  return { payload, payloadType, signatures: [{ keyid: signature.keyid, sig: signature.sig }] };
}

function hasMembers(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).sort().join() === names.join()
  );
}
