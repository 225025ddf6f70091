import { expect, test } from '@playwright/test';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { findBodyFlaws, PET_STATUSES, type Pet } from '../../../fixtures/interface/bodies.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import { readJson, writeJson, type Json } from '../../../fixtures/exchange/json.ts';

const KEY = 'key-of-the-self-test';
let served: Served;
let agent: Agent;

test.beforeEach(async () => {
  served = await serve({ key: KEY });
  agent = new Agent({ keepAlive: true });
});
test.afterEach(async () => {
  agent.destroy();
  await served.close();
});

interface Heard {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; null where there is none. */
  body: Json;
}

interface Sent {
  body?: string | Uint8Array;
  /** The Authorization header; null sends none. */
  authorization?: string | null;
}

function ask(
  method: string,
  path: string,
  { body, authorization = `Bearer ${KEY}` }: Sent = {},
): Promise<Heard> {
  const headers = {
    ...(authorization === null ? {} : { authorization }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      served.baseUrl + path,
      { method, agent, headers },
      (answer) =>
        void (async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            body: text === '' ? null : readJson(text).value,
          });
        })(),
    );
    asked.on('error', reject).end(body);
  });
}

const create = (newPet: unknown) => ask('POST', '/pets', { body: writeJson(newPet) });

function expectError(heard: Heard, status: number) {
  expect(heard.status).toBe(status);
  expect(heard.headers['content-type']).toBe('application/json');
  expect(findBodyFlaws('Error', heard.body)).toEqual([]);
  expect(heard.body).toMatchObject({ status });
}

test('an empty store lists nothing', async () => {
  expect(await ask('GET', '/pets')).toMatchObject({
    status: 200,
    text: '[]',
    headers: { 'content-type': 'application/json' },
  });
});

for (const categoryId of [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '2147483648',
  '0',
]) {
  test(`category ${categoryId} is echoed, stored and listed to the last digit`, async () => {
    const added = await ask('POST', '/pets', {
      body: `{"name":"Ré \\ud83d\\ude00","categoryId":${categoryId},"status":"sold"}`,
    });
    expect(added.status).toBe(201);
    expect(added.text).toBe(
      `{"id":9007199254740993,"name":"Ré 😀","categoryId":${categoryId},"status":"sold"}`,
    );
    expect((await ask('GET', '/pets/9007199254740993')).text).toBe(added.text);
    expect((await ask('GET', '/pets')).text).toBe(`[${added.text}]`);
    expectError(await ask('GET', '/pets/9007199254740992'), 404);
  });
}

test('a status that was not sent is not shown', async () => {
  expect((await create({ name: '', categoryId: 1, id: 5, more: true })).text).toBe(
    '{"id":9007199254740993,"name":"","categoryId":1}',
  );
});

test('a body beyond the limit is refused to its end, and the connection goes on', async () => {
  expectError(
    await ask('POST', '/pets', { body: `{"name":"${'x'.repeat(3_000_000)}","categoryId":1}` }),
    413,
  );
  expect((await ask('GET', '/pets')).text).toBe('[]');
});

const BAD_CREDENTIALS = [
  null,
  '',
  KEY,
  'Bearer',
  'Bearer ',
  `Basic ${KEY}`,
  `Bearer ${KEY}x`,
  `Bearer ${KEY.slice(1)}`,
  `Bearer ${KEY.toUpperCase()}`,
  `Bearer ${KEY} x`,
];
for (const authorization of BAD_CREDENTIALS) {
  test(`Authorization: ${authorization ?? 'none'} opens nothing`, async () => {
    const { body } = await create({ name: 'Rex', categoryId: 1 });
    const asked: [string, string, string?][] = [
      ['GET', '/pets'],
      ['POST', '/pets', '{"name":"Eve","categoryId":1}'],
      ['GET', `/pets/${(body as unknown as Pet).id}`],
      ['GET', '/store/orders'],
    ];
    for (const [method, path, text] of asked) {
      const heard = await ask(method, path, { authorization, ...(text === undefined ? {} : { body: text }) });
      expectError(heard, 401);
      expect(heard.headers['www-authenticate']).toBe('Bearer');
    }
    expect((await ask('GET', '/pets')).body).toHaveLength(1);
  });
}

test('the name of the scheme may be in any letter case', async () => {
  expect((await ask('GET', '/pets', { authorization: `bEARER ${KEY}` })).status).toBe(200);
});

