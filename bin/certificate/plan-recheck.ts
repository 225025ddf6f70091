/**
 * Computes, for `certify` and `verify`, what the evidence of a complete run must hold: every case, and the requests with
 * generated input. So evidence from which somebody has removed requests is refused.
 */
import { makeArgs } from '../../fixtures/asking/client/test-arguments.ts';
import { Scope } from '../../fixtures/asking/client/scope.ts';
import { writeAsk } from '../../fixtures/evidence/binding.ts';
import type { Ask } from '../../fixtures/exchange/exchange.ts';
import type { NewPet, Pet } from '../../fixtures/interface/bodies.ts';
import { findRemovalState } from '../../fixtures/interface/removal.ts';
import { Undecided } from '../../fixtures/judgement/finding.ts';
import type { CollectedTest } from '../../fixtures/asking/lanes/collection.ts';
import type { Facts, Session } from '../../fixtures/session/session.ts';
import type { PlannedCase } from '../../reports/certificate/certified-report.ts';
import { findHarmless } from '../../fixtures/judgement/store/harm.ts';
import { StoreModel } from '../../fixtures/judgement/store/store-model.ts';
import { readHead, type RecheckPlan } from '../../reports/certificate/recheck-evidence.ts';
import { Rejected } from '../../reports/certificate/signed/envelope.ts';
import { collectSuite } from '../run/selection/collect-suite.ts';

/** Makes the plan for the evidence of a run. `cases`: see `listCases`. `asks`: the generated requests, as `writeAsk` writes them. */
export async function planRecheck(evidence: Uint8Array): Promise<RecheckPlan> {
  const tests = await collectSuite();
  const facts = readFacts(evidence);
  if (facts === null) return { cases: listCases(tests), asks: [] };
  // A request that follows from the seeds alone must be in the evidence. To find these requests, each test runs twice without a target,
  // with different animals. It makes `GET /pets?limit=7` both times: required. It makes `GET /pets/4000000000000000001` once: not required.
  const one = await noteRequests(tests, facts, { id: 4_000_000_000_000_000_001n, name: 'One' });
  const other = await noteRequests(tests, facts, { id: 7_000_000_000_000_000_003n, name: 'Other' });
  const asks = [...one.generated].filter((each) => other.generated.has(each));
  return { cases: listCases(tests, one.sending), asks };
}

/**
 * Returns every case of a complete run. A case is a test and one requirement that it verifies; a test that only observes is
 * one case, with requirement null.
 * @param sending the tests that send a request in any run; their cases have `isSending`
 */
export function listCases(
  tests: readonly CollectedTest[],
  sending: ReadonlySet<CollectedTest> = new Set(),
): PlannedCase[] {
  return tests.flatMap((test) => {
    const { declared, place } = test;
    return (declared.verifies.length === 0 ? [null] : declared.verifies).map((requirement) => ({
      title: place.title,
      requirement,
      file: place.file,
      isSending: sending.has(test),
    }));
  });
}

/** The animal that every test gets. Its identifier is also the identifier of its category. */
type Animal = Pick<Pet, 'id' | 'name'>;

/**
 * Runs the bodies of tests with a session that sends nothing and only notes the requests. Each test, and each example of a
 * property, ends at its first request, because no answer comes.
 * @returns `sending`: the tests that make a request for a promise; `generated`: the first request of each generated example
 */
async function noteRequests(
  tests: readonly CollectedTest[],
  facts: Facts,
  animal: Animal,
): Promise<{ sending: Set<CollectedTest>; generated: Set<string> }> {
  const [sending, generated] = [new Set<CollectedTest>(), new Set<string>()];
  for (const test of tests) {
    const { declared, place, body } = test;
    const isGenerated = /[/\\]properties[/\\]/.test(place.file);
    const session = makeSilentSession(facts, animal, (ask) => {
      // A request without a purpose prepares the test, and another test may have sent it before.
      if (ask.purpose !== undefined) sending.add(test);
      if (isGenerated) generated.add(writeAsk(ask));
    });
    try {
      await body(makeArgs(new Scope({ session, facts, declared, place })));
    } catch (error) {
      // A test ends with Undecided (`makeSilentSession`). If a property ends with another error, wrong settings in the head cause it.
      if (isGenerated && !(error instanceof Undecided))
        throw new Rejected('evidence', 'evidence.jsonl is damaged: no input of a run follows from its head');
    }
  }
  return { sending, generated };
}

/**
 * Reads the settings of the run on which generated input depends from the first record of the evidence, its head. Null if the
 * head cannot be read: the judgement of the evidence reports this.
 */
function readFacts(evidence: Uint8Array): Facts | null {
  try {
    const { mark, clock, window, key, target, settings } = readHead(evidence);
    const { seed, seeds, propertyRuns } = settings;
    return {
      runId: mark,
      baseUrl: target.baseUrl,
      mode: 'full',
      seed,
      ...(seeds && { seeds }),
      propertyRuns,
      replay: null,
      removal: findRemovalState(clock),
      consistencyWindow: window,
      key,
      production: false,
      repeatsAsClient: false,
      markedNamesOnly: false,
      servesOrdinaryClients: false,
    };
  } catch {
    return null;
  }
}

/** Makes a session that calls `note` with each request, and then fails the request as if the run had been stopped. */
function makeSilentSession(facts: Facts, { id, name }: Animal, note: (ask: Ask) => void): Session {
  const send = (ask: Ask) => {
    note(ask);
    return Promise.reject(new Undecided('inconclusive', { kind: 'stopped', of: 'request' }));
  };
  const creating = { operation: 'createPet', method: 'POST', path: '/pets', credential: 'key' } as const;
  // The request that added the animal. Nothing was sent, so it has neither an answer nor an error.
  const times = { startedAt: 0, begun: 0, durationMs: 0 };
  const exchange = { id: 'x1', ...times, ask: creating, response: null, error: null };
  const model = new StoreModel(facts.runId);
  const newPet = (status?: NewPet['status'] | null) => ({ name, categoryId: id, ...(status && { status }) });
  const answering: Partial<Session> = {
    facts: async () => facts,
    send,
    given: {
      createOnce: (body) => send({ ...creating, body }),
      newPet: async (status) => newPet(status),
      pet: async (status) => {
        const pet = { id, ...newPet(status) };
        return { sent: pet, pet, exchange };
      },
      addUntil: async () => undefined,
      requireRoomBesideExamples: async () => undefined,
    },
    store: async () => ({ ...model.view(), lag: null, harmless: findHarmless(model, []) }),
    findFlaws: async () => [],
  };
  // Every other method of a session does nothing and returns false.
  return new Proxy(answering as Session, {
    get: (_, member: keyof Session) => answering[member] ?? (async () => false),
  });
}
