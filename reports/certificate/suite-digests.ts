/** Computes digests of the parts of this suite, so that a certificate says which suite judged. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import suite from '../../package.json' with { type: 'json' };
import excluded from '../../schemas/excluded.json' with { type: 'json' };
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { hashBytes, writeCanonicalJson } from './signed/canonical.ts';
import type { Resource } from './statement.ts';

/** The name of a suite, and the digests of its parts: program, catalogue, schemas, excluded requirements, packages of the lock file. */
type SuiteDigests = Pick<typeof suite, 'name' | 'version'> & { parts: readonly Resource[] };

/** Ids of the tested requirements that do not count in this release. (`excused` ones are never tested.) */
export const EXCLUDED: readonly string[] = Object.keys(excluded).sort();

/** The folder of the compiled suite. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = ['bin', 'fixtures', 'reports', 'schemas', 'tests'];
/**
 * Beginnings of paths that `files` in package.json keeps out of the npm package: `tests/self` for `!dist/tests/self`, `bin/bench` for
 * `!dist/bin/bench*`. The digest leaves them out, so that a clone and an installed package have the same digest.
 */
const LEFT_OUT = suite.files.flatMap((each) => /^!dist\/(\w[^*]*)\*?$/.exec(each)?.[1] ?? []);

let known: SuiteDigests | undefined;

/** Returns the digests of the suite that runs. The files are read at the first call only. */
export function digestSuite(): SuiteDigests {
  const { name, version } = suite;
  known ??= {
    name,
    version,
    parts: [
      { uri: `pkg:npm/${name}@${version}`, ...digestPart('suite', PROGRAM.flatMap(digestFiles)) },
      digestPart('catalogue', { requirements, silences }),
      digestPart('schemas', digestFiles('schemas')),
      digestPart('excluded', excluded),
      digestPart('packages', JSON.parse(readFileSync(join(ROOT, 'packages.json'), 'utf8'))),
    ],
  };
  return known;
}

function digestPart(name: string, value: unknown): Resource {
  return { name, digest: { sha256: hashBytes(writeCanonicalJson(value)) } };
}

/** Returns the path and digest of each program file below a folder of the suite, sorted by path. */
function digestFiles(folder: string): [path: string, sha256: string][] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((each) => each.isFile() && /\.(js|json)$/.test(each.name))
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.some((each) => path.startsWith(each)));
  return paths.sort().map((path) => [path, hashBytes(readFileSync(join(ROOT, path)))]);
}
