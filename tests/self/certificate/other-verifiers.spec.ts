/** Tools of others verify an attestation: a DSSE library, and the commands for openssl and Python in our guide. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { makeFolder, PROJECT } from '../samples/installed.ts';
import { ISSUER, judgeUnderProfile, makeKeyPair } from './certifiable-runs.ts';
import { certify, fileOf, type Certified } from './certified.ts';

let good: Certified;
test.beforeAll(async () => {
  good = await certify(await judgeUnderProfile());
});

test.describe('other tools', () => {
  /** The script of this kind in the guide, e.g. `python`. */
  const findScript = (kind: string) => {
    const text = readFileSync(join(PROJECT, 'docs', 'verify-without-the-suite.md'), 'utf8');
    return new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
  };
  /** A folder with the attestation, and a public key under the name of the issuer's. */
  const folderWith = (key: KeyObject) => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'attestation.json'), fileOf(good, 'attestation.json'));
    writeFileSync(join(folder, 'issuer.pem.pub'), key.export({ type: 'spki', format: 'pem' }));
    return folder;
  };
  const isInstalled = (program: string, args: readonly string[]) => {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  test('an independent DSSE verifier takes the envelope', () => {
    const { payload, payloadType, signatures } = JSON.parse(String(fileOf(good, 'attestation.json')));
    const [{ keyid, sig }] = signatures;
    const envelope = { payload: Buffer.from(payload, 'base64'), payloadType };
    const bundle = {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { content: { $case: 'publicKey', publicKey: { hint: keyid } }, tlogEntries: [] },
      content: {
        $case: 'dsseEnvelope',
        dsseEnvelope: { ...envelope, signatures: [{ keyid, sig: Buffer.from(sig, 'base64') }] },
      },
    };
    const none = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
    const check = (publicKey: KeyObject) => {
      const trust = { ...none, publicKey: () => ({ publicKey, validFor: () => true }) };
      const least = { tlogThreshold: 0, ctlogThreshold: 0, tsaThreshold: 0 };
      return new Verifier(trust, least).verify(toSignedEntity(bundle as never));
    };
    expect(check(ISSUER.publicKey).key).toBeDefined();
    expect(() => check(makeKeyPair().publicKey)).toThrow('signature verification failed');
  });
  /** A tool, the command that shows if it is installed, and the command of the guide. */
  const GUIDES = [
    ['openssl', ['openssl', 'version'], ['sh', '-euc', findScript('sh openssl')]],
    ['Python', ['python3', '-c', 'import cryptography'], ['python3', '-c', findScript('python')]],
  ] as const;
  for (const [name, [needed, ...asks], [program, ...words]] of GUIDES)
    test(`the ${name} of the guide checks the same signature`, () => {
      test.skip(!isInstalled(needed, asks), `there is no ${name} here`);
      const run = (key: KeyObject) =>
        execFileSync(program, words, { cwd: folderWith(key), encoding: 'utf8', stdio: 'pipe' });
      const said = run(ISSUER.publicKey);
      if (name === 'Python') expect(JSON.parse(said)).toEqual(good.statement);
      else expect(said).toContain('Signature Verified Successfully');
      expect(() => run(makeKeyPair().publicKey)).toThrow();
    });
});
