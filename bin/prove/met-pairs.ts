#!/usr/bin/env node
/**
 * `node dist/bin/prove/met-pairs.js [seed]`: runs all tests on the reference, and counts the pairs of levels that its requests meet. A
 * level is a value of one property of requests, e.g. `limit` from 2 to 19. Two levels are a free pair if one request can have both: then a
 * row of the plan has them. Exit codes: 0 all free pairs are met, 1 some are not.
 */
import { DOCUMENTED_OPERATIONS } from '../../fixtures/exchange/exchange.ts';
import { judgeVariant } from '../../fixtures/implementations/judge-variant.ts';
import { listPairs, namePair, noteMetPairs } from '../../fixtures/implementations/triggered.ts';
import { printText } from '../command-line/output/print.ts';
import { collectSuite } from '../run/selection/collect-suite.ts';

const met = new Set<string>();
await judgeVariant({ vary: noteMetPairs(met) }, await collectSuite(), Number(process.argv[2] ?? 1));
for (const operation of DOCUMENTED_OPERATIONS) {
  const pairs = listPairs(operation).map((pair) => namePair(operation, pair));
  const left = pairs.filter((pair) => !met.has(pair));
  printText(`${operation}: ${pairs.length - left.length} of ${pairs.length} free pairs met\n`);
  for (const pair of left) printText(`  not met: ${pair}\n`);
  if (left.length > 0) process.exitCode = 1;
}
