import { wayToPackages } from '../output/way-to-packages.ts';

/** Of the environment of whoever calls: what a program needs to run, and what every run may be shown. */
const PASSED_ON = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'LANG',
  'TZ',
  'NO_COLOR',
  'NODE_EXTRA_CA_CERTS',
]);

/** What a run in a process of its own takes over from the environment of its caller: no secret, nothing of the target. */
export function passedOn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => PASSED_ON.has(name.toUpperCase()));
  return { ...Object.fromEntries(own), ...wayToPackages() };
}