test('limit and filter hold alone and together', async () => {
  for (let nth = 0; nth < 120; nth += 1)
    await create({ name: `n${nth}`, categoryId: nth, status: [...PET_STATUSES, undefined][nth % 4] });
  for (const [query, length] of [
    ['', 20],
    ['?limit=1', 1],
    ['?limit=19', 19],
    ['?limit=100', 100],
    ['?%6Cimit=2%31', 21],
  ] as const) {
    const { body } = await ask('GET', `/pets${query}`);
    expect(body).toHaveLength(length);
    expect(findBodyFlaws('Pets', body)).toEqual([]);
  }
  for (const status of PET_STATUSES) {
    for (const [query, length] of [
      [`?status=${status}`, 20],
      [`?status=${status}&limit=3`, 3],
      [`?limit=100&status=${status}`, 30],
    ] as const) {
      const pets = (await ask('GET', `/pets${query}`)).body as unknown as Pet[];
      expect(pets).toHaveLength(length);
      expect(new Set(pets.map((pet) => pet.status))).toEqual(new Set([status]));
    }
  }
});

test('no animal is found by what is not its identifier', async () => {
  const most = '9223372036854775807';
  const ids = [most, `-${most}`, `${most}0`, '0', 'abc', '1.5', '1e0', '%20', '%zz', '9'.repeat(400)];
  for (const id of ids) expectError(await ask('GET', `/pets/${id}`), 404);
});

test('animals added at once have identifiers and answers of their own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => create({ name: `n${nth}`, categoryId: nth })),
  );
  const pets = answers.map(({ body }) => body as unknown as Pet);
  expect(pets.map(({ name }) => name)).toEqual(pets.map((_, nth) => `n${nth}`));
  expect(new Set(pets.map(({ id }) => id)).size).toBe(50);
});

test('getPet announces its removal in the form of the standards', async () => {
  await create({ name: 'Rex', categoryId: 1 });
  const { headers } = await ask('GET', '/pets/9007199254740993');
  expect(headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(headers['deprecation']).toMatch(/^@\d{10}$/);
});

test('what the document does not show is answered with an Error too', async () => {
  expectError(await ask('GET', '/nope'), 404);
  expectError(await ask('GET', '/pets/'), 404);
  for (const [path, allow] of [
    ['/pets', 'GET, HEAD, POST'],
    ['/pets/1', 'GET, HEAD'],
  ] as const) {
    const heard = await ask('OPTIONS', path);
    expectError(heard, 405);
    expect(heard.headers['allow']).toBe(allow);
  }
  expectError(await ask('INVENTED', '/pets'), 501);
  expect(await ask('HEAD', '/pets')).toMatchObject({ status: 200, text: '' });
  expect(await ask('GET', '/store/orders')).toMatchObject({ status: 200, text: '[]' });
});

test('variations override single steps, see the call, and compose', async () => {
  const overfull: Vary = (Base) =>
    class extends Base {
      override page(pets: Pet[], limit: number) {
        return super.page(pets, limit + 1);
      }
    };
  const shouting: Vary = (Base) =>
    class extends Base {
      override errorBody(status: number, code: string, message: string, call: Call) {
        return super.errorBody(
          status,
          code.toUpperCase(),
          `${message} (${call.operation} ${call.path} ${call.count})`,
          call,
        );
      }
      override async start() {
        await this.create({ name: 'first', categoryId: 1 });
        await this.create({ name: 'second', categoryId: 1 });
      }
    };
  await served.close();
  served = await serve({ key: KEY, Service: shouting(overfull(Reference)), basePath: '/a/v1/' });
  expect(served.baseUrl).toMatch(/\/a\/v1$/);
  expect((await ask('GET', '/pets?limit=1')).body).toHaveLength(2);
  expect((await ask('GET', '/pets/7?x')).body).toMatchObject({
    code: 'PET-NOT-FOUND',
    message: expect.stringContaining('(getPet /pets/7 2)'),
  });
});

test('a step that breaks is answered 500 with an Error', async () => {
  await served.close();
  served = await serve({
    key: KEY,
    Service: class extends Reference {
      override order(): Pet[] {
        throw new Error('broken');
      }
    },
  });
  expectError(await ask('GET', '/pets'), 500);
});

test('close cuts connections that are waiting', async () => {
  await served.close();
  served = await serve({
    key: KEY,
    Service: class extends Reference {
      override async deliver() {
        void served.close();
      }
    },
  });
  await expect(ask('GET', '/pets')).rejects.toThrow(/ECONNRESET|socket hang up/);
});
