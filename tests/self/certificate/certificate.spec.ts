/** A certificate says what was judged, by whom and on whose word. Who may have one, and what is accepted as one. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Draws } from '../../../fixtures/implementations/drawn.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { findShortcomings } from '../../../reports/certificate/shortcomings.ts';
import { writeCanonicalJson } from '../../../reports/certificate/signed/canonical.ts';
import { recheckEvidence } from '../../../reports/certificate/recheck-evidence.ts';
import { computeKeyId, sealEnvelope } from '../../../reports/certificate/signed/envelope.ts';
import { EXTENSION, PAYLOAD_TYPE } from '../../../reports/certificate/statement.ts';
import { digestSuite } from '../../../reports/certificate/suite-digests.ts';
import { writeVerification } from '../../../reports/certificate/verify-certificate.ts';
import { judgeUnderProfile, listUnannouncedFailures, ISSUER, recheckRun, NOW } from './certifiable-runs.ts';
import { makeKeyPair } from './certifiable-runs.ts';
import { certify, listFailedChecks, verifyFiles, type Certified, alterStatement } from './certified.ts';
import { fileOf } from './certified.ts';
import { isPacked, mustRun, PROJECT, makeFolder } from '../samples/installed.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';
import { DESK, PHONE, testOnPages, violationsOn } from '../samples/pages-in-browser.ts';

const verdictIn = ({ recheck }: Certified, id: string) =>
  recheck.report.requirements.find((each) => each.id === id)?.verdict;

// One run is certified once, and everything is tried on it.
test.describe.configure({ mode: 'default' });

/** A script beside an unpacked package: prints the plan and the digests that this package verifies with. */
const PLAN_OF_PACKAGE = `
import { readFileSync } from 'node:fs';
const [{ planRecheck }, { digestSuite }] = await Promise.all(
  ['bin/certificate/plan-recheck.js', 'reports/certificate/suite-digests.js'].map((file) => import('./package/dist/' + file)),
);
const plan = await planRecheck(readFileSync('evidence.jsonl'));
process.stdout.write(JSON.stringify({ plan, parts: digestSuite().parts }));
`;
const DAY = 86_400_000;
let good: Certified;
test.beforeAll(async () => {
  good = await certify(await judgeUnderProfile());
});

