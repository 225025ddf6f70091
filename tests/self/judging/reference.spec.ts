import { expect, test } from '@playwright/test';
import { findBodyFlaws, type Pet } from '../../../fixtures/interface/bodies.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { serve } from '../../../fixtures/reference/serve.ts';

// A run on the reference (`exit-codes.spec.ts`) shows that it keeps its promises. This is what no promise is about.
const KEY = 'key-of-the-self-test';

/** Serves the reference, or what is made of it, while the body runs. */
async function serving(Service: typeof Reference, body: (ask: typeof fetch) => Promise<void>) {
  const served = await serve({ key: KEY, Service });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  await body((path, init) => fetch(`${served.baseUrl}${String(path)}`, { headers, ...init }));
  await served.close();
}

async function expectError(answer: Response, status: number) {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
  const body = (await answer.json()) as { status: number };
  expect([findBodyFlaws('Error', body as never), body.status]).toEqual([[], status]);
}

test('a body beyond the limit is refused to its end, and the connection goes on', () =>
  serving(Reference, async (ask) => {
    const body = `{"name":"${'x'.repeat(3_000_000)}","categoryId":1}`;
    await expectError(await ask('/pets', { method: 'POST', body }), 413);
    expect(await (await ask('/pets')).text()).toBe('[]');
  }));

test('a step that breaks is answered 500 with an Error', () => {
  class Breaking extends Reference {
    override order(): Pet[] {
      throw new Error('broken');
    }
  }
  return serving(Breaking, async (ask) => expectError(await ask('/pets'), 500));
});

test('close cuts connections that are waiting', async () => {
  class Closing extends Reference {
    override async deliver() {
      void served.close();
    }
  }
  const served = await serve({ key: KEY, Service: Closing });
  const headers = { authorization: `Bearer ${KEY}` };
  await expect(fetch(`${served.baseUrl}/pets`, { headers })).rejects.toThrow('fetch failed');
});
