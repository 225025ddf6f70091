import { expect, test } from '@playwright/test';
import { findBodyFlaws, type Pet } from '../../../fixtures/interface/bodies.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';

// A run on the reference (`exit-codes.spec.ts`) shows that it keeps its promises. This is what no promise is about.
const KEY = 'key-of-the-self-test';
let served: Served;
test.beforeEach(async () => void (served = await serve({ key: KEY })));
test.afterEach(() => served.close());

/** An answer; its body is JSON, or null where there is none. */
type Heard = Awaited<ReturnType<typeof ask>>;

async function ask(method: string, path: string, body: string | null = null) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(served.baseUrl + path, { method, headers, body });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text === '' ? null : (JSON.parse(text) as object),
  };
}

function expectError(heard: Heard, status: number) {
  expect(heard.status).toBe(status);
  expect(heard.headers.get('content-type')).toBe('application/json');
  expect(findBodyFlaws('Error', heard.body as never)).toEqual([]);
  expect(heard.body).toMatchObject({ status });
}

test('a body beyond the limit is refused to its end, and the connection goes on', async () => {
  expectError(await ask('POST', '/pets', `{"name":"${'x'.repeat(3_000_000)}","categoryId":1}`), 413);
  expect((await ask('GET', '/pets')).text).toBe('[]');
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
    expect(heard.headers.get('allow')).toBe(allow);
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
  await expect(ask('GET', '/pets')).rejects.toThrow('fetch failed');
});
