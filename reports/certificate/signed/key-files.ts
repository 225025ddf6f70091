/** Makes Ed25519 keys as PEM, and reads them from PEM files as openssl writes them. Messages about a bad key hold no part of it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Rejected } from './envelope.ts';

/** The marks of a PEM text that only a passphrase opens: of PKCS #8, and of older formats of openssl. */
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/;

const refuse = (why: string) => new Rejected('key', why);

/**
 * Reads the private key of a PEM text.
 * @param name the name of the file, for messages
 * @param mode the permissions of the file; null if the system has none
 * @throws Rejected
 */
export function parsePrivateKey(
  name: string,
  pem: string,
  mode: number | null,
  passphrase: string | undefined,
): KeyObject {
  const isEncrypted = ENCRYPTED.test(pem);
  // The bits 0o077 are the rights of everybody but the owner of the file.
  if (mode !== null && (mode & 0o077) !== 0) throw refuse(`${name} can be read by others: chmod 600 ${name}`);
  if (isEncrypted && passphrase === undefined)
    throw refuse(`${name} is encrypted: give the file of its passphrase with --passphrase-file`);
  if (/-----BEGIN PUBLIC KEY-----/.test(pem) && !/PRIVATE KEY-----/.test(pem))
    throw refuse(`${name} holds a public key; signing needs the private one`);
  const problem = isEncrypted ? 'cannot be decrypted with this passphrase' : 'is not a private key in PEM';
  return readEd25519(name, pem, problem, () => createPrivateKey({ key: pem, format: 'pem', passphrase }));
}

/**
 * Reads the public key of a PEM text. A private key is refused: those who verify must not have it.
 * @throws Rejected
 */
export function parsePublicKey(name: string, pem: string): KeyObject {
  if (/PRIVATE KEY-----/.test(pem))
    throw refuse(
      `${name} holds a private key; give its public key (openssl pkey -in issuer.pem -pubout), and keep the private one to yourself`,
    );
  return readEd25519(name, pem, 'is not a public key in PEM', () =>
    createPublicKey({ key: pem, format: 'pem' }),
  );
}

export function makeKeys(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/**
 * Points of small order on the curve, little-endian, without the sign bit. With such a public key anybody can make a signature
 * that is valid for every text.
 */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/** True if a signature with this Ed25519 key proves nothing, because its point is of small order. */
function isOfSmallOrder(key: KeyObject): boolean {
  const point = Buffer.from(key.export({ type: 'spki', format: 'der' }).subarray(-32));
  point[31] = (point[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(point.toString('hex'));
}

/**
 * True if something follows the first key: text after its END line, or bytes in its base64 (a DER) behind the end of the key. The second
 * byte of a DER is the number of bytes that follow it, if this number is below 128. Example: `30 2a` begins a public key of 44 bytes.
 */
function hasMore(pem: string): boolean {
  const [, body = '', behind = ''] = /-----BEGIN [^-]+-----([^-]*)-----END [^-]+-----([^]*)/.exec(pem) ?? [];
  const der = Buffer.from(body, 'base64');
  // Longer keys are not checked: RSA keys are refused later, and of an encrypted key only its ciphertext is read.
  const length = der[1] ?? 0;
  return behind.trim() !== '' || (length < 128 && der.length > length + 2);
}

/** Reads one Ed25519 key. @param problem what to say if `read` throws, e.g. `is not a public key in PEM` */
function readEd25519(name: string, pem: string, problem: string, read: () => KeyObject): KeyObject {
  if (hasMore(pem))
    throw refuse(`${name} has text behind its key: which key? Leave one, and nothing behind it`);
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw refuse(`${name} ${problem}`);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw refuse(
      `${name} holds a key of the kind ${key.asymmetricKeyType}; only Ed25519 is taken (openssl genpkey -algorithm ed25519)`,
    );
  if (key.type === 'public' && isOfSmallOrder(key))
    throw refuse(
      `${name} holds a key for which anybody can sign (a point of small order): ask the issuer for its key`,
    );
  return key;
}
