/** Ed25519 keys in PEM files as openssl writes them. What is wrong with one is a line that holds nothing of it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key, or in one line why the file gives none. */
type KeyOrProblem = { key: KeyObject } | { problem: string };

const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/;

/**
 * The private key of a PEM text. `name`: the file, for messages. `mode`: its permissions, or null if the system has none.
 * `passphrase`: null if no passphrase file was given.
 */
export function privateKey(
  name: string,
  pem: string,
  mode: number | null,
  passphrase: string | null,
): KeyOrProblem {
  if (mode !== null && (mode & 0o077) !== 0)
    return { problem: `${name} can be read by others: chmod 600 ${name}` };
  if (ENCRYPTED.test(pem) && passphrase === null)
    return { problem: `${name} is encrypted: give the file of its passphrase with --passphrase-file` };
  if (/-----BEGIN PUBLIC KEY-----/.test(pem) && !/PRIVATE KEY-----/.test(pem))
    return { problem: `${name} holds a public key; signing needs the private one` };
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem', ...(passphrase === null ? {} : { passphrase }) });
  } catch {
    return {
      problem: ENCRYPTED.test(pem)
        ? `${name} cannot be decrypted with this passphrase`
        : `${name} is not a private key in PEM`,
    };
  }
  return ofKind(name, key);
}

/** The public key of a PEM text. A private key is refused: it does not belong where things are verified. */
export function publicKey(name: string, pem: string): KeyOrProblem {
  if (/PRIVATE KEY-----/.test(pem))
    return {
      problem: `${name} holds a private key; give its public key (openssl pkey -in issuer.pem -pubout), and keep the private one to yourself`,
    };
  try {
    return ofKind(name, createPublicKey({ key: pem, format: 'pem' }));
  } catch {
    return { problem: `${name} is not a public key in PEM` };
  }
}

/** A new pair of keys as PEM texts. */
export function newKeys(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

function ofKind(name: string, key: KeyObject): KeyOrProblem {
  return key.asymmetricKeyType === 'ed25519'
    ? { key }
    : {
        problem: `${name} holds a key of the kind ${key.asymmetricKeyType}; only Ed25519 is taken (openssl genpkey -algorithm ed25519)`,
      };
}
