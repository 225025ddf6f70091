/** What this suite is, by digests: its program files, its catalogue, its schemas and the requirements left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import suite from '../../package.json' with { type: 'json' };
import excluded from '../../schemas/excluded.json' with { type: 'json' };
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { digestOf, sha256 } from './signed/canonical.ts';

/** A suite by name, version and SHA-256 digests in hexadecimal digits. */
export interface SuiteDigests {
  name: string;
  version: string;
  /** Of the paths and digests of all program files. */
  program: string;
  /** Of requirements.json and silences.json together. */
  catalogue: string;
  /** Of the paths and digests of all schemas. */
  schemas: string;
  /** Of excluded.json. */
  excluded: string;
  /** Of the versions and digests that the lock file names for all packages that run with the suite; null: of a statement that names none. */
  packages: string | null;
}

/** A requirement that is left out until the next release, because a conforming implementation was shown to fail it. */
interface Excluded {
  reason: string;
  /** The day from which on it is left out: YYYY-MM-DD. */
  since: string;
  /** Where the challenge is shown. */
  challenge: string;
}

/** The requirements left out, by their ids. */
export const EXCLUDED: Readonly<Record<string, Excluded>> = excluded;

/** The folder that holds the compiled suite; nothing but the suite is in it. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = ['bin', 'fixtures', 'reports', 'schemas', 'tests'];
/** What is not in the package judges nobody: a clone and an installed package are the same suite. */
const LEFT_OUT = suite.files.flatMap((each) => /^!dist\/(\w[^*]*)\*?$/.exec(each)?.[1] ?? []);

let known: SuiteDigests | undefined;

/** The digests of the suite that runs. Read once. */
export function thisSuite(): SuiteDigests {
  known ??= {
    name: suite.name,
    version: suite.version,
    program: digestOf(PROGRAM.flatMap((folder) => filesBelow(join(ROOT, folder)))),
    catalogue: catalogueDigest(),
    schemas: digestOf(
      filesBelow(join(ROOT, 'schemas')).filter(
        ([path]) =>
          !['schemas/requirements.json', 'schemas/silences.json', 'schemas/excluded.json'].includes(path),
      ),
    ),
    excluded: digestOf(excluded),
    packages: digestOf(JSON.parse(readFileSync(join(ROOT, 'packages.json'), 'utf8'))),
  };
  return known;
}

/** The digest by which a catalogue is named: both of its files in canonical spelling. */
export function catalogueDigest(): string {
  return digestOf({ requirements, silences });
}

/** Path and digest of each program file below a folder, sorted. */
function filesBelow(folder: string): [path: string, sha256: string][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (each) => each.isFile() && /\.(js|json)$/.test(each.name),
  );
  const paths = entries
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.some((each) => path.startsWith(each)));
  return paths.sort().map((path) => [path, sha256(readFileSync(join(ROOT, path)))]);
}
