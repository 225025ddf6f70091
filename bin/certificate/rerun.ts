/**
 * Runs the tests again on the answers in the evidence. The result must agree with the findings that the run
 * recorded.
 */
import { makeArgs } from '../../fixtures/client/test-arguments.ts';
import { Scope } from '../../fixtures/client/scope.ts';
import type {
  DemandsRecord,
  EvidenceRecord,
  HeadRecord,
  JudgementRecord,
} from '../../fixtures/evidence/log.ts';
import { toFinding } from '../../fixtures/evidence/recompute.ts';
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import type { Session } from '../../fixtures/session/session.ts';
import type { Rerun } from '../../reports/certificate/recheck-evidence.ts';
import { KeptAnswers, KeptRun } from './kept-answers.ts';

/**
 * The most names of animals that one test learns. Each run of the test learns one name; no test adds more
 * animals.
 */
const MOST_NAMES = 12;
/** The most characters of a text in a message. */
const SHOWN = 200;

/** One test in the evidence, with its judgements and the ids of its exchanges. */
interface Recorded {
  judgements: JudgementRecord[];
  asked: readonly string[];
}

/**
 * The result of running a test again. `isWhole` is false if the evidence lacks an answer that the test needs.
 * `relabelled`: exchanges that the test sends with the other credential.
 */
interface Again {
  findings: readonly Finding[];
  isWhole: boolean;
  relabelled: readonly Exchange[];
}

/** The result for a test that this suite does not have. */
const NOTHING: Again = { findings: [], isWhole: false, relabelled: [] };

/** Runs every test with recorded judgements again. */
async function testsAgain(
  tests: readonly CollectedTest[],
  records: readonly EvidenceRecord[],
): Promise<(Recorded & Again & { number: number })[]> {
  const [head] = records as readonly [HeadRecord];
  const run = new KeptRun(records, head);
  const again = [];
  for (const [number, recorded] of recordedTests(records)) {
    const test = testOf(tests, recorded);
    const now = test === undefined ? NOTHING : await onceMore(test, run, recorded.asked);
    again.push({ number, ...recorded, ...now });
  }
  return again;
}

/** Compares the findings of tests now with the recorded ones. */
export async function compareRerun(
  tests: readonly CollectedTest[],
  records: readonly EvidenceRecord[],
): Promise<Rerun> {
  const contradictions: string[] = [];
  const [open, passed] = [new Set<string>(), new Set<string>()];
  for (const { number, judgements, findings, isWhole, relabelled } of await testsAgain(tests, records)) {
    contradictions.push(...relabelled.map((each) => describeRelabelled(each, number)));
    for (const { requirement, verdict } of judgements) {
      // Only a recorded pass, or a case that was left out or did not apply, can hide a breach.
      if (verdict === 'fail' || verdict === 'inconclusive') continue;
      const now = findings.filter((each) => each.requirement === requirement);
      const flaw = isWhole ? now.find((each) => each.flaw !== null)?.flaw : undefined;
      if (flaw != null)
        contradictions.push(
          `${requirement}: ${verdict} in the test ${number}, which now finds ${flaw.received.slice(0, SHOWN)} in ${flaw.evidence.join(', ')}`,
        );
      else if (verdict === 'pass')
        (now.some((each) => each.verdict === 'pass') ? passed : open).add(requirement);
    }
  }
  const isSure = (id: string) => !open.has(id);
  return { contradictions, open: [...open].sort(), passed: [...passed].filter(isSure) };
}

/**
 * Returns the findings of the tests that run again. A recorded finding stays if the evidence lacks an answer,
 * or if the test does not decide now.
 */
export async function findAgain(
  tests: readonly CollectedTest[],
  records: readonly EvidenceRecord[],
): Promise<Finding[]> {
  return (await testsAgain(tests, records)).flatMap(({ judgements, findings, isWhole }) =>
    judgements.map((recorded) => {
      const now = findings.find(({ requirement }) => requirement === recorded.requirement);
      const isDecided = [recorded.verdict, now?.verdict].every((each) => each === 'pass' || each === 'fail');
      return isWhole && now !== undefined && isDecided ? now : toFinding(recorded);
    }),
  );
}

function describeRelabelled({ id, ask }: Exchange, test: number): string {
  const [recorded, asked] = ask.credential === 'key' ? ['with', 'without'] : ['without', 'with'];
  return `${id} was sent ${recorded} the key, and the test ${test} sends it ${asked} the key`;
}

function recordedTests(records: readonly EvidenceRecord[]): Map<number, Recorded> {
  const asked = new Map(
    records
      .filter((each): each is DemandsRecord => each.kind === 'demands')
      .map((each) => [each.test, each.asked]),
  );
  const recorded = new Map<number, Recorded>();
  for (const each of records) {
    if (each.kind !== 'judgement' || each.by !== 'test' || each.test === undefined) continue;
    const { judgements } = recorded.get(each.test) ?? { judgements: [] };
    recorded.set(each.test, { judgements: [...judgements, each], asked: asked.get(each.test) ?? [] });
  }
  return recorded;
}

/**
 * Returns the test with this title and these requirements, if there is exactly one. A recorded title may lack the
 * titles of describe blocks.
 */
function testOf(tests: readonly CollectedTest[], { judgements }: Recorded): CollectedTest | undefined {
  const [title, about] = [judgements[0]?.rule ?? '', judgements.map(({ requirement }) => requirement)];
  const alike = tests.filter(
    ({ place, declared }) =>
      (place.title === title || place.title.endsWith(` › ${title}`)) &&
      declared.verifies.every((id) => about.includes(id)),
  );
  return alike.length === 1 ? alike[0] : undefined;
}

/** Runs a test again until the names of all animals that it added are known. */
async function onceMore(test: CollectedTest, run: KeptRun, asked: readonly string[]): Promise<Again> {
  let names: ReadonlyMap<number, string> = new Map();
  for (let turn = 0; ; turn += 1) {
    const session = new KeptAnswers(run, asked, names);
    const { declared, place, body } = test;
    const scope = new Scope({
      session: session as unknown as Session,
      facts: run.readFactsFor(asked),
      declared,
      place,
    });
    const thrown = await Promise.resolve()
      .then(() => body(makeArgs(scope)))
      .then(
        () => undefined,
        (error: unknown) => error ?? new Error('nothing was thrown'),
      );
    if (session.names.size === names.size || turn === MOST_NAMES)
      return { findings: scope.conclude(thrown), isWhole: session.isWhole, relabelled: session.relabelled };
    names = session.names;
  }
}
