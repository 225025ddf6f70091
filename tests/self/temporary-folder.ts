/** All folders that self-tests make are in one, which is deleted with the last of them. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Playwright's global setup: every worker inherits the variable. @returns the teardown */
export default function useTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-tests-'));
  chmodSync(folder, 0o755); // some tests run as another user
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
