import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { KeyObject } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { findLacking } from '../../../reports/certificate/shortcomings.ts';
import { addSuccessor, readKeyList, listOneKey } from '../../../reports/certificate/signed/key-list.ts';
import { writeCanonicalJson, hashBytes } from '../../../reports/certificate/signed/canonical.ts';
import suite from '../../../package.json' with { type: 'json' };
import { makeStatement } from '../../../reports/certificate/issue.ts';
import { readEvidence, recheckEvidence } from '../../../reports/certificate/recheck-evidence.ts';
import { computeKeyId, sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { REVOCATIONS, revoke } from '../../../reports/certificate/signed/revocation.ts';
import { EXTENSION, PAYLOAD_TYPE, type Statement } from '../../../reports/certificate/statement.ts';
import { digestSuite } from '../../../reports/certificate/suite-digests.ts';
import { writeVerification } from '../../../reports/certificate/verification-text.ts';
import { findEvidenceDigest } from '../../../reports/certificate/verify-certificate.ts';
import {
  BEGIN,
  certifiedRun,
  failedUnannounced,
  ISSUER,
  lookAt,
  NOW,
  pair,
  type Keys,
} from './certified-run.ts';
import { certified, failedChecks, folderOf, verified, type Certified } from './certified.ts';
import { drawing } from './hostile-files.ts';
import { installerEnv, must, PROJECT } from '../samples/installed.ts';
import { DESK, PHONE, testOnPages, violationsOn } from '../samples/pages-in-browser.ts';

const resultIn = ({ look }: Certified, id: string) =>
  look.report.requirements.find((each) => each.id === id)?.verdict;

// one run is certified once, and everything is tried on it
test.describe.configure({ mode: 'default' });

const DAY = 86_400_000;
/** Prints what a verification with the unpacked package takes from its program. */
const PLAN_OF_PACKAGE = `
import { readFileSync } from 'node:fs';
const [{ planRecheck }, { digestSuite }] = await Promise.all(
  ['bin/certificate/plan-recheck.js', 'reports/certificate/suite-digests.js'].map((file) => import('./package/dist/' + file)),
);
const plan = await planRecheck(readFileSync('evidence.jsonl'));
process.stdout.write(JSON.stringify({ plan, parts: digestSuite().parts }));
`;
let good: Certified;
test.beforeAll(async () => {
  good = await certified(await certifiedRun());
});
const attestation = () => good.files.get('attestation.json') ?? Buffer.alloc(0);

// by day runs/expiring-keys judges the evidence of such a run again
test(
  'a run whose key was renewed is certified and verifies, each wrong key judged by the letters of the key that it was made from',
  { tag: '@long' },
  async () => {
    const run = await certifiedRun({ variant: 'renewed' });
    const renewed = await certified(run);
    expect(findLacking(renewed.look, NOW)).toEqual([]);
    expect(resultIn(renewed, 'authentication.letter-case')).toBe('pass');
    expect(verified(renewed).verdict).toBe('valid');
  },
);

test.describe('a certificate of the reference', () => {
  test('lacks nothing, and verifies', () => {
    expect(findLacking(good.look, NOW)).toEqual([]);
    const verification = verified(good, { recheck: recheckEvidence });
    expect(verification.checks.filter(({ held }) => !held)).toEqual([]);
    expect(verification.verdict).toBe('valid');
    expect(good.statement.predicate.result).toBe('PASSED');
  });
  test('says who ran the suite and whose word is what, and holds no key', () => {
    const { runBy, words, unannounced } = good.statement.predicate[EXTENSION];
    expect([runBy, words.some(({ by }) => by === 'vendor')]).toEqual(['vendor', true]);
    expect(unannounced.asked).toBeGreaterThan(40);
    expect([...good.files.values()].every((file) => !file.includes('PRIVATE KEY'))).toBe(true);
    const page = String(good.files.get('certificate.html'));
    expect(page).toContain('The vendor claims: that the address is the one that answered');
  });
  test('without its folder only what it says by itself is checked, and that is told', () => {
    const { verdict, unchecked } = verified(good, { folder: false });
    expect({ verdict, unchecked: unchecked.length }).toEqual({ verdict: 'valid', unchecked: 2 });
  });
  /** Verifies a statement that a suite with another part made. */
  const ofOther = (part: string, version: string) => {
    const other = structuredClone(good.statement);
    const own = other.predicate.configuration.find(({ name }) => name === part);
    if (own !== undefined) own.digest.sha256 = 'b'.repeat(64);
    other.predicate[EXTENSION].suite.version = version;
    const evidence = Buffer.from(good.run.evidence);
    return verified({ ...good, files: folderOf(other, { ...good, evidence }) });
  };
  test('of a clone verifies with the package, and one of the package in a clone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
    const evidence = Buffer.from(good.run.evidence);
    writeFileSync(join(folder, 'evidence.jsonl'), evidence);
    const env = installerEnv(join(folder, 'cache'));
    await must('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: PROJECT, env });
    await must('tar', ['xzf', `animal-store-conformance-${suite.version}.tgz`], { cwd: folder });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'package', 'node_modules'), 'junction');
    const started = ['--input-type=module', '--eval', PLAN_OF_PACKAGE];
    const { plan, parts } = JSON.parse(await must(process.execPath, started, { cwd: folder }));
    expect(parts).toEqual(digestSuite().parts);
    const look = recheckEvidence(readEvidence(evidence), plan, good.run.challenge);
    const { challenge } = good.run;
    const statement = makeStatement({
      recheck: look,
      evidence,
      challenge,
      sha256: null,
      now: NOW,
      validDays: 90,
    });
    const theirs = { plan, files: folderOf(statement, { look, evidence }) };
    for (const [files, recheck] of [
      [theirs, good.look],
      [good, look],
    ] as const)
      expect(failedChecks(verified(files, { recheck: () => recheck }))).toEqual([]);
  });
  test('of another catalogue is unusable, and names the version that can tell', () => {
    const { verdict, checks } = ofOther('catalogue', '9.9.9');
    expect(verdict).toBe('unusable');
    expect(checks.at(-1)?.found).toContain('npx animal-store-conformance@9.9.9 verify');
  });
  test('lists the subject of the run as a claim, which must be the subject of the certificate', () => {
    const { claims, words } = good.statement.predicate[EXTENSION];
    expect(claims.subject).toMatchObject({ name: 'rex-pets', version: '2.3.1', commit: '8c1f3ab' });
    expect(words.map(({ what }) => what)).toContain(
      'the release that answered, its commit and its web address',
    );
    expect(String(good.files.get('certificate.html'))).toContain('<bdi>rex-pets 2.3.1, commit 8c1f3ab,');
    const other = structuredClone(good.statement);
    other.predicate[EXTENSION].claims.subject!.version = '2.4.0';
    const forged = { ...good, files: folderOf(other, { ...good, evidence: Buffer.from(good.run.evidence) }) };
    expect(failedChecks(verified(forged))).toEqual(['verdicts']);
  });
  test('of a run from before subjects, Node and the wire were named holds as it did', async () => {
    const evidence = good.run.evidence
      .replace(/,"subject":\{[^}]*\}/, '')
      .replace(/"runtime":\{[^}]*\},/, '');
    expect(evidence).not.toMatch(/8c1f3ab|llhttp/);
    const older = await certified({ ...good.run, evidence });
    expect(verified(older).verdict).toBe('valid');
    const { claims, words } = older.statement.predicate[EXTENSION];
    expect([Object.hasOwn(claims, 'subject'), words.length]).toEqual([false, 6]);
  });
  test('names the packages, Node and the wire', () => {
    const { configuration } = good.statement.predicate;
    const { claims } = good.statement.predicate[EXTENSION];
    expect([claims.node, claims.wire]).toEqual([
      process.version,
      expect.stringMatching(/^llhttp \d.*, openssl \d/),
    ]);
    expect(configuration).toEqual(expect.arrayContaining([...digestSuite().parts]));
    expect(ofOther('packages', digestSuite().version).verdict).toBe('unusable');
  });
  test('has a badge with its subject, who ran the suite and its key, which leads to its page', () => {
    const badge = String(good.files.get('badge.svg'));
    expect(badge).toContain('>Rex Pets 2.3 · 1.0.0 conforming · run by the vendor');
    expect(badge).toContain(`· key ${computeKeyId(ISSUER.publicKey).slice(0, 12)}<`);
    expect(badge).toContain('<a href="certificate.html">');
  });
  test('shows the letters of its name by their numbers, since whole words may look alike', () => {
    const statement = structuredClone(good.statement);
    statement.predicate[EXTENSION].subject = 'Рех 2.3';
    const files = folderOf(statement, { ...good, evidence: Buffer.from(good.run.evidence) });
    for (const file of ['certificate.html', 'badge.svg'])
      expect(String(files.get(file)), file).toContain('\\u{420}\\u{435}\\u{445} 2.3)');
    expect(
      writeVerification(verified({ ...good, files }, { folder: false }), { isWhole: false, keyId: '' }),
    ).toContain('(\\u{420}\\u{435}\\u{445} 2.3)');
  });
  test('of an issuer that ran the suite itself says so', { tag: '@long' }, async () => {
    const own = await certified(await certifiedRun({ runBy: 'issuer' }));
    expect(verified(own).verdict).toBe('valid');
    expect(own.statement.predicate[EXTENSION].runBy).toBe('issuer');
  });
});

