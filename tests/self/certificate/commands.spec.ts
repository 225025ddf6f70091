/** The commands keygen, certify, verify and revoke, as people use them, and the words for each mistake. */
import { createPublicKey, generateKeyPairSync, verify as verifyBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readTime } from '../../../bin/certificate/certificate-files.ts';
import { signRun } from '../../../bin/certificate/sign.ts';
import { recordFirstAnswer } from '../../../bin/certificate/answered-challenges.ts';
import { readRecords } from '../samples/read-records.ts';
import { writeCanonically } from '../../../fixtures/evidence/log.ts';
import { judgeByRules } from '../../../fixtures/evidence/recompute.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { makeKeys, parsePrivateKey, parsePublicKey } from '../../../reports/certificate/signed/key-files.ts';
import { withReference, unvaried } from '../samples/varied-reference.ts';
import { runCommand, shellIn, makeFolder } from '../samples/command.ts';
import { judgeUnderProfile, ISSUER, NOW } from './certifiable-runs.ts';

const NAME = 'Rex';
/** The time that commands take for now: an hour after the run has begun in its simulated world. */
const AS_OF = { AS_OF: new Date(NOW).toISOString() };
const SIGN = 'certify --report . --used used.jsonl --issuer-key';

/** Makes a folder with the evidence of a run on the reference, and the keys of the issuer. */
async function makeCertifiableFolder(): Promise<string> {
  const folder = makeFolder();
  const key = ISSUER.privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, 'issuer.pem'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'issuer.pub'), ISSUER.publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(folder, 'evidence.jsonl'), (await judgeUnderProfile()).evidence);
  return folder;
}

test('a challenge is answered, certified once, verified and revoked, as people do it', async () => {
  const folder = await makeCertifiableFolder();
  const shell = shellIn(folder, AS_OF);
  const at = (name: string) => join(folder, name);
  await shell(`${SIGN} issuer.pem`, 0, /^Next, as anybody can: .*verify .*certificate/m);
  await shell(`${SIGN} issuer.pem`, 1, 'already has an answer');
  expect(readFileSync(at('used.jsonl'), 'utf8').split('\n').length).toBe(2);
  const trust = `--public-key issuer.pub --at ${new Date(NOW + 1_000).toISOString()}`;

  const certified = readFileSync(at('certificate/report.json'), 'utf8');
  writeFileSync(at('report.json'), certified.replace('conforming', 'inconclusive'));
  // The folder that certify wrote, or the one above it, is as good as its files
  await shell(
    `verify . ${trust}`,
    0,
    /^valid: Rex Pets 2\.3\n {2}result +conforming, .*\n {2}address +http.*, as the vendor says\n {2}date +judged \d.*\n {2}key of issuer +[0-9a-f]{64}\n[^]* ! report\.json and the pages beside it are not what was certified/,
  );
  const signature = /^signature valid; verdicts not checked: Rex Pets 2\.3\n/;
  await shell(`verify certificate/attestation.json ${trust}`, 3, signature);
  await shell(`verify certificate/certificate.html ${trust}`, 2, 'give attestation.json');
  await shell(`verify .. ${trust}`, 2, 'has no attestation.json');

  const revoke = 'revoke --list revoked.json --issuer-key issuer.pem';
  const verify = `verify certificate/attestation.json ${trust} --revoked revoked.json --revoked-seen seen.json`;
  await shell(revoke);
  expect(JSON.parse(await shell(`${verify} --json`, 3)).verdict).toBe('valid');
  const old = readFileSync(at('revoked.json'));
  await shell(`${revoke} certificate/attestation.json --reason lost`);
  await shell(verify, 1, 'revoked since');
  writeFileSync(at('revoked.json'), old);
  await shell(verify, 1, 'number 2 was seen before');
});

test('certify refuses another subject, a late answer, a challenge for a run by the issuer, and damaged evidence', async () => {
  const folder = await makeCertifiableFolder();
  const path = join(folder, 'evidence.jsonl');
  const evidence = readFileSync(path, 'utf8');
  const [head = '', ...others] = evidence.split('\n');
  const shell = shellIn(folder, AS_OF);
  const late = shellIn(folder, { AS_OF: new Date(NOW + 9 * 86_400_000).toISOString() });
  const other = 'the challenge was made for Rex Pets 2.3';
  await shell(`${SIGN} issuer.pem --subject-name Felix`, 1, other);
  await late(`${SIGN} issuer.pem`, 1, 'the challenge ended at');
  // The evidence shows the challenge to everybody. So somebody else may take a challenge that the issuer posed for its own run.
  const forIssuer = { subject: NAME, runBy: 'issuer', now: NOW - 60_000, validFor: 3_600_000 } as const;
  const challenge = poseChallenge(forIssuer, ISSUER.privateKey);
  writeFileSync(path, [writeCanonically({ ...JSON.parse(head), challenge }), ...others].join('\n'));
  await shell(`${SIGN} issuer.pem`, 1, 'was made for a run by the issuer itself');
  const signing = {
    key: ISSUER.privateKey,
    name: NAME,
    sha256: null,
    runBy: 'vendor',
    validDays: 90,
  } as const;
  for (const damaged of [
    evidence.slice(0, -100),
    `${evidence}x\n`,
    evidence.replace('"kind":"exchange"', '"kind":7'),
    [head, 'null', ...others.slice(1)].join('\n'),
    `${head}\n\0\0\0\n`,
  ])
    await expect(signRun(Buffer.from(damaged), { ...signing, usedFile: null }, folder)).rejects.toThrow(
      /^evidence\.jsonl is damaged[^\n]*$/,
    );
});

