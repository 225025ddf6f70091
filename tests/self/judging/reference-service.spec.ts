/** The reference where no promise says anything: large bodies, its own errors, its end. Runs show that it keeps its promises. */
import { expect, test } from '@playwright/test';
import { findBodyFlaws, type Pet } from '../../../fixtures/interface/bodies.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { serve } from '../../../fixtures/reference/serve.ts';
import { withReference } from '../samples/varied-reference.ts';

/** Serves the service while the body runs. `ask`: sends requests to it with the key. */
const serveWhile = (Service: typeof Reference, body: (ask: typeof fetch) => Promise<void>) =>
  withReference(
    () => Service,
    ({ BASE_URL, API_KEY }) => {
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      return body((path, init) => fetch(`${BASE_URL}${String(path)}`, { headers, ...init }));
    },
  );

async function expectError(answer: Response, status: number) {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
  const body = (await answer.json()) as { status: number };
  expect([findBodyFlaws('Error', body as never), body.status]).toEqual([[], status]);
}

test('a body beyond the limit is refused to its end, and the connection goes on', () =>
  serveWhile(Reference, async (ask) => {
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
  return serveWhile(Breaking, async (ask) => expectError(await ask('/pets'), 500));
});

test('close cuts connections that are waiting', async () => {
  class Closing extends Reference {
    override async deliver() {
      void served.close();
    }
  }
  const served = await serve({ key: 'key-of-the-self-test', Service: Closing });
  const headers = { authorization: 'Bearer key-of-the-self-test' };
  await expect(fetch(`${served.baseUrl}/pets`, { headers })).rejects.toThrow('fetch failed');
});
