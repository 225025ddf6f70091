/** Versions of the suite. A new or stricter `must` raises the major number; before 1.0 it raises the minor number. */
import type { Report } from './report-document.ts';

/** Returns the part of a version that says which promises are judged: `1` of 1.4.2, `0.3` of 0.3.7. */
function cutVersion(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}

/**
 * Warns if the reports come from versions of the suite with different promises; null if all were judged by the same promises.
 */
export function isJudgedDifferently(reports: readonly Pick<Report, 'suite'>[]): string | null {
  const versions = [...new Set(reports.map(({ suite }) => suite.version))];
  if (new Set(versions.map(cutVersion)).size < 2) return null;
  return `The suite had different major versions (${versions.join(', ')}): promises may be new or stricter, so a worse verdict need not be the doing of the target.`;
}
