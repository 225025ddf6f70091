import { expect, test } from '@playwright/test';
import { preflight, type Obstacle } from '../../../bin/preflight/preflight.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { randomKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference.ts';
import { serve } from '../../../fixtures/reference/serve.ts';
import { Engine } from '../../../fixtures/session/engine.ts';
import { drawMark } from '../../../fixtures/store/run-mark.ts';
import { openWire } from '../../../fixtures/transport/transport.ts';
import { SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';

const plainly: Vary = (Base) => Base;

/** What the preflight says of a service whose address is given as `spell` has it. */
async function looked(vary: Vary, spell: (baseUrl: string) => string = (baseUrl) => baseUrl): Promise<{ obstacle: Obstacle | null; served: string }> {
  const key = randomKey();
  const served = await serve({ key, Service: vary(Reference) });
  const baseUrl = spell(served.baseUrl);
  const wire = openWire({ origin: new URL(baseUrl), timeout: 2_000, network: SETTINGS.network });
  const engine = new Engine({ ...SETTINGS, baseUrl, key, seed: 1 }, wire, drawMark());
  const obstacle = await preflight(engine);
  wire.close();
  await served.close();
  return { obstacle, served: served.baseUrl };
}

/** Answers with server errors, or what the reference says, as long as `when` holds. */
function failing(status: number, when: (call: Call) => boolean, retryAfter?: string): Vary {
  return (Base) =>
    class extends Base {
      override async answer(call: Call): Promise<Reply> {
        if (!when(call)) return super.answer(call);
        const reply = this.error(status, 'failed', 'the service failed', call);
        return retryAfter === undefined ? reply : { ...reply, headers: [...reply.headers, ['Retry-After', retryAfter]] };
      }
    };
}

test('a service that answers is judged', async () => {
  expect((await looked(plainly)).obstacle).toBeNull();
});

for (const [title, spell] of [
  ['ends in /pets', (baseUrl: string) => `${baseUrl}/pets`],
  ['lacks /v1', (baseUrl: string) => baseUrl.replace(/\/v1$/, '')],
  ['has /pets in the place of /v1', (baseUrl: string) => baseUrl.replace(/\/v1$/, '/pets')],
] as const) {
  test(`an address that ${title} is exit 2, and the right one is named in full`, async () => {
    const { obstacle, served } = await looked(plainly, spell);
    expect(obstacle?.exitCode).toBe(2);
    expect(obstacle?.message).toContain(`${served} answers like this interface`);
  });
}

test('the right address is named also where unknown paths are pages of HTML for everybody', async () => {
  const pages: Vary = (Base) =>
    class extends Base {
      override async authenticate(call: Call): Promise<Reply | null> {
        if (call.operation !== 'other') return super.authenticate(call);
        return { status: 200, headers: [['Content-Type', 'text/html']], body: '<h1>Welcome</h1>' };
      }
    };
  const { obstacle, served } = await looked(pages, (baseUrl) => baseUrl.replace(/\/v1$/, ''));
  expect(obstacle?.exitCode).toBe(2);
  expect(obstacle?.message).toContain(`${served} answers like this interface`);
});

for (const [title, vary] of [
  ['without a time', failing(502, () => true)],
  ['with Retry-After', failing(500, () => true, '5')],
] as const) {
  test(`server errors to everything, ${title}, are no verdict: the target is down`, async () => {
    const { obstacle } = await looked(vary);
    expect(obstacle?.exitCode).toBe(3);
    expect(obstacle?.message).toMatch(/^The target is down: [^\n]+$/);
  });
}

test('a service that fails at lists alone is judged', async () => {
  expect((await looked(failing(500, ({ operation }) => operation === 'listPets'))).obstacle).toBeNull();
});

test('a service that comes up within two seconds is judged', async () => {
  expect((await looked(failing(503, ({ count }) => count <= 3))).obstacle).toBeNull();
});
