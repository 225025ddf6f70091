import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { findFreePort } from '../../../fixtures/implementations/others/free-port.ts';
import { answerInstead, combineVaries, replaceStep } from '../../../fixtures/implementations/operators.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import { ProgressLine } from '../../../bin/command-line/output/progress-line.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { readKeyTraits } from '../../../fixtures/situations/credentials/credentials.ts';
import { findEvidenceMistakes } from '../../../fixtures/evidence/completeness.ts';
import type { KeyRecord } from '../../../fixtures/evidence/log.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { against, command, makeFolder, runAgainst, startCommand } from '../samples/command.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { FEW_INPUTS, runOn, verifying } from '../samples/run-on.ts';
import { filesBelow } from '../samples/installed.ts';
import { readRecords } from '../samples/read-records.ts';

/** Milliseconds until a target of these tests is there. */
const STARTS = 20_000;

test('a target that starts later is waited for, and judged @simulated', async () => {
  const [key, port] = [drawKey(), await findFreePort()];
  const served = new Promise<Awaited<ReturnType<typeof serve>>>((resolve) =>
    setTimeout(() => resolve(serve({ key, Service: Reference, port })), STARTS),
  );
  const { exitCode, out, report } = await command('conformance', ['--wait', '60', '--quick'], {
    BASE_URL: `http://127.0.0.1:${port}/v1`,
    API_KEY: key,
  });
  await (await served).close();
  expect(exitCode).toBe(0);
  expect(out).toMatch(/Waiting \d.*: the target is not ready \(no connection \(ECONNREFUSED\)\)/);
  expect(report?.run.durationMs).toBeGreaterThan(1_000);
  expect(report?.exchanges.filter(({ error }) => error !== null)).toEqual([]);
});

test('a target behind a proxy that starts first is waited for too, and RUN_TIMEOUT begins behind the wait @simulated', async () => {
  const started = performance.now() + STARTS;
  const starting = answerInstead(
    'answer',
    () => performance.now() <= started,
    (call, service) =>
      call.count % 2 === 0
        ? service.error(503, 'starting', 'no upstream', call)
        : service.error(404, 'no-route', 'no such route', call),
  );
  const env = { WAIT: '60', RUN_TIMEOUT: '4.5' };
  const { report } = await runAgainst(starting, ['--only', 'get-pet.not-found'], env);
  expect(report?.run.stopped).toBeNull();
  expect(report?.counts.must.pass).toBe(1);
});

test('a target that never starts ends with 3 when the time is over, and one line says why @simulated', async () => {
  const begun = performance.now();
  const { exitCode, out, report } = await command('conformance', [], {
    BASE_URL: `http://127.0.0.1:${await findFreePort()}/v1`,
    API_KEY: drawKey(),
    WAIT: '3',
  });
  expect(exitCode).toBe(3);
  expect(performance.now() - begun).toBeGreaterThan(3_000);
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('(ECONNREFUSED). The run waited 3 s for it (WAIT).');
  expect(report?.run.requests).toBeLessThan(5);
});

test('a target that nobody can reach has every report, and each says why', async () => {
  const { folder, report } = await startCommand('conformance', [], {
    BASE_URL: `http://127.0.0.1:${await findFreePort()}/v1`,
    API_KEY: drawKey(),
  });
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  expect(reportMistakes(report)).toEqual([]);
  const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');
  const why = 'no test of it ran: the target gave no answer: no connection (ECONNREFUSED)';
  expect(read('junit.xml')).toContain(why);
  expect(read('summary.md').replaceAll('\\', '')).toContain(
    'The target gave no answer: no connection (ECONNREFUSED).',
  );
  for (const name of ['junit.xml', 'summary.md', 'report.json'])
    expect(read(name)).not.toContain('run the whole suite');
  expect(read(join('allure-report', 'index.html')).length).toBeGreaterThan(10_000);
  expect(resultsIn(join(folder, 'out', 'allure-results'))).toContain('(ECONNREFUSED)');
});

function resultsIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

test('a terminal that says it has no columns gets lines of the usual width', async () => {
  Object.defineProperty(process.stdout, 'columns', { value: 0, configurable: true });
  const { out } = await command('conformance', [], {
    BASE_URL: `http://127.0.0.1:${await findFreePort()}/v1`,
    API_KEY: drawKey(),
  });
  Reflect.deleteProperty(process.stdout, 'columns');
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeGreaterThan(80);
});

