/** Which exported names no other file uses: an `export` is a promise to others, and a name without one can be changed at once. */
import { join } from 'node:path/posix';
import ts from 'typescript';

/** Every name of a module: `import * as`, `import(...)` and `export *` may use any. */
const ALL = '*';

/** No comment is read. */
const PLAINLY: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

interface Used {
  file: string;
  name: string;
}

/** `file name` for each export that no other file imports. @param textOf the text of a file */
export function unusedExports(files: readonly string[], textOf: (file: string) => string): string[] {
  const sources = files.map((file) => ts.createSourceFile(file, textOf(file), PLAINLY));
  const used = new Set(sources.flatMap(usedBy).map(({ file, name }) => `${file} ${name}`));
  return sources.flatMap((source) =>
    exportsOf(source)
      .map((name) => `${source.fileName} ${name}`)
      .filter((each) => !used.has(each) && !used.has(`${source.fileName} ${ALL}`)),
  );
}

/** `name: file, file` for each name that two files or more export. */
export function sharedExports(files: readonly string[], textOf: (file: string) => string): string[] {
  const owners = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of exportsOf(ts.createSourceFile(file, textOf(file), PLAINLY)))
      owners.set(name, (owners.get(name) ?? new Set()).add(file));
  return [...owners]
    .filter(([, each]) => each.size > 1)
    .map(([name, each]) => `${name}: ${[...each].join(', ')}`);
}

/** `file name` for each member of a class or an interface whose name is nowhere else in the code, comments left out. */
export function unusedMembers(files: readonly string[], textOf: (file: string) => string): string[] {
  const sources = files.map((file) => ts.createSourceFile(file, textOf(file), PLAINLY));
  const members: Used[] = [];
  const counts = new Map<string, number>();
  const visit = (node: ts.Node, file: string): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
      counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    // a member may be read by its name in quotation marks
    if (ts.isStringLiteral(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    if ((ts.isClassElement(node) || ts.isTypeElement(node)) && node.name && ts.isIdentifier(node.name))
      members.push({ file, name: node.name.text });
    ts.forEachChild(node, (child) => visit(child, file));
  };
  for (const source of sources) visit(source, source.fileName);
  return members.filter(({ name }) => counts.get(name) === 1).map(({ file, name }) => `${file} ${name}`);
}

function exportsOf({ statements }: ts.SourceFile): string[] {
  return statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.text];
  });
}

function isExported(statement: ts.Statement): boolean {
  const kinds = ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? []).map(({ kind }) => kind)
    : [];
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : namesIn(each.name)));
}

/** Returns the imports and re-exports of a file, at any place in it. */
function usedBy(source: ts.SourceFile): Used[] {
  const used: Used[] = [];
  const take = (module: string, names: readonly string[]) => {
    if (module.startsWith('.'))
      used.push(...names.map((name) => ({ file: join(source.fileName, '..', module), name })));
  };
  const visit = (node: ts.Node): void => {
    const module = moduleOf(node);
    if (module !== null) take(module, namesTaken(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return used;
}

function moduleOf(node: ts.Node): string | null {
  const named = (literal: ts.Node | undefined) =>
    literal !== undefined && ts.isStringLiteral(literal) ? literal.text : null;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return named(node.moduleSpecifier);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? named(node.argument.literal) : null;
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? named(node.arguments[0]) : null;
}

function namesTaken(node: ts.Node): string[] {
  const ofEach = (elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]) =>
    elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined) return [];
    return ts.isNamedImports(bindings) ? ofEach(bindings.elements) : [ALL];
  }
  if (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause))
    return ofEach(node.exportClause.elements);
  return [ALL];
}