test.describe('a certificate of the reference', () => {
  test('lacks nothing, and verifies', () => {
    expect(findShortcomings(good.recheck, NOW)).toEqual([]);
    const verification = verifyFiles(good);
    expect(verification.checks.filter(({ held }) => !held)).toEqual([]);
    expect(verification.verdict).toBe('valid');
    expect(good.statement.predicate.result).toBe('PASSED');
  });
  test('says who ran the suite and who vouches for each statement, and holds no private key', () => {
    const { runBy, words, unannounced } = good.statement.predicate[EXTENSION];
    expect([runBy, words.some(({ by }) => by === 'vendor')]).toEqual(['vendor', true]);
    expect(unannounced.asked).toBeGreaterThan(40); // requests of a certified run that do not name the suite
    expect([...good.files.values()].every((file) => !file.includes('PRIVATE KEY'))).toBe(true);
    const page = String(fileOf(good, 'certificate.html'));
    expect(page).toContain('The vendor claims: that the address is the one that answered');
  });
  test('without its folder is valid, and the checks that need the folder are listed as unchecked', () => {
    const { verdict, unchecked } = verifyFiles(good, { folder: false });
    expect({ verdict, unchecked: unchecked.length }).toEqual({ verdict: 'valid', unchecked: 2 });
  });
  /** Verifies a statement of another suite: it has another digest of `part`, e.g. of the catalogue. */
  const verifyOfOther = (part: string, version: string, change: (own: object) => void = () => undefined) =>
    verifyFiles(
      alterStatement(good, ({ predicate }) => {
        change(predicate[EXTENSION]);
        predicate.configuration.find(({ name }) => name === part)!.digest.sha256 = 'b'.repeat(64);
        predicate[EXTENSION].suite.version = version;
      }),
    );
  test('verifies with a clone and with the package: both plan the same, and have the same digests', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'evidence.jsonl'), good.run.evidence);
    cpSync(join(PROJECT, 'dist'), join(folder, 'package', 'dist'), { recursive: true, filter: isPacked });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'package', 'node_modules'), 'junction');
    const started = ['--input-type=module', '--eval', PLAN_OF_PACKAGE];
    const { plan, parts } = JSON.parse(await mustRun(process.execPath, started, { cwd: folder }));
    expect(parts).toEqual(digestSuite().parts);
    expect(recheckEvidence(Buffer.from(good.run.evidence), plan, good.run.challenge)).toEqual(good.recheck);
  });
  test('of another catalogue is unusable, and names the version that can verify it', () => {
    const { verdict, checks } = verifyOfOther('catalogue', '9.9.9');
    expect(verdict).toBe('unusable');
    expect(checks.at(-1)?.found).toContain('npx animal-store-conformance@9.9.9 verify');
    // Statements of another version may have another form.
    const older = verifyOfOther('catalogue', '0.0.9', (own) => Object.assign(own, { attested: {} }));
    expect(older.verdict).toBe('unusable');
  });
  test('lists the subject of the run as a claim, which must be the subject of the certificate', () => {
    const { claims, words } = good.statement.predicate[EXTENSION];
    expect(claims.subject).toMatchObject({ name: 'rex-pets', version: '2.3.1', commit: '8c1f3ab' });
    expect(words.map(({ what }) => what)).toContain(
      'the release that answered, its commit and its web address',
    );
    expect(String(fileOf(good, 'certificate.html'))).toContain('<bdi>rex-pets 2.3.1, commit 8c1f3ab,');
    const forged = alterStatement(
      good,
      ({ predicate }) => (predicate[EXTENSION].claims.subject!.version = '2.4.0'),
    );
    expect(listFailedChecks(verifyFiles(forged))).toEqual(['verdicts']);
  });
  test('holds too if its evidence is older than the names of subject, Node and wire', async () => {
    const evidence = good.run.evidence
      .replace(/,"subject":\{[^}]*\}/, '')
      .replace(/"runtime":\{[^}]*\},/, '');
    expect(evidence).not.toMatch(/8c1f3ab|llhttp/);
    const older = await certify({ ...good.run, evidence });
    expect(verifyFiles(older).verdict).toBe('valid');
    const { claims, words } = older.statement.predicate[EXTENSION];
    expect([Object.hasOwn(claims, 'subject'), words.length]).toEqual([false, 6]); // no claim about the subject
  });
  test('names the packages, Node and the wire', () => {
    const { configuration, [EXTENSION]: own } = good.statement.predicate;
    const wire = expect.stringMatching(/^llhttp \d.*, openssl \d/);
    expect([own.claims.node, own.claims.wire]).toEqual([process.version, wire]);
    expect(configuration).toEqual(expect.arrayContaining([...digestSuite().parts]));
    expect(verifyOfOther('packages', digestSuite().version).verdict).toBe('unusable');
  });
  test('has a badge that links to its page, and shows its subject, who ran the suite and the key', () => {
    const badge = String(fileOf(good, 'badge.svg'));
    expect(badge).toContain('>Rex Pets 2.3 · 1.0.0 conforming · run by the vendor');
    expect(badge).toContain(`· key ${computeKeyId(ISSUER.publicKey).slice(0, 12)}<`);
    expect(badge).toContain('<a href="certificate.html">');
  });
  test('shows letters beyond ASCII by their numbers too: `Рех` in Cyrillic looks like a Latin name', () => {
    const named = alterStatement(good, ({ predicate }) => (predicate[EXTENSION].subject = 'Рех 2.3'));
    for (const file of ['certificate.html', 'badge.svg'])
      expect(String(named.files.get(file)), file).toContain('\\u{420}\\u{435}\\u{445} 2.3)');
    expect(writeVerification(verifyFiles(named, { folder: false }), { isWhole: false, keyId: '' })).toContain(
      '(\\u{420}\\u{435}\\u{445} 2.3)',
    );
  });
});

