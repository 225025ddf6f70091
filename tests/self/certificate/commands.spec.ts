import { createPrivateKey, createPublicKey, generateKeyPairSync, verify as verifyBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readTime } from '../../../bin/certificate/certificate-files.ts';
import { signRun } from '../../../bin/certificate/sign.ts';
import { takeOnce } from '../../../bin/certificate/used.ts';
import { readRecords } from '../samples/read-records.ts';
import { writeCanonically } from '../../../fixtures/evidence/log.ts';
import { rejudge } from '../../../fixtures/evidence/rejudge.ts';
import { readReport } from '../../../reports/document/report-schema.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { makeKeys, parsePrivateKey, parsePublicKey } from '../../../reports/certificate/signed/key-files.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import type { Vendor } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { against, command } from '../samples/command.ts';
import { counted } from '../samples/counted.ts';
import { certifiedRun, ISSUER, NOW } from './certified-run.ts';

const NAME = 'Rex Pets 2.3';
/** The clock of commands, in the world of the run. */
const AS_OF = { AS_OF: new Date(NOW).toISOString() };
const pemOf = () => ISSUER.privateKey.export({ type: 'pkcs8', format: 'pem' });

/** The folder that certify wrote, or the one above it, is as good as its files. Another report above it is told. */
async function takesFolders(
  here: (name: string, ...args: string[]) => ReturnType<typeof command>,
  options: readonly string[],
): Promise<void> {
  expect((await here('verify', '.', ...options)).out).toMatch(
    /^valid: Rex Pets 2\.3\n {2}result +conforming, .*\n {2}address +http.*, as the vendor says\n {2}date +judged \d.*\n {2}key of issuer +[0-9a-f]{64}\n[^]* ! report\.json is not what was certified/,
  );
  const alone = await here('verify', 'certificate/attestation.json', ...options);
  expect(alone.out).toMatch(/^signature valid; verdicts not checked: Rex Pets 2\.3\n/);
  expect(alone.exitCode).toBe(3);
  const page = await here('verify', 'certificate/certificate.html', ...options);
  expect([page.exitCode, page.err]).toEqual([2, expect.stringContaining('give attestation.json')]);
  expect((await here('verify', '..', ...options)).err).toContain('has no attestation.json');
}

/** Beside "valid" there is what was signed, whatever lies beside it under whatever name. */
async function showsWhatWasCertified(
  folder: string,
  here: (name: string, ...args: string[]) => ReturnType<typeof command>,
  publicKey: readonly string[],
): Promise<void> {
  const row = async () => {
    const { out } = await here('matrix', 'Rex Kennels=.', ...publicKey, '--json');
    return JSON.parse(out).vendors[0] as Vendor;
  };
  const certified = readFileSync(join(folder, 'certificate/report.json'), 'utf8');
  const { target, run } = JSON.parse(certified) as Report;
  writeFileSync(
    join(folder, 'report.json'),
    certified.replaceAll(target.baseUrl, 'https://elsewhere.example/v1'),
  );
  const shown = await row();
  expect(shown).toMatchObject({ address: target.baseUrl, verdict: 'conforming', startedAt: run.startedAt });
  expect(shown.certificate).toMatchObject({ state: 'valid', subject: NAME });
  expect(shown.certificate?.words).toContain(`for ${NAME}`);
  writeFileSync(join(folder, 'certificate/report.json'), readFileSync(join(folder, 'report.json')));
  expect((await row()).certificate).toMatchObject({
    state: 'invalid',
    why: 'the report beside it is not what was certified',
  });
  writeFileSync(join(folder, 'certificate/report.json'), certified);
}

