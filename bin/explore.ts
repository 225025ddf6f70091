#!/usr/bin/env node
/** `npm run explore`: holds the properties against the target with ever new seeds, and prints what they find. No verdict, no report. */
import { randomKey } from '../fixtures/reference/random-key.ts';
import { serve } from '../fixtures/reference/serve.ts';
import type { Settings } from '../fixtures/settings/settings.ts';
import { readSettings } from '../fixtures/settings/read-settings.ts';
import { openWire, proxyFor } from '../fixtures/transport/transport.ts';
import { terminal } from '../reports/words/escape.ts';
import { setVariables } from './command-line/variable-options.ts';
import { program } from './commands/explore.ts';
import { Exploration } from './explore/exploration.ts';
import { LiveLine } from './explore/live-line.ts';
import { err, out } from './output/print.ts';
import { NO_OPTIONS } from './run/configuration.ts';
import { collectSuite } from './selection/suite.ts';

/** @returns the exit code */
async function explore(settings: Settings, minutes: number): Promise<number> {
  const key = settings.embedded ? randomKey() : settings.key;
  const embedded = settings.embedded ? await serve({ key }) : null;
  const baseUrl = embedded?.baseUrl ?? settings.baseUrl;
  const wire = openWire({
    origin: new URL(baseUrl),
    timeout: settings.requestTimeout,
    network: settings.network,
  });
  const tests = (await collectSuite()).filter(({ place }) => place.file.includes('/properties/'));
  const live = new LiveLine(process.stdout.isTTY === true);
  const exploration = new Exploration({ ...settings, baseUrl, key }, wire, minutes, live);
  const interrupt = () => exploration.interrupt();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    await exploration.run(tests);
  } finally {
    live.end();
    wire.close();
    await embedded?.close();
  }
  const lines = [...exploration.tally.lines.map(terminal), exploration.summary];
  for (const line of lines) out(`${line}\n`);
  return exploration.exitCode;
}

const mistaken = setVariables(program.parse());
const configured =
  mistaken.length > 0
    ? { mistakes: mistaken }
    : readSettings({ env: process.env, cwd: process.cwd(), options: NO_OPTIONS, proxyFor });
if ('mistakes' in configured) {
  for (const mistake of configured.mistakes) err(`${mistake}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await explore(configured.settings, program.opts<{ minutes: number }>().minutes).catch(
    (error: unknown) => {
      err(`${error instanceof Error ? error.message : String(error)}\n`);
      return 3;
    },
  );
}
