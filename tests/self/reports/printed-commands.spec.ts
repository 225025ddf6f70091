/** The commands that a report prints for people are pasted here into a new shell, and must show the failure again. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { findStart, spellCommands, spellWholeCommand } from '../../../reports/shown/words/commands.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { spellShownCurl } from '../../../reports/shown/words/cause-facts.ts';
import { spellCurl, spellTogether } from '../../../reports/shown/words/curl.ts';
import { findShownExchange, findTogether, listEvidence } from '../../../reports/document/shown-exchange.ts';
import { withReference, exceedLimits } from '../samples/varied-reference.ts';
import { runCommand, makeFolder } from '../samples/command.ts';
import { findFault } from '../samples/named-variants.ts';

/** Faults, and the answer that the pasted curl has to show. Faults without a tag are in short runs too. */
const PASTED: readonly (readonly [fault: string, shows: RegExp, tag?: '@long'])[] = [
  ['authentication.list-pets-presence', /^HTTP\/1\.1 200/, '@long'],
  ['authentication.list-pets-first-half', /^HTTP\/1\.1 200/],
  ['authentication.list-pets-letter-case', /^HTTP\/1\.1 200/, '@long'],
  ['authentication.list-pets-basic', /^HTTP\/1\.1 200/, '@long'],
  ['authentication.get-pet-missing-404', /^HTTP\/1\.1 404/, '@long'],
  ['create-pet.category-null-to-0', /^HTTP\/1\.1 201/, '@long'],
  ['representation.list-html', /content-type: text\/html/i, '@long'],
];

/**
 * Runs a printed command as a person would paste it. A curl runs in the shell. In place of `node` the shell has a function that
 * prints its arguments and variables: with these the command runs in this process. @param key null: API_KEY is not set
 */
async function paste(
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
  const { exitCode, out } = await runCommand('conformance', args, env, folder);
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
      const fault = findFault(id);
      await withReference(fault.vary, async (target) => {
        const env = { ...target, CATEGORY_IDS: '1', SEED: '3' };
        const { report } = await runCommand('conformance', ['--only', fault.breaks], env);
        const failed = report?.requirements.find((each) => each.id === fault.breaks);
        if (report === null || failed?.verdict !== 'fail') throw new Error(`${fault.breaks} did not fail`);
        const shown = findShownExchange(report, failed);
        if (shown === undefined) throw new Error('the failure has no evidence');
        const curl = spellCurl(shown, report.target.baseUrl);
        expect(curl).not.toContain(target.API_KEY);
        expect((await paste(curl, target.API_KEY)).out, curl).toMatch(shows);
        for (const again of Object.values(spellCommands(findStart(report), failed))) {
          expect(again).toContain(`BASE_URL=${target.BASE_URL} CATEGORY_IDS=1 SEED=3 node ../`);
          const ended = await paste(again, target.API_KEY);
          expect(ended.code, again).toBe(1);
          expect(ended.out).toContain(fault.breaks);
        }
      });
    },
  );
}

test('printed commands name the files that the run was given, and repeat nothing of .env', async () => {
  await withReference(exceedLimits, async ({ BASE_URL, API_KEY }) => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', 'my key.txt'), API_KEY);
    const only = ['--only', 'list-pets.default-limit'];
    const { report, out } = await runCommand(
      'conformance',
      [...only, '--api-key-file', 'keys/my key.txt'],
      { BASE_URL },
      folder,
    );
    if (report === null) throw new Error('the run left no report');
    // `exceedLimits` breaks list-pets.limit too: the printed command judges every broken promise again.
    const again =
      "animal-store-conformance.js --only list-pets.limit --only list-pets.default-limit --api-key-file 'keys/my key.txt' --report-dir out";
    expect(out).toMatch(new RegExp(`BASE_URL=${BASE_URL} node \\S+/${again}\n`));
    // In a new shell, which knows nothing of the run
    const { 'run its tests again': rerun, 'send its input again': replay } = spellCommands(
      findStart(report),
      {
        id: 'list-pets.default-limit',
        replay: 'token',
      },
    );
    const ended = await paste(rerun ?? '', null, folder);
    expect([ended.code, ended.out]).toEqual([1, expect.stringContaining(again)]);
    expect(readdirSync(folder).toSorted()).toEqual(['keys', 'out']);
    const files = "--api-key-file 'keys/my key.txt' --report-dir out";
    expect(spellWholeCommand(findStart(report))).toMatch(new RegExp(`conformance\\.js ${files}$`));
    expect(replay).toContain(`--replay token ${files}`);
    const summary = readFileSync(join(folder, 'out', 'partial', 'summary.md'), 'utf8');
    const curl = /# same request\n([^]*?)\n\n/.exec(summary)?.[1] ?? '';
    expect(curl).toContain("API_KEY=$(cat 'keys/my key.txt')\ncurl ");
    if (await hasCurl) expect((await paste(curl, null, folder)).out).toMatch(/^HTTP\/1\.1 200/);
  });
});

test('requests that were under way together are sent together again', async () => {
  test.skip(!(await hasCurl), 'there is no curl here');
  await withReference(findFault('create-pet.id-counter-races').vary, async (target) => {
    const { report } = await runCommand('conformance', ['--only', 'create-pet.unique-id-concurrent'], target);
    const failed = report?.requirements.find(({ id }) => id === 'create-pet.unique-id-concurrent');
    if (report === null || failed?.verdict !== 'fail') throw new Error('it did not fail');
    const exchanges = listEvidence(report, failed);
    const shown = findShownExchange(report, failed);
    const siblings = shown === undefined ? [] : findTogether(shown, exchanges, failed);
    expect(siblings.length).toBeGreaterThan(1);
    const { out } = await paste(spellTogether(siblings, report.target.baseUrl), target.API_KEY);
    expect(out.match(/HTTP\/1\.1 201/g)).toHaveLength(siblings.length);
  });
});

test('the request that decides is sent before, on the same connection', async () => {
  test.skip(!(await hasCurl), 'there is no curl here');
  await withReference(findFault('authentication.poisoned-by-missing-key').vary, async (target) => {
    const { report } = await runCommand('conformance', ['--only', 'authentication.after-refusals'], target);
    const [cause] = report === null ? [] : findFailures(report);
    if (report === null || cause === undefined) throw new Error('it did not fail');
    const command = spellShownCurl(report, cause) ?? '';
    expect(command).toContain('--next');
    expect((await paste(command, target.API_KEY)).out.match(/HTTP\/1\.1 401/g)).toHaveLength(2);
  });
});
