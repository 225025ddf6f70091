/** The `test` of settings: each test has a working directory, and reads the settings of a run in it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import type { Options, Settings } from '../../../fixtures/settings/settings.ts';
import { readSettings } from '../../../fixtures/settings/read-settings.ts';

const NO_OPTIONS: Options = { only: [], replay: null, dryRun: false, acceptWaivers: false, lock: false };
/** The least that names a target. */
export const TARGET = { BASE_URL: 'http://127.0.0.1:8080/v1', API_KEY: 'k3y-0123456789' };

/** Each test has its own working directory `cwd`. `settings` throws if there is a mistake; `mistakes` is empty if there is none. */
interface Folder {
  cwd: string;
  write: (files: Record<string, string>) => void;
  read: (env: NodeJS.ProcessEnv, options?: Partial<Options>) => ReturnType<typeof readSettings>;
  settings: (env: NodeJS.ProcessEnv, options?: Partial<Options>) => Settings;
  mistakes: (env: NodeJS.ProcessEnv, options?: Partial<Options>) => string[];
}

export const testInFolder = base.extend<Folder>({
  cwd: async ({}, use, info) => {
    mkdirSync(info.outputPath(), { recursive: true });
    await use(info.outputPath());
  },
  write: async ({ cwd }, use) => {
    await use((files) =>
      Object.entries(files).forEach(([name, text]) => writeFileSync(join(cwd, name), text)),
    );
  },
  read: async ({ cwd }, use) => {
    await use((env, options) => readSettings({ env, cwd, options: { ...NO_OPTIONS, ...options } }));
  },
  settings: async ({ read }, use) => {
    await use((env, options) => {
      const found = read(env, options);
      if ('mistakes' in found) throw new Error(found.mistakes.join('\n'));
      return found.settings;
    });
  },
  mistakes: async ({ read }, use) => {
    await use((env, options) => {
      const found = read(env, options);
      return 'mistakes' in found ? found.mistakes : [];
    });
  },
});
