import { expectTaken, REQUEST_VARIANTS } from '../fixtures/vocabulary/request-variants.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { writeJson } from '../fixtures/exchange/json.ts';
import { LONGEST_BODY } from '../fixtures/interface/request-oracle.ts';
import { test, verifies } from '../fixtures/test.ts';

/** Bytes of bodies around the sizes of buffers, the largest first. A service may refuse the large ones. */
const SIZES = [16_384, 8_193, 8_192, 8_191, 4_097, 4_096, 1_024, 64] as const;
/** Bytes that make another body than one at the size of a buffer. */
const ODD = 5;

/** Writes blanks before the last brace of a JSON object, up to that size in bytes. */
function padJson(json: string, size: number): string {
  return `${json.slice(0, -1)}${' '.repeat(Math.max(0, size - Buffer.byteLength(json)))}}`;
}

test.describe('POST /pets, as ordinary clients send it', () => {
  for (const variant of REQUEST_VARIANTS.filter(({ breaks }) => breaks === 'create-pet.plain-http')) {
    test(`takes ${variant.title}`, verifies('create-pet.plain-http'), async ({ args }) => {
      await expectTaken(args, variant);
    });
  }

  test(
    'takes a body of each size, up to the largest that it takes',
    verifies.at('chain', 'create-pet.answers-201'),
    async ({ api, examples, given }) => {
      await given.spareForGenerated(SIZES.length);
      const send = async (size: number) =>
        api.createPet(padJson(writeJson(await given.newPet('sold')), size));
      const isRefused = ({ response }: Exchange) => (response?.status ?? 0) >= 400;
      let isLargerTaken = false;
      for (const size of examples(SIZES)) {
        const exchange = await send(size);
        const call = api.received(exchange, `a body of ${size} bytes, blanks among them`);
        if (isRefused(exchange) && size > LONGEST_BODY && !isLargerTaken) {
          await call.looksOpen();
          continue;
        }
        // Blanks are to blame if a body of another size is refused too.
        const isOfBlanks = isRefused(exchange) && isRefused(await send(size + ODD));
        await call.answers(201, 'Pet', isOfBlanks ? 'representation.white-space' : 'create-pet.answers-201');
        isLargerTaken = true;
      }
    },
  );
});
