/** Chooses the environment variables that a child process gets: what a program needs to run, and nothing secret. */

/** Matches the names of variables that every child process gets, e.g. PATH. */
const PASSED_ON = /^(path|home|tmpdir|temp|tmp|systemroot|lang|tz|no_color|node_extra_ca_certs)$/i;

/** Returns the part of `env` for a run in a child process: no secret, and no variable of the suite. Under Plug'n'Play it adds NODE_OPTIONS. */
export function filterEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passedOn = Object.entries(env).filter(([name]) => PASSED_ON.test(name));
  return { ...Object.fromEntries(passedOn), ...choosePackageVariables() };
}

/**
 * Returns the variables that a child process needs to find packages. Only Yarn's Plug'n'Play needs any: it lets Node load its
 * resolver through NODE_OPTIONS. A memory limit is left out, e.g. `--max-old-space-size=4096`: it is meant for this process only.
 */
export function choosePackageVariables(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS = '' } = process.env;
  return process.versions.pnp === undefined
    ? {}
    : { NODE_OPTIONS: NODE_OPTIONS.replaceAll(/--max-\S+/g, '').trim() };
}
