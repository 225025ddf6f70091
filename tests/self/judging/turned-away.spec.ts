import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { ClientName } from '../../../fixtures/exchange/client-headers.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { JudgedVariant, Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { makeResults, judgeRun } from '../../../reports/document/verdicts.ts';
import { describeStop } from '../../../reports/document/reasons/stop-words.ts';
import { judgeOf, type Told } from '../histories/rows.ts';
import { runOn, verifying } from '../samples/run-on.ts';

const suite = collectSuite();
const PAGE: Reply = { status: 403, headers: [['Content-Type', 'text/html']], body: '<h1>Blocked</h1>' };

/** Returns the result of a run on the variant. */
async function verdictOn(
  variant: Variant,
  which = verifying(),
): Promise<{
  judged: JudgedVariant;
  exitCode: number;
  reason: string;
  failed: string[];
  undecided: string[];
}> {
  const judged = await runOn(variant, (await suite).filter(which));
  const results = makeResults(judged.findings);
  const ids = (verdict: string) => results.filter((each) => each.verdict === verdict).map(({ id }) => id);
  const { exitCode, reason } = judgeRun(results, {
    complete: true,
    stopped: judged.stopped && describeStop(judged.stopped),
    strict: false,
    only: [],
  });
  return { judged, exitCode, reason, failed: ids('fail'), undecided: ids('inconclusive') };
}

/** Bans whoever has sent so many requests that look like an attack. */
const firewall: Vary = (Base) =>
  class extends Base {
    odd = 0;

    override async answer(call: Call): Promise<Reply> {
      if (/%00|%FF|abc/.test(call.incoming.url ?? '')) this.odd += 1;
      return this.odd > 6 ? PAGE : super.answer(call);
    }
  };

test('what failed before a target turned away stays failed, nothing after it is judged, and the reason tells since when', async () => {
  const both: Vary = (Base) =>
    class extends firewall(Base) {
      override mediaType(): string {
        return 'text/plain';
      }
    };
  const { judged, exitCode, failed, reason } = await verdictOn({ vary: both });
  expect([exitCode, failed]).toEqual([1, expect.arrayContaining(['representation.media-type'])]);
  expect(reason).toMatch(
    /; then the run stopped: .*refuses a plain list with the right key \(403 Forbidden\) since [A-Z]+ \S+ \(x\d+, /,
  );
  const since = judged.stopped !== null && 'since' in judged.stopped ? judged.stopped.since : null;
  const last = Number(since?.id.slice(1));
  const isLater = (id: string) => Number(id.slice(1)) >= last;
  expect(
    judged.findings.filter(({ verdict, evidence }) => verdict !== 'inconclusive' && evidence.some(isLater)),
  ).toEqual([]);
});

/** At most so many wrong keys within these seconds; whoever sends more is put off for as long. */
function limitingWrongKeys(most: number, seconds: number): Vary {
  return (Base) =>
    class extends Base {
      times: number[] = [];
      until = 0;

      override async authenticate(call: Call): Promise<Reply | null> {
        const refusal = await super.authenticate(call);
        if (refusal === null || call.headers.authorization === undefined) return refusal;
        const now = Date.now();
        this.times = [...this.times.filter((time) => now - time < seconds * 1_000), now];
        if (this.times.length > most) this.until = now + seconds * 1_000;
        return now < this.until ? this.later(call) : refusal;
      }

      later(call: Call): Reply {
        const reply = this.error(429, 'too-many', 'too many wrong keys', call);
        return { ...reply, headers: [...reply.headers, ['Retry-After', String(seconds)]] };
      }
    };
}

test('a lock that outlasts the bound leaves undecided what needs wrong keys, and nothing else', async () => {
  const { failed, judged, undecided } = await verdictOn(
    { vary: limitingWrongKeys(3, 3_600), settings: { maxInFlight: 1 } },
    verifying('authentication.', 'create-pet.'),
  );
  expect(failed).toEqual([]);
  expect(judged.stopped).toBeNull();
  expect(undecided).toContain('authentication.changed-key');
  expect(
    undecided.filter(
      (id) => id.startsWith('create-pet.') && !['create-pet.kept', 'create-pet.adds-one'].includes(id),
    ),
  ).toEqual([]);
});

test('a client is refused if plain requests are, and others are served the same', () => {
  const create = (name: string, categoryId: bigint | number, status: number): Told => ({
    at: 0,
    method: 'POST',
    path: '/pets',
    sent: `{"name":"csmark${name}","categoryId":${categoryId}}`,
    status,
    body:
      status === 201 ? { id: 1, name: `csmark${name}`, categoryId } : { code: 'no', message: 'no', status },
  });
  const list = (path: string, status: number): Told => ({ at: 0, path, status, body: [] });
  const refusedTo = (client: ClientName, told: Told, others: readonly Told[]) => {
    const rows = [...others, ...Array.from({ length: 3 }, () => ({ ...told, client }))];
    return judgeOf(rows.map((each, at) => ({ ...each, at: at * 10 }))).model.refusedClients.listNames();
  };
  for (const plain of [create('aaaa', 1, 403), list('/pets?limit=1', 403)])
    for (const [status, names] of [
      [plain.method === 'POST' ? 201 : 200, ['curl']],
      [403, []],
    ] as const) {
      const toOthers = plain.method === 'POST' ? create('bbbb', 1, status) : list('/pets?limit=1', status);
      expect(refusedTo('curl', plain, [toOthers])).toEqual(names);
      expect(refusedTo('curl', plain, [toOthers, { ...toOthers, status: 500, client: 'curl' }])).toEqual([]);
    }
  // The service refuses this category to everybody: three equal bodies say nothing about the client.
  const large = create('cccc', 2n ** 53n + 1n, 400);
  expect(refusedTo('Go net/http', large, [create('bbbb', 1, 201)])).toEqual([]);
});