test('a challenge is answered, certified once, verified and revoked, as people do it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-certify-'));
  writeFileSync(join(folder, 'issuer.pem'), pemOf(), { mode: 0o600 });
  writeFileSync(join(folder, 'issuer.pub'), ISSUER.publicKey.export({ type: 'spki', format: 'pem' }));
  const here = (name: string, ...args: string[]) => command(name, args, AS_OF, folder);
  writeFileSync(join(folder, 'evidence.jsonl'), (await certifiedRun()).evidence);
  const sign = ['--report', '.', '--issuer-key', 'issuer.pem', '--used', 'used.jsonl'];
  const certify = await here('certify', ...sign);
  expect([certify.exitCode, certify.err]).toEqual([0, '']);
  expect(certify.out).toMatch(/^Next, as anybody can: .*verify .*certificate/m);
  const again = await here('certify', ...sign);
  expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('already has an answer')]);
  expect(readFileSync(join(folder, 'used.jsonl'), 'utf8').split('\n').length).toBe(2);

  const attestation = 'certificate/attestation.json';
  const publicKey = ['--public-key', 'issuer.pub'];
  const at = ['--at', new Date(NOW + 1_000).toISOString()];
  const verify = (...more: string[]) => here('verify', attestation, ...publicKey, ...at, ...more);
  const read = readReport(readFileSync(join(folder, 'certificate/report.json')));
  expect('value' in read && read.value.verdict).toBe('conforming');

  await showsWhatWasCertified(folder, here, publicKey);
  await takesFolders(here, [...publicKey, ...at]);
  const list = ['--list', 'revoked.json', '--issuer-key', 'issuer.pem'];
  const seen = ['--revoked', 'revoked.json', '--revoked-seen', 'seen.json'];
  expect((await here('revoke', ...list)).exitCode).toBe(0);
  const verifying = await verify('--json', ...seen);
  expect([verifying.exitCode, JSON.parse(verifying.out).verdict]).toEqual([3, 'valid']);
  const old = readFileSync(join(folder, 'revoked.json'));
  expect((await here('revoke', attestation, ...list, '--reason', 'the key was lost')).exitCode).toBe(0);
  const revoked = await verify(...seen);
  expect([revoked.exitCode, revoked.out]).toEqual([1, expect.stringContaining('revoked since')]);
  writeFileSync(join(folder, 'revoked.json'), old);
  const outdated = await verify(...seen);
  expect([outdated.exitCode, outdated.out]).toEqual([1, expect.stringContaining('number 2 was seen before')]);
  const matrix = await here('matrix', '.', ...publicKey, '--revoked', 'revoked.json', '--json');
  expect(JSON.parse(matrix.out).vendors[0].certificate).toMatchObject({ state: 'valid', subject: NAME });
  // what never held, or does not hold yet, has not expired
  const early = { AS_OF: new Date(NOW - 86_400_000).toISOString() };
  const before = await command('matrix', ['.', ...publicKey, '--json'], early, folder);
  expect(JSON.parse(before.out).vendors[0].certificate.state).toBe('invalid');
  const remembering = await here('matrix', '.', ...publicKey, ...seen, '--json');
  expect([remembering.exitCode, remembering.err]).toEqual([
    2,
    expect.stringContaining(
      'revoked.json: the list of revocations is number 1, and number 2 was seen before',
    ),
  ]);
});

test('the challenge of a run by the issuer, which its evidence shows to everybody, is answered by nobody else', async () => {
  const { folder } = await command('keygen', ['issuer.pem']);
  const own = { subject: NAME, runBy: 'issuer', now: NOW - 60_000, validFor: 3_600_000 } as const;
  const shown = poseChallenge(own, createPrivateKey(readFileSync(join(folder, 'issuer.pem'))));
  const [head = '', ...others] = (await certifiedRun()).evidence.split('\n');
  const answered = writeCanonically({ ...JSON.parse(head), challenge: shown });
  writeFileSync(join(folder, 'evidence.jsonl'), [answered, ...others].join('\n'));
  const sign = ['--report', '.', '--issuer-key', 'issuer.pem', '--used', 'used.jsonl'];
  const { exitCode, err } = await command('certify', sign, AS_OF, folder);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('was made for a run by the issuer itself')]);
});

test('the record of answered challenges is not written through a link', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-victim-'));
  symlinkSync(join(folder, 'victim'), join(folder, 'used.jsonl'));
  const { challenge } = await certifiedRun();
  expect(() => takeOnce(join(folder, 'used.jsonl'), challenge, new Date(NOW))).toThrow(
    'nothing is written through one',
  );
  expect(readdirSync(folder)).toEqual(['used.jsonl']);
});

