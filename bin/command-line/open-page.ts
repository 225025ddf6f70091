import { spawn } from 'node:child_process';

/** Opens a file in the browser of the user. A failure is ignored, because the path is printed too. */
export function openPage(path: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  spawn(opener, [path], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
