/**
 * The suite held to its own standard: `npm run self-tests`. Whole runs of the command that show what another shows already
 * are marked `@long`: only `npm run test:full` makes them.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  testDir: here('.'),
  workers: 2,
  timeout: 600_000,
  forbidOnly: true,
  fullyParallel: true,
  outputDir: here('./test-results'),
  reporter: 'list',
  ...(process.env.SELF_TESTS === 'all' ? {} : { grepInvert: /@long/ }),
});
