/** How long a certificate holds: its time, revocations, and keys that follow each other or were compromised. */
import { expect, test } from '@playwright/test';
import { addSuccessor, readKeyList, listOneKey } from '../../../reports/certificate/signed/key-list.ts';
import { hashBytes } from '../../../reports/certificate/signed/canonical.ts';
import { revoke } from '../../../reports/certificate/signed/revocation.ts';
import { EXTENSION } from '../../../reports/certificate/statement.ts';
import { findEvidenceDigest } from '../../../reports/certificate/verify-certificate.ts';
import { BEGIN, ISSUER, judgeUnderProfile, makeKeyPair, NOW, type Keys } from './certifiable-runs.ts';
import { alterStatement, certify, fileOf, listFailedChecks, verifyFiles } from './certified.ts';
import type { Certified } from './certified.ts';

const DAY = 86_400_000;
let good: Certified;
test.beforeAll(async () => {
  good = await certify(await judgeUnderProfile());
});
const attestation = () => fileOf(good, 'attestation.json');
/** The names of the checks that fail if only the attestation is given. */
const listFailing = (more: Parameters<typeof verifyFiles>[1]) =>
  listFailedChecks(verifyFiles(good, { folder: false, ...more }));

test.describe('time and revocation', () => {
  /** Signs a list of revocations. `revoked`: the attestation that it revokes; null: none. */
  const signRevocations = (keys: Keys, revoked: Buffer | null) => {
    const run = revoked && findEvidenceDigest(good.statement);
    const revoking = { run, keys: null, reason: 'the key was lost', now: new Date(NOW), validDays: 30 };
    return Buffer.from(revoke(null, revoking, keys.privateKey));
  };
  /** Verifies the certificate with this list. Returns the check of revocations. */
  const checkRevocations = (revoked: Buffer, more: object = {}) =>
    verifyFiles(good, { revoked, folder: false, ...more }).checks.find(({ name }) => name === 'revocation');

  /** The certificate, signed for twenty days from a time on. */
  const withValidity = (from: number) =>
    alterStatement(good, ({ predicate }) => {
      predicate[EXTENSION].validity = {
        notBefore: new Date(from).toISOString(),
        notAfter: new Date(from + 20 * DAY).toISOString(),
      };
    });
  /** Ends the issuer's key at this time: a new key follows. Returns the new pair, and the list of keys as a file and as it is read. */
  const endKeyAt = (time: number, end: { issued: string[]; compromisedSince: string | null }) => {
    const next = makeKeyPair();
    const ended = { key: ISSUER.publicKey, ...end };
    const keyListFile = Buffer.from(
      addSuccessor(listOneKey(ISSUER.publicKey), next.privateKey, new Date(time), ended),
    );
    return { next, keyListFile, issuerKeys: readKeyList(keyListFile, next.publicKey) };
  };
  /** The end of a key, with the name of the certificate: so the certificate stays valid after it. */
  const endNamingIt = () => ({ issued: [hashBytes(attestation())], compromisedSince: null });

  test('a certificate is refused before its time, after it, and once it is revoked', () => {
    expect(listFailing({ at: new Date(NOW - DAY) })).toEqual(['validity']);
    expect(listFailing({ at: new Date(NOW + 91 * DAY) })).toEqual(['validity']);
    expect(checkRevocations(signRevocations(ISSUER, attestation()))?.held).toBe(false);
    expect(checkRevocations(signRevocations(ISSUER, null))?.held).toBe(true);
    expect(checkRevocations(signRevocations(makeKeyPair(), null))?.held).toBe(false);
  });
  test('a run that was signed twice is revoked once, and both of its certificates fall', () => {
    const revoked = signRevocations(ISSUER, attestation());
    const verification = verifyFiles(withValidity(NOW + 2 * DAY), { revoked, at: new Date(NOW + 3 * DAY) });
    expect(listFailedChecks(verification)).toEqual(['revocation']);
    const other = alterStatement(good, ({ subject }) => (subject[1]!.digest.sha256 = 'b'.repeat(64)));
    expect(verifyFiles(other, { revoked, folder: false }).verdict).toBe('valid');
  });
  test('an old list of revocations is refused: one that has ended, one older than a list seen before, another one of the same number', () => {
    const revoked = signRevocations(ISSUER, null);
    const seen = (number: number) => checkRevocations(revoked, { seen: { number, sha256: 'a'.repeat(64) } });
    expect(checkRevocations(revoked, { at: new Date(NOW + 31 * DAY) })?.found).toContain('take a newer one');
    expect(seen(2)?.found).toContain('number 2 was seen before');
    expect(seen(1)?.found).toContain('two lists');
    expect(seen(0)?.held).toBe(true);
  });
  test('a key may follow another: certificates of the old key hold if they are from its time, and the list names them', () => {
    const at = new Date(NOW + 2 * DAY);
    const { next, keyListFile, issuerKeys } = endKeyAt(NOW + DAY, endNamingIt());
    expect(verifyFiles(good, { issuerKeys, at }).verdict).toBe('valid');
    expect(listFailing({ issuerKeys: listOneKey(next.publicKey) })).toEqual(['key']);
    const late = endKeyAt(NOW - DAY, endNamingIt()).issuerKeys;
    expect(listFailing({ issuerKeys: late })).toEqual(['key']);
    expect(() => readKeyList(keyListFile, ISSUER.publicKey)).toThrow('names another key than the one given');
  });
  test('a certificate that an ended key signs later, with an old date, is refused: no list names it', () => {
    const { issuerKeys } = endKeyAt(NOW + DAY, endNamingIt());
    const late = withValidity(NOW + 1_000);
    const verification = verifyFiles(late, { issuerKeys, at: new Date(NOW + 2 * DAY) });
    expect(listFailedChecks(verification)).toEqual(['key']);
    const unnamed = endKeyAt(NOW + DAY, { issued: [], compromisedSince: null });
    expect(listFailing({ issuerKeys: unnamed.issuerKeys })).toEqual(['key']);
  });
  test('a key that was compromised signs nothing from then on, even if the list names it', () => {
    const compromised = (since: number) =>
      endKeyAt(NOW + DAY, { ...endNamingIt(), compromisedSince: new Date(since).toISOString() }).issuerKeys;
    expect(verifyFiles(good, { issuerKeys: compromised(NOW + 1_000) }).verdict).toBe('valid');
    expect(listFailing({ issuerKeys: compromised(NOW) })).toEqual(['key']);
    // A thief of the key may also have posed the challenge, which is older than the certificate
    expect(listFailedChecks(verifyFiles(good, { issuerKeys: compromised(BEGIN - 120_000) }))).toContain(
      'challenge',
    );
  });
  test('an older list of keys is refused by the list of revocations', () => {
    const { next, keyListFile, issuerKeys } = endKeyAt(NOW + DAY, endNamingIt());
    const now = new Date(NOW + DAY);
    const since = now.toISOString();
    const end = { key: ISSUER.publicKey, issued: [], compromisedSince: since };
    // `newer` follows the list of `keyListFile`, and says that the old key was compromised
    const newer = Buffer.from(addSuccessor(issuerKeys, next.privateKey, now, end));
    expect(readKeyList(newer, next.publicKey).map(({ compromisedSince }) => compromisedSince)).toEqual([
      since,
      null,
    ]);
    // This list of revocations names the newest list of keys, `renewed` below does not
    const revoking = { run: null, keys: newer, reason: '', now, validDays: 30 };
    const revoked = Buffer.from(revoke(null, revoking, next.privateKey));
    const at = new Date(NOW + 2 * DAY);
    expect(listFailing({ issuerKeys, keyListFile, revoked, at })).toEqual(['revocation']);
    const trust = { issuerKeys, keyListFile: newer, at, folder: false };
    expect(verifyFiles(good, { ...trust, revoked }).verdict).toBe('valid');
    const renewed = Buffer.from(revoke(null, { ...revoking, keys: null }, next.privateKey));
    const [unchecked, uncheckedThen] = [revoked, renewed].map((revocations) =>
      verifyFiles(good, { ...trust, revoked: revocations }).unchecked.join(),
    );
    expect(unchecked).not.toContain('newer list of keys');
    expect(uncheckedThen).toContain('newer list of keys');
  });
  test('a key that has ended does not come back: the list with it twice is not read', () => {
    const { issuerKeys } = endKeyAt(NOW + DAY, endNamingIt());
    const end = { key: issuerKeys[1]!.key, issued: [], compromisedSince: null };
    const again = addSuccessor(issuerKeys, ISSUER.privateKey, new Date(NOW + 2 * DAY), end);
    expect(() => readKeyList(Buffer.from(again), ISSUER.publicKey)).toThrow('do not follow each other');
  });
});
