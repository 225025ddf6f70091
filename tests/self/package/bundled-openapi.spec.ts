/** The bundled openapi.json of the package: one file that says what the document with its files says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { dereference, validate } from '@readme/openapi-parser';
import { PROJECT } from '../samples/installed.ts';

const BUNDLE = join(PROJECT, 'dist/schemas/openapi.bundled.json');
const TEXT = readFileSync(BUNDLE, 'utf8');

test('it refers to no other file, keeps int64 to the last digit, and is valid', async () => {
  expect(await validate(BUNDLE)).toMatchObject({ valid: true });
  expect(TEXT).not.toMatch(/"\$ref": "[^#]|"\$id"|"\$schema"/);
  const bounds = TEXT.match(/-?922337203685\d+/g);
  expect(new Set(bounds)).toEqual(new Set(['-9223372036854775808', '9223372036854775807']));
  const { components } = JSON.parse(TEXT) as { components: { schemas: Record<string, { enum?: string[] }> } };
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']),
  );
  expect(components.schemas.PetStatus?.enum).toEqual(['available', 'pending', 'sold']);
});

test('it says what the document with its files says', async () => {
  const [fromFiles, bundled] = await Promise.all(
    [join(PROJECT, 'schemas/openapi.json'), BUNDLE].map(async (path) => {
      const { paths } = (await dereference(path)) as { paths: object };
      // The bundle has version 3.0, in which `"examples":[1]` of 3.1 is `"example":1`. Both lose `$id` and `$schema`, which only files have.
      return JSON.stringify(paths)
        .replaceAll(/"\$(?:id|schema)":"[^"]*",/g, '')
        .replaceAll(/"examples":\[([^\]]*)\]/g, '"example":$1');
    }),
  );
  expect(bundled).toBe(fromFiles);
});
