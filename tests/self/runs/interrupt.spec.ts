import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { hasProcess, readProcesses } from '../../../bin/prove/hostile/processes.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { against } from '../samples/command.ts';

type Send = (pid: number) => void;
const signal =
  (name: NodeJS.Signals): Send =>
  (pid) =>
    void process.kill(pid, name);
const toGroup =
  (name: NodeJS.Signals): Send =>
  (pid) =>
    void process.kill(-pid, name);

for (const [what, send, tag] of [
  ['SIGINT', signal('SIGINT'), '@long'],
  ['SIGTERM', signal('SIGTERM'), '@long'],
  ['SIGINT to its process group', toGroup('SIGINT'), []],
  ['SIGTERM to its process group', toGroup('SIGTERM'), '@long'],
  ['SIGINT twice', (pid) => [0, 1].forEach(() => process.kill(pid, 'SIGINT')), '@long'],
] as [string, Send, '@long' | []][]) {
  test(`${what} ends a run midway with its report, and leaves no process behind`, { tag }, async () => {
    await against(
      (Base) => Base,
      async (target) => {
        const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
        const temporary = mkdtempSync(join(tmpdir(), 'conformance-test-'));
        const script = fileURLToPath(new URL('../../../bin/conformance.js', import.meta.url));
        const env = {
          PATH: process.env.PATH,
          HOME: folder,
          TMPDIR: temporary,
          REPORT_DIR: join(folder, 'out'),
          ...target,
        };
        const child = spawn(process.execPath, [script], {
          cwd: folder,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        });
        const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
        const pid = child.pid ?? 0;
        let pids: number[] = [];
        // the first line of progress: a quarter of the tests has ended
        await new Promise<void>((resolve) =>
          child.stdout.on('data', (chunk: Buffer) => /\d+ of \d+ tests/.test(chunk.toString()) && resolve()),
        );
        pids = readProcesses(pid).pids;
        // the command, and the maker of the Allure page
        expect(pids.length).toBeGreaterThan(1);
        send(pid);
        expect(await ended).toBe(3);
        const report = JSON.parse(readFileSync(join(folder, 'out', 'report.json'), 'utf8')) as Report;
        expect(reportMistakes(report)).toEqual([]);
        expect(report.run).toMatchObject({
          complete: false,
          stopped: expect.stringContaining('interrupted'),
        });
        expect(report.counts.must.pass).toBeGreaterThan(0);
        await expect.poll(() => pids.filter(hasProcess)).toEqual([]);
        expect(readdirSync(temporary).filter((name) => name.startsWith('conformance-'))).toEqual([]);
        expect(
          readdirSync(join(folder, 'out')).filter(
            (name) => name.startsWith('.') || name === 'older-reports.txt',
          ),
        ).toEqual([]);
      },
    );
  });
}
