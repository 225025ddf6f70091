/** The OpenAPI document in one file, in the tools that people use: each loads it, and knows the three statuses. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dereference, validate } from '@readme/openapi-parser';
import { expect, test } from '@playwright/test';
import { emptyProject, installerEnv, must, PROJECT } from '../samples/installed.ts';

const BUNDLE = join(PROJECT, 'dist/schemas/openapi.bundled.json');
const TEXT = readFileSync(BUNDLE, 'utf8');
const STATUSES = ['available', 'pending', 'sold'];
const LOADED = `
import { OpenAPIBackend } from 'openapi-backend';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';
const [, , definition] = process.argv;
const api = new OpenAPIBackend({ definition, strict: true, ajvOpts: { strict: false } });
await api.init();
const body = { name: 'Rex', categoryId: 1, status: 'gone' };
const { errors } = api.validateRequest({ method: 'post', path: '/pets', headers: {}, body }, 'createPet');
const config = await createConfig({ extends: ['spec'] });
const problems = await lintFromString({ source: readFileSync(definition, 'utf8'), absoluteRef: definition, config });
console.log(JSON.stringify({ allowed: errors[0].params.allowedValues, problems }));
`;

test('it refers to no other file, keeps int64 to the last digit, and is valid', async () => {
  expect(await validate(BUNDLE)).toMatchObject({ valid: true });
  expect(TEXT).not.toMatch(/"\$ref": "[^#]|"\$id"|"\$schema"/);
  expect(TEXT.match(/9223372036854775807\b/g)).toHaveLength(3);
  expect(TEXT.match(/-9223372036854775808\b/g)).toHaveLength(3);
  const { components } = JSON.parse(TEXT) as { components: { schemas: Record<string, { enum?: string[] }> } };
  expect(Object.keys(components.schemas).sort()).toEqual(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']);
  expect(components.schemas.PetStatus?.enum).toEqual(STATUSES);
});

test('it says what the document with its files says', async () => {
  const [whole, bundled] = await Promise.all(
    [join(PROJECT, 'schemas/openapi.json'), BUNDLE].map(async (path) => {
      const { paths } = (await dereference(path)) as { paths: object };
      return JSON.stringify(paths)
        .replaceAll(/"\$(?:id|schema)":"[^"]*",/g, '')
        .replaceAll(/"examples":\[([^\]]*)\]/g, '"example":$1');
    }),
  );
  expect(bundled).toBe(whole);
});

test('openapi-backend and Redocly @long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-openapi-'));
  const env = installerEnv(join(folder, 'cache'));
  const cwd = emptyProject(folder, 'load');
  const packages = ['openapi-backend@5.21.2', '@redocly/openapi-core@2.64.0'];
  await must('npm', ['install', '--no-save', ...packages], { cwd, env });
  writeFileSync(join(cwd, 'load.mjs'), LOADED);
  const said = await must(process.execPath, ['load.mjs', BUNDLE], { cwd, env });
  expect(JSON.parse(said)).toEqual({ allowed: STATUSES, problems: [] });
});
