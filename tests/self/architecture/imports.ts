/** Which file imports which, types included, as TypeScript reads it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Files by their paths from the root, each with the files of the project that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** The root of the project. The compiled file lies in `dist/tests/self/architecture/`, four folders below it. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
export const readSource = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Every TypeScript file below these folders, by its path from the root. */
export const sourcesBelow = (...folders: readonly string[]) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .sort();
export const SOURCES: readonly string[] = sourcesBelow('bin', 'fixtures', 'reports', 'tests');

/** The imports of each file. @param textOf the text of a file */
export function importsOf(files: readonly string[], textOf: (file: string) => string): Imports {
  return new Map(
    files.map((file) => [file, relativeImports(textOf(file)).map((name) => join(file, '..', name))]),
  );
}

/** Static and dynamic imports, exports from elsewhere, and types named as `import('...')`. */
function relativeImports(text: string): string[] {
  const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return [...new Set(names)].filter((name) => name.startsWith('.') && name.endsWith('.ts'));
}

/**
 * Returns the imports between the parts of a folder. A part is a file or a folder directly in it. Example for the folder `bin`:
 * if `bin/run/a.ts` imports `bin/vendors/b.ts`, the part `bin/run` imports the part `bin/vendors`.
 */
export function importsBetweenParts(folder: string, imports: Imports): Imports {
  const depth = folder.split('/').length + 1;
  const listParts = (files: readonly string[]) =>
    files
      .filter((file) => file.startsWith(`${folder}/`))
      .map((file) => file.split('/').slice(0, depth).join('/'));
  const between = new Map<string, string[]>();
  for (const [file, imported] of imports)
    for (const part of listParts([file]))
      between.set(part, [
        ...(between.get(part) ?? []),
        ...listParts(imported).filter((other) => other !== part),
      ]);
  return between;
}

/** Returns each circle as a list of its files: `a.ts` imports `b.ts`, which imports `a.ts`, directly or through others. */
export function circlesIn(imports: Imports): string[][] {
  const reachable = new Map([...imports.keys()].map((file) => [file, findReachable(file, imports)]));
  const inCircle = [...imports.keys()].filter((file) => reachable.get(file)?.has(file));
  const circles = inCircle.map((file) =>
    inCircle.filter((other) => reachable.get(file)?.has(other) && reachable.get(other)?.has(file)),
  );
  // Each file of a circle has found it: the map keeps it once
  return [...new Map(circles.map((circle) => [circle.join(' '), circle])).values()];
}

/** Returns the files that a file imports, directly or through others. */
function findReachable(file: string, imports: Imports): Set<string> {
  const reached = new Set<string>();
  const pending = [...(imports.get(file) ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    pending.push(...(imports.get(next) ?? []));
  }
  return reached;
}