test('the record of answered challenges is not written through a link', async () => {
  const folder = makeFolder();
  symlinkSync(join(folder, 'victim'), join(folder, 'used.jsonl'));
  const { challenge } = await judgeUnderProfile();
  expect(() => recordFirstAnswer(join(folder, 'used.jsonl'), challenge, new Date(NOW))).toThrow(
    'nothing is written through one',
  );
  expect(readdirSync(folder)).toEqual(['used.jsonl']);
});

test('a new key follows an old one, and takes over its list of revocations', async () => {
  const folder = makeFolder();
  const shell = shellIn(folder);
  await shell('keygen old.pem', 0, /^old\.pem, old\.pem\.pub\n[^]*^Next: .*certify .*--issuer-key old\.pem/m);
  await shell('keygen new.pem');
  expect(statSync(join(folder, 'old.pem')).mode & 0o777).toBe(0o600);
  await shell('revoke --list revoked.json --issuer-key old.pem');
  const follow = 'certify keys --list keys.json --issuer-key';
  const keys = `${follow} new.pem --previous old.pem.pub`;
  await shell(keys, 0, 'adds 0 certificates of the key');
  // A list of keys may say later that a key was compromised
  await shell(`${keys} --compromised-since 2026-11-20`);
  await shell(`${keys} --issued keys.json`, 2, 'keys.json is not an attestation of the previous key');
  await shell('revoke --list revoked.json --issuer-key new.pem --keys keys.json');
  await shell(`${follow} old.pem --previous new.pem.pub`, 2, 'that has ended');
  await shell(`${follow} new.pem --previous new.pem.pub`, 2, 'is the key that is to follow it');
});

