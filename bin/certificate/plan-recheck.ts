/** Computes the contents of the evidence of a complete run. */
import { makeArgs } from '../../fixtures/client/test-arguments.ts';
import { Scope } from '../../fixtures/client/scope.ts';
import { keyAsk } from '../../fixtures/evidence/binding.ts';
import type { EvidenceRecord, HeadRecord } from '../../fixtures/evidence/log.ts';
import type { Ask, Exchange } from '../../fixtures/exchange/exchange.ts';
import { Undecided } from '../../fixtures/judgement/finding.ts';
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import type { Facts, Session } from '../../fixtures/session/session.ts';
import type { PlannedCase } from '../../reports/certificate/certified-report.ts';
import { findSettingsLacking } from '../../reports/certificate/shortcomings.ts';
import { readEvidence, type RecheckPlan, type Rerun } from '../../reports/certificate/recheck-evidence.ts';
import { escapeTerminal } from '../../reports/words/escape.ts';
import { collectSuite } from '../selection/collect-suite.ts';
import { shortenTestPath } from '../selection/where-judged.ts';
import { Mistake } from './certificate-files.ts';
import { readFacts } from './kept-answers.ts';
import { compareRerun } from './rerun.ts';

/**
 * Judges evidence of another run again. Evidence that cannot be judged is damaged, because the suite writes no
 * such evidence.
 * @throws Mistake
 */
export async function judgeOrRefuse<T>(place: string, judge: () => T | Promise<T>): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Mistake(`${place} is damaged, so that it cannot be judged again: ${escapeTerminal(why)}`);
  }
}

/**
 * Makes the plan for some evidence: the results of its tests, and the generated requests that follow from its
 * seeds.
 */
export async function planRecheck(evidence: Uint8Array): Promise<RecheckPlan> {
  const tests = await collectSuite();
  const records = recordsOf(evidence);
  const [head] = records;
  return {
    cases: listCases(tests),
    asks: await generatedAsks(tests, head?.kind === 'head' ? head : null),
    again: await rerunTests(records),
  };
}

/**
 * Runs the tests again on some evidence. For a run without the settings of the profile this is left out,
 * because it cannot get a certificate.
 */
export async function rerunTests(records: readonly EvidenceRecord[]): Promise<Rerun> {
  const [head] = records;
  return head?.kind === 'head' && findSettingsLacking(head).length === 0
    ? compareRerun(await collectSuite(), records)
    : { contradictions: [], open: [], passed: [] };
}

/** Returns every case of a complete run: each test with each requirement that it verifies, or with none. */
export function listCases(tests: readonly CollectedTest[]): PlannedCase[] {
  return tests.flatMap(({ declared, place }) =>
    (declared.verifies.length === 0 ? [null] : declared.verifies).map((requirement) => ({
      title: place.title,
      requirement,
      file: shortenTestPath(place.file),
      line: place.line,
    })),
  );
}

/** Returns the records of the evidence; none if it cannot be read. Judging it again reports the mistake. */
function recordsOf(evidence: Uint8Array): readonly EvidenceRecord[] {
  try {
    return readEvidence(evidence);
  } catch {
    return [];
  }
}

/**
 * Two stores that differ in all values that requests may use. A request for both stores follows from the seeds
 * alone.
 */
const STORES = [
  { id: 4_000_000_000_000_000_001n, name: 'One' },
  { id: 7_000_000_000_000_000_003n, name: 'Other' },
] as const;

/** Returns the first request of each generated example, if it does not depend on answers of the target. */
async function generatedAsks(tests: readonly CollectedTest[], head: HeadRecord | null): Promise<string[]> {
  if (head === null || head.settings.seeds?.length !== 2) return [];
  const [one, other] = await Promise.all(STORES.map((store) => firstAsks(tests, head, store)));
  return [...(one ?? [])].filter((each) => other?.has(each));
}

async function firstAsks(
  tests: readonly CollectedTest[],
  head: HeadRecord,
  store: (typeof STORES)[number],
): Promise<Set<string>> {
  const asks = new Set<string>();
  const session = new Listening(head, store, (ask) => asks.add(keyAsk(ask)));
  const facts = await session.facts();
  for (const { declared, place, body } of tests) {
    if (!place.file.includes('/properties/') && !place.file.includes('\\properties\\')) continue;
    const scope = new Scope({ session: session as unknown as Session, facts, declared, place });
    await body(makeArgs(scope)).catch((error: unknown) => {
      if (!(error instanceof Undecided)) throw error;
    });
  }
  return asks;
}

/** A session without answers. It only records the requests. */
class Listening {
  private readonly head: HeadRecord;
  private readonly animal: { id: bigint; name: string };
  private readonly note: (ask: Ask) => void;

  constructor(head: HeadRecord, animal: { id: bigint; name: string }, note: (ask: Ask) => void) {
    this.head = head;
    this.animal = animal;
    this.note = note;
  }

  facts(): Promise<Facts> {
    return Promise.resolve({ ...readFacts(this.head), removal: 'ahead', asksAgain: false });
  }

  send(ask: Ask): Promise<Exchange> {
    this.note(ask);
    return Promise.reject(new Undecided('inconclusive', { kind: 'stopped', of: 'request' }));
  }

  created(body: string): Promise<Exchange> {
    return this.send({ operation: 'createPet', method: 'POST', path: '/pets', credential: 'key', body });
  }

  newPet(status?: string): Promise<object> {
    const { id, name } = this.animal;
    return Promise.resolve({ name, categoryId: id, ...(status === undefined ? {} : { status }) });
  }

  pet(status: string | null): Promise<object> {
    const { id, name } = this.animal;
    const pet = { id, name, categoryId: id, ...(status === null ? {} : { status }) };
    return Promise.resolve({ sent: pet, pet, exchange: { id: 'x1' } });
  }

  store(): Promise<object> {
    return Promise.resolve({ added: [], refused: [], seen: new Map(), lag: null });
  }

  atLeast = done;
  spare = done;
  spareForGenerated = done;
  cookies = () => Promise.resolve([]);
  hasFailed = () => Promise.resolve(false);
  isAwaitedInVain = () => Promise.resolve(true);
  explained = () => Promise.resolve(false);
}

function done(): Promise<void> {
  return Promise.resolve();
}