test('for another name or too late, an answer to a challenge is not signed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-certify-'));
  writeFileSync(join(folder, 'issuer.pem'), pemOf(), { mode: 0o600 });
  writeFileSync(join(folder, 'evidence.jsonl'), (await certifiedRun()).evidence);
  const sign = ['--report', '.', '--issuer-key', 'issuer.pem', '--used', 'used.jsonl'];
  const other = await command('certify', [...sign, '--subject-name', 'Felix'], AS_OF, folder);
  expect([other.exitCode, other.err]).toEqual([
    1,
    expect.stringContaining(`the challenge was made for ${NAME}`),
  ]);
  const evidence = (await certifiedRun()).evidence;
  const lines = evidence.split('\n');
  const signing = {
    key: ISSUER.privateKey,
    name: NAME,
    sha256: null,
    runBy: 'vendor',
    validDays: 90,
    used: null,
  } as const;
  for (const damaged of [
    evidence.slice(0, -100),
    `${evidence}x\n`,
    evidence.replace('"kind":"exchange"', '"kind":7'),
    [lines[0], 'null', ...lines.slice(2)].join('\n'),
    `${lines[0]}\n\0\0\0\n`,
  ]) {
    await expect(signRun(Buffer.from(damaged), signing, folder)).rejects.toThrow(
      /^evidence\.jsonl is damaged[^\n]*$/,
    );
  }
  writeFileSync(join(folder, 'evidence.jsonl'), evidence);
  const in9Days = { AS_OF: new Date(NOW + 9 * 86_400_000).toISOString() };
  const late = await command('certify', sign, in9Days, folder);
  expect([late.exitCode, late.err]).toEqual([1, expect.stringContaining('the challenge ended at')]);
});

test('a key follows another, and the old certificate and list go on', async () => {
  const { folder, out } = await command('keygen', ['old.pem']);
  expect(out).toMatch(/^old\.pem, old\.pem\.pub\n[^]*^Next: .*certify .*--issuer-key old\.pem/m);
  const here = (name: string, ...args: string[]) => command(name, args, {}, folder);
  await here('keygen', 'new.pem');
  expect(statSync(join(folder, 'old.pem')).mode & 0o777).toBe(0o600);
  await here('revoke', '--list', 'revoked.json', '--issuer-key', 'old.pem');
  const keys = ['--list', 'keys.json', '--issuer-key', 'new.pem', '--previous', 'old.pem.pub'];
  const succeeded = await here('certify', 'keys', ...keys);
  expect([succeeded.err, succeeded.out]).toEqual([
    '',
    expect.stringContaining('adds 0 certificates of the key'),
  ]);
  // more is told of a key that has ended, when it is known
  const told = await here('certify', 'keys', ...keys, '--compromised-since', '2026-11-20');
  expect([told.exitCode, told.err]).toEqual([0, '']);
  const other = await here('certify', 'keys', ...keys, '--issued', 'keys.json');
  expect([other.exitCode, other.err]).toEqual([
    2,
    expect.stringContaining('keys.json is not an attestation of the previous key'),
  ]);
  const renewed = await here(
    'revoke',
    '--list',
    'revoked.json',
    '--issuer-key',
    'new.pem',
    '--keys',
    'keys.json',
  );
  expect([renewed.exitCode, renewed.err]).toEqual([0, '']);
  const back = ['--list', 'keys.json', '--issuer-key', 'old.pem', '--previous', 'new.pem.pub'];
  const returned = await here('certify', 'keys', ...back);
  expect([returned.exitCode, returned.err]).toEqual([2, expect.stringContaining('that has ended')]);
  const same = await here('certify', 'keys', ...keys.slice(0, 4), '--previous', 'new.pem.pub');
  expect([same.exitCode, same.err]).toEqual([2, expect.stringContaining('is the key that is to follow it')]);
});

