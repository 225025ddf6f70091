/** The schemas of bodies and openapi.json say what the document says, and `findBodyFlaws` names what is wrong in a body. */
import { dereference, validate } from '@readme/openapi-parser';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FILES, findBodyFlaws, INT64_MAX, INT64_MIN } from '../../../fixtures/interface/bodies.ts';
import { PET_STATUSES } from '../../../fixtures/interface/bodies.ts';
import { BODIES } from '../../../fixtures/interface/documented.ts';
import { OPERATIONS } from '../../../fixtures/exchange/exchange.ts';
import { findOperation } from '../../../fixtures/interface/operations.ts';
import { findAt, readJson, writeJson, type Json } from '../../../fixtures/exchange/json.ts';

const SCHEMAS = ['pet-status.json', ...Object.values(FILES)];
const path = (file: string) => fileURLToPath(new URL(`../../../schemas/${file}`, import.meta.url));
const read = (file: string) => readJson(readFileSync(path(file), 'utf8')).value;
const pet = { id: 1, name: 'Rex', categoryId: 1 };
const error = { code: 'a', message: 'b', status: 400 };

test.describe('body schemas', () => {
  for (const name of SCHEMAS) {
    test(`${name} is a JSON Schema 2020-12 without own keywords`, () => {
      const ajv = formats.default(new Ajv2020({ strict: true }));
      for (const each of SCHEMAS) ajv.addSchema(JSON.parse(readFileSync(path(each), 'utf8')));
      expect(ajv.validateSchema(JSON.parse(readFileSync(path(name), 'utf8')))).toBe(true);
      expect(ajv.getSchema(name)?.(undefined)).toBe(false);
      expect(findAt(read(name), '/$id')).toBe(name);
    });
  }

  test('int64 bounds are written to the last digit', () => {
    for (const [file, pointer] of [
      ['pet.json', '/properties/id'],
      ['new-pet.json', '/properties/categoryId'],
      ['openapi.json', '/paths/~1pets~1{petId}/get/parameters/0/schema'],
    ] as const) {
      expect(findAt(read(file), pointer)).toMatchObject({
        type: 'integer',
        format: 'int64',
        minimum: INT64_MIN,
        maximum: INT64_MAX,
      });
    }
  });

  test('the statuses of the code are those of the schema', () => {
    expect(findAt(read('pet-status.json'), '/enum')).toEqual([...PET_STATUSES]);
  });

  test('every operation of openapi.json is known, and no other request is one', () => {
    for (const [operation, addresses] of Object.entries({
      listPets: 'GET /pets?limit=5',
      createPet: 'POST /pets',
      getPet: 'GET /pets/7, GET /pets/%00?unheard-of=1',
      storeOrders: 'GET /store/orders',
      other: 'GET /pets/, GET /pets/7/unheard-of, GET /pets/7/, HEAD /pets, GET /petsx, PUT /pets/7',
    }))
      for (const address of addresses.split(', ')) {
        const [method = '', path = ''] = address.split(' ');
        expect(findOperation(method, path), address).toBe(operation);
      }
    const [evidence, report] = [read('suite/evidence.schema.json'), read('suite/report.schema.json')];
    const known = [...Object.values(OPERATIONS), 'other'];
    expect(findAt(evidence, '/$defs/exchange/properties/ask/properties/operation/enum')).toEqual(known);
    expect(findAt(report, '/$defs/exchange/properties/operation/enum')).toEqual(known);
    expect(Object.keys(findAt(report, '/properties/timings/properties') ?? {})).toEqual(known);
  });
});