test('a refused key is not waited for @simulated', async () => {
  const begun = performance.now();
  const { exitCode } = await runAgainst((Base) => Base, ['--wait', '60'], { API_KEY: drawKey() });
  expect(exitCode).toBe(2);
  expect(performance.now() - begun).toBeLessThan(30_000);
});

test('lines about waiting are few where there is no terminal', () => {
  const lines: string[] = [];
  const plain = new ProgressLine(false, (text) => lines.push(text));
  for (const left of [60_000, 59_000, 58_000]) plain.wait('the target is not ready', left);
  expect(lines).toEqual(['Waiting 1 min 0 s: the target is not ready.\n']);
});

/** Animals that the run has added when the target is killed. */
const ADDED = 15;
/** Seconds: what is gone is looked for so long. */
const WINDOW = '1';

test('a target that starts again with an empty store is undecided, and told as one @simulated', async () => {
  const key = drawKey();
  let added = 0;
  const again: Promise<Served>[] = [];
  class Killed extends Reference {
    override async createPet(call: Call): Promise<Reply> {
      const reply = await super.createPet(call);
      if (reply.status === 201 && (added += 1) === ADDED)
        again.push(served.close().then(() => serve({ key, Service: Reference, port })));
      return reply;
    }
  }
  const served = await serve({ key, Service: Killed });
  const port = Number(new URL(served.baseUrl).port);
  const run = command('conformance', ['--only', 'create-pet'], {
    BASE_URL: served.baseUrl,
    API_KEY: key,
    CONSISTENCY_WINDOW: WINDOW,
    PROPERTY_RUNS: String(FEW_INPUTS),
  });
  const { exitCode, report } = await run;
  const kept = report?.requirements.find(({ id }) => id === 'create-pet.kept');
  expect({ exitCode, verdict: report?.verdict, kind: kept?.cause?.kind }).toEqual({
    exitCode: 3,
    verdict: 'inconclusive',
    kind: 'restart',
  });
  expect(kept?.reason).toMatch(
    /^all \d+ animals of the run were gone from one moment on, as after a restart/,
  );
  expect(report?.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report?.explanations).toEqual([]);
  for (const each of again) await (await each).close();
});

// Keys that end during a run: with a file in which a new key takes the place of the old one, and without.

/** How many requests a key is valid for. */
const LASTS = 12;

/** The keys of a service, each valid until the next one is drawn. Each second one has letters. */
class Keys {
  readonly all: string[] = [];
  private readonly renewed: (key: string) => void;

  /** @param renewed gets each key before the service refuses the former one */
  constructor(renewed: (key: string) => void = () => undefined) {
    this.renewed = renewed;
    this.renew();
  }

  get valid(): string {
    return this.all.at(-1) ?? '';
  }

  renew(): void {
    const bytes = randomBytes(12 + this.all.length);
    this.all.push(this.all.length % 2 === 0 ? bytes.join('') : `Rk-${bytes.toString('base64url')}`);
    this.renewed(this.valid);
  }
}

/** Takes the valid key. Each request with it for which `isLast` holds ends the key while it is under way. */
function expiring(
  keys: Keys,
  isLast: (call: Call, used: number) => boolean,
): (Base: typeof Reference) => typeof Reference {
  let used = 0;
  return (Base) =>
    class extends Base {
      override accepts(token: string, call: Call): boolean {
        if (token !== keys.valid) return false;
        used += 1;
        if (!isLast(call, used)) return true;
        used = 0;
        keys.renew();
        return false;
      }

      override unauthorized(call: Call): Reply {
        if (!keys.all.includes(this.credentialOf(call) ?? '')) return super.unauthorized(call);
        const reply = this.error(401, 'expired', 'the token has expired', call);
        const challenge = 'Bearer error="invalid_token", error_description="The access token expired"';
        return { ...reply, headers: [...reply.headers, ['WWW-Authenticate', challenge]] };
      }
    };
}

/** Ends a key after `LASTS` requests, the next key when the refused request comes again, and the key of a lower-case scheme. */
function endTwice(): (call: Call, used: number) => boolean {
  let refused: string | undefined;
  const lowered = new Set<string | undefined>();
  return ({ incoming, headers }, used) => {
    const request = `${incoming.method} ${incoming.url}`;
    const scheme = headers.authorization?.split(' ')[0];
    const isAgain = request === refused;
    const isLowered = scheme !== 'Bearer' && !lowered.has(scheme);
    if (isLowered) lowered.add(scheme);
    if (used >= LASTS) refused = request;
    else if (isAgain) refused = undefined;
    return used >= LASTS || isAgain || isLowered;
  };
}

