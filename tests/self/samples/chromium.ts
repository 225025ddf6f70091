/** A Chromium for tests and pictures: found on this system or in a package, and started. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Flags for a headless Chromium that talks to nobody by itself. */
export const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium may have one of these names, in a folder of PATH or of FOLDERS. PLACES are full paths of it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** A Chromium, or a sentence that says why there is none. */
type Browser = { path: string } | { missing: string };

/** Finds a Chromium: the one that CHROMIUM_PATH names, one of this system, one that an npm package carries. */
export async function findChromium(env: NodeJS.ProcessEnv): Promise<Browser> {
  const chosen = env.CHROMIUM_PATH;
  if (chosen)
    return existsSync(chosen)
      ? { path: chosen }
      : { missing: `CHROMIUM_PATH names ${chosen}, which does not exist` };
  const folders = [...(env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...FOLDERS];
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const path = candidates.find((each) => existsSync(each)) ?? (await findInPackage());
  const missing =
    'no Chromium: set CHROMIUM_PATH, install one, or npm install --no-save @sparticuz/chromium@143.0.4';
  return path === null ? { missing } : { path };
}

/** Starts the Chromium for pictures. Ends the process if there is none. */
export async function launchChromium() {
  const found = await findChromium(process.env);
  if ('path' in found) return chromium.launch({ executablePath: found.path, args: LAUNCH_ARGS });
  process.stderr.write(`There is no picture: ${found.missing}\n`);
  process.exit(2);
}

/** Returns the Chromium of the optional package, which unpacks it now; null if it is not installed. */
async function findInPackage(): Promise<string | null> {
  // A literal in `import` would make TypeScript look for the types of this package, which need not be installed.
  const name = '@sparticuz/chromium';
  try {
    const { default: packed } = (await import(name)) as { default: { executablePath(): Promise<string> } };
    return await packed.executablePath();
  } catch {
    return null;
  }
}