test.describe('findBodyFlaws', () => {
  const within = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', '-0', '7.0'];
  const outside = '9223372036854775808 -9223372036854775809 1e300 1e999 1.5 "1" null true [] {}'.split(' ');
  const places = [
    ['NewPet', '/categoryId', (spelling: string) => `{"name":"Rex","categoryId":${spelling}}`],
    ['Pet', '/id', (spelling: string) => `{"name":"Rex","categoryId":1,"id":${spelling}}`],
    [
      'Pets',
      '/1/categoryId',
      (spelling: string) =>
        `[{"name":"Rex","categoryId":1,"id":1},{"name":"Rex","categoryId":${spelling},"id":2}]`,
    ],
  ] as const;
  for (const [body, pointer, text] of places) {
    test(`int64 is exact at ${pointer} of ${body}`, () => {
      for (const spelling of within)
        expect(findBodyFlaws(body, readJson(text(spelling)).value), spelling).toEqual([]);
      for (const spelling of outside) {
        expect(findBodyFlaws(body, readJson(text(spelling)).value), spelling).toMatchObject([
          { pointer, expected: 'an integer within int64' },
        ]);
      }
    });
  }

  const STATUSES = 'one of available, pending, sold';
  const REFUSED: Record<string, [body: Parameters<typeof findBodyFlaws>[0], value: Json, flaw: string]> = {
    'a missing member': ['Pet', { name: 'Rex', categoryId: 1 }, '/id: the member id, nothing'],
    'a name that is a number': ['NewPet', { name: 7, categoryId: 1 }, '/name: a string, the number 7'],
    'a null status, once': ['Pet', { ...pet, status: null }, `/status: ${STATUSES}, null`],
    'a status in capitals': ['Pet', { ...pet, status: 'SOLD' }, `/status: ${STATUSES}, "SOLD"`],
    'an envelope': ['Pets', { items: [] }, ': an array, {"items":[]}'],
    'an array for a Pet': ['Pet', [], ': an object, []'],
    'null in a list': ['Pets', [pet, null], '/1: an object, null'],
    'an Error without a code': ['Error', { message: 'b', status: 400 }, '/code: the member code, nothing'],
    'an Error with a status in quotes': ['Error', { ...error, status: '400' }, '/status: an integer, "400"'],
    'a long value, cut': [
      'Error',
      { ...error, code: ['x'.repeat(200)] },
      `/code: a string, ["${'x'.repeat(77)}…`,
    ],
  };
  for (const [what, [body, value, flaw]] of Object.entries(REFUSED))
    test(`refuses ${what}`, () => {
      const flaws = findBodyFlaws(body, value);
      const texts = flaws.map(({ pointer, expected, received }) => `${pointer}: ${expected}, ${received}`);
      expect(texts).toEqual([flaw]);
    });

  test('names every place at once', () => {
    const pointers = findBodyFlaws('Pets', [{ name: 1 }, pet]).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/0/categoryId', '/0/id', '/0/name']);
  });

  test('takes further members', () => {
    expect(findBodyFlaws('Pets', [{ ...pet, status: 'sold', 'a/b~c': { id: null } }])).toEqual([]);
    expect(findBodyFlaws('Error', { ...error, details: [] })).toEqual([]);
  });
});

test.describe('openapi.json', () => {
  test('is valid OpenAPI 3.1 at version 1', async () => {
    expect(await validate(path('openapi.json'))).toMatchObject({ valid: true, warnings: [] });
    expect(read('openapi.json')).toMatchObject({
      openapi: '3.1.0',
      info: { version: expect.stringMatching(/^1\./) },
    });
  });

  test('shows the operations, statuses and bodies of the interface', async () => {
    const { paths } = (await dereference(path('openapi.json'))) as unknown as {
      paths: Record<string, Record<string, Operation>>;
    };
    const shown = Object.entries(paths).flatMap(([name, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => [
        `${method.toUpperCase()} ${name}`,
        operationId ?? 'storeOrders',
        ...Object.entries(responses).map(([status, { content }]) => [
          status,
          content?.['application/json']?.schema.title,
        ]),
      ]),
    );
    const known = Object.entries(OPERATIONS).map(([route, operation]) => [
      route,
      operation,
      ...Object.entries(operation === 'storeOrders' ? { default: undefined } : BODIES[operation]),
    ]);
    expect(shown).toEqual(known);
    expect(paths['/pets/{petId}']?.['get']?.deprecated).toBe(true);
    expect(paths['/pets']?.['get']?.parameters).toMatchObject([
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      { name: 'status', in: 'query', schema: { title: 'PetStatus' } },
    ]);
    expect(paths['/pets']?.['post']?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { title: 'NewPet' } } },
    });
    expect(paths['/pets/{petId}']?.['get']?.parameters).toMatchObject([
      { name: 'petId', in: 'path', required: true },
    ]);
  });

  test('asks for a bearer token everywhere and ends every address in /v1', () => {
    const openapi = read('openapi.json');
    expect(findAt(openapi, '/security')).toEqual([{ apiKey: [] }]);
    expect(findAt(openapi, '/components/securitySchemes/apiKey')).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
    expect(writeJson(findAt(openapi, '/paths'))).not.toContain('"security"');
    const servers = findAt(openapi, '/servers') as { url: string }[];
    expect(servers.map(({ url }) => url.slice(-3))).toEqual(['/v1', '/v1']);
  });
});

interface Operation {
  operationId?: string;
  deprecated?: boolean;
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, { content?: Record<string, { schema: { title: string } }> }>;
}
