/** Where packages are not in folders (Yarn's Plug'n'Play), Node learns from its options how to find them: a child needs them too. */
export function wayToPackages(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS = '' } = process.env;
  return process.versions.pnp === undefined
    ? {}
    : { NODE_OPTIONS: NODE_OPTIONS.replaceAll(/--max-\S+/g, '').trim() };
}
