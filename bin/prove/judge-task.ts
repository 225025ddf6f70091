import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import { FAULTS } from '../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../fixtures/implementations/freedoms/index.ts';
import { hardOf } from '../../fixtures/implementations/hard-variants.ts';
import { pairOf } from '../../fixtures/implementations/pairs.ts';
import { judgeVariant, type Variant } from '../../fixtures/implementations/judge-variant.ts';
import type { Outcome } from '../../reports/proof/kill-matrix.ts';
import { requirementResults, targetVerdict } from '../../reports/document/verdicts.ts';

/** What a process is told to judge. Ids are unique within their kind; `reference` is the plain one, a pair is `<freedom>+<freedom>`. */
export interface Task {
  kind: Outcome['kind'];
  id: string;
  seed: number;
  propertiesOnly: boolean;
  /** All tests; else, on a fault, those that can tell: of the promises that it breaks, and those of the opening phase. */
  whole: boolean;
}

/** Examples of each property on a freedom: many seeds (`--seeds`) say more than many examples of one. */
const FREEDOM_RUNS = 20;
/** What standards say of every answer is told by the tests of open questions too. */
const OF_OPEN_ANSWERS: ReadonlySet<string> = new Set(['errors.no-server-error', 'errors.undocumented']);
const PLAIN: Variant = { vary: (Base) => Base };

/** The variant of a task. @throws Error where there is none of that id */
function variantOf({ kind, id }: Task): Variant {
  if (kind === 'pair') return pairOf(id);
  if (kind === 'hard') return hardOf(id);
  const variant =
    id === 'reference' ? PLAIN : (kind === 'fault' ? FAULTS : FREEDOMS).find((each) => each.id === id);
  if (variant === undefined) throw new Error(`there is no ${kind} ${id}`);
  return variant;
}

/** Judges one variant with the tests, and says what did not pass. */
export async function outcomeOf(task: Task, suite: readonly CollectedTest[]): Promise<Outcome> {
  const outcome = await judgedBy(task, suite);
  const fault = task.kind === 'fault' ? FAULTS.find(({ id }) => id === task.id) : undefined;
  const isCaught = outcome.verdicts.some(
    ({ id, verdict }) =>
      (verdict === 'fail' || verdict === 'warn') &&
      (id === fault?.breaks || fault?.also?.some((each) => each === id)),
  );
  // some faults show only in what all tests together have done to the store
  return task.kind !== 'fault' || task.whole || isCaught
    ? outcome
    : judgedBy({ ...task, whole: true }, suite);
}

async function judgedBy(task: Task, suite: readonly CollectedTest[]): Promise<Outcome> {
  const tests = suite.filter((test) => canTell(task, test));
  const variant = variantOf(task);
  const settings =
    task.kind === 'freedom' || task.kind === 'pair'
      ? { propertyRuns: FREEDOM_RUNS, ...variant.settings }
      : variant.settings;
  const judged = await judgeVariant(
    { ...variant, settings, isWatched: task.kind === 'fault' || task.kind === 'hard' },
    tests,
    task.seed,
  );
  const results = requirementResults(judged.findings);
  const failures = judged.findings.filter(({ verdict }) => verdict === 'fail');
  const { exitCode } = targetVerdict(results, {
    complete: true,
    stopped: judged.stopped,
    partial: task.propertiesOnly,
    strict: false,
    readOnly: judged.readOnly,
    animalsCreated: judged.animals,
  });
  return {
    id: task.id,
    kind: task.kind,
    whole: task.whole,
    verdicts: results
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'excused')
      .map(({ id, verdict, reason, expected, received, tests: told }) => ({
        id,
        verdict,
        why: [reason ?? `expected ${expected}, received ${received}`, told[0]?.title ?? '']
          .filter(Boolean)
          .join(' | '),
      })),
    exitCode,
    failedTests: [
      ...new Set(
        failures
          .filter(({ requirement, test }) =>
            tests.some(({ declared, place }) => place === test && declared.verifies.includes(requirement)),
          )
          .map(({ test }) => `${fileName(test.file)} › ${test.title}`),
      ),
    ],
    byProperties: [
      ...new Set(
        failures
          .filter(({ test }) => test.file.includes('/properties/'))
          .map(({ requirement }) => requirement),
      ),
    ],
    requests: judged.requests,
    animals: judged.animals,
    wrongAnswers: judged.wrongAnswers,
    milliseconds: judged.milliseconds,
  };
}

function canTell({ kind, id, whole, propertiesOnly }: Task, { declared, place }: CollectedTest): boolean {
  if (propertiesOnly) return place.file.includes('/properties/');
  const fault = whole || kind !== 'fault' ? undefined : FAULTS.find((each) => each.id === id);
  if (fault === undefined || declared.phase === 'first') return true;
  if (declared.observes.length > 0 && OF_OPEN_ANSWERS.has(fault.breaks)) return true;
  return declared.verifies.some((each) => each === fault.breaks || fault.also?.includes(each));
}

/** The last part of a path, as the matrix names tests. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1)?.replace(/\.js$/, '.ts') ?? path;
}
