/**
 * Returns the variables that a child process needs to find packages. Only Yarn's Plug'n'Play needs any: it lets Node load its
 * resolver through NODE_OPTIONS. Limits of memory among these options are left out.
 */
export function findPackages(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS = '' } = process.env;
  return process.versions.pnp === undefined
    ? {}
    : { NODE_OPTIONS: NODE_OPTIONS.replaceAll(/--max-\S+/g, '').trim() };
}
