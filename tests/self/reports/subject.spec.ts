/** The subject of a run: the release that the variable SUBJECT names, e.g. `rex-pets@2.3.1`. Every report shows it. */
import { expect, test } from '@playwright/test';
import { validate as ctrfMistakes } from 'ctrf';
import { explainMisleading, isOtherSubject, type Subject } from '../../../fixtures/settings/subject.ts';
import { makeAllureConfig } from '../../../reports/shown/allure/config.ts';
import { compare, renderComparison } from '../../../reports/shown/comparison/comparison.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { renderCtrf } from '../../../reports/shown/machine/ctrf.ts';
import { renderJunit } from '../../../reports/shown/machine/junit.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderSummary } from '../../../reports/shown/text/run-text.ts';
import { makeMatrix } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { renderMatrixPage } from '../../../reports/shown/vendors/matrix-page.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { report } from '../samples/sample-reports.ts';

const [COMMIT, SOURCE_URL] = ['8c1f3ab0123456789abc', 'https://git.example.com/rex'];

/** The report of a run that names this subject; null: none. */
function judged(subject: Subject | null): Report {
  const plain = report();
  return { ...plain, target: { ...plain.target, subject } };
}

function rex(version: string, name = 'rex-pets'): Subject {
  return { name, version, commit: COMMIT, url: SOURCE_URL };
}

const SHOWN = judged(rex('2.3.1'));

test('every report shows name, version, commit and address', () => {
  expect(checkReport(JSON.parse(JSON.stringify(SHOWN)))).toEqual([]);
  const line = 'rex-pets 2.3.1, commit 8c1f3ab01234, https://git.example.com/rex';
  for (const [text, part] of [
    [renderPlain(SHOWN), `judged    ${line}`],
    [renderSummary(SHOWN), line],
    [renderConformancePage(SHOWN), `<bdi>${line}</bdi>`],
    [renderConformancePage(SHOWN), '<small><bdi>rex-pets 2.3.1</bdi></small>'],
    [makeAllureConfig(SHOWN, null, true).name, ', rex-pets 2.3.1'],
  ] as const)
    expect(text).toContain(part);
});

test('CTRF and JUnit have name, version, commit and address in their own members', () => {
  const { environment } = (JSON.parse(renderCtrf(SHOWN)) as { results: { environment: object } }).results;
  expect(ctrfMistakes(JSON.parse(renderCtrf(SHOWN)) as object).valid).toBe(true);
  expect(environment).toMatchObject({
    appName: 'rex-pets',
    appVersion: '2.3.1',
    commit: COMMIT,
    buildUrl: SOURCE_URL,
    extra: { address: SHOWN.target.baseUrl },
  });
  const xml = renderJunit(SHOWN);
  const suites = xml.match(/<testsuite /g)?.length ?? 0;
  const subject = { name: 'rex-pets', version: '2.3.1', commit: COMMIT, url: SOURCE_URL };
  for (const [name, value] of Object.entries(subject))
    expect(xml.split(`<property name="subject.${name}" value="${value}"/>`)).toHaveLength(suites + 1);
});

test('a run without a subject is shown by its address', () => {
  const plain = judged(null);
  const texts = [renderPlain(plain), renderSummary(plain), renderConformancePage(plain)];
  for (const text of [...texts, renderJunit(plain)]) expect(text).not.toMatch(/judged {4}|Judged|subject\./);
  expect(JSON.parse(renderCtrf(plain))).toMatchObject({
    results: { environment: { appName: plain.target.baseUrl } },
  });
  const { subject: _, ...target } = plain.target;
  expect(checkReport(JSON.parse(JSON.stringify({ ...plain, target })))).toEqual([]);
});

test('a comparison names the release of each run', () => {
  const text = renderComparison(compare(judged(rex('2.3.1')), judged(rex('2.4.0'))), 'text');
  expect(text).toMatch(/before: .*rex-pets 2\.3\.1[^]*after: .*rex-pets 2\.4\.0/);
});

test('the matrix names the release of each vendor', () => {
  const vendor = { name: 'rex', report: SHOWN, page: null };
  const matrix = makeMatrix([vendor], '2026-11-25T10:00:00.000Z');
  expect(matrix.vendors[0]?.release).toBe('rex-pets 2.3.1');
  expect(renderMatrixPage(matrix)).toContain('<bdi>rex-pets 2.3.1</bdi>');
});

test('an issuer’s name is of the same subject if words and version agree', () => {
  const same: [issued: string, subject: Subject][] = [
    ['Rex Pets 2.3', rex('2.3.1')],
    ['Rex Pets v2.3.1', rex('2.3.1')],
    ['ACME Rex Pets', rex('v2.3.1')],
    ['Rex Pets 2.3', rex('v2.3-rc.1')],
    ['rex', rex('7')],
  ];
  const other: [issued: string, subject: Subject][] = [
    ['Rex Pets 2.3', rex('2.4.0')],
    ['Rex Pets 2.3', rex('2.31')],
    ['Tom 2.3', rex('2.3.1')],
  ];
  for (const [issued, subject] of same) expect(isOtherSubject(issued, subject), issued).toBe(false);
  for (const [issued, subject] of other) expect(isOtherSubject(issued, subject), issued).toBe(true);
});

test('names that could be taken for others are refused, and usual names are not', () => {
  const misleading = {
    'R\u0435x Pets': 'letters of one script',
    'Rex P\u0435ts': 'letters of one script',
    'pay\u03a1al': 'letters of one script',
    '\u13a1\u13ac\u13df': 'letters of one script',
    'Zoe\u0308': 'NFC',
    'Rex\u00a0Pets': 'single spaces',
    'Rex  Pets': 'single spaces',
    'Rex\u3164': 'cannot be seen',
    'Re\u034fx': 'cannot be seen',
    'Rex\u2800': 'cannot be seen',
    'Re\ufe0fx': 'cannot be seen',
    '\uff32ex': 'a style of its own',
    '\u{1d411}ex': 'a style of its own',
  };
  for (const [name, why] of Object.entries(misleading)) expect(explainMisleading(name), name).toContain(why);
  const usual = `Rex Pets 2.3|rex-pets@2.3.1|Zoë & Söhne|Łódź|Đà Nẵng|Рекс Животные|Rex Животные|Ρεξ|רקס|ريكس|レックスPets|渡辺ペット2.0|
강아지 Pets|สุนัข|कुत्ता|კატა|L'Étoile (β)|Rex™ – live`;
  for (const name of usual.split('|')) expect(explainMisleading(name.trim()), name).toBe(null);
});
