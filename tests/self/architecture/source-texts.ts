/** The texts of a source: what it may print, as TypeScript reads it. */
import ts from 'typescript';

/** Returns the string literals and parts of templates that have a blank, also those inside `${}`. */
export function textsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && node.text.includes(' ')) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return texts;
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
}
