/**
 * DSSE envelopes (Dead Simple Signing Envelope 1.0), signed with Ed25519. Each envelope has one valid form in
 * bytes.
 */
import { createPublicKey, sign as signBytes, verify as verifyBytes, type KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/envelope.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked } from '../../document/checked-json.ts';
import { writeCanonicalJson, hashBytes } from './canonical.ts';

/** The payload of a verified envelope, or the first check that failed with its reason. */
type Opened = { payload: Buffer } | { check: 'envelope' | 'payload type' | 'key' | 'signature'; why: string };

interface Envelope {
  payload: string;
  payloadType: string;
  signatures: [{ keyid: string; sig: string }];
}

const isEnvelope = makeSchemaCheck(schema, 'first');

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
  return read(file)?.signatures[0].keyid ?? null;
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
  const [{ keyid, sig }] = envelope.signatures;
  const [payload, signature] = [envelope.payload, sig].map((text) => Buffer.from(text, 'base64')) as [
    Buffer,
    Buffer,
  ];
  const again = writeEnvelope({
    ...envelope,
    payload: payload.toString('base64'),
    signatures: [{ keyid, sig: signature.toString('base64') }],
  });
  if (!Buffer.from(again).equals(file))
    return { check: 'envelope', why: 'it is not spelled in the one way in which this suite writes it' };
  if (envelope.payloadType !== payloadType)
    return {
      check: 'payload type',
      why: `it carries ${JSON.stringify(envelope.payloadType.slice(0, 100))} and not ${payloadType}`,
    };
  if (keyid !== computeKeyId(publicKey))
    return { check: 'key', why: 'it names another key than the one given' };
  if (!verifyBytes(null, encodeForSigning(payloadType, payload), publicKey, signature))
    return { check: 'signature', why: 'the signature is not one of this key over this payload' };
  return { payload };
}

function writeEnvelope(envelope: Envelope): string {
  return `${writeCanonicalJson(envelope)}\n`;
}

/** Returns the envelope in a file; null if there is none. */
function read(file: Uint8Array): Envelope | null {
  const found = readChecked<Envelope>(file, isEnvelope);
  return 'value' in found ? found.value : null;
}
