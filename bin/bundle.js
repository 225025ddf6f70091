/**
 * Writes `schemas/openapi.bundled.json`: the OpenAPI document with all its schemas, for tools that read one
 * file. It has version 3.0, which more tools can read: the document needs no feature of 3.1.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches the lines of `$schema` and `$id` in a schema. They hold for a file, and in the bundle a schema is not a file. */
const FILE_MEMBERS = /^\s*"\$(?:schema|id)": "[^"]*",\n/gm;

/** `"examples": [1]` of version 3.1. Version 3.0 has `"example": 1`. */
const EXAMPLES = /"examples": \[([^\]]*)\]/g;

/** @param {string} from folder of the schemas @param {string} to the file */
export function bundle(from, to) {
  const text = (/** @type {string} */ name) => readFileSync(join(from, name), 'utf8');
  const openapi = text('openapi.json');
  // In this folder, only schemas have an `$id`. Other files, e.g. requirements.json, have none.
  const files = readdirSync(from).filter(
    (name) => name.endsWith('.json') && text(name).includes(`"$id": "${name}"`),
  );
  const readTitle = (/** @type {string} */ name) => {
    const [, title] = /^ {2}"title": "(\w+)"/m.exec(text(name)) ?? [];
    if (title === undefined) throw new Error(`schemas/${name} has no title`);
    return title;
  };
  const titles = new Map(files.map((name) => [name, readTitle(name)]));
  // `"$ref": "pet.json"` becomes `"$ref": "#/components/schemas/Pet"`.
  const pointInside = (/** @type {string} */ json) =>
    json.replaceAll(/"\$ref": "([\w-]+\.json)"/g, (_, /** @type {string} */ name) => {
      const title = titles.get(name);
      if (title === undefined) throw new Error(`schemas/${name} is not a schema with that $id`);
      return `"$ref": "#/components/schemas/${title}"`;
    });
  const convertSchema = (/** @type {string} */ json) =>
    pointInside(json).replaceAll(FILE_MEMBERS, '').replaceAll(EXAMPLES, '"example": $1').trim();
  // The schemas are joined as text, because a parser would round the limits of int64.
  const schemas = files.map((name) => `"${titles.get(name)}": ${convertSchema(text(name))}`).join(',\n');
  const bundled = pointInside(openapi)
    .replace('"openapi": "3.1.0"', '"openapi": "3.0.3"')
    .replace('"components": {', () => `"components": {\n"schemas": {\n${schemas}\n},`);
  // Throws if the joined text is not JSON.
  JSON.parse(bundled);
  writeFileSync(to, bundled);
}