testOnPages({ certificate: () => String(good.files.get('certificate.html')) })(
  'its page has no barriers, on a desk and on a phone, light and dark',
  { tag: '@long' },
  async ({ open }) => {
    const { page, noise } = await open('certificate', { bypassCSP: true });
    expect([await violationsOn(page), noise]).toEqual([[], []]);
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      await expect(page.getByText('Key of the issuer')).toBeInViewport();
    }
  },
);

test.describe('time and revocation', () => {
  const list = (keys: Keys, revoked: Buffer | null, before: Parameters<typeof revoke>[0] = null) =>
    Buffer.from(
      revoke(
        before,
        {
          run: revoked && findEvidenceDigest(good.statement),
          keys: null,
          reason: 'the key was lost',
          now: new Date(NOW),
          validDays: 30,
        },
        keys.privateKey,
      ),
    );
  const found = (revoked: Buffer, more: object = {}) =>
    verified(good, { revoked, folder: false, ...more }).checks.find(({ name }) => name === 'revocation');

  test('it is refused before its time, after it, and once it is revoked', () => {
    expect(failedChecks(verified(good, { at: new Date(NOW - DAY), folder: false }))).toEqual(['validity']);
    expect(failedChecks(verified(good, { at: new Date(NOW + 91 * DAY), folder: false }))).toEqual([
      'validity',
    ]);
    expect(found(list(ISSUER, attestation()))?.held).toBe(false);
    expect(found(list(ISSUER, null))?.held).toBe(true);
    expect(found(list(pair(), null))?.held).toBe(false);
  });
  test('a run that was signed twice is revoked once, and both of its certificates fall', () => {
    const again = folderOf(withValidity(NOW + 2 * DAY), {
      ...good,
      evidence: Buffer.from(good.run.evidence),
    });
    const revoked = list(ISSUER, attestation());
    const verification = verified({ ...good, files: again }, { revoked, at: new Date(NOW + 3 * DAY) });
    expect(failedChecks(verification)).toEqual(['revocation']);
    const another = structuredClone(good.statement);
    another.subject[1]!.digest.sha256 = 'b'.repeat(64);
    const other = folderOf(another, { ...good, evidence: Buffer.from(good.run.evidence) });
    expect(verified({ ...good, files: other }, { revoked, folder: false }).verdict).toBe('valid');
  });
  test('a list of version 2, which names files, is read as before', () => {
    const since = new Date(NOW).toISOString();
    const revoked = [{ attestation: hashBytes(attestation()), reason: 'the key was lost', since }];
    const old = {
      version: 2,
      number: 1,
      issuedAt: since,
      notAfter: new Date(NOW + DAY).toISOString(),
      revoked,
    };
    expect(
      found(Buffer.from(sealEnvelope(REVOCATIONS.payloadType, writeCanonicalJson(old), ISSUER.privateKey)))
        ?.held,
    ).toBe(false);
  });
  test('an old list tells nothing: one that ended, one that is older than another, two of one number', () => {
    const revoked = list(ISSUER, null);
    const held = (more: object) => found(revoked, more);
    expect(held({ at: new Date(NOW + 31 * DAY) })?.found).toContain('take a newer one');
    expect(held({ seen: { number: 2, sha256: 'a'.repeat(64) } })?.found).toContain(
      'number 2 was seen before',
    );
    expect(held({ seen: { number: 1, sha256: 'a'.repeat(64) } })?.found).toContain('two lists');
    expect(held({ seen: { number: 0, sha256: 'a'.repeat(64) } })?.held).toBe(true);
  });
  const withValidity = (from: number) => {
    const statement = structuredClone(good.statement);
    statement.predicate[EXTENSION].validity = {
      notBefore: new Date(from).toISOString(),
      notAfter: new Date(from + 20 * DAY).toISOString(),
    };
    return statement;
  };
  /** The list of keys after the first one ended at a time. */
  const endedAt = (time: number, end: { issued: string[]; compromisedSince: string | null }) => {
    const next = pair();
    const told = { key: ISSUER.publicKey, ...end };
    const file = Buffer.from(
      addSuccessor(listOneKey(ISSUER.publicKey), next.privateKey, new Date(time), told),
    );
    return { next, keys: file, issuer: readKeyList(file, next.publicKey) };
  };
  const NAMED = () => ({ issued: [hashBytes(attestation())], compromisedSince: null });

  test('a key may follow another: certificates of the first that its list names hold from its time', () => {
    const at = new Date(NOW + 2 * DAY);
    const { next, keys, issuer } = endedAt(NOW + DAY, NAMED());
    expect(verified(good, { issuer, at }).verdict).toBe('valid');
    expect(failedChecks(verified(good, { issuer: listOneKey(next.publicKey) }))).toEqual(['key']);
    const late = endedAt(NOW - DAY, NAMED()).issuer;
    expect(failedChecks(verified(good, { issuer: late, folder: false }))).toEqual(['key']);
    expect(() => readKeyList(keys, ISSUER.publicKey)).toThrow('names another key than the one given');
  });
  test('what an ended key signs later with an old date is refused: its list does not name it', () => {
    const { issuer } = endedAt(NOW + DAY, NAMED());
    const evidence = Buffer.from(good.run.evidence);
    const files = folderOf(withValidity(NOW + 1_000), { ...good, evidence });
    const verification = verified({ ...good, files }, { issuer, at: new Date(NOW + 2 * DAY) });
    expect(failedChecks(verification)).toEqual(['key']);
    const unnamed = endedAt(NOW + DAY, { issued: [], compromisedSince: null });
    expect(failedChecks(verified(good, { issuer: unnamed.issuer, folder: false }))).toEqual(['key']);
  });
  test('a list of version 1 names nothing that an ended key issued', () => {
    const { next, keys } = endedAt(NOW + DAY, NAMED());
    const payload = JSON.parse(Buffer.from(JSON.parse(String(keys)).payload, 'base64').toString());
    const old = payload.keys.map(({ spki, from, until }: Record<string, unknown>) => ({ spki, from, until }));
    const text = writeCanonicalJson({ ...payload, version: 1, keys: old });
    const issuer = readKeyList(
      Buffer.from(sealEnvelope(JSON.parse(String(keys)).payloadType, text, next.privateKey)),
      next.publicKey,
    );
    expect(failedChecks(verified(good, { issuer, folder: false }))).toEqual(['key']);
  });
  test('a key that was compromised signs nothing from then on, even if the list names it', () => {
    const compromised = (since: number) =>
      endedAt(NOW + DAY, { ...NAMED(), compromisedSince: new Date(since).toISOString() }).issuer;
    expect(verified(good, { issuer: compromised(NOW + 1_000) }).verdict).toBe('valid');
    expect(failedChecks(verified(good, { issuer: compromised(NOW), folder: false }))).toEqual(['key']);
    // the challenge is older than the certificate: it must not be of the thief either
    expect(failedChecks(verified(good, { issuer: compromised(BEGIN - 120_000) }))).toContain('challenge');
  });
  test('an older list of keys is refused by the list of revocations', () => {
    const { next, keys, issuer } = endedAt(NOW + DAY, NAMED());
    const now = new Date(NOW + DAY);
    const since = now.toISOString();
    const end = { key: ISSUER.publicKey, issued: [], compromisedSince: since };
    const newer = Buffer.from(addSuccessor(issuer, next.privateKey, now, end));
    const told = readKeyList(newer, next.publicKey);
    expect(told.map(({ compromisedSince }) => compromisedSince)).toEqual([since, null]);
    const revoking = { run: null, keys: newer, reason: '', now, validDays: 30 };
    const revoked = Buffer.from(revoke(null, revoking, next.privateKey));
    const at = new Date(NOW + 2 * DAY);
    expect(failedChecks(verified(good, { issuer, keys, revoked, at, folder: false }))).toEqual([
      'revocation',
    ]);
    expect(verified(good, { issuer, keys: newer, revoked, at, folder: false }).verdict).toBe('valid');
    const renewed = Buffer.from(revoke(null, { ...revoking, keys: null }, next.privateKey));
    const NEWER = expect.stringContaining('newer list of keys');
    for (const [list, unchecked] of [
      [revoked, expect.not.arrayContaining([NEWER])],
      [renewed, expect.arrayContaining([NEWER])],
      [null, expect.arrayContaining([NEWER])],
    ] as const)
      expect(verified(good, { issuer, keys: newer, revoked: list, at, folder: false })).toMatchObject({
        verdict: 'valid',
        unchecked,
      });
  });
  test('a key that has ended does not come back: the list with it twice is not read', () => {
    const { issuer } = endedAt(NOW + DAY, NAMED());
    const end = { key: issuer[1]!.key, issued: [], compromisedSince: null };
    const again = addSuccessor(issuer, ISSUER.privateKey, new Date(NOW + 2 * DAY), end);
    expect(() => readKeyList(Buffer.from(again), ISSUER.publicKey)).toThrow('do not follow each other');
  });
});

