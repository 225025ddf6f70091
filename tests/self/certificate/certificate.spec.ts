import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { Draws } from '../../../fixtures/implementations/drawn.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { findLacking } from '../../../reports/certificate/shortcomings.ts';
import { addSuccessor, readKeyList, listOneKey } from '../../../reports/certificate/signed/key-list.ts';
import { writeCanonicalJson, hashBytes } from '../../../reports/certificate/signed/canonical.ts';
import { recheckEvidence } from '../../../reports/certificate/recheck-evidence.ts';
import { computeKeyId, sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { revoke } from '../../../reports/certificate/signed/revocation.ts';
import { EXTENSION, PAYLOAD_TYPE, type Statement } from '../../../reports/certificate/statement.ts';
import { digestSuite } from '../../../reports/certificate/suite-digests.ts';
import { writeVerification } from '../../../reports/certificate/verify-certificate.ts';
import { findEvidenceDigest } from '../../../reports/certificate/verify-certificate.ts';
import { BEGIN, certifiedRun, failedUnannounced, ISSUER, lookAt, NOW, pair, certified } from './certified.ts';
import { failedChecks, folderOf, verified, type Keys, type Certified } from './certified.ts';
import { isPacked, must, PROJECT, makeFolder } from '../samples/installed.ts';
import { ASKS_ALL } from '../samples/run-on.ts';
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
/** The certificate with another statement, which is signed with the right key. */
function altered(change: (statement: Statement) => void): Certified {
  const statement = structuredClone(good.statement);
  change(statement);
  return { ...good, files: folderOf(statement, { ...good, evidence: Buffer.from(good.run.evidence) }) };
}
/** The names of the checks that do not hold if only the attestation is given. */
const failing = (more: Parameters<typeof verified>[1]) =>
  failedChecks(verified(good, { folder: false, ...more }));
const attestation = () => good.files.get('attestation.json') ?? Buffer.alloc(0);

test.describe('a certificate of the reference', () => {
  test('lacks nothing, and verifies', () => {
    expect(findLacking(good.look, NOW)).toEqual([]);
    const verification = verified(good);
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
  const ofOther = (part: string, version: string, change: (own: object) => void = () => undefined) =>
    verified(
      altered(({ predicate }) => {
        change(predicate[EXTENSION]);
        predicate.configuration.find(({ name }) => name === part)!.digest.sha256 = 'b'.repeat(64);
        predicate[EXTENSION].suite.version = version;
      }),
    );
  test('of a clone verifies with the package, and one of the package in a clone: both plan and name the same', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'evidence.jsonl'), good.run.evidence);
    cpSync(join(PROJECT, 'dist'), join(folder, 'package', 'dist'), { recursive: true, filter: isPacked });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'package', 'node_modules'), 'junction');
    const started = ['--input-type=module', '--eval', PLAN_OF_PACKAGE];
    const { plan, parts } = JSON.parse(await must(process.execPath, started, { cwd: folder }));
    expect(parts).toEqual(digestSuite().parts);
    expect(recheckEvidence(Buffer.from(good.run.evidence), plan, good.run.challenge)).toEqual(good.look);
  });
  test('of another catalogue is unusable, and names the version that can tell', () => {
    const { verdict, checks } = ofOther('catalogue', '9.9.9');
    expect(verdict).toBe('unusable');
    expect(checks.at(-1)?.found).toContain('npx animal-store-conformance@9.9.9 verify');
    // Statements of another version may have another form.
    const older = ofOther('catalogue', '0.0.9', (own) => Object.assign(own, { attested: {} }));
    expect(older.verdict).toBe('unusable');
  });
  test('lists the subject of the run as a claim, which must be the subject of the certificate', () => {
    const { claims, words } = good.statement.predicate[EXTENSION];
    expect(claims.subject).toMatchObject({ name: 'rex-pets', version: '2.3.1', commit: '8c1f3ab' });
    expect(words.map(({ what }) => what)).toContain(
      'the release that answered, its commit and its web address',
    );
    expect(String(good.files.get('certificate.html'))).toContain('<bdi>rex-pets 2.3.1, commit 8c1f3ab,');
    const forged = altered(({ predicate }) => (predicate[EXTENSION].claims.subject!.version = '2.4.0'));
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
    const { configuration, [EXTENSION]: own } = good.statement.predicate;
    const wire = expect.stringMatching(/^llhttp \d.*, openssl \d/);
    expect([own.claims.node, own.claims.wire]).toEqual([process.version, wire]);
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
    const named = altered(({ predicate }) => (predicate[EXTENSION].subject = 'Рех 2.3'));
    for (const file of ['certificate.html', 'badge.svg'])
      expect(String(named.files.get(file)), file).toContain('\\u{420}\\u{435}\\u{445} 2.3)');
    expect(writeVerification(verified(named, { folder: false }), { isWhole: false, keyId: '' })).toContain(
      '(\\u{420}\\u{435}\\u{445} 2.3)',
    );
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
  const list = (keys: Keys, revoked: Buffer | null) => {
    const run = revoked && findEvidenceDigest(good.statement);
    const revoking = { run, keys: null, reason: 'the key was lost', now: new Date(NOW), validDays: 30 };
    return Buffer.from(revoke(null, revoking, keys.privateKey));
  };
  const found = (revoked: Buffer, more: object = {}) =>
    verified(good, { revoked, folder: false, ...more }).checks.find(({ name }) => name === 'revocation');

  test('it is refused before its time, after it, and once it is revoked', () => {
    expect(failing({ at: new Date(NOW - DAY) })).toEqual(['validity']);
    expect(failing({ at: new Date(NOW + 91 * DAY) })).toEqual(['validity']);
    expect(found(list(ISSUER, attestation()))?.held).toBe(false);
    expect(found(list(ISSUER, null))?.held).toBe(true);
    expect(found(list(pair(), null))?.held).toBe(false);
  });
  test('a run that was signed twice is revoked once, and both of its certificates fall', () => {
    const revoked = list(ISSUER, attestation());
    const verification = verified(withValidity(NOW + 2 * DAY), { revoked, at: new Date(NOW + 3 * DAY) });
    expect(failedChecks(verification)).toEqual(['revocation']);
    const other = altered(({ subject }) => (subject[1]!.digest.sha256 = 'b'.repeat(64)));
    expect(verified(other, { revoked, folder: false }).verdict).toBe('valid');
  });
  test('an old list tells nothing: one that ended, one that is older than another, two of one number', () => {
    const revoked = list(ISSUER, null);
    const seen = (number: number) => found(revoked, { seen: { number, sha256: 'a'.repeat(64) } });
    expect(found(revoked, { at: new Date(NOW + 31 * DAY) })?.found).toContain('take a newer one');
    expect(seen(2)?.found).toContain('number 2 was seen before');
    expect(seen(1)?.found).toContain('two lists');
    expect(seen(0)?.held).toBe(true);
  });
  const withValidity = (from: number) =>
    altered(({ predicate }) => {
      predicate[EXTENSION].validity = {
        notBefore: new Date(from).toISOString(),
        notAfter: new Date(from + 20 * DAY).toISOString(),
      };
    });
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
    expect(failing({ issuer: listOneKey(next.publicKey) })).toEqual(['key']);
    const late = endedAt(NOW - DAY, NAMED()).issuer;
    expect(failing({ issuer: late })).toEqual(['key']);
    expect(() => readKeyList(keys, ISSUER.publicKey)).toThrow('names another key than the one given');
  });
  test('what an ended key signs later with an old date is refused: its list does not name it', () => {
    const { issuer } = endedAt(NOW + DAY, NAMED());
    const late = withValidity(NOW + 1_000);
    const verification = verified(late, { issuer, at: new Date(NOW + 2 * DAY) });
    expect(failedChecks(verification)).toEqual(['key']);
    const unnamed = endedAt(NOW + DAY, { issued: [], compromisedSince: null });
    expect(failing({ issuer: unnamed.issuer })).toEqual(['key']);
  });
  test('a key that was compromised signs nothing from then on, even if the list names it', () => {
    const compromised = (since: number) =>
      endedAt(NOW + DAY, { ...NAMED(), compromisedSince: new Date(since).toISOString() }).issuer;
    expect(verified(good, { issuer: compromised(NOW + 1_000) }).verdict).toBe('valid');
    expect(failing({ issuer: compromised(NOW) })).toEqual(['key']);
    // the challenge is older than the certificate: it must not be of the thief either
    expect(failedChecks(verified(good, { issuer: compromised(BEGIN - 120_000) }))).toContain('challenge');
  });
  test('an older list of keys is refused by the list of revocations', () => {
    const { next, keys, issuer } = endedAt(NOW + DAY, NAMED());
    const now = new Date(NOW + DAY);
    const since = now.toISOString();
    const end = { key: ISSUER.publicKey, issued: [], compromisedSince: since };
    const newer = Buffer.from(addSuccessor(issuer, next.privateKey, now, end));
    expect(readKeyList(newer, next.publicKey).map(({ compromisedSince }) => compromisedSince)).toEqual([
      since,
      null,
    ]);
    const revoking = { run: null, keys: newer, reason: '', now, validDays: 30 };
    const revoked = Buffer.from(revoke(null, revoking, next.privateKey));
    const at = new Date(NOW + 2 * DAY);
    expect(failing({ issuer, keys, revoked, at })).toEqual(['revocation']);
    expect(verified(good, { issuer, keys: newer, revoked, at, folder: false }).verdict).toBe('valid');
    const unchecked = (told: Buffer) =>
      verified(good, { issuer, keys: newer, revoked: told, at, folder: false }).unchecked;
    const renewed = Buffer.from(revoke(null, { ...revoking, keys: null }, next.privateKey));
    const isNamed = (told: Buffer) => unchecked(told).some((each) => each.includes('newer list of keys'));
    expect([isNamed(revoked), isNamed(renewed)]).toEqual([false, true]);
  });
  test('a key that has ended does not come back: the list with it twice is not read', () => {
    const { issuer } = endedAt(NOW + DAY, NAMED());
    const end = { key: issuer[1]!.key, issued: [], compromisedSince: null };
    const again = addSuccessor(issuer, ISSUER.privateKey, new Date(NOW + 2 * DAY), end);
    expect(() => readKeyList(Buffer.from(again), ISSUER.publicKey)).toThrow('do not follow each other');
  });
});

