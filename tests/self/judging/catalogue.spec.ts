/** Ids, sections, tests, faults, freedoms and documents agree: each name in one of them is known to the others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { SEVERAL } from '../../../fixtures/implementations/variant.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { REFUSED_BY } from '../../../fixtures/interface/request-oracle.ts';
import { REQUIREMENTS, selectInForce, SILENCES, TESTED } from '../../../fixtures/interface/requirements.ts';
import { SECTIONS, locateSentences } from '../../../fixtures/interface/sections.ts';
import { listOtherServices } from '../../../fixtures/implementations/others/service.ts';
import { explains } from '../../../fixtures/judgement/attribute.ts';
import { RULES } from '../../../fixtures/judgement/rules/rules.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { chooseVariants, readSurvivors } from '../../../bin/prove/choose-variants.ts';
import { numberAnimal } from '../../../fixtures/session/animal-numbers.ts';
import { DEFAULT_ANIMALS } from '../../../fixtures/session/dispatch/budget.ts';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';
import { findContradictingShares } from '../../../fixtures/implementations/pairs.ts';
import { locateRules } from '../../../bin/run/selection/where-judged.ts';
import { removePadding } from '../architecture/padding.ts';
import { writeVariablesTable } from '../samples/describe-variables.ts';
import { filesBelow } from '../samples/installed.ts';
import { FAST } from '../playwright.config.ts';

const suite = collectSuite();
/** The number of services as a word, e.g. 5: `Five`, because the README begins a sentence with it. */
const inWords = (count: number) => ['Five', 'Six', 'Seven', 'Eight'][count - 5];
/** The root of the project, seen from the compiled tests. */
const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
/** Returns the part before the first dot: `list-pets` of `list-pets.limit`, and of the file `list-pets.limits.spec.ts`. */
const stemOf = (id: string) => id.split('.')[0] ?? '';
const IDS = {
  requirements: Object.keys(REQUIREMENTS),
  silences: Object.keys(SILENCES),
  faults: FAULTS.map(({ id }) => id),
  freedoms: FREEDOMS.map(({ id }) => id),
};

test('every requirement is verified and has a fault, every open question is observed', async () => {
  const declared = (await suite).map((each) => each.declared);
  const verified = new Set(declared.flatMap(({ verifies }) => verifies));
  const observed = new Set(declared.flatMap(({ observes }) => observes));
  // Every list that a run reads puts these two to the test. Each other promise needs a test: else it would pass without a request.
  expect(TESTED.filter((id) => !verified.has(id))).toEqual([
    'list-pets.row-cut',
    'list-pets.limit-counts-shown',
  ]);
  // `broken` says in a few words what is wrong if the promise is broken.
  expect(TESTED.filter((id) => REQUIREMENTS[id]?.broken === undefined)).toEqual([]);
  expect(TESTED.filter((id) => !FAULTS.some(({ breaks }) => breaks === id))).toEqual([]);
  expect(Object.keys(SILENCES).filter((id) => !observed.has(id as never))).toEqual([]);
});

test('every section that the catalogue names is one of the document, with its schema', () => {
  const sections = SECTIONS.map(({ section }) => section);
  const named = [...Object.values(REQUIREMENTS), ...Object.values(SILENCES)].map(({ section }) => section);
  expect(named.filter((section) => !sections.includes(section))).toEqual([]);
  for (const { schema } of SECTIONS)
    if (schema !== undefined) expect(existsSync(root(`schemas/${schema}`))).toBe(true);
});

test('every sentence of the document has promises or a reason, and every promise has a sentence of its section', () => {
  const catalogue: Record<string, { section: string } | undefined> = { ...REQUIREMENTS, ...SILENCES };
  for (const { section, sentences } of SECTIONS)
    for (const { says, ids = [], untested } of sentences) {
      expect(ids.length > 0, `${section}: ${says}`).toBe(untested === undefined);
      const unknown = ids.filter((id) => catalogue[id] === undefined);
      expect(unknown, `${section}: ${says}`).toEqual([]);
    }
  const refusals = SECTIONS.flatMap(({ sentences }) => sentences).filter(({ says }) =>
    /table.*: 400$/.test(says),
  );
  expect(refusals.length).toBe(2);
  // REFUSED_BY has the promises that demand the refusal of a body.
  for (const { ids } of refusals) expect(ids).toEqual(expect.arrayContaining([...REFUSED_BY]));
  const unplaced = Object.entries(catalogue).filter(
    ([id, entry]) => entry === undefined || locateSentences(id, entry.section).length === 0,
  );
  expect(unplaced.map(([id]) => id)).toEqual([]);
});