test('a key in a file that is rewritten is renewed as often as need be, judged each by its own letters, and no file shows any @simulated', async () => {
  const folder = makeFolder();
  const file = join(folder, 'key');
  const keys = new Keys((key) => writeFileSync(file, `${key}\n`));
  await against(expiring(keys, endTwice()), async ({ BASE_URL }) => {
    const env = { BASE_URL, API_KEY_FILE: file };
    const { exitCode, out, report, folder: left } = await command('conformance', ['--quick'], env);
    expect(out).toContain('exit code 0');
    expect(exitCode).toBe(0);
    expect(report?.run.stopped).toBeNull();
    expect(keys.all.length).toBeGreaterThan(10);
    const texts = [out, ...filesBelow(join(left, 'out')).map((path) => readFileSync(path, 'latin1'))].join(
      '\n',
    );
    expect(keys.all.filter((key) => texts.includes(key))).toEqual([]);

    const records = readRecords(readFileSync(join(left, 'out', 'evidence.jsonl'), 'utf8'));
    const renewed = records.filter((each): each is KeyRecord => each.kind === 'key');
    expect(findEvidenceMistakes(records, []).filter((each) => /^key \d/.test(each))).toEqual([]);
    expect(renewed.map(({ key }) => key)).toEqual(keys.all.slice(1).map(readKeyTraits));
    const again = await command('judge', [join(left, 'out')], {}, left);
    expect([again.exitCode, again.err]).toEqual([0, '']);
    expect(again.out).toContain('Every verdict is as in the report next to the evidence.');
  });
});

test('undecided is what every key is refused for, and what every key ended for; a new key may come late @simulated', async () => {
  const tests = (await collectSuite()).filter(verifying('get-pet.not-found', 'list-pets.limit'));
  const judge = async (keys: Keys, vary: Vary, readKeyAgain = () => keys.valid) => {
    const settings = { readKeyAgain };
    const { findings, stopped } = await runOn({ vary, key: keys.valid, settings }, tests);
    expect(stopped).toBeNull();
    const results = makeResults(findings).filter(({ verdict }) => verdict !== 'pass');
    return results.map(({ id, verdict }) => [id, verdict]);
  };
  const keys = new Keys();
  const refusing = combineVaries(
    expiring(keys, (_, used) => used === 20),
    replaceStep(
      'getPet',
      (_, service) => async (call) => service.error(401, 'unauthorized', 'not for you', call),
    ),
  );
  expect(await judge(keys, refusing)).toContainEqual(['get-pet.not-found', 'inconclusive']);
  const others = new Keys();
  const undecided = await judge(
    others,
    expiring(others, ({ operation }) => operation === 'getPet'),
  );
  expect(undecided.filter(([, verdict]) => verdict === 'fail')).toEqual([]);
  expect(undecided).toContainEqual(['get-pet.not-found', 'inconclusive']);
  // The file has each new key only at the second read, and the 401 does not say that the old one has expired.
  const late = new Keys();
  let known = late.valid;
  const readLate = () => [known, (known = late.valid)][0] ?? '';
  const silent: Vary = (Base) =>
    class extends expiring(late, (_, used) => used === 20)(Base) {
      override unauthorized(call: Call): Reply {
        return Base.prototype.unauthorized.call(this, call);
      }
    };
  const open = (await judge(late, silent, readLate)).filter(
    ([id, verdict]) => verdict === 'fail' || id === 'get-pet.not-found' || id === 'list-pets.limit',
  );
  expect(open).toEqual([]);
  expect(late.all.length).toBeGreaterThan(2);
});

test('a key that expires and is not renewed ends the run, in the words of the target @simulated', async () => {
  const keys = new Keys();
  await against(
    expiring(keys, (_, used) => used > LASTS),
    async ({ BASE_URL }) => {
      const { exitCode, report } = await command('conformance', [], { BASE_URL, API_KEY: keys.valid });
      expect(exitCode).toBe(3);
      expect(report?.run.stopped).toContain('the key expired during the run (the target says so)');
    },
  );
});
