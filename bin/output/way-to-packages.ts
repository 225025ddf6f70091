/**
 * Returns the environment in which a child process finds packages. With Yarn's Plug'n'Play, Node finds packages
 * through NODE_OPTIONS, so a child needs these options.
 */
export function findPackages(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS = '' } = process.env;
  return process.versions.pnp === undefined
    ? {}
    : { NODE_OPTIONS: NODE_OPTIONS.replaceAll(/--max-\S+/g, '').trim() };
}
