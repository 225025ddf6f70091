#!/usr/bin/env node
/**
 * `node dist/bin/order.js`: finds out which cases (tests, or examples of tests) find many faults with few requests. It adds them to
 * schemas/order.json, behind the cases that are there already, while a quick run has room. Quick runs ask them in this order.
 * It learns from one half of the faults. The proof measures quick runs on the other half (`isHeldBack`), from which nothing is learned.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { isMust, TESTED } from '../fixtures/interface/requirements.ts';
import { nameCase } from '../fixtures/asking/lanes/case-order.ts';
import { ANIMALS_WITHOUT_KEY } from '../fixtures/session/dispatch/budget.ts';
import { QUICK } from '../fixtures/settings/profiles.ts';
import { makeCommand } from './command-line/make-command.ts';
import { printText } from './command-line/output/print.ts';
import { groupQuick, orderCases, isHeldBack } from './prove/order/order-cases.ts';
import type { CaseCost, NamedFault } from './prove/order/order-cases.ts';
import { findNamingCases, measureCosts } from './prove/order/learn.ts';
import { collectSuite } from './run/selection/collect-suite.ts';
import order from '../schemas/order.json' with { type: 'json' };

/** A quick run sends this many requests beside its cases: preflight, checks that the key still works, and last reads. */
const BESIDE_CASES = 12;
/** The progress is printed after each 25 faults. */
const SHOWN_EVERY = 25;

const { part, most } = makeCommand(
  'order',
  'Judges the faults of one half with the first example of each case. Behind the present cases of schemas/order.json it writes others that find most for a request. After an interruption, the same command goes on. `npm run prove` measures it on the other half.',
)
  .option('--part <i/n>', 'judge the share of one of n processes, and write no order')
  .option('--most <count>', 'judge so many faults at most', Number, Infinity)
  .parse()
  .opts<{ part?: string; most: number }>();

/** The file that this command writes and that runs read. */
const ORDER_FILE = new URL('../../schemas/order.json', import.meta.url);
const folder = resolve(process.env.REPORT_DIR ?? 'reports/out');
// `--part 2/5`: share 2 of 5. Without --part, there is one share.
const [share = 1, shareCount = 1] = part?.split('/').map(Number) ?? [];

const suite = (await collectSuite()).filter(({ place }) => !/[\\/]properties[\\/]/.test(place.file));
mkdirSync(folder, { recursive: true });
/** A line for each judged fault. If the command is interrupted, its next start goes on after these faults. */
const learned = join(folder, 'order.jsonl');
const known = new Set(readLearned().map(({ id }) => id));
const faults = FAULTS.filter(
  ({ id, breaks, beyondReach }) => beyondReach === undefined && isMust(breaks) && !isHeldBack(id),
)
  // The order is random and the same each time, so with `--most 100` the first 100 are a sample of all faults.
  .toSorted((one, other) => (drawLot(one.id) < drawLot(other.id) ? -1 : 1))
  .filter((_, at) => at % shareCount === share - 1)
  .slice(0, most);
for (const [at, fault] of faults.filter(({ id }) => !known.has(id)).entries()) {
  appendFileSync(learned, `${JSON.stringify(await findNamingCases(fault, suite))}\n`);
  if ((at + 1) % SHOWN_EVERY === 0) printText(`${at + 1} faults judged\n`);
}
if (part === undefined) {
  writeOrder(await measureCosts(suite), readLearned());
}

/** Returns a digest by which ids are sorted at random. */
function drawLot(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

function readLearned(): NamedFault[] {
  if (!existsSync(learned)) return [];
  return readFileSync(learned, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as NamedFault);
}

/** Writes the order of the cases, and prints which promises a quick run does not ask. */
function writeOrder(cases: readonly CaseCost[], named: readonly NamedFault[]): void {
  const present = new Map(
    // Null in JSON: the case sends all its own requests.
    order.quick.flatMap((group) =>
      Object.entries(group).map(([key, own]) => [key, own ?? Infinity] as const),
    ),
  );
  const room = {
    requests: QUICK.requests - BESIDE_CASES,
    wrongKeys: QUICK.wrongKeys,
    // A faulty service may accept a createPet without the key: ANIMALS_WITHOUT_KEY animals stay free for that.
    animals: QUICK.animals.own - ANIMALS_WITHOUT_KEY,
  };
  const quick = orderCases(cases, named, room, present);
  const byName = new Map(suite.map((test) => [nameCase(test), test]));
  const newCasesByGroup = groupQuick(
    [...quick.keys()].flatMap((key) => (present.has(key) ? [] : (byName.get(key) ?? []))),
  );
  // The groups of a quick run: on the empty store, adding, odd values, reads, what may break the store. One runs after the other.
  // A group keeps its present cases that the suite still has. New cases follow at its end. JSON writes Infinity as null.
  const groups = order.quick.map((group, index) => {
    const keys = [...Object.keys(group), ...(newCasesByGroup[index] ?? []).map(nameCase)];
    return Object.fromEntries(keys.filter((key) => byName.has(key)).map((key) => [key, quick.get(key)]));
  });
  writeFileSync(ORDER_FILE, `${JSON.stringify({ ...order, quick: groups }, null, 2)}\n`);
  const asked = new Set(cases.filter(({ key }) => quick.has(key)).flatMap(({ musts }) => musts));
  const unasked = TESTED.filter((id) => isMust(id) && !asked.has(id));
  printText(
    `${named.length} faults, ${quick.size} cases of a quick run; it leaves out: ${unasked.join(', ')}\n`,
  );
}
