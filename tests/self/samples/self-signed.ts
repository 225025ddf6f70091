/** Certificates for tests of TLS. Node cannot make certificates, so they are written here byte by byte. */
import { generateKeyPairSync, sign } from 'node:crypto';

/** Makes a key, and a certificate for 127.0.0.1, ::1 and localhost that this key signs, in PEM. */
export function selfSigned() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex')); // ecdsa-with-SHA256
  const name = der(
    0x30,
    der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('localhost')))), // commonName
  );
  const validity = der(0x30, time('20200101000000Z'), time('20991231235959Z'));
  const hosts = der(
    0x30,
    der(0x82, Buffer.from('localhost')), // 0x82: a host name
    der(0x87, Buffer.from([127, 0, 0, 1])), // 0x87: an address
    der(0x87, Buffer.from('1'.padStart(32, '0'), 'hex')),
  );
  const extensions = der(0xa3, der(0x30, der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, hosts)))); // subjectAltName
  const version3 = der(0xa0, Buffer.from('020102', 'hex'));
  const serial = Buffer.from('020101', 'hex');
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  // Issuer and subject are the same
  const content = der(0x30, version3, serial, algorithm, name, validity, name, subjectKey, extensions);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  return {
    certificate: pem(der(0x30, content, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    encryptedKey: (passphrase: string) =>
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }) as string,
  };
}

/** One DER value: tag, length, content. Tags: 0x30 is a sequence, 0x31 a set, 0x0c a text, 0x03 bits, 0x04 bytes. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...encodeLength(body)]), body]);
}

/** The length in one byte. From 128 on: 0x80 plus the number of its bytes, then these bytes. Example: 300 is 82 01 2c. */
function encodeLength({ length }: Buffer): number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  return [0x82, length >> 8, length & 0xff];
}

function time(generalized: string): Buffer {
  return der(0x18, Buffer.from(generalized));
}

function pem(content: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${content
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END CERTIFICATE-----\n`;
}
