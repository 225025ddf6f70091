/**
 * Finds lines of code by their text, for the command `explain`. It reads the compiled file, because an installed package
 * has no sources. Source maps turn the compiled line into the line of the source, if they are there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { locateSource } from '../../../fixtures/asking/lanes/source-place.ts';

/** The root of the compiled project. */
export const ROOT = new URL('../../../', import.meta.url);

/** A line of a source, and the name of the function or table around it. */
export interface DeclaredLine {
  line: number;
  declaration: string;
}

/** Returns the first line of a source that fits; null if none does. */
export function findLine(source: string, fits: (line: string) => boolean): { line: number } | null {
  const [first] = findLines(source, fits);
  return first === undefined ? null : { line: first.line };
}

/** Returns, of each declaration of a source, the first line for which `fits` is true. */
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

/** Matches a line that begins a declaration of the file's top level, and captures its name. */
export const DECLARATION = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/;

/** Returns the names of the code files in a folder, e.g. `fixtures/judgement/rules`; type declarations (`.d.ts`) are left out. */
export function listCompiled(room: string): string[] {
  return readdirSync(new URL(room, ROOT)).filter((name) => /(?<!\.d)\.[jt]s$/.test(name));
}

/** Turns the name of a compiled file into the name of its source: `answers.js` into `answers.ts`. */
export function nameSource(name: string): string {
  return name.replace(/\.js$/, '.ts');
}
