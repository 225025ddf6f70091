#!/usr/bin/env node
/**
 * `init`: writes a commented .env and a workflow for CI. It never replaces a file. Exit codes: 0 written or there already, 2
 * not possible.
 */
import suite from '../package.json' with { type: 'json' };
import { writeEnvExample } from '../fixtures/settings/describe.ts';
import { endWithCode, writeOrRefuse } from './certificate/certificate-files.ts';
import { program } from './commands/init.ts';
import { WORKFLOWS } from './init/workflows.ts';
import { writeNewFile } from './command-line/files/own-file.ts';
import { printText } from './command-line/output/print.ts';
import { spellCommand } from './command-line/output/rerun-command.ts';

/** Files that must not be in version control: keys, and reports about a service. */
const IGNORED = ['.env', '.env.*', 'key.txt', 'reports/out/'];

await endWithCode(() => {
  const { ci, package: given } = program.parse().opts<{ ci?: keyof typeof WORKFLOWS; package?: string }>();
  const wanted = given ?? `${suite.name}@${suite.version}`;
  const workflow = ci === undefined ? [] : [WORKFLOWS[ci]];
  for (const { path, text } of [
    { path: '.env', text: writeEnvExample() },
    ...workflow.map((each) => ({ path: each.path, text: each.text(wanted) })),
  ]) {
    printText(
      `${path}: ${writeOrRefuse(path, () => writeNewFile(path, text, path === '.env' ? 0o600 : 0o644)) ? 'written' : 'there already, left as it is'}\n`,
    );
  }
  printText(
    `Add these lines to .gitignore, because a key may be in these files:\n${IGNORED.map((each) => `  ${each}\n`).join('')}`,
  );
  printText(
    `Next: set BASE_URL and API_KEY in .env, then judge: ${given === undefined ? spellCommand('run') : `npx --yes ${given} run`}\n`,
  );
  return 0;
});
