/** The GitHub action and the GitLab component. Their scripts run as a runner runs them: with its variables, and the real command. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse, parseAllDocuments, parseDocument } from 'yaml';
import { COMMANDS } from '../../../bin/command-descriptions.ts';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';
import suite from '../../../package.json' with { type: 'json' };
import { withReference } from '../samples/varied-reference.ts';
import { makeFolder } from '../samples/command.ts';
import { PROJECT, run, type Done } from '../samples/installed.ts';

interface Step {
  id?: string;
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

const ACTION = parse(readFileSync(join(PROJECT, 'action.yml'), 'utf8')) as Action;
const COMPONENT = readFileSync(join(PROJECT, '.gitlab', 'conformance.yml'), 'utf8');

/** Makes a folder with an `npx` that starts the command of this clone instead of the package. */
function makeWorkspace(): { folder: string; path: string } {
  const folder = makeFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh\n[ "$1" = --yes ] && [ "$2" = ${suite.name}@${suite.version} ] || exit 90\nshift 2\nexec "${process.execPath}" "${join(PROJECT, 'dist', 'bin', `${suite.name}.js`)}" "$@"\n`,
    { mode: 0o755 },
  );
  return { folder, path: `${bin}:${process.env.PATH ?? ''}` };
}

/** Replaces each `${{ inputs.name }}` by the input or its default, as GitHub does. */
const fillInputs = (text: string, inputs: Record<string, string>) =>
  text.replaceAll(
    /\$\{\{ inputs\.([\w-]+) \}\}/g,
    (_, name: string) => inputs[name] ?? ACTION.inputs[name]?.default ?? '',
  );

/** Runs the judging step with inputs, as GitHub's runner does. */
async function runAction(
  inputs: Record<string, string>,
): Promise<Done & { folder: string; outputs: Record<string, string>; summary: string }> {
  const step = ACTION.runs.steps.find(({ id }) => id === 'judge');
  const { folder, path } = makeWorkspace();
  const [outputFile, summaryFile, script] = ['output', 'summary', 'step.sh'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const each of [outputFile, summaryFile]) writeFileSync(each, '');
  writeFileSync(script, step?.run ?? '');
  const env = {
    ...{ PATH: path, HOME: folder, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: outputFile },
    ...{ GITHUB_STEP_SUMMARY: summaryFile, GITHUB_WORKSPACE: folder, RUNNER_TEMP: folder },
    ...Object.fromEntries(
      Object.entries(step?.env ?? {}).map(([name, text]) => [name, fillInputs(text, inputs)]),
    ),
  };
  const done = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd: folder, env });
  const lines = readFileSync(outputFile, 'utf8').trim().split('\n');
  const outputs = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  return { ...done, folder, outputs, summary: readFileSync(summaryFile, 'utf8') };
}

const NOBODY = { 'base-url': 'http://127.0.0.1:9/v1', 'api-key': 'some-key-of-length' };
/** A fault: getPet gets 410 in the place of 404. */
const gone = replaceStep(
  'noSuchPet',
  (_, service) => (call) => service.error(410, 'gone', 'no such animal', call),
);

test('a broken promise fails the action, with an annotation and outputs, and `variables` reach the run', async () => {
  await withReference(gone, async ({ BASE_URL, API_KEY }) => {
    const { exitCode, outputs, summary, out, folder } = await runAction({
      'base-url': BASE_URL,
      'api-key': API_KEY,
      options: '--only get-pet.not-found',
      variables: 'SEED=3\n\n  MAX_IN_FLIGHT=7\n',
    });
    const dir = 'reports/out';
    const path = `${dir}/partial/report.json`;
    const expected = { verdict: 'nonconforming', 'exit-code': '1', 'report-path': path, 'report-dir': dir };
    expect({ exitCode, outputs }).toEqual({ exitCode: 1, outputs: expected });
    expect(out).toMatch(/::error title=[^:]+::get-pet\.not-found[\w-]*: /);
    const report = readFileSync(join(folder, path), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ run: { seed: 3, limits: { inFlight: 7 } } });
    expect(report + out + summary).not.toContain(API_KEY);
    expect(summary).toContain('Nonconforming');
  });
});

test("the step's output report-dir is the folder that `options` name", async () => {
  for (const options of ['--report-dir there', '--report-dir=there']) {
    // Our `npx` ends with 90 if the package is another
    const { exitCode, outputs } = await runAction({ ...NOBODY, options, package: 'none' });
    expect([exitCode, outputs['report-dir']]).toEqual([90, 'there']);
  }
});

test('without an address nothing is judged, not even the reference, and no input is read as a script', async () => {
  const touch = 'touch "$RUNNER_TEMP/ran"';
  for (const inputs of [
    { 'base-url': '' },
    { 'api-key': '' },
    { variables: 'rm -rf /' },
    { 'base-url': `$(${touch})\`${touch}\``, 'api-key': `"; ${touch}; "`, options: '$(touch ran)' },
  ] as Record<string, string>[]) {
    const { exitCode, outputs, folder } = await runAction({ ...NOBODY, ...inputs });
    expect([exitCode, outputs.verdict, outputs['exit-code']]).toEqual([2, 'not-judged', '2']);
    expect(outputs['report-path'] ?? '').toBe('');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  }
  expect(ACTION.runs.steps.map((each) => each.run ?? '').join('')).not.toContain('${{');
});