test('the issuer runs: everything from the address to the certificate @long', async () => {
  const folder = makeFolder();
  await withReference(unvaried, async ({ BASE_URL, API_KEY }) => {
    const shell = shellIn(folder, { API_KEY, REPORT_DIR: 'out' });
    await shell('keygen issuer.pem');
    await shell(`certify --base-url ${BASE_URL} --issuer-key issuer.pem --subject-name ${NAME}`);
    expect(existsSync(join(folder, 'out/conformance.html'))).toBe(true);
    const files = 'out/certificate/attestation.json --evidence out/certificate';
    await shell(`verify ${files} --public-key issuer.pem.pub`, 0, 'made by the issuer');
  });
  const records = readRecords(readFileSync(join(folder, 'out/certificate/evidence.jsonl'), 'utf8'));
  expect(judgeByRules(records).findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});

const CHECK = 'verify issuer.pem.pub --public-key issuer.pem.pub';
/** The words of a command that is wrong, with a part of the line that it prints. */
const MISTAKES: Readonly<Record<string, string>> = {
  [`${SIGN} open.pem`]: 'open.pem can be read by others: chmod 600 open.pem',
  [`${SIGN} rsa.pem`]: 'rsa.pem holds a key of the kind rsa',
  [`${SIGN} none.pem`]: 'none.pem is not a private key in PEM',
  [`${SIGN} encrypted.pem`]: 'encrypted.pem is encrypted: give the file of its passphrase',
  [`${SIGN} encrypted.pem --passphrase-file passphrase`]: 'cannot be decrypted with this passphrase',
  [`${SIGN} missing.pem`]: 'missing.pem does not exist',
  [`${SIGN} issuer.pem`]: 'evidence.jsonl does not exist',
  [`${SIGN} issuer.pem --valid-days 1000`]: '--valid-days must be',
  [`${SIGN} issuer.pem --subject-digest md5:1`]: '--subject-digest must be',
  [`${SIGN} issuer.pem --subject-name ../x`]: '--subject-name must be',
  [`${SIGN} issuer.pem --what`]: '--what is not known',
  'certify --report . --issuer-key issuer.pem': '--report needs --used',
  'certify --issuer-key issuer.pem': 'certify takes --base-url, to judge a service, or --report',
  'certify --base-url x --issuer-key issuer.pem': '--base-url needs --subject-name',
  'certify challenge --issuer-key issuer.pem --subject-name a/b': '--subject-name must be',
  'keygen issuer.pem': 'issuer.pem exists already',
  'verify missing.json --public-key issuer.pem.pub': 'missing.json does not exist',
  'verify issuer.pem.pub --public-key issuer.pem': 'holds a private key',
  [`${CHECK} --at soon`]: '--at must be a day',
  [`${CHECK} --revoked-seen x`]: '--revoked-seen needs --revoked',
  [`${CHECK} --keys issuer.pem.pub`]: 'is not usable',
  'revoke issuer.pem.pub --list l --issuer-key issuer.pem': 'revoke needs --reason',
};
test('every mistake is one line, ends with 2 and shows nothing of a key', async () => {
  const { folder } = await runCommand('keygen', ['issuer.pem']);
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
  const sealed = { ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'secret words' };
  const own = readFileSync(join(folder, 'issuer.pem'), 'utf8');
  for (const [name, text, mode = 0o600] of [
    [
      'encrypted.pem',
      generateKeyPairSync('ed25519', { privateKeyEncoding: sealed, publicKeyEncoding }).privateKey,
    ],
    [
      'rsa.pem',
      generateKeyPairSync('rsa', { modulusLength: 2_048, privateKeyEncoding: pkcs8, publicKeyEncoding })
        .privateKey,
    ],
    ['none.pem', 'no key'],
    ['passphrase', 'other words\n'],
    ['open.pem', own, 0o644],
  ] as const)
    writeFileSync(join(folder, name), text, { mode });
  for (const [words, mistake] of Object.entries(MISTAKES)) {
    const [name = '', ...args] = words.split(' ');
    const { exitCode, err } = await runCommand(name, args, {}, folder);
    expect([exitCode, err.split('\n').length], `${words}: ${err}`).toEqual([2, 2]);
    expect(err).toContain(mistake);
    expect(err).not.toContain(own.split('\n')[1]);
    expect(err).not.toContain('words');
  }
});

test('a key for which anybody can sign is refused, wherever it comes from', () => {
  // The beginning of each Ed25519 key in DER; the 32 bytes of the point follow
  const spki = Buffer.from('302a300506032b6570032100', 'hex');
  // R (the neutral point) and S (0): with the neutral point as the key, this is a signature of every text
  const forged = Buffer.from(`01${'00'.repeat(63)}`, 'hex');
  // Points of small order, as they are encoded; the first two are the neutral point
  const points = [
    `01${'00'.repeat(31)}`,
    `01${'00'.repeat(30)}80`,
    '00'.repeat(32),
    `ec${'ff'.repeat(30)}7f`,
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ];
  for (const point of points) {
    const der = Buffer.concat([spki, Buffer.from(point, 'hex')]);
    const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
    expect(() => parsePublicKey('key.pub', pem), point).toThrow('anybody can sign');
  }
  const neutral = createPublicKey({
    key: Buffer.concat([spki, Buffer.from(points[0] ?? '', 'hex')]),
    format: 'der',
    type: 'spki',
  });
  expect(verifyBytes(null, Buffer.from('any text'), neutral, forged)).toBe(true);
  const { publicKey: usual } = makeKeys();
  expect(parsePublicKey('key.pub', usual).asymmetricKeyType).toBe('ed25519');
});

test('a file with more than one key, or bytes behind it, is no key', () => {
  const { privateKey, publicKey } = makeKeys();
  const appendBytes = (pem: string) =>
    pem.replace(/(?<=-\n)[^-]+/, (body) =>
      Buffer.concat([Buffer.from(body, 'base64'), Buffer.from('more')]).toString('base64'),
    );
  const read = { [privateKey]: parsePrivateKey, [publicKey]: parsePublicKey };
  for (const [pem, parse] of Object.entries(read)) {
    for (const more of [makeKeys().publicKey, makeKeys().privateKey, 'key', '\0'])
      expect(() => parse('issuer', pem + more, 0o600, undefined)).toThrow(/which key\?|private key/);
    expect(() => parse('issuer', appendBytes(pem), 0o600, undefined)).toThrow('which key?');
    expect(parse('issuer', `The key:\r\n${pem}\r\n`, 0o600, undefined).asymmetricKeyType).toBe('ed25519');
  }
});

test('a day that the calendar lacks is no date', () => {
  const noDates = '2026-11-31 2026-02-29T10:00:00Z 2026-13-01 0000-00-00 2026-11-30T25:00:00Z';
  for (const text of noDates.split(' '))
    expect(() => readTime(text, '--at'), text).toThrow('--at must be a day');
  expect(readTime('2028-02-29', '--at').toISOString()).toBe('2028-02-29T00:00:00.000Z');
  expect(readTime('2026-12-31T23:30:00-01:00', '--at').toISOString()).toBe('2027-01-01T00:30:00.000Z');
});