test.describe('other tools', () => {
  const documented = (kind: string) => {
    const text = readFileSync(
      fileURLToPath(new URL('../../../../docs/verify-without-the-suite.md', import.meta.url)),
      'utf8',
    );
    return new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
  };
  const folderWith = (key: KeyObject) => {
    const folder = makeFolder();
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
    const { payload, payloadType, signatures } = JSON.parse(String(attestation()));
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
    expect(() => check(pair().publicKey)).toThrow('signature verification failed');
  });
  const GUIDES = [
    ['openssl', ['openssl', 'version'], ['sh', '-euc', documented('sh openssl')]],
    ['Python', ['python3', '-c', 'import cryptography'], ['python3', '-c', documented('python')]],
  ] as const;
  for (const [name, [needed, ...asks], [program, ...words]] of GUIDES)
    test(`the ${name} of the guide checks the same signature`, () => {
      test.skip(!has(needed, asks), `there is no ${name} here`);
      const run = (key: KeyObject) =>
        execFileSync(program, words, { cwd: folderWith(key), encoding: 'utf8', stdio: 'pipe' });
      const said = run(ISSUER.publicKey);
      if (name === 'Python') expect(JSON.parse(said)).toEqual(good.statement);
      else expect(said).toContain('Signature Verified Successfully');
      expect(() => run(pair().publicKey)).toThrow();
    });
});

