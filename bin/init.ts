#!/usr/bin/env node
/** `init`: writes a commented .env and a workflow for CI, never over a file. 0 written or there, 2 not possible. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import suite from '../package.json' with { type: 'json' };
import { envExample } from '../fixtures/settings/describe.ts';
import { ends, Mistake } from './certificate/command.ts';
import { program } from './commands/init.ts';
import { WORKFLOWS } from './init/workflows.ts';
import { out } from './output/print.ts';

await ends(() => {
  const { ci } = program.parse().opts<{ ci?: keyof typeof WORKFLOWS }>();
  const workflow = ci === undefined ? [] : [WORKFLOWS[ci]];
  for (const { path, text } of [{ path: '.env', text: envExample() }, ...workflow.map((each) => ({ path: each.path, text: each.text(suite.version) }))]) {
    out(`${path}: ${write(path, text) ? 'written' : 'there already, left as it is'}\n`);
  }
  out('Keep .env out of version control: the key may be in it.\n');
  return 0;
});

/** @returns whether it was not there */
function write(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o644 });
    return true;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new Mistake(`${path} cannot be written (${code})`);
  }
}
