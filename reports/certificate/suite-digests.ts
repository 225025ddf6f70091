/** Identifies this suite by digests: program files, catalogue, schemas, and requirements left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import suite from '../../package.json' with { type: 'json' };
import excluded from '../../schemas/excluded.json' with { type: 'json' };
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { hashValue, hashBytes } from './signed/canonical.ts';

/** The name, version and digests of a suite. Digests are SHA-256 in hexadecimal digits. */
export interface SuiteDigests {
  name: string;
  version: string;
  /** The digest of the paths and digests of all program files. */
  program: string;
  /** The digest of requirements.json and silences.json together. */
  catalogue: string;
  /** The digest of the paths and digests of all schemas. */
  schemas: string;
  /** The digest of excluded.json. */
  excluded: string;
  /** The digest of the packages that run with the suite, by the versions and digests in the lock file. */
  packages: string;
}

/**
 * A requirement that is left out until the next release, because a conforming implementation was shown to fail
 * it.
 */
interface Excluded {
  reason: string;
  /** The day from which the requirement is left out: YYYY-MM-DD. */
  since: string;
  /** The place where the challenge to the requirement is published. */
  challenge: string;
}

/** Requirements that are left out, by id. */
export const EXCLUDED: Readonly<Record<string, Excluded>> = excluded;

/** The folder of the compiled suite. It holds nothing else. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = ['bin', 'fixtures', 'reports', 'schemas', 'tests'];
/** Files that the npm package lacks are left out, so that a clone and an installed package have the same digest. */
const LEFT_OUT = suite.files.flatMap((each) => /^!dist\/(\w[^*]*)\*?$/.exec(each)?.[1] ?? []);

let known: SuiteDigests | undefined;

/** Returns the digests of the suite that runs. They are read once. */
export function digestSuite(): SuiteDigests {
  known ??= {
    name: suite.name,
    version: suite.version,
    program: hashValue(PROGRAM.flatMap((folder) => digestFiles(join(ROOT, folder)))),
    catalogue: digestCatalogue(),
    schemas: hashValue(
      digestFiles(join(ROOT, 'schemas')).filter(
        ([path]) =>
          !['schemas/requirements.json', 'schemas/silences.json', 'schemas/excluded.json'].includes(path),
      ),
    ),
    excluded: hashValue(excluded),
    packages: hashValue(JSON.parse(readFileSync(join(ROOT, 'packages.json'), 'utf8'))),
  };
  return known;
}

/** Returns the digest that names the catalogue: both of its files as canonical JSON. */
export function digestCatalogue(): string {
  return hashValue({ requirements, silences });
}

/** Returns the path and digest of each program file below a folder, sorted by path. */
function digestFiles(folder: string): [path: string, sha256: string][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (each) => each.isFile() && /\.(js|json)$/.test(each.name),
  );
  const paths = entries
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.some((each) => path.startsWith(each)));
  return paths.sort().map((path) => [path, hashBytes(readFileSync(join(ROOT, path)))]);
}
