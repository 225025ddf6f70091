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
import { runCommand, makeFolder } from '../samples/command.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { runOn, matchTests } from '../samples/run-on.ts';
import { filesBelow } from '../samples/installed.ts';
import { readRecords } from '../samples/read-records.ts';

/** A key ends at this request: `endManyKeys` refuses it, and the last test still serves it. */
const VALID_FOR = 12;

/** The keys of a service, each valid until the next one is drawn. Every second key has letters, the others have digits only. */
class Keys {
  readonly all: string[] = [];
  private readonly onRenewal: (key: string) => void;

  /** @param onRenewal gets each key before the service refuses the former one */
  constructor(onRenewal: (key: string) => void = () => undefined) {
    this.onRenewal = onRenewal;
    this.renew();
  }

  get valid(): string {
    return this.all.at(-1) ?? '';
  }

  renew(): void {
    const bytes = randomBytes(12 + this.all.length);
    this.all.push(this.all.length % 2 === 0 ? bytes.join('') : `Rk-${bytes.toString('base64url')}`);
    this.onRenewal(this.valid);
  }
}

/**
 * Makes a service that takes only the valid key.
 * @param endsKey true: the request is refused, and its key ends. `used`: the number of requests with this key, from 1.
 */
function expiring(
  keys: Keys,
  endsKey: (call: Call, used: number) => boolean,
): (Base: typeof Reference) => typeof Reference {
  let used = 0;
  return (Base) =>
    class extends Base {
      override accepts(token: string, call: Call): boolean {
        if (token !== keys.valid) return false;
        used += 1;
        if (!endsKey(call, used)) return true;
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

/**
 * Makes `endsKey` of a service that ends many keys:
 * - at request `VALID_FOR` with it; the next key ends at once, when the refused request is sent again with it. Example: a request with key 1
 *   gets 401, the same request with key 2 gets 401 too, and with key 3 it is served
 * - at the first request with another spelling of the scheme, e.g. `bearer`
 */
function endManyKeys(): (call: Call, used: number) => boolean {
  /** The request that was refused because its key was used up, e.g. `GET /v1/pets`: it comes again with the next key. */
  let refused: string | undefined;
  const schemes = new Set<string | undefined>(['Bearer']);
  return ({ incoming, headers }, used) => {
    const request = `${incoming.method} ${incoming.url}`;
    const scheme = headers.authorization?.split(' ')[0];
    const isUsedUp = used >= VALID_FOR;
    const isSentAgain = request === refused;
    const isNewScheme = !schemes.has(scheme);
    schemes.add(scheme);
    if (isUsedUp) refused = request;
    else if (isSentAgain) refused = undefined;
    return isUsedUp || isSentAgain || isNewScheme;
  };
}

test('a run takes each new key from the file of the key, and no file shows one of them @simulated', async () => {
  const folder = makeFolder();
  const file = join(folder, 'key');
  const keys = new Keys((key) => writeFileSync(file, `${key}\n`));
  await withReference(expiring(keys, endManyKeys()), async ({ BASE_URL }) => {
    const env = { BASE_URL, API_KEY_FILE: file };
    const { exitCode, out, report, folder: left } = await runCommand('conformance', ['--quick'], env);
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
    const again = await runCommand('judge', [join(left, 'out')], {}, left);
    expect([again.exitCode, again.err]).toEqual([0, '']);
    expect(again.out).toContain('Every verdict is as in the report next to the evidence.');
  });
});

/** Judges get-pet.not-found and list-pets.limit. Returns each promise that does not pass, with its verdict. */
async function judgeTwo(keys: Keys, vary: Vary, readKeyAgain = () => keys.valid) {
  const tests = (await collectSuite()).filter(matchTests('get-pet.not-found', 'list-pets.limit'));
  const { findings, stopped } = await runOn({ vary, key: keys.valid, settings: { readKeyAgain } }, tests);
  expect(stopped).toBeNull();
  const results = makeResults(findings).filter(({ verdict }) => verdict !== 'pass');
  return results.map(({ id, verdict }) => [id, verdict]);
}

test('a getPet that is refused with every key is undecided @simulated', async () => {
  const keys = new Keys();
  const refusing = combineVaries(
    expiring(keys, (_, used) => used === 20),
    replaceStep(
      'getPet',
      (_, service) => async (call) => service.error(401, 'unauthorized', 'not for you', call),
    ),
  );
  expect(await judgeTwo(keys, refusing)).toContainEqual(['get-pet.not-found', 'inconclusive']);
});

test('a getPet that ends every key is undecided @simulated', async () => {
  const keys = new Keys();
  const undecided = await judgeTwo(
    keys,
    expiring(keys, ({ operation }) => operation === 'getPet'),
  );
  expect(undecided.filter(([, verdict]) => verdict === 'fail')).toEqual([]);
  expect(undecided).toContainEqual(['get-pet.not-found', 'inconclusive']);
});

test('a new key that comes late, after a 401 that does not name the reason, leaves nothing undecided @simulated', async () => {
  const keys = new Keys();
  // The file has each new key only at the second read.
  let inFile = keys.valid;
  const readLate = () => {
    const read = inFile;
    inFile = keys.valid;
    return read;
  };
  const withoutReason: Vary = (Base) =>
    class extends expiring(keys, (_, used) => used === 20)(Base) {
      // The 401 of the reference, which does not say that the token has expired
      override unauthorized(call: Call): Reply {
        return Base.prototype.unauthorized.call(this, call);
      }
    };
  const open = (await judgeTwo(keys, withoutReason, readLate)).filter(
    ([id, verdict]) => verdict === 'fail' || id === 'get-pet.not-found' || id === 'list-pets.limit',
  );
  expect(open).toEqual([]);
  expect(keys.all.length).toBeGreaterThan(2);
});

test('a key that expires and is not renewed ends the run, in the words of the target @simulated', async () => {
  const keys = new Keys();
  await withReference(
    expiring(keys, (_, used) => used > VALID_FOR),
    async ({ BASE_URL }) => {
      const { exitCode, report } = await runCommand('conformance', [], { BASE_URL, API_KEY: keys.valid });
      expect(exitCode).toBe(3);
      expect(report?.run.stopped).toContain('the key expired during the run (the target says so)');
    },
  );
});