testOnPages({ certificate: () => String(fileOf(good, 'certificate.html')) })(
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

test('no freedom is accused of behaving only while it is watched @long', async () => {
  test.setTimeout(1_800_000);
  const own = FREEDOMS.filter(({ settings }) => settings === undefined); // all are asked with the usual settings
  expect(own.length).toBeGreaterThan(200);
  expect(await listUnannouncedFailures(own.map(({ id }) => `freedom:${id}`))).toBe('');
});

test('a service with warnings gets one, and a gateway that refuses ordinary clients one that says so @long', async () => {
  const warned = await certify(await judgeUnderProfile({ variant: 'fault:errors.allow-missing' }));
  const { result, warnedTests } = warned.statement.predicate;
  expect([verifyFiles(warned).verdict, result, warnedTests]).toEqual(['valid', 'WARNED', ['errors.allow']]);
  const own = await certify(await judgeUnderProfile({ variant: 'freedom:gateways.known-clients-only' }));
  const { asked, refused } = own.statement.predicate[EXTENSION].unannounced;
  expect([verifyFiles(own).verdict, asked > 0, refused > 0]).toEqual(['valid', true, true]);
});

test('no freedom is refused a certificate because its evidence looks odd @long', async () => {
  test.setTimeout(1_800_000);
  const isServedAsUsual = ({ settings, basePath, key }: (typeof FREEDOMS)[number]) =>
    [settings, basePath, key].every((each) => each === undefined);
  // To save time, a sixteenth of them is tried: the number 5 has no meaning.
  const odd = FREEDOMS.filter((freedom, index) => index % 16 === 5 && isServedAsUsual(freedom));
  expect(odd.length).toBeGreaterThan(15);
  let conforming = 0;
  for (const { id } of odd) {
    // Beside animals of others a run adds 30 by default. Then it leaves generated input out.
    const { recheck } = await recheckRun(
      await judgeUnderProfile({ variant: `freedom:${id}`, maxAnimals: 150 }),
    );
    const { report, gaps, contradictions } = recheck;
    if (report.verdict !== 'conforming') continue;
    conforming += 1;
    expect([...gaps, ...contradictions], id).toEqual([]);
  }
  expect(conforming).toBeGreaterThan(odd.length / 2);
});

const [GET, REMOVED] = ['get-pet.answers-200', 'deprecation.removed'];
/**
 * Runs near 2030-12-05, the day on which getPet may be removed. `result`: the result of the certificate, its last day, and true if it leaves getPet
 * out. Null: the run gets no certificate.
 */
const NEAR_REMOVAL: readonly (readonly [
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
for (const [day, variant, verdicts, result] of NEAR_REMOVAL)
  test(`on day ${day}, near the removal of getPet: ${variant} @long`, async () => {
    const begin = Date.parse(`2030-12-${day}T00:00:00Z`);
    const now = begin + 600_000;
    const own = await certify(await judgeUnderProfile({ variant, begin }), now);
    expect(Object.fromEntries(Object.keys(verdicts).map((id) => [id, verdictIn(own, id)]))).toEqual(verdicts);
    const lacking = findShortcomings(own.recheck, now).map(({ what }) => what);
    if (result === null)
      return expect(lacking).toEqual(['on the day of the removal of getPet nothing about it can be judged']);
    expect(lacking).toEqual([]);
    expect(listFailedChecks(verifyFiles(own, { at: new Date(now + 1_000) }))).toEqual([]);
    const { validity, notApplicable } = own.statement.predicate[EXTENSION];
    const isLeftOut = notApplicable.some(({ id }) => id === GET);
    expect([own.statement.predicate.result, validity.notAfter.slice(0, 10), isLeftOut]).toEqual(result);
  });

/** Yields changes of the folder by somebody without the issuer's key. `files`: the changed files by name; null: deleted. */
function* changeFolder(): Generator<readonly [what: string, files: Readonly<Record<string, Buffer | null>>]> {
  const draws = new Draws(300);
  const longer = structuredClone(good.statement);
  longer.predicate[EXTENSION].validity.notAfter = new Date(NOW + 91 * DAY).toISOString();
  const own = JSON.parse(String(fileOf(good, 'attestation.json')));
  const forged = JSON.parse(sealEnvelope(PAYLOAD_TYPE, writeCanonicalJson(longer), makeKeyPair().privateKey));
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
    for (let nth = 0; nth < (IS_FULL_TEST ? 1_000 : 15); nth += 1) {
      const copy = Buffer.from(file);
      const at = draws.between(0, copy.length - 1);
      copy[at] = (copy[at] ?? 0) ^ (1 << draws.between(0, 7));
      yield [`byte ${at} of ${name}`, { [name]: copy }];
    }
  }
}

test('no change of a signed or digested file is accepted', () => {
  const accepted = [...changeFolder()].flatMap(([what, changed]) => {
    const all = Object.entries({ ...Object.fromEntries(good.files), ...changed });
    const files = new Map(all.flatMap(([name, file]) => (file === null ? [] : [[name, file] as const])));
    return verifyFiles({ ...good, files }).verdict === 'valid' ? [what] : [];
  });
  expect(accepted).toEqual([]);
});
