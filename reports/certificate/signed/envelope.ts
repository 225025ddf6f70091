/** Signs and opens DSSE envelopes (Dead Simple Signing Envelope 1.0) with Ed25519. Each envelope has one valid form in bytes. */
import { createPublicKey, sign as signBytes, verify as verifyBytes, type KeyObject } from 'node:crypto';
import schema from '../../../schemas/suite/envelope.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked, type SchemaCheck } from '../../document/checked-json.ts';
import { writeCanonicalJson, hashBytes } from './canonical.ts';

/** The error for a file of somebody else that is refused. `check` names the check of a verification that the file fails. */
export class Rejected extends Error {
  readonly check: string;

  constructor(check: string, why: string) {
    super(why);
    this.check = check;
  }
}

export interface SignedKind {
  payloadType: string;
  findMistakes: SchemaCheck;
  /** The name of the check that a wrong file fails. If it is absent, the check has the name of the wrong part, such as `signature`. */
  check?: string;
  /** The beginning of the reason why a file is refused. */
  reasonPrefix?: string;
}

interface Envelope {
  payload: string;
  payloadType: string;
  signatures: [{ keyid: string; sig: string }];
}

const checkEnvelope = makeSchemaCheck(schema, 'first');

/** Returns the id of a public key: SHA-256 of its SPKI in DER, in hexadecimal digits. */
export function computeKeyId(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return hashBytes(publicKey.export({ type: 'spki', format: 'der' }));
}

/** Returns the id of the key that an envelope names as its signer; null if it names none. The signature is not verified. */
export function readKeyId(file: Uint8Array): string | null {
  return readEnvelope(file)?.signatures[0].keyid ?? null;
}

/** Returns the bytes to sign, `DSSEv1 4 type 7 payload`. The lengths say where the type ends, so nothing else has the same bytes. */
function encodeForSigning(payloadType: string, payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload,
  ]);
}

/** Signs a payload. Returns the envelope as the text of its file. */
export function sealEnvelope(payloadType: string, payload: string, privateKey: KeyObject): string {
  const bytes = Buffer.from(payload);
  const signature = signBytes(null, encodeForSigning(payloadType, bytes), privateKey);
  return writeEnvelope(bytes, payloadType, { keyid: computeKeyId(privateKey), signature });
}

/**
 * Returns the payload of an envelope that this key has signed. The envelope must have the very bytes that `sealEnvelope` writes, so that
 * nobody can change a byte of a signed file.
 * @throws Rejected
 */
export function openEnvelope<T>(file: Uint8Array, kind: SignedKind, publicKey: KeyObject): T {
  const { payloadType, findMistakes, reasonPrefix = '' } = kind;
  const refuse = (check: string, why: string) => new Rejected(kind.check ?? check, `${reasonPrefix}${why}`);
  const envelope = readEnvelope(file);
  if (envelope === null) throw refuse('envelope', 'it is not a DSSE envelope with exactly one signature');
  const { payloadType: carried, signatures } = envelope;
  const [{ keyid, sig }] = signatures;
  const [payload, signature] = [Buffer.from(envelope.payload, 'base64'), Buffer.from(sig, 'base64')];
  if (writeEnvelope(payload, carried, { keyid, signature }) !== Buffer.from(file).toString('utf8'))
    throw refuse('envelope', 'it is not spelled in the one way in which this suite writes it');
  if (carried !== payloadType)
    throw refuse(
      'payload type',
      `it carries ${JSON.stringify(carried.slice(0, 100))} and not ${payloadType}`,
    );
  if (keyid !== computeKeyId(publicKey)) throw refuse('key', 'it names another key than the one given');
  if (!verifyBytes(null, encodeForSigning(payloadType, payload), publicKey, signature))
    throw refuse('signature', 'the signature is not one of this key over this payload');
  const found = readChecked<T>(payload, findMistakes);
  if ('mistakes' in found) throw refuse('statement', found.mistakes[0] ?? '');
  if (writeCanonicalJson(found.value) !== payload.toString('utf8'))
    throw refuse('statement', 'the payload is not in its canonical spelling');
  return found.value;
}

function writeEnvelope(
  payload: Uint8Array,
  payloadType: string,
  { keyid, signature }: { keyid: string; signature: Uint8Array },
): string {
  const [text, sig] = [payload, signature].map((bytes) => Buffer.from(bytes).toString('base64'));
  return `${writeCanonicalJson({ payload: text, payloadType, signatures: [{ keyid, sig }] })}\n`;
}

/** Returns the envelope in a file; null if there is none. */
function readEnvelope(file: Uint8Array): Envelope | null {
  const found = readChecked<Envelope>(file, checkEnvelope);
  return 'value' in found ? found.value : null;
}
