/** Whatever a report prints for people to paste is pasted here, into a shell of its own. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { findStart, spellCommands } from '../../../reports/shown/words/commands.ts';
import { spellWholeCommand } from '../../../reports/shown/words/commands.ts';
import { spellCurl, spellCurlsTogether } from '../../../reports/shown/words/curl.ts';
import { findShowing, findTogether, listEvidence } from '../../../reports/document/shown-exchange.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { writeBugReport } from '../../../reports/shown/text/run-text.ts';
import { against, command, makeFolder, oneMore } from '../samples/command.ts';
import { HOSTILE_REPORT, exchange, report } from '../samples/sample-reports.ts';

/** Faults with what the pasted curl has to show; those without a tag stand for the others in a short run. */
const PASTED: readonly (readonly [fault: string, shows: RegExp, tag?: '@long'])[] = [
  ['authentication.list-pets-presence', /^HTTP\/1\.1 200/, '@long'],
  ['authentication.list-pets-first-half', /^HTTP\/1\.1 200/],
  ['authentication.list-pets-letter-case', /^HTTP\/1\.1 200/, '@long'],
  ['authentication.list-pets-basic', /^HTTP\/1\.1 200/, '@long'],
  ['authentication.get-pet-missing-404', /^HTTP\/1\.1 404/, '@long'],
  ['create-pet.category-null-to-0', /^HTTP\/1\.1 201/, '@long'],
  ['representation.list-html', /content-type: text\/html/i, '@long'],
];

/** Runs a script as a person would paste it. Its command runs in this process. */
async function pasted(
  script: string,
  key: string | null,
  folder = makeFolder(),
): Promise<{ code: number | null; out: string }> {
  const node = `node() { "${process.execPath}" -p 'JSON.stringify([process.argv.slice(2), process.env])' -- "$@"; }\n`;
  const own = { PATH: process.env.PATH, HOME: folder, NO_PROXY: '127.0.0.1' };
  const { stdout } = await promisify(execFile)('sh', ['-c', node + script], {
    cwd: folder,
    env: { ...own, ...(key !== null && { API_KEY: key }) },
    maxBuffer: 1e8,
  });
  if (!script.includes(' node ')) return { code: 0, out: stdout };
  const [args, env] = JSON.parse(stdout) as [string[], NodeJS.ProcessEnv];
  const { exitCode, out } = await command('conformance', args, env, folder);
  return { code: exitCode, out };
}

const hasCurl = promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

for (const [id, shows, tag] of PASTED) {
  test(
    `the curl and the commands printed for ${id} show the failure when pasted`,
    { tag: tag ?? [] },
    async () => {
      test.skip(!(await hasCurl), 'there is no curl here');
      const fault = FAULTS.find((each) => each.id === id);
      if (fault === undefined) throw new Error(`there is no fault ${id}`);
      await against(fault.vary, async (target) => {
        const { report } = await command('conformance', ['--only', fault.breaks], {
          ...target,
          CATEGORY_IDS: '1',
          SEED: '3',
        });
        const failed = report?.requirements.find((each) => each.id === fault.breaks);
        if (report === null || failed?.verdict !== 'fail') throw new Error(`${fault.breaks} did not fail`);
        const shown = findShowing(listEvidence(report, failed), failed);
        if (shown === undefined) throw new Error('the failure has no evidence');
        const curl = spellCurl(shown, report.target.baseUrl);
        expect(curl).not.toContain(target.API_KEY);
        expect((await pasted(curl, target.API_KEY)).out, curl).toMatch(shows);
        for (const again of Object.values(spellCommands(findStart(report), failed))) {
          expect(again).toContain(`BASE_URL=${target.BASE_URL} CATEGORY_IDS=1 SEED=3 node ../`);
          const ended = await pasted(again, target.API_KEY);
          expect(ended.code, again).toBe(1);
          expect(ended.out).toContain(fault.breaks);
        }
      });
    },
  );
}

test('commands that reports print carry the files that were given for the run, and leave to .env what it says', async () => {
  await against(oneMore, async ({ BASE_URL, API_KEY }) => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', 'my key.txt'), API_KEY);
    const only = ['--only', 'list-pets.default-limit'];
    const { report, out } = await command(
      'conformance',
      [...only, '--api-key-file', 'keys/my key.txt'],
      { BASE_URL },
      folder,
    );
    if (report === null) throw new Error('the run left no report');
    const again =
      "animal-store-conformance.js --only list-pets.limit --only list-pets.default-limit --api-key-file 'keys/my key.txt' --report-dir out";
    expect(out).toMatch(new RegExp(`BASE_URL=${BASE_URL} node \\S+/${again}\n`));
    // in a new shell, which knows nothing of the run
    const { 'run again': spelt, replay } = spellCommands(findStart(report), {
      id: 'list-pets.default-limit',
      replay: 'token',
    });
    const ended = await pasted(spelt ?? '', null, folder);
    expect([ended.code, ended.out]).toEqual([1, expect.stringContaining(again)]);
    expect(readdirSync(folder).toSorted()).toEqual(['keys', 'out']);
    const files = "--api-key-file 'keys/my key.txt' --report-dir out";
    expect(spellWholeCommand(findStart(report))).toMatch(new RegExp(`conformance\\.js ${files}$`));
    expect(replay).toContain(`--replay token ${files}`);
    const summary = readFileSync(join(folder, 'out', 'partial', 'summary.md'), 'utf8');
    const curl = /# same request\n([^]*?)\n\n/.exec(summary)?.[1] ?? '';
    expect(curl).toContain("API_KEY=$(cat 'keys/my key.txt')\ncurl ");
    if (await hasCurl) expect((await pasted(curl, null, folder)).out).toMatch(/^HTTP\/1\.1 200/);
  });
});

