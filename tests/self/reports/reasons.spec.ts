import { expect, test } from '@playwright/test';
import type { Reason, Stop } from '../../../fixtures/judgement/reason.ts';
import { describeReason, SITUATIONS } from '../../../reports/document/reasons/reason-words.ts';
import {
  describeLeftOut,
  describeOpen,
  describePass,
} from '../../../reports/document/reasons/verdict-reasons.ts';
import { describeStop } from '../../../reports/document/reasons/stop-words.ts';
import clients from '../../../schemas/clients.json' with { type: 'json' };
import evidence from '../../../schemas/suite/evidence.schema.json' with { type: 'json' };
import reasons from '../../../schemas/suite/reason.schema.json' with { type: 'json' };
import report from '../../../schemas/suite/report.schema.json' with { type: 'json' };

type Alternative = { properties: { kind: { const: string }; situation?: { enum: string[] } } };
const { reason, stop } = reasons.$defs as unknown as Record<'reason' | 'stop', { anyOf: Alternative[] }>;
const kindsOf = (alternatives: readonly Alternative[]) =>
  [...new Set(alternatives.map(({ properties }) => properties.kind.const))].sort();

/** Every kind of the types; without one of them this file does not compile. */
const KINDS: Record<Reason['kind'], true> = {
  ...{
    'blocked-by': true,
    budget: true,
    lag: true,
    assumed: true,
    'not-read': true,
    restart: true,
    cut: true,
  },
  ...{ 'refused-key': true, 'no-right': true, unreachable: true, 'put-off': true, unreadable: true },
  ...{ 'not-taken': true, stopped: true, mode: true, tact: true, 'no-such-situation': true },
  'suite-broke': true,
};
const STOPS: Record<Stop['kind'], true> = {
  ...{ interrupted: true, time: true, 'put-off': true, broken: true, banned: true, locked: true },
  ...{ expired: true, silent: true, exhausted: true, 'suite-broke': true, decided: true, failed: true },
  obstacle: true,
};

test('evidence may hold every kind of reason and stop that a run can give', () => {
  // Files of earlier versions stay readable.
  expect(kindsOf(reason.anyOf)).toEqual([...Object.keys(KINDS), 'left-to-judge'].sort());
  expect(kindsOf(stop.anyOf)).toEqual(Object.keys(STOPS).sort());
});

test('reports name the kinds of reasons and stops that there are', () => {
  const { cause } = report.$defs.requirement.properties;
  // Reports before version 6 may name `share`.
  expect(cause.properties.kind.enum.toSorted()).toEqual([...kindsOf(reason.anyOf), 'share'].sort());
  expect(report.properties.run.properties.stoppedBy.enum.toSorted()).toEqual(kindsOf(stop.anyOf));
});

test('a key in a file may have expired: the reason says so before it names a lock', () => {
  const stop = { kind: 'locked', since: null, hasKeyFile: true } as const;
  expect(describeStop(stop)).toMatch(/^the key may have expired, and API_KEY_FILE had no new key .*locked/);
  expect(describeStop({ ...stop, hasKeyFile: false })).not.toContain('expired');
});

test('evidence may name every situation, and every client as which a run asks', () => {
  const plain = reason.anyOf.find(({ properties }) => (properties.situation?.enum.length ?? 0) > 1);
  const inFiles = reason.anyOf.flatMap(({ properties }) => properties.situation?.enum ?? []);
  expect(Object.keys(SITUATIONS).filter((each) => !inFiles.includes(each))).toEqual([]);
  expect(plain?.properties.situation?.enum.filter((each) => !Object.hasOwn(SITUATIONS, each))).toEqual([]);
  const { client } = evidence.$defs.exchange.properties.ask.properties;
  expect(client.enum.toSorted()).toEqual(Object.keys(clients).sort());
});

test('a variable that would decide is told once, by its value where that is known', () => {
  const animals = (value: number | null): Reason => ({
    kind: 'budget',
    variable: 'MAX_ANIMALS',
    limit: 3,
    more: 2,
    needs: { variable: 'MAX_ANIMALS', value },
  });
  expect(describeReason(animals(150))).toBe(
    'MAX_ANIMALS (3) has no room for 2 more; to decide, set MAX_ANIMALS=150',
  );
  expect(describeReason(animals(null))).toBe(
    'MAX_ANIMALS (3) has no room for 2 more; to decide, raise MAX_ANIMALS',
  );
  const examples = { undecided: 2, all: 3 };
  expect(describeReason({ kind: 'no-right', status: 403, examples })).toBe(
    '2 of 3 examples are undecided: createPet answers 403 to the key; to decide, use a key that may add animals',
  );
  expect(describeReason({ kind: 'no-right', status: 403, added: 122 })).toBe(
    'createPet answers 403 to this request; the key added 122 others; to decide, use a key that may add more',
  );
});

test('a reason that some examples share with the others is said once', () => {
  const used: Reason = { kind: 'budget', variable: 'MAX_REQUESTS', limit: 400 };
  const some: Reason = { ...used, examples: { undecided: 3, all: 3 } };
  expect(describeOpen([some, used])).toBe(describeReason(used));
  expect(describeOpen([some])).toBe(describeReason(some));
  expect(describeLeftOut(2, [some])).toBe(`2 cases left out: ${describeReason(used)}`);
});

test('a pass names once all that its skipped tests needed', () => {
  const behind = (requirement: 'errors.json' | 'errors.code'): Reason => ({
    kind: 'blocked-by',
    requirement,
  });
  const open = [behind('errors.json'), behind('errors.code'), behind('errors.json')];
  expect(describePass({ assumed: [], open, inapplicable: [] })).toBe(
    'some of its tests were skipped: errors.json, errors.code failed',
  );
});