test('no freedom is accused of behaving only where it is watched @long', async () => {
  test.setTimeout(1_800_000);
  const own = FREEDOMS.filter(({ settings }) => settings === undefined);
  expect(own.length).toBeGreaterThan(200);
  expect(await failedUnannounced(own.map(({ id }) => `freedom:${id}`))).toBe('');
});

test('a service with warnings gets one, and a gateway that refuses ordinary clients one that says so @long', async () => {
  const warned = await certified(await certifiedRun({ variant: 'fault:errors.allow-missing' }));
  const { result, warnedTests } = warned.statement.predicate;
  expect([verified(warned).verdict, result, warnedTests]).toEqual(['valid', 'WARNED', ['errors.allow']]);
  const own = await certified(await certifiedRun({ variant: 'freedom:gateways.known-clients-only' }));
  const { asked, refused } = own.statement.predicate[EXTENSION].unannounced;
  expect([verified(own).verdict, asked > 0, refused > 0]).toEqual(['valid', true, true]);
});

test('no freedom is refused a certificate because its evidence looks odd @long', async () => {
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

/** Runs near the day on which getPet is removed: verdicts by promise, and the certificate; null if there is none. */
const [GET, REMOVED] = ['get-pet.answers-200', 'deprecation.removed'];
const SIDES: readonly (readonly [
  day: string,
  variant: string,
  verdicts: object,
  result: unknown[] | null,
])[] = [
  ['01', 'reference', { [GET]: 'pass', [REMOVED]: 'not-applicable' }, ['PASSED', '2030-12-04', false]],
  ['05', 'reference', { [REMOVED]: 'not-applicable' }, null],
  ['08', 'removed', { [GET]: 'not-applicable', [REMOVED]: 'pass' }, ['PASSED', '2031-03-08', true]],
  ['08', 'reference', { [GET]: 'not-applicable', [REMOVED]: 'warn' }, ['WARNED', '2031-03-08', true]],
];
for (const [day, variant, verdicts, result] of SIDES)
  test(`on day ${day}, near the removal of getPet: ${variant} @long`, async () => {
    const begin = Date.parse(`2030-12-${day}T00:00:00Z`);
    const now = begin + 600_000;
    const own = await certified(await certifiedRun({ variant, begin }), { now });
    expect(Object.fromEntries(Object.keys(verdicts).map((id) => [id, resultIn(own, id)]))).toEqual(verdicts);
    const lacking = findLacking(own.look, now).map(({ what }) => what);
    if (result === null)
      return expect(lacking).toEqual(['on the day of the removal of getPet nothing about it can be judged']);
    expect(lacking).toEqual([]);
    expect(failedChecks(verified(own, { at: new Date(now + 1_000) }))).toEqual([]);
    const { validity, notApplicable } = own.statement.predicate[EXTENSION];
    const isLeftOut = notApplicable.some(({ id }) => id === GET);
    expect([own.statement.predicate.result, validity.notAfter.slice(0, 10), isLeftOut]).toEqual(result);
  });

/** Changes of the folder by somebody without the key of the issuer: files by name, null for one that is gone. */
function* changesOfFolder(): Generator<
  readonly [what: string, files: Readonly<Record<string, Buffer | null>>]
> {
  const draws = new Draws(300);
  const longer = structuredClone(good.statement);
  longer.predicate[EXTENSION].validity.notAfter = new Date(NOW + 91 * DAY).toISOString();
  const own = JSON.parse(String(attestation()));
  const forged = JSON.parse(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(longer), pair().privateKey));
  for (const [what, envelope] of Object.entries({
    'longer under the old signature': { ...own, payload: forged.payload },
    'longer under another key': forged,
    'two signatures': { ...own, signatures: [...forged.signatures, ...own.signatures] },
    'no signature': { ...own, signatures: [] },
    'one more member': { ...own, more: 1 },
  }))
    yield [what, { 'attestation.json': Buffer.from(`${writeCanonicalJson(envelope)}\n`) }];
  yield ['other blanks', { 'attestation.json': Buffer.from(`${JSON.stringify(own, null, 1)}\n`) }];
  yield ['one more file', { 'extra.json': Buffer.from('{}') }];
  for (const [name, file] of good.files) {
    yield [`${name} under another name`, { [name]: null, [`${name}.1`]: file }];
    yield [`${name} in the place of another`, { [name === 'badge.svg' ? 'report.json' : 'badge.svg']: file }];
    for (let nth = 0; nth < (ASKS_ALL ? 1_000 : 15); nth += 1) {
      const copy = Buffer.from(file);
      const at = draws.between(0, copy.length - 1);
      copy[at] = (copy[at] ?? 0) ^ (1 << draws.between(0, 7));
      yield [`byte ${at} of ${name}`, { [name]: copy }];
    }
  }
}

test('changes of what is signed or digested: none is accepted', () => {
  const accepted = [...changesOfFolder()].flatMap(([what, changed]) => {
    const all = Object.entries({ ...Object.fromEntries(good.files), ...changed });
    const files = new Map(all.flatMap(([name, file]) => (file === null ? [] : [[name, file] as const])));
    return verified({ ...good, files }).verdict === 'valid' ? [what] : [];
  });
  expect(accepted).toEqual([]);
});