test('requests that were under way together are sent together again', async () => {
  test.skip(!(await hasCurl), 'there is no curl here');
  const fault = FAULTS.find(({ id }) => id === 'create-pet.id-counter-races');
  await against(fault?.vary ?? ((Base) => Base), async (target) => {
    const { report } = await command('conformance', ['--only', 'create-pet.unique-id-concurrent'], target);
    const failed = report?.requirements.find(({ id }) => id === 'create-pet.unique-id-concurrent');
    if (report === null || failed?.verdict !== 'fail') throw new Error('it did not fail');
    const exchanges = listEvidence(report, failed);
    const shown = findShowing(exchanges, failed);
    const siblings = shown === undefined ? [] : findTogether(shown, exchanges, failed);
    expect(siblings.length).toBeGreaterThan(1);
    const { out } = await pasted(spellCurlsTogether(siblings, report.target.baseUrl), target.API_KEY);
    expect(out.match(/HTTP\/1\.1 201/g)).toHaveLength(siblings.length);
  });
});

const ids = Array.from({ length: 9 }, (_, index) => `x${index + 1}`);
const FAILING = report(
  {
    'list-pets.limit': {
      verdict: 'fail',
      expected: 'at most 5 animals',
      received: '7 animals',
      evidence: ids,
    },
  },
  { exchanges: ids.map((id) => exchange(id)) },
);
const writeFirst = (told: Report) => writeBugReport(told, findFailures(told)[0]!);

test('it has what was judged, the promise, both values, the request, its answer and the commands', () => {
  const text = writeFirst(FAILING);
  for (const part of [
    '# A list has more animals than its limit',
    '- service: `https://staging.example:8080/v1`',
    '- seen: `2026-11-20 10:00 UTC, run r1, interface 1.0.0',
    '(must, section Limits)',
    '- expected: `at most 5 animals`',
    '- received: `7 animals`',
    '- request: `GET /pets?status=sold&limit=5`',
    '- trace: `4bf92f3577b34da6a3ce929d0e0e4736`',
    '200 OK after 12 ms\nContent-Type: application/json\n\n[]',
    'curl -i',
    '$API_KEY',
    '--only list-pets.limit',
  ])
    expect(text).toContain(part);
});

test('of a long list it shows the animal that is wrong', () => {
  const rows = Array.from({ length: 90 }, (_, id) => ({ id, name: id === 70 ? 7 : 'a name of an animal' }));
  const wrong = exchange('x1', {});
  const failing = report(
    { 'representation.pet-name': { verdict: 'fail', evidence: ['x1'], received: '7', pointer: '/70/name' } },
    { exchanges: [{ ...wrong, response: { ...wrong.response!, body: JSON.stringify(rows) } }] },
  );
  const text = writeFirst(failing);
  expect(text).toContain('{"id":70,"name":7}');
  expect(text).toContain('lines left out');
});

test('what a target sent ends no block and begins no markup of its own', () => {
  for (const cause of findFailures(HOSTILE_REPORT)) {
    const text = writeBugReport(HOSTILE_REPORT, cause);
    // outside of blocks and spans nothing is left that Markdown takes for markup
    const prose = text.replaceAll(/^(`{3,})\w*\n[^]*?\n\1$/gm, '').replaceAll(/(`+)[^`].*?\1/g, '');
    expect(prose).not.toMatch(/(?<!\\)<script|(?<!\\)\]\(|@everyone|^::/m);
  }
});

test('the card has it, and five of the exchanges that are like the first', () => {
  const page = renderConformancePage(FAILING);
  const [, sentence] =
    /section <cite>Limits<\/cite>, <a href="#(sentence-limits-\d+)">sentence/.exec(page) ?? [];
  expect(page).toContain(`<li id="${sentence}">`);
  expect(page).toContain('<summary>As a bug report</summary>');
  expect(page).toContain('<summary>8 more like this</summary>');
  expect(page.match(/<figcaption>Exchange \d/g)).toHaveLength(6);
  expect(page).toContain('3 more exchanges in report.json: 7, 8, 9');
});
