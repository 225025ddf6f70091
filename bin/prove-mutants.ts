#!/usr/bin/env node
/**
 * `node dist/bin/prove-mutants.js` makes small changes (mutants) in compiled files of the product, one at a time. The
 * self-tests run on each mutant until one fails. No self-test needs a line on which a mutant survives.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { Draws } from '../fixtures/implementations/drawn.ts';
import { checkOut } from './bench/work-tree.ts';
import { makeCommand } from './command-line/make-command.ts';
import { printText } from './command-line/output/print.ts';

/** Matches the compiled files of the product, e.g. `bin/run/run.js`, and none of the proof, e.g. `bin/prove/pool.js`. Each path has a folder. */
const PRODUCT =
  /^(?!bin\/(?:prove|order|bench|samples|release)|fixtures\/(?:implementations|reference)|reports\/shown\/proof|tests\/self).*\/.*\.js$/;
/** Of each pair, one operator replaces the other. */
const PAIRS = ['< <=', '> >=', '=== !==', '&& ||', '+ -'].map((pair) => pair.split(' '));
/** The self-tests of these selections run one after the other, the cheapest first. */
const SELECTIONS = ['fast', 'without-commands', 'commands'];
const CONFIG = 'dist/tests/self/playwright.config.js';

const { seed, count } = makeCommand('prove-mutants', 'Looks for lines that no self-test needs.')
  .option('--seed <seed>', 'draw the mutants by this seed', Number, 41)
  .option('--count <count>', 'draw so many', Number, 60)
  .parse()
  .opts<{ seed: number; count: number }>();
const tree = checkOut('HEAD');
if ('problem' in tree) throw new Error(tree.problem);
process.once('exit', tree.remove);
const dist = join(tree.folder, 'dist');
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => PRODUCT.test(file));
const mutants = files.toSorted().flatMap((file) => findMutants(join(dist, file)));
// `code` is the text of the file. In the mutant, `text` replaces the code of `place`.
for (const { file, code, place, text } of new Draws(seed).some(count, mutants)) {
  writeFileSync(file, code.slice(0, place.getStart()) + text + code.slice(place.getEnd()));
  const killer = SELECTIONS.find((selection) => !passes(selection));
  writeFileSync(file, code);
  const at = `${file}:${code.slice(0, place.getStart()).split('\n').length}`;
  printText(`${killer ?? 'survived'} ${JSON.stringify([at, place.getText(), text])}\n`);
}

/** Lists the mutants of a compiled file, each with the piece of code that a text replaces. */
function findMutants(file: string) {
  const code = readFileSync(file, 'utf8');
  const mutants: { file: string; code: string; place: ts.Node; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const [place, text] = mutate(node) ?? [];
    if (place !== undefined && text !== undefined) mutants.push({ file, code, place, text });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return mutants;
}

/**
 * Returns the piece of the node that is replaced, and the new text. A condition is negated, a statement goes, a number is one more. A
 * function returns at once, and an operator becomes the other one of its pair. Null, or text undefined: the node stays as it is.
 */
function mutate(node: ts.Node): [ts.Node, string | undefined] | null {
  if (ts.isIfStatement(node)) return [node.expression, `!(${node.expression.getText()})`];
  if (ts.isConditionalExpression(node)) return [node.condition, `!(${node.condition.getText()})`];
  if (ts.isExpressionStatement(node)) return [node, ';'];
  if (ts.isNumericLiteral(node)) return [node, `${Number(node.text) + 1}`];
  if (ts.isBlock(node) && ts.isFunctionLike(node.parent))
    return [node, `{ return; ${node.getText().slice(1)}`];
  if (!ts.isBinaryExpression(node)) return null;
  const operator = node.operatorToken.getText();
  const pair = PAIRS.find((each) => each.includes(operator));
  return [node.operatorToken, pair?.find((each) => each !== operator)];
}

/** Runs the self-tests of a selection until the first failure. True if all pass. */
function passes(selection: string): boolean {
  const env = { ...process.env, SELF_TESTS: selection };
  // A mutant can make a loop endless: after 1,200 seconds the self-tests have failed.
  const words = ['-s', 'KILL', '1200', 'npx', 'playwright', 'test', '-x', '--config', CONFIG];
  const { error, status } = spawnSync('timeout', words, { cwd: join(dist, '..'), env, stdio: 'ignore' });
  if (error !== undefined) throw error;
  return status === 0;
}