test('inputs are variables of the suite, outputs come from the step, reports become an artifact in any case', () => {
  const names: string[] = VARIABLES.map(({ name }) => name);
  const other = new Set(['variables', 'options', 'artifact', 'package']);
  expect(
    Object.keys(ACTION.inputs).filter(
      (name) => !other.has(name) && !names.includes(name.toUpperCase().replaceAll('-', '_')),
    ),
  ).toEqual([]);
  expect(Object.values(ACTION.outputs).map(({ value }) => value)).toEqual(
    ['verdict', 'exit-code', 'report-path'].map((name) => `\${{ steps.judge.outputs.${name} }}`),
  );
  expect(ACTION.inputs.package?.default).toBe(`${suite.name}@${suite.version}`);
  const upload = ACTION.runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  expect(upload?.if).toContain('always()');
  expect(upload?.with?.path).toBe('${{ steps.judge.outputs.report-dir || inputs.report-dir }}');
});

interface Job {
  variables: Record<string, string>;
  script: string[];
  artifacts: { when: string; paths: string[]; reports: { junit: string } };
}

/** Runs the job of the component with inputs, as GitLab's runner does. */
async function runComponent(
  inputs: Record<string, string>,
  own: NodeJS.ProcessEnv,
): Promise<Done & { folder: string; job: Job }> {
  // The first document declares the inputs, the second one has the job
  const [head, raw] = parseAllDocuments(COMPONENT).map((each) => each.toJS() as unknown);
  const { spec } = head as { spec: { inputs: Record<string, { default?: string }> } };
  // GitLab fills in values of the YAML as it is parsed.
  const text = JSON.stringify(raw).replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    const value = inputs[name] ?? spec.inputs[name]?.default;
    if (value === undefined) throw new Error(`the input ${name} is needed`);
    return JSON.stringify(value).slice(1, -1);
  });
  const jobs = JSON.parse(text) as Record<string, Job>;
  const job = jobs[inputs.job ?? 'conformance'];
  if (job === undefined) throw new Error('there is no such job');
  const { folder, path } = makeWorkspace();
  const ci = { PATH: path, HOME: folder, CI: 'true', GITLAB_CI: 'true', CI_PROJECT_DIR: folder };
  const env = { ...ci, ...own, ...job.variables };
  const done = await run('sh', ['-e', '-c', job.script.join('\n')], { cwd: folder, env });
  return { ...done, folder, job };
}

test('the GitLab component judges, with the reports as artifacts @long', async () => {
  await withReference(gone, async ({ BASE_URL, API_KEY }) => {
    const { exitCode, folder, job, out } = await runComponent(
      {
        'base-url': BASE_URL,
        'api-key-variable': 'STAGING_KEY',
        variables: 'CATEGORY_IDS=1\n\n  SUBJECT=shop@7\n',
        options: '--only get-pet.not-found',
        'report-dir': 'results',
      },
      { STAGING_KEY: API_KEY },
    );
    expect(exitCode).toBe(1);
    expect(job.artifacts).toEqual({
      when: 'always',
      paths: ['results'],
      reports: { junit: 'results/junit.xml' },
    });
    expect(existsSync(join(folder, 'results', 'partial', 'junit.xml'))).toBe(true);
    expect(out).toMatch(/shop.*7/);
    expect(out).not.toContain(API_KEY);
  });
});

test('nothing is judged without the key in GitLab, or if a line of `variables` is not NAME=value', async () => {
  const address = { 'base-url': 'http://127.0.0.1:9/v1' };
  const unset = await runComponent({ ...address, 'api-key-variable': 'NOT_SET' }, {});
  expect(unset.exitCode).not.toBe(0);
  expect(unset.out).not.toContain('Judging');
  const wrong = await runComponent({ ...address, variables: 'rm -rf /' }, { API_KEY: 'k3y-k3y-k3y' });
  expect([wrong.exitCode, wrong.out]).toEqual([2, 'variables: a line is not NAME=value\n']);
});

test('the component is YAML before its inputs are filled in, too, and runs this version', () => {
  const [head, raw] = parseAllDocuments(COMPONENT);
  expect([...(head?.errors ?? []), ...(raw?.errors ?? [])]).toEqual([]);
  expect(Object.keys(raw?.toJS() as object)).toEqual(['$[[ inputs.job ]]']);
  expect(COMPONENT).toContain(`default: ${suite.name}@${suite.version}\n`);
  expect(COMPONENT).toContain(`ref: v${suite.version}\n`);
  const texts = ['README.md', 'docs/ci.md', 'docs/library.md'].map((name) =>
    readFileSync(join(PROJECT, name), 'utf8'),
  );
  const named = texts.join('').match(/(?<=animal-store-conformance(?:@v?|-)|ref: v)\d+\.\d+\.\d+/g);
  expect(new Set(named)).toEqual(new Set([suite.version]));
});

test('the options that docs/ci.md names are options of the commands there', async () => {
  const ci = readFileSync(join(PROJECT, 'docs', 'ci.md'), 'utf8');
  for (const [, yaml = ''] of ci.matchAll(/```yaml\n([^]*?)```/g))
    expect(parseDocument(yaml).errors).toEqual([]);
  const options = COMMANDS.flatMap((each) => each.options.map(({ long }) => long ?? ''));
  const others = ['--help', '--yes', '--omit', '--rm', '--read-only', '--tmpfs']; // of all, of npx, of npm and of docker
  const named = [...ci.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((option) => ![...options, ...others].includes(option))).toEqual([]);
});