test('every requirement is verified in a file of its stem, and titles are unique within a file', async () => {
  const named = (await suite).map(({ declared, place }) => ({
    ...declared,
    file: basename(place.file),
    title: place.title,
  }));
  const verified = new Set(
    named.flatMap(({ verifies, file }) => verifies.map((id) => `${id} ${stemOf(file)}`)),
  );
  const byRules = new Set<string>(RULES.flatMap(({ verifies }) => verifies));
  expect(TESTED.filter((id) => !byRules.has(id) && !verified.has(`${id} ${stemOf(id)}`))).toEqual([]);
  const titles = named.map(({ file, title }) => `${file}: ${title}`);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('every test file and every fault stands under a stem', async () => {
  const stems = new Set(TESTED.map(stemOf));
  const named = [...(await suite).map(({ place }) => basename(place.file)), ...IDS.faults];
  expect(named.filter((each) => !stems.has(stemOf(each)))).toEqual([]);
});

test('ids are words, each has one meaning, and none is used twice', () => {
  expect(IDS.requirements.filter((id) => IDS.silences.includes(id))).toEqual([]);
  for (const ids of Object.values(IDS)) {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  }
});

test('each survivor is a fault of the catalogue, listed once, on the base that the proof chooses for it', () => {
  const rows = readSurvivors().map(({ fault, base }) => `${fault} on ${base}`);
  // A base is the service into which the proof puts a fault: the reference, or one with freedoms. Faults with `alone` need the reference.
  const chosen = chooseVariants({}).faults.map(({ id, base }) => `${id} on ${base}`);
  expect(rows.filter((each, index) => !chosen.includes(each) || rows.indexOf(each) !== index)).toEqual([]);
});

test('`explainedBy` names other requirements, each once, and never in a circle', () => {
  const findCircles = (way: readonly string[]): string[] =>
    (REQUIREMENTS[way.at(-1) ?? '']?.explainedBy ?? []).flatMap((each) =>
      way.includes(each) ? [[...way, each].join(' <- ')] : findCircles([...way, each]),
    );
  for (const [id, { explainedBy = [] }] of Object.entries(REQUIREMENTS)) {
    const unknown = explainedBy.filter((each) => REQUIREMENTS[each] === undefined);
    expect(unknown, id).toEqual([]);
    expect(findCircles([id])).toEqual([]);
    expect(new Set(explainedBy).size, id).toBe(explainedBy.length);
  }
});

test('a fault that breaks several promises is one of the catalogue, and none of them explains another', () => {
  // SEVERAL has further promises that a fault breaks, by the id of the fault.
  for (const [id, several] of Object.entries(SEVERAL)) {
    const breaks = FAULTS.find((each) => each.id === id)?.breaks ?? '';
    expect(breaks, id).not.toBe('');
    const explained = several.filter((each) => each === breaks || explains(breaks, each));
    expect(explained, id).toEqual([]);
  }
});

test('a new must is a warning in its first release, and names the lawful service that its author considered', () => {
  // Only release 1.1 lowers its level.
  const fresh = { level: 'must', statement: 'Something is kept.', tentative: '1.1' } as const;
  const levelsIn = (version: string) =>
    ['new', 'old'].map(
      (id) =>
        selectInForce({ new: fresh, old: { level: 'must', statement: 'Another.' } }, version)[id]?.level,
    );
  expect(['1.0.9', '1.1.0', '1.1.7', '1.2.0', '2.0.0'].map(levelsIn)).toEqual([
    ['must', 'must'],
    ['should', 'must'],
    ['should', 'must'],
    ['must', 'must'],
    ['must', 'must'],
  ]);
  expect(selectInForce({ new: fresh }, '1.1.0').new?.statement).toContain('a must from the next release on');
  const tentative = Object.values(REQUIREMENTS).filter((each) => each.tentative !== undefined);
  expect(tentative.filter(({ considered }) => considered === undefined)).toEqual([]);
});

test('public ids are pinned', () => {
  const pinned = JSON.parse(readFileSync(root('tests/self/ids.json'), 'utf8')) as typeof IDS;
  for (const kind of ['requirements', 'silences'] as const) {
    const rule = `tests/self/ids.json pins the ids of ${kind}; an id is never reused`;
    expect(IDS[kind].toSorted(), rule).toEqual(pinned[kind]);
  }
});

test('the README states the figures, and docs/ the variables', () => {
  const readme = readFileSync(root('README.md'), 'utf8');
  const excused = IDS.requirements.length - TESTED.length;
  const figures = [`${excused} more cannot be tested`, `${IDS.silences.length} open questions`];
  const missing = figures.filter((figure) => !readme.includes(figure));
  expect(missing, 'README.md lacks these figures').toEqual([]);
  // The README says `more than 130 requirements`, so that one more does not change it
  const readFigure = (pattern: RegExp) => Number(pattern.exec(readme)?.[1]?.replace(',', ''));
  expect(readFigure(/more than ([\d,]+) requirements/)).toBeLessThan(TESTED.length);
  expect(readFigure(/more than ([\d,]+) ways/)).toBeLessThan(FAULTS.length);
  expect(readFigure(/More than ([\d,]+) freedoms/)).toBeLessThan(FREEDOMS.length);
  expect(readme).toContain(`${inWords(listOtherServices().length)} services`);
  const configuration = readFileSync(root('docs/configuration.md'), 'utf8');
  expect(removePadding(configuration)).toContain(removePadding(writeVariablesTable().trim()));
});

test('docs/what-a-run-takes.md states the limits of a run', () => {
  const text = readFileSync(root('docs/what-a-run-takes.md'), 'utf8');
  const readDefault = (name: string) =>
    (VARIABLES.find((each) => each.name === name)?.default ?? NaN).toLocaleString('en');
  for (const sentence of [
    `At most ${readDefault('MAX_REQUESTS')} requests (\`MAX_REQUESTS\`)`,
    `At most ${readDefault('MAX_WRONG_KEYS')} wrong keys (\`MAX_WRONG_KEYS\`)`,
    `At most ${readDefault('MAX_IN_FLIGHT')} requests at a time`,
    `up to ${readDefault('CONSISTENCY_WINDOW')} s each time`,
    `At most ${readDefault('MAX_BAD_ANIMALS')} of these are added`,
    `about 110, at most ${DEFAULT_ANIMALS.alone} `,
    `at most ${DEFAULT_ANIMALS.besideFew} `,
    `at most ${DEFAULT_ANIMALS.besideMany} `,
  ])
    expect(text).toContain(sentence);
});

test('the project names no registry host and no folder of a machine', () => {
  expect(readFileSync(root('package-lock.json'), 'utf8')).not.toContain('"resolved"');
  const texts = ['bin', 'fixtures', 'reports', 'tests', 'schemas']
    .flatMap((folder) => filesBelow(root(folder)))
    .filter((path) => /\.(ts|json)$/.test(path) && !path.includes('/out/'))
    .map((path) => readFileSync(path, 'utf8'));
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => /["'`]\/(home|root|Users)\//.test(text))).toEqual([]);
});

test('each use of ordinary animals has numbers of its own, and takes no others', () => {
  // `shared` has the numbers 0 to 2, so the first number of `justAdded` is 3.
  expect(numberAnimal('shared', 2)).toBeLessThan(numberAnimal('justAdded'));
  expect(numberAnimal('newest', 2)).toBeLessThan(numberAnimal('unread'));
  expect(() => numberAnimal('justAdded', 3)).toThrow('the use justAdded has only 3 animals');
});

test('at most one of fifty pairs of freedoms contradicts itself', () => {
  // The shares of such pairs. `storeAndTime`: of pairs of one freedom of STORE, e.g. the order of lists, and one of TIME, e.g. a lag.
  const { all, storeAndTime } = findContradictingShares();
  expect(all).toBeGreaterThan(0);
  expect(Math.max(all, storeAndTime)).toBeLessThanOrEqual(0.02);
});

test('explain names a place for each promise, and none for a question', async () => {
  for (const id of TESTED) expect(await locateRules(id), id).not.toEqual([]);
  expect(await locateRules('list-pets.limit-zero')).toEqual([]);
});

test('`npm run check` asks every self-test that its patterns name', () => {
  for (const pattern of FAST) {
    // `**/judging/{catalogue,oracle}.spec.*` names the room `judging`, and two files of it.
    const [, room = '', names = ''] = /^\*\*\/(\w+)\/(.+)\.spec\.\*$/.exec(pattern) ?? [];
    const files = readdirSync(root(`tests/self/${room}`)).filter((each) => each.endsWith('.spec.ts'));
    const [, before = '', choices = names] = /^(.*)\{(.+)\}$/.exec(names) ?? [];
    for (const each of choices.split(',')) {
      const isThere = each === '*' ? files.length > 0 : files.includes(`${before}${each}.spec.ts`);
      expect(isThere, `${pattern}: ${each}`).toBe(true);
    }
  }
  expect(FAST).toContain('**/histories/*.spec.*');
});
