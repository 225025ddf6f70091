/** Finds lines in the sources of the project. An installed package has only compiled files, whose lines lead to the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { locateSource } from '../../fixtures/lanes/source-place.ts';

/** The root of the compiled project. */
export const ROOT = new URL('../../', import.meta.url);

/** A line of a source, and the function or table that it is a part of. */
export interface DeclaredLine {
  line: number;
  declaration: string;
}

/** Returns the first line of a source that fits; null if none does. */
export function findLine(source: string, fits: (line: string) => boolean): { line: number } | null {
  const [first] = findLines(source, fits);
  return first === undefined ? null : { line: first.line };
}

/** Returns the lines of a source that fit, found in the file that runs; of each declaration the first. */
export function findLines(source: string, fits: (line: string) => boolean): DeclaredLine[] {
  const compiled = fileURLToPath(new URL(source.replace(/\.ts$/, '.js'), ROOT));
  const file = existsSync(compiled) ? compiled : fileURLToPath(new URL(source, ROOT));
  const found = new Map<string, DeclaredLine>();
  let declaration = '';
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    declaration = DECLARATION.exec(line)?.[1] ?? declaration;
    if (!fits(line) || found.has(declaration)) continue;
    const { line: written } = locateSource({ file, line: index + 1, column: line.search(/\S/) + 1 });
    found.set(declaration, { line: written, declaration });
  }
  return [...found.values()];
}

/** A declaration at the beginning of a line. */
export const DECLARATION = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/;

export function compiledIn(room: string): string[] {
  return readdirSync(new URL(room, ROOT)).filter((name) => /(?<!\.d)\.[jt]s$/.test(name));
}

export function sourceName(name: string): string {
  return name.replace(/\.js$/, '.ts');
}