/** Verifies attestation.json with the key whose bytes are given in hex, as libraries for DSSE are called. */
const IN_PYTHON = `
import json, sys
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
envelope = json.load(open("attestation.json"))
keyid = envelope["signatures"][0]["keyid"]
key = SSlibKey(keyid, "ed25519", "ed25519", {"public": sys.argv[1]})
Envelope.from_dict(envelope).verify([key], 1)
`;
const IN_GO = `package main

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

type verifier struct {
	id  string
	key ed25519.PublicKey
}

func (v verifier) KeyID() (string, error)   { return v.id, nil }
func (v verifier) Public() crypto.PublicKey { return v.key }
func (v verifier) Verify(_ context.Context, data, sig []byte) error {
	if ed25519.Verify(v.key, data, sig) {
		return nil
	}
	return errors.New("another signature")
}

func main() {
	file, _ := os.ReadFile("attestation.json")
	raw, _ := hex.DecodeString(os.Args[1])
	var envelope dsse.Envelope
	if err := json.Unmarshal(file, &envelope); err != nil {
		panic(err)
	}
	all, err := dsse.NewEnvelopeVerifier(verifier{envelope.Signatures[0].KeyID, raw})
	if err != nil {
		panic(err)
	}
	if _, err := all.Verify(context.Background(), &envelope); err != nil {
		panic(err)
	}
}
`;
const rawOf = (key: KeyObject) =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');

