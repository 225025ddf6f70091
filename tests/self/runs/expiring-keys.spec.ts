/** Keys that expire during a run: a file (API_KEY_FILE) may have the next key; without it the run ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { combineVaries, replaceStep } from '../../../fixtures/implementations/operators.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { readKeyTraits } from '../../../fixtures/situations/credentials/credentials.ts';
import { findEvidenceMistakes } from '../../../fixtures/evidence/completeness.ts';
import type { KeyRecord } from '../../../fixtures/evidence/log.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { withReference } from '../samples/varied-reference.ts';
import { command, makeFolder } from '../samples/command.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { runOn, verifying } from '../samples/run-on.ts';
import { filesBelow } from '../samples/installed.ts';
import { readRecords } from '../samples/read-records.ts';

/** The number of requests for which a key is valid. */
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

/** A service that takes the valid key alone. A request with it for which `isLast` holds is refused, and ends the key. */
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
  await withReference(expiring(keys, endTwice()), async ({ BASE_URL }) => {
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
  await withReference(
    expiring(keys, (_, used) => used > LASTS),
    async ({ BASE_URL }) => {
      const { exitCode, report } = await command('conformance', [], { BASE_URL, API_KEY: keys.valid });
      expect(exitCode).toBe(3);
      expect(report?.run.stopped).toContain('the key expired during the run (the target says so)');
    },
  );
});
