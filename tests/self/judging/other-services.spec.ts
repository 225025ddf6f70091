/** A service that others could have written: the run names each of its listed defects, and nothing else fails. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { judgeServed } from '../../../fixtures/implementations/judge-variant.ts';
import { findNamed } from '../../../fixtures/implementations/others/named.ts';
import { listOtherServices, startOther } from '../../../fixtures/implementations/others/service.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';

/** The one of these services that needs no further packages. The proof judges all of them. */
const SERVICE = listOtherServices().find(({ name }) => name === 'hono')!;

test(`of a service in ${SERVICE.title} every defect is named, and nothing else`, async () => {
  // `npm test` mends most defects, and asks only for the promises that the other defects break
  const isLeft = ({ name }: { name: string }) =>
    IS_FULL_TEST || /^(null-body|category-r|malformed)/.test(name);
  const defects = SERVICE.defects.filter(isLeft);
  const mended = SERVICE.defects.filter((each) => !isLeft(each)).map(({ name }) => name);
  const key = drawKey();
  const { baseUrl, close } = await startOther(SERVICE.name, { key, mended });
  const broken = new Set(defects.flatMap(({ requirements: ids }) => ids));
  const asked = (await collectSuite()).filter(
    ({ declared }) => IS_FULL_TEST || declared.verifies.some((id) => broken.has(id)),
  );
  const { findings, exchanges } = await judgeServed({ baseUrl, key }, asked);
  await close();
  const requirements = makeResults(findings);
  const shown = exchanges(requirements.flatMap(({ evidence }) => evidence));
  const { missed, other } = findNamed({ requirements, exchanges: shown }, defects);
  expect({ missed, other }).toEqual({ missed: [], other: [] });
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
    ({ id, level: 'must', verdict: 'fail', received: '204', evidence }) as const;
  const exchanges = [exchange('a', 201), exchange('b', 400)];
  const named = (id: string, evidence: string[]) =>
    findNamed({ requirements: [failed(id, evidence)], exchanges }, defects);
  expect(named('create-pet.name-type', ['b']).named).toEqual(['answered 400']);
  expect(named('create-pet.name-type', ['a']).missed).toEqual(['answered 400']);
  expect(named('create-pet.kept', ['a']).other).toEqual(['create-pet.kept (204)']);
});