test('the issuer runs: everything from the address to the certificate', { tag: '@long' }, async () => {
  const { folder } = await command('keygen', ['issuer.pem']);
  await against(
    (Base) => Base,
    async ({ BASE_URL, API_KEY }) => {
      const args = ['--base-url', BASE_URL, '--issuer-key', 'issuer.pem', '--subject-name', NAME];
      const ended = await command('certify', args, { API_KEY, REPORT_DIR: 'out' }, folder);
      expect([ended.exitCode, ended.err]).toEqual([0, '']);
      expect(existsSync(join(folder, 'out/conformance.html'))).toBe(true);
    },
  );
  const verifying = await command(
    'verify',
    ['out/certificate/attestation.json', '--public-key', 'issuer.pem.pub', '--evidence', 'out/certificate'],
    {},
    folder,
  );
  expect([verifying.exitCode, verifying.out]).toEqual([0, expect.stringContaining('made by the issuer')]);
  const records = readRecords(readFileSync(join(folder, 'out/certificate/evidence.jsonl'), 'utf8'));
  expect(rejudge(records).findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});

test('a vendor runs with the challenge; a bad one is refused before anything is sent', async () => {
  const { folder } = await command('keygen', ['issuer.pem']);
  const pose = ['challenge', '--issuer-key', 'issuer.pem', '--subject-name', NAME];
  const posed = await command('certify', pose, {}, folder);
  expect([posed.exitCode, posed.err]).toEqual([0, '']);
  const past = await command('certify', [...pose, '--valid-hours', '1'], { AS_OF: '2026-01-01' }, folder);
  const { vary, seen: counts } = counted((Base) => Base);
  await against(vary, async (target) => {
    const run = (...args: string[]) =>
      command('conformance', args, { ...target, CHALLENGE: 'challenge.json' }, folder);
    for (const [text, mistake] of [
      [past.out, 'holds a challenge that ended at 2026-01-01T01:00:00.000Z'],
      ['{}', 'holds no challenge'],
      ['[', 'holds no challenge'],
    ] as const) {
      writeFileSync(join(folder, 'challenge.json'), text);
      const ended = await run();
      expect([ended.exitCode, ended.err]).toEqual([2, expect.stringContaining(mistake)]);
    }
    writeFileSync(join(folder, 'challenge.json'), posed.out);
    const dry = await run('--only', 'list-pets.limit');
    expect([dry.exitCode, dry.err]).toEqual([2, expect.stringContaining('--only asks for a part')]);
  });
  expect(counts.requests).toBe(0);
});

const SIGN = 'certify --report . --used used.jsonl --issuer-key';
const CHECK = 'verify issuer.pem.pub --public-key issuer.pem.pub';
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
  const { folder } = await command('keygen', ['issuer.pem']);
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
    const { exitCode, err } = await command(name, args, {}, folder);
    expect([exitCode, err.split('\n').length], `${words}: ${err}`).toEqual([2, 2]);
    expect(err).toContain(mistake);
    expect(err).not.toContain(own.split('\n')[1]);
    expect(err).not.toContain('words');
  }
});

test('a key for which anybody can sign is refused, wherever it comes from', () => {
  const spki = Buffer.from('302a300506032b6570032100', 'hex');
  // the neutral point: R of the neutral point and S of 0 are a signature of every text
  const forged = Buffer.from(`01${'00'.repeat(63)}`, 'hex');
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
  const padded = (pem: string) =>
    pem.replace(/(?<=-\n)[^-]+/, (body) =>
      Buffer.concat([Buffer.from(body, 'base64'), Buffer.from('more')]).toString('base64'),
    );
  const read = { [privateKey]: parsePrivateKey, [publicKey]: parsePublicKey };
  for (const [pem, parse] of Object.entries(read)) {
    for (const more of [makeKeys().publicKey, makeKeys().privateKey, 'key', '\0'])
      expect(() => parse('issuer', pem + more, 0o600, undefined)).toThrow(/which key\?|private key/);
    expect(() => parse('issuer', padded(pem), 0o600, undefined)).toThrow('which key?');
    expect(parse('issuer', `The key:\r\n${pem}\r\n`, 0o600, undefined).asymmetricKeyType).toBe('ed25519');
  }
});

test('a day that the calendar lacks is no date', () => {
  for (const text of [
    '2026-11-31',
    '2026-02-29T10:00:00Z',
    '2026-13-01',
    '0000-00-00',
    '2026-11-30T25:00:00Z',
  ])
    expect(() => readTime(text, '--at'), text).toThrow('--at must be a day');
  expect(readTime('2028-02-29', '--at').toISOString()).toBe('2028-02-29T00:00:00.000Z');
  expect(readTime('2026-12-31T23:30:00-01:00', '--at').toISOString()).toBe('2027-01-01T00:30:00.000Z');
});
