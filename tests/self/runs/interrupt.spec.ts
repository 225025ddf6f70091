/** Signals end a run, an issuer's run and runs of vendors midway, with a report and no process left; so does a hostile target. */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { hasProcess, readProcesses } from '../../../bin/prove/hostile/processes.ts';
import { makeKeys } from '../../../reports/certificate/signed/key-files.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { attack } from '../../../bin/prove/hostile/attack.ts';
import { findHostile } from '../samples/named-variants.ts';
import { withReference } from '../samples/varied-reference.ts';
import { makeFolder } from '../samples/command.ts';

type Send = (pid: number) => void;
/** Sends a signal to the process, or to its process group, as a terminal does. */
function signal(name: NodeJS.Signals, isToGroup = false): Send {
  return (pid) => void process.kill(isToGroup ? -pid : pid, name);
}

/** Varies createPet: `reached` resolves when it is called for the twentieth time. */
function watchAdditions() {
  let [added, resolveReached] = [0, () => {}];
  const reached = new Promise<void>((resolve) => (resolveReached = resolve));
  const vary = replaceStep('createPet', (usual) => (call) => {
    if ((added += 1) === 20) resolveReached();
    return usual(call);
  });
  return { vary, reached };
}

/** Commands that send requests to a target at URL, each with the folder of its reports. */
const RUN = ['conformance --report-dir out', 'out'] as const;
const CERTIFY = [
  'certify --base-url URL --issuer-key issuer.pem --subject-name Rex --report-dir out',
  'out',
] as const;
const TARGETS = ['targets run targets.json --out out', 'out/rex'] as const;

for (const [what, [words, reports], send, tag] of [
  ['SIGINT ends a run', RUN, signal('SIGINT'), '@long'],
  ['SIGTERM ends a run', RUN, signal('SIGTERM'), '@long'],
  ['SIGINT to its process group ends a run', RUN, signal('SIGINT', true), []],
  ['SIGTERM to its process group ends a run', RUN, signal('SIGTERM', true), '@long'],
  ['SIGINT twice ends a run', RUN, (pid) => [0, 1].forEach(() => process.kill(pid, 'SIGINT')), '@long'],
  ['SIGINT ends the run of an issuer', CERTIFY, signal('SIGINT'), []],
  ['SIGHUP ends the runs of vendors', TARGETS, signal('SIGHUP'), '@long'],
] as [string, readonly [string, string], Send, '@long' | []][]) {
  test(`${what} midway with its report, and leaves no process behind`, { tag }, async () => {
    const additions = watchAdditions();
    await withReference(additions.vary, async ({ BASE_URL, API_KEY }) => {
      const folder = makeFolder();
      const temporary = makeFolder();
      const out = join(folder, reports);
      writeFileSync(join(folder, 'issuer.pem'), makeKeys().privateKey, { mode: 0o600 });
      const rex = { name: 'rex', baseUrl: BASE_URL, apiKeyVariable: 'API_KEY' };
      writeFileSync(join(folder, 'targets.json'), JSON.stringify([rex]));
      const [script, ...args] = words.replace('URL', BASE_URL).split(' ');
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL(`../../../bin/${script}.js`, import.meta.url)), ...args],
        {
          cwd: folder,
          env: { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary, BASE_URL, API_KEY },
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        },
      );
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const pid = child.pid ?? 0;
      // `targets` prints nothing until a vendor is judged. The others print a line when a quarter of the tests has ended.
      const progress = new Promise<void>((resolve) =>
        child.stdout.on('data', (chunk: Buffer) => /\d+ of \d+ tests/.test(chunk.toString()) && resolve()),
      );
      await (words === TARGETS[0] ? additions.reached : progress);
      const { pids } = readProcesses(pid);
      // The command, and its child: it makes the Allure page, or judges a vendor
      expect(pids.length).toBeGreaterThan(1);
      send(pid);
      expect(await ended).toBe(3);
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
      expect(checkReport(report)).toEqual([]);
      expect(report.run).toMatchObject({ complete: false, stopped: expect.stringContaining('interrupted') });
      expect(JSON.parse(readFileSync(join(out, 'footprint.json'), 'utf8')).animals).not.toEqual([]);
      await expect.poll(() => pids.filter(hasProcess)).toEqual([]);
      expect(readdirSync(temporary).filter((name) => name.startsWith('conformance-'))).toEqual([]);
      const remains = readdirSync(out).filter((name) => /^\.|^older-reports\.txt$/.test(name));
      expect(remains).toEqual([]);
    });
  });
}

/** Two hostile targets: one closes its connections, one sends too much. `npm run prove` runs all hostile targets. */
const SAMPLES = ['closes-at-once', 'gzip-bomb'];

test.describe('a run ends in time, with little memory and its report, and does not show its key, at a target that', () => {
  for (const id of SAMPLES) {
    test(id, async () => {
      expect((await attack(findHostile(id))).problems).toEqual([]);
    });
  }
});
