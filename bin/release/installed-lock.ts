import { readFileSync } from 'node:fs';

/** Returns package.json and the lock file, both without packages that only development needs: users do not install these. */
export function dropDevelopment(): { manifest: object; lock: object } {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;
  const { devDependencies: _devOfManifest, ...manifest } = read('package.json');
  const { packages, ...lock } = read('package-lock.json') as {
    packages: Record<string, { dev?: boolean; devDependencies?: object }>;
  };
  const { '': { devDependencies: _devOfRoot, ...root } = {}, ...others } = packages;
  const installed = Object.fromEntries(Object.entries(others).filter(([, { dev }]) => dev !== true));
  return { manifest, lock: { ...lock, packages: { '': root, ...installed } } };
}
