/** Versions of the suite, and so of its catalogue: a `must` that is new or tighter raises the major number, before 1.0 the minor one. */
import type { Report } from './report.ts';

/** What of a version says by which promises a target is judged: `1` of 1.4.2, `0.3` of 0.3.7. */
function judgedBy(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}

/** Why verdicts of these runs can differ though the targets do not, or null if all were judged by the same promises. */
export function judgedDifferently(reports: readonly Pick<Report, 'suite'>[]): string | null {
  const versions = [...new Set(reports.map(({ suite }) => suite.version))];
  if (new Set(versions.map(judgedBy)).size < 2) return null;
  return `The suite had different major versions (${versions.join(', ')}): promises may be new or stricter, so a worse verdict need not be the doing of the target.`;
}
