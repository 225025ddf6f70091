import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { judgeServed } from '../../../fixtures/implementations/judge-variant.ts';
import { findNamed, type Named } from '../../../fixtures/implementations/others/named.ts';
import { listOtherServices, startOther } from '../../../fixtures/implementations/others/service.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { ASKS_ALL } from '../samples/run-on.ts';

const suite = collectSuite();
/** A service of other make that needs no more than this project installs; the proof judges all of them. */
const SERVICE = listOtherServices().find(({ name }) => name === 'hono')!;

test(`of a service in ${SERVICE.title} every defect is named, and nothing else`, async () => {
  const { missed, other } = await judged(SERVICE, []);
  expect({ missed, other }).toEqual({ missed: [], other: [] });
});

test(`a service in ${SERVICE.title} conforms when they are mended`, { tag: '@long' }, async () => {
  const { named, other, otherWarnings, undecided } = await judged(SERVICE, SERVICE.defects);
  expect({ named, other, otherWarnings, undecided }).toEqual({
    named: [],
    other: [],
    otherWarnings: [],
    undecided: [],
  });
});

test('a failure that two defects explain names the one whose status was answered', () => {
  const defects = [201, 400].map((status) => ({
    name: `answered ${status}`,
    requirements: ['create-pet.name-type'],
    what: '',
    shown: { requests: [], answer: { status } },
  }));
  const exchange = (id: string, status: number) => ({ id, response: { status } }) as never;
  const failed = (id: string, evidence: string[]) =>
    ({ id, level: 'must', verdict: 'fail', received: null, evidence }) as const;
  const exchanges = [exchange('a', 201), exchange('b', 400)];
  const named = (id: string, evidence: string[]) =>
    findNamed({ requirements: [failed(id, evidence)], exchanges }, defects);
  expect(named('create-pet.name-type', ['b']).named).toEqual(['answered 400']);
  expect(named('create-pet.name-type', ['a']).missed).toEqual(['answered 400']);
  expect(named('create-pet.kept', ['a']).other).toEqual(['create-pet.kept (undefined)']);
});

async function judged(
  { name, defects }: ReturnType<typeof listOtherServices>[number],
  mended: ReturnType<typeof listOtherServices>[number]['defects'],
): Promise<Named> {
  const key = drawKey();
  const { baseUrl, close } = await startOther(name, { key, mended: mended.map((each) => each.name) });
  // `npm test` asks only the promises that its defects break.
  const broken = new Set(defects.flatMap(({ requirements: ids }) => ids));
  const asked = (await suite).filter(
    ({ declared }) => ASKS_ALL || declared.verifies.some((id) => broken.has(id)),
  );
  const { findings, exchanges } = await judgeServed({ baseUrl, key }, asked);
  await close();
  const requirements = makeResults(findings);
  const left = defects.filter((each) => !mended.includes(each));
  return findNamed(
    { requirements, exchanges: exchanges(requirements.flatMap(({ evidence }) => evidence)) },
    left,
  );
}
