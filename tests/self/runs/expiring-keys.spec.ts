/** Keys that last shorter than a run: with a file in which a new one takes the place of the old one, and without. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { readKeyTraits } from '../../../fixtures/credentials/credentials.ts';
import type { KeyRecord } from '../../../fixtures/evidence/log.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { against, command } from '../samples/command.ts';
import { readRecords } from '../samples/read-records.ts';
import { runHere } from '../samples/run-here.ts';

/** Milliseconds for which a key is valid, and for which every answer takes. */
const [LASTS, TAKES] = [4_000, 25];

/** Takes the newest key that it was given, for some time. `give` gives it another one. */
function expiring(): { vary: Vary; give: (key: string) => void } {
  let valid: { key: string; until: number } | null = null;
  const vary: Vary = (Base) =>
    class extends Base {
      override async authenticate(call: Call): Promise<Reply | null> {
        await sleep(TAKES);
        const sent = call.headers.authorization?.replace(/^Bearer /i, '');
        valid ??= { key: sent ?? '', until: performance.now() + LASTS };
        if (sent === valid.key && call.headers.authorization?.startsWith('Bearer '))
          return performance.now() < valid.until ? null : this.expired(call);
        return this.unauthorized(call);
      }

      expired(call: Call): Reply {
        const reply = this.error(401, 'expired', 'the token has expired', call);
        const challenge = 'Bearer error="invalid_token", error_description="The access token expired"';
        return { ...reply, headers: [...reply.headers, ['WWW-Authenticate', challenge]] };
      }
    };
  const give = (key: string) => (valid = { key, until: performance.now() + LASTS });
  return { vary, give };
}

function textsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

test('a key of 4 s in a file that is rewritten is renewed as often as need be, judged each by its own letters, and no file shows any', async () => {
  test.slow();
  const { vary, give } = expiring();
  const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  const file = join(folder, 'key');
  const keys: string[] = [];
  const renew = () => {
    const bytes = randomBytes(12 + keys.length);
    // each second key has letters
    const key = keys.length % 2 === 0 ? bytes.join('') : `Rk-${bytes.toString('base64url')}`;
    keys.push(key);
    give(key);
    writeFileSync(`${file}.new`, `${key}\n`);
    renameSync(`${file}.new`, file);
  };
  renew();
  const renewing = setInterval(renew, LASTS - 100);
  try {
    await against(vary, async ({ BASE_URL }) => {
      const {
        exitCode,
        out,
        report,
        folder: left,
      } = await runHere([], {
        BASE_URL,
        API_KEY_FILE: file,
        PROPERTY_RUNS: '10',
      });
      expect(out).toContain('exit code 0');
      expect(exitCode).toBe(0);
      expect(report?.run.stopped).toBeNull();
      expect(keys.length).toBeGreaterThan(2);
      const texts = out + textsBelow(join(left, 'out'));
      expect(keys.filter((key) => texts.includes(key))).toEqual([]);

      const renewed = readRecords(readFileSync(join(left, 'out', 'evidence.jsonl'), 'utf8')).filter(
        (each): each is KeyRecord => each.kind === 'key',
      );
      const sent = keys.slice(1).map(readKeyTraits);
      expect(renewed.length).toBeGreaterThan(1);
      for (const { key } of renewed) expect(sent).toContainEqual(key);
      expect(new Set(renewed.map(({ key }) => key.hasLetters)).size).toBe(2);
      const again = await command('judge', [join(left, 'out')], {}, left);
      expect([again.exitCode, again.err]).toEqual([0, '']);
      expect(again.out).toContain('Every verdict is as in the report next to the evidence.');
    });
  } finally {
    clearInterval(renewing);
  }
});

test('a key that expires and is not renewed ends the run, in the words of the target', async () => {
  const { vary } = expiring();
  await against(vary, async ({ BASE_URL, API_KEY }) => {
    const { exitCode, report } = await runHere([], { BASE_URL, API_KEY });
    expect(exitCode).toBe(3);
    expect(report?.run.stopped).toContain('the key expired during the run (the target says so)');
  });
});