test.describe('other tools', () => {
  const documented = (kind: string) => {
    const text = readFileSync(
      fileURLToPath(new URL('../../../../docs/verify-without-the-suite.md', import.meta.url)),
      'utf8',
    );
    return new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
  };
  const folderWith = (key: KeyObject) => {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    writeFileSync(join(folder, 'attestation.json'), attestation());
    writeFileSync(join(folder, 'issuer.pem.pub'), key.export({ type: 'spki', format: 'pem' }));
    return folder;
  };
  const has = (program: string, args: readonly string[]) => {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  test('an independent DSSE verifier takes the envelope', () => {
    const {
      payload,
      payloadType,
      signatures: [signature],
    } = JSON.parse(String(attestation()));
    const bundle = {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        content: { $case: 'publicKey', publicKey: { hint: signature.keyid } },
        tlogEntries: [],
        timestampVerificationData: undefined,
      },
      content: {
        $case: 'dsseEnvelope',
        dsseEnvelope: {
          payload: Buffer.from(payload, 'base64'),
          payloadType,
          signatures: [{ keyid: signature.keyid, sig: Buffer.from(signature.sig, 'base64') }],
        },
      },
    };
    const trust = (publicKey: KeyObject) => ({
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: () => ({ publicKey, validFor: () => true }),
    });
    const check = (publicKey: KeyObject) =>
      new Verifier(trust(publicKey), { tlogThreshold: 0, ctlogThreshold: 0, tsaThreshold: 0 }).verify(
        toSignedEntity(bundle as never),
      );
    expect(check(ISSUER.publicKey).key).toBeDefined();
    expect(() => check(pair().publicKey)).toThrow('signature verification failed');
  });
  test('the openssl commands of the guide check the same signature', () => {
    test.skip(!has('openssl', ['version']), 'there is no openssl here');
    const script = documented('sh openssl');
    const run = (key: KeyObject) =>
      execFileSync('sh', ['-euc', script], { cwd: folderWith(key), encoding: 'utf8', stdio: 'pipe' });
    expect(run(ISSUER.publicKey)).toContain('Signature Verified Successfully');
    expect(() => run(pair().publicKey)).toThrow();
  });
  test('the Python of the guide checks it', () => {
    test.skip(!has('python3', ['-c', 'import cryptography']), 'there is no Python with cryptography here');
    const run = (key: KeyObject) =>
      execFileSync('python3', ['-c', documented('python')], {
        cwd: folderWith(key),
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(JSON.parse(run(ISSUER.publicKey))).toEqual(good.statement);
    expect(() => run(pair().publicKey)).toThrow();
  });
  test('securesystemslib for Python takes the envelope', () => {
    test.skip(
      !has('python3', ['-c', 'import securesystemslib.signer, cryptography']),
      'there is no Python with securesystemslib here',
    );
    const run = (key: KeyObject) =>
      execFileSync('python3', ['-c', IN_PYTHON, rawOf(key)], { cwd: folderWith(key), stdio: 'pipe' });
    run(ISSUER.publicKey);
    expect(() => run(pair().publicKey)).toThrow();
  });
  test('go-securesystemslib takes the envelope', { tag: '@long' }, () => {
    const folder = folderWith(ISSUER.publicKey);
    // no network: only what this machine has already
    const env: NodeJS.ProcessEnv = { ...process.env, GOFLAGS: '-mod=mod', GOSUMDB: 'off', GOPROXY: 'off' };
    const go = (...args: string[]) =>
      execFileSync('go', args, { cwd: folder, env, stdio: 'pipe', encoding: 'utf8' });
    writeFileSync(join(folder, 'main.go'), IN_GO);
    try {
      env.GOPROXY = `file://${go('env', 'GOMODCACHE').trim()}/cache/download`;
      go('mod', 'init', 'verifier');
      go('get', 'github.com/secure-systems-lab/go-securesystemslib/dsse');
    } catch {
      test.skip(true, 'there is no Go with go-securesystemslib here');
    }
    go('run', '.', rawOf(ISSUER.publicKey));
    expect(() => go('run', '.', rawOf(pair().publicKey))).toThrow();
  });
  test('the Go of the guide checks it', { tag: '@long' }, () => {
    test.skip(!has('go', ['version']), 'there is no Go here');
    const run = (key: KeyObject) => {
      const folder = folderWith(key);
      writeFileSync(join(folder, 'verify.go'), documented('go'));
      return execFileSync('go', ['run', 'verify.go'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    };
    expect(JSON.parse(run(ISSUER.publicKey))).toEqual(good.statement);
    expect(() => run(pair().publicKey)).toThrow();
  });
});

const UNLESS_WATCHED = 'fault:authentication.open-unless-watched';

test('a service that behaves only where it is watched fails when it is asked without being told', async () => {
  expect(await failedUnannounced([UNLESS_WATCHED])).toMatch(
    /: authentication\.\w+(-\w+)*-(missing|wrong)-key: .*not announced/,
  );
});

test('a service that behaves only where it is watched gets no certificate', { tag: '@long' }, async () => {
  const { look } = await lookAt(await certifiedRun({ variant: UNLESS_WATCHED }));
  const lacking = findLacking(look, NOW).map(({ what }) => what);
  expect(lacking.join('\n')).toMatch(
    /authentication\.\w+(-\w+)*-(missing|wrong)-key fails: .*, only if the suite is not announced/,
  );
});

for (const share of [0, 1]) {
  const own = FREEDOMS.filter(({ settings }, index) => settings === undefined && index % 2 === share);
  test(
    `no freedom is accused of behaving only where it is watched, half ${share + 1}`,
    { tag: '@long' },
    async () => {
      expect(own.length).toBeGreaterThan(100);
      expect(await failedUnannounced(own.map(({ id }) => `freedom:${id}`))).toBe('');
    },
  );
}

test(
  'a service with warnings gets one, also if a test that only observes found them',
  { tag: '@long' },
  async () => {
    const own = await certified(await certifiedRun({ variant: 'fault:errors.allow-missing' }));
    const { result, warnedTests } = own.statement.predicate;
    expect([verified(own).verdict, result, warnedTests]).toEqual(['valid', 'WARNED', ['errors.allow']]);
  },
);

test('a gateway that refuses ordinary clients gets one that says so', { tag: '@long' }, async () => {
  const own = await certified(await certifiedRun({ variant: 'freedom:gateways.known-clients-only' }));
  const { asked, refused } = own.statement.predicate[EXTENSION].unannounced;
  expect([verified(own).verdict, asked > 0, refused > 0]).toEqual(['valid', true, true]);
});

test('no freedom is refused a certificate because its evidence looks odd', { tag: '@long' }, async () => {
  test.setTimeout(1_800_000);
  const odd = FREEDOMS.filter(
    ({ settings, basePath, key }, index) =>
      index % 16 === 5 && settings === undefined && basePath === undefined && key === undefined,
  );
  expect(odd.length).toBeGreaterThan(15);
  let conforming = 0;
  for (const { id } of odd) {
    // few animals, the default on a store that holds those of others, set generated input aside
    const { look } = await lookAt(await certifiedRun({ variant: `freedom:${id}`, maxAnimals: 150 }));
    const { report, gaps, contradictions } = look;
    if (report.verdict !== 'conforming') continue;
    conforming += 1;
    expect([...gaps, ...contradictions], id).toEqual([]);
  }
  expect(conforming).toBeGreaterThan(odd.length / 2);
});

/** Real runs on both sides of the day of removal, and on it: verdicts, then result, end and whether getPet is left out; null: no certificate. */
const SIDES: readonly (readonly [
  string,
  string,
  string,
  Readonly<Record<string, string>>,
  readonly [string, string, boolean] | null,
])[] = [
  [
    '2030-12-01',
    'a target that serves getPet is certified until its day',
    'reference',
    {
      'get-pet.answers-200': 'pass',
      'deprecation.still-served': 'pass',
      'deprecation.removed': 'not-applicable',
    },
    ['PASSED', '2030-12-04', false],
  ],
  ['2030-12-05', 'nobody is certified', 'reference', { 'deprecation.removed': 'not-applicable' }, null],
  [
    '2030-12-08',
    'a target that no longer serves getPet is certified',
    'removed',
    { 'get-pet.answers-200': 'not-applicable', 'deprecation.removed': 'pass' },
    ['PASSED', '2031-03-08', true],
  ],
  [
    '2030-12-08',
    'a target that still serves getPet is certified with a warning',
    'reference',
    { 'get-pet.answers-200': 'not-applicable', 'deprecation.removed': 'warn' },
    ['WARNED', '2031-03-08', true],
  ],
];
for (const [day, title, variant, verdicts, result] of SIDES) {
  test(`on ${day}, near the removal of getPet, ${title}`, { tag: '@long' }, async () => {
    const begin = Date.parse(`${day}T00:00:00Z`);
    const now = begin + 600_000;
    const run = await certifiedRun({ variant, begin });
    const { look } = await lookAt(run);
    const told = Object.fromEntries(
      Object.keys(verdicts).map((id) => [
        id,
        look.report.requirements.find((each) => each.id === id)?.verdict,
      ]),
    );
    expect(told).toEqual(verdicts);
    const lacking = findLacking(look, now).map(({ what }) => what);
    expect(lacking).toEqual(
      result === null ? ['on the day of the removal of getPet nothing about it can be judged'] : [],
    );
    if (result === null) return;
    const own = await certified(run, { now });
    expect(failedChecks(verified(own, { at: new Date(now + 1_000) }))).toEqual([]);
    const { validity, notApplicable } = own.statement.predicate[EXTENSION];
    expect([
      own.statement.predicate.result,
      validity.notAfter.slice(0, 10),
      notApplicable.some(({ id }) => id === 'get-pet.answers-200'),
    ]).toEqual(result);
  });
}

test.describe('changes', () => {
  const flipped = (file: Buffer, draw: (below: number) => number) => {
    const copy = Buffer.from(file);
    const at = draw(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << draw(8));
    return copy;
  };
  const NAMES = [
    'attestation.json',
    'report.json',
    'evidence.jsonl',
    'certificate.html',
    'badge.json',
    'badge.svg',
  ] as const;
  const other = pair();

  /** A copy of the folder, one of its files, and what decides how it is changed. */
  interface Copy {
    files: Map<string, Buffer>;
    name: string;
    draw: (below: number) => number;
  }
  const fileOf = (name: string) => good.files.get(name) ?? Buffer.alloc(0);
  const envelope = () => JSON.parse(String(fileOf('attestation.json')));
  const line = (value: unknown) => Buffer.from(`${writeCanonicalJson(value)}\n`);

  /** All ways to change the folder, each up to its number in twenty. */
  const CHANGES: readonly (readonly [below: number, change: (copy: Copy) => void])[] = [
    [8, ({ files, draw }) => files.set('attestation.json', flipped(fileOf('attestation.json'), draw))],
    [14, ({ files, name, draw }) => files.set(name, flipped(fileOf(name), draw))],
    [
      15,
      ({ files, draw }) => files.delete(['report.json', 'evidence.jsonl', 'attestation.json'][draw(3)] ?? ''),
    ],
    [16, ({ files, draw }) => files.set(`extra-${draw(1_000)}.json`, Buffer.from('{}'))],
    [17, swapTwo],
    [18, rename],
    [19, prolong],
    [20, signAgain],
  ];

  function swapTwo({ files, draw }: Copy): void {
    const [one, two] = [NAMES[draw(3)] ?? '', NAMES[3 + draw(3)] ?? ''];
    files.set(one, fileOf(two)).set(two, fileOf(one));
  }

  function rename({ files, name, draw }: Copy): void {
    files.delete(name);
    files.set(`${name}.${draw(1_000)}`, fileOf(name));
  }

  /** A longer validity, under the signature as it was or under that of another key. */
  function prolong({ files, draw }: Copy): void {
    const statement: Statement = structuredClone(good.statement);
    const notAfter = new Date(NOW + (91 + draw(200)) * DAY);
    statement.predicate[EXTENSION].validity.notAfter = notAfter.toISOString();
    const own = JSON.parse(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(statement), other.privateKey));
    files.set('attestation.json', line(draw(2) === 0 ? { ...envelope(), payload: own.payload } : own));
  }

  /** Two signatures, none, an unknown member, or another way to write the same. */
  function signAgain({ files, draw }: Copy): void {
    const own = envelope();
    const { privateKey } = draw(2) === 0 ? other : ISSUER;
    const [second] = JSON.parse(
      sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(good.statement), privateKey),
    ).signatures;
    const spellings = [
      { ...own, signatures: [...own.signatures, second] },
      { ...own, signatures: [second, ...own.signatures] },
      { ...own, signatures: [] },
      { ...own, more: draw(1_000) },
    ];
    const spelt =
      draw(5) === 4 ? Buffer.from(`${JSON.stringify(own, null, 1 + draw(8))}\n`) : line(spellings[draw(4)]);
    files.set('attestation.json', spelt);
  }

  /** One change of the folder, whatever it is: never valid afterwards. */
  function changed(draw: (below: number) => number): { what: string; files: Map<string, Buffer> } {
    const files = new Map(good.files);
    const kind = draw(20);
    const name = NAMES[draw(kind < 12 ? 2 : NAMES.length)] ?? 'report.json';
    CHANGES.find(([below]) => kind < below)?.[1]({ files, name, draw });
    return { what: `${kind} ${name}`, files };
  }

  for (const [count, tag] of [
    [300, []],
    [12_000, ['@long']],
  ] as [number, string[]][]) {
    test(
      `${count.toLocaleString('en-US')} changes of what is signed or digested: none is accepted`,
      { tag },
      () => {
        const draw = drawing(count);
        const accepted: string[] = [];
        for (let index = 0; index < count; index += 1) {
          const { what, files } = changed(draw);
          if (verified({ ...good, files }).verdict === 'valid') accepted.push(what);
        }
        expect(accepted).toEqual([]);
      },
    );
  }
  test('another key is refused by name', () => {
    expect(failedChecks(verified(good, { issuer: listOneKey(other.publicKey) }))).toEqual(['key']);
  });
});
