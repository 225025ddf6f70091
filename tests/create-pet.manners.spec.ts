/** Tests of createPet: plain HTTP in the ways in which ordinary clients send it, such as chunked bodies and bodies of many sizes. */
import { askVariants, VARIANT_GROUPS } from '../fixtures/asking/vocabulary/request-variants.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { writeJson } from '../fixtures/exchange/json.ts';
import type { NewPet } from '../fixtures/interface/bodies.ts';
import { test, verifies } from '../fixtures/test.ts';

/** Sizes of bodies in bytes, around the usual sizes of buffers, the largest first. A service may refuse a large body. */
const SIZES = [16_384, 8_193, 8_192, 8_191, 4_097, 4_096, 64] as const;
/** A body with fewer bytes is sent in pieces, and another one whose pieces part inside a letter. */
const IN_PIECES = 100;
/** Bytes that are added to a refused body: the longer body is not at the size of a buffer. */
const ODD_BYTES = 5;

/**
 * Writes the NewPet with blanks between its members. Byte 4,096 is inside its name, and byte 8,192 inside its status, so that
 * chunks of 4,096 bytes cut both: the last five characters of each member come in the next chunk.
 */
function writeAcrossChunks({ name, categoryId, status }: NewPet): string {
  return [`"name":${JSON.stringify(name)},`, `"status":${JSON.stringify(status)},`]
    .reduce((text, member, index) => `${text.padEnd(4_096 * (index + 1) - member.length + 5)}${member}`, '{')
    .concat(`"categoryId":${categoryId}}`);
}

/** Writes blanks before the last brace of a JSON object, up to that size in bytes. */
function padJson(json: string, size: number): string {
  return `${json.slice(0, -1)}${' '.repeat(Math.max(0, size - Buffer.byteLength(json)))}}`;
}

const OF_SPELLINGS = [
  'representation.member-order',
  'representation.white-space',
  'representation.escapes',
] as const;

test.describe('POST /pets, as ordinary clients send it', () => {
  for (const [index, group] of VARIANT_GROUPS.entries())
    test(
      `takes a NewPet in every valid form (${index + 1})`,
      verifies('create-pet.plain-http', ...OF_SPELLINGS),
      async ({ args }) => {
        await args.given.pet('sold');
        await askVariants(args, group);
      },
    );

  test(
    'takes a body in chunks, whichever text a border is in',
    verifies.at('one-by-one', 'create-pet.plain-http'),
    async ({ api, given }) => {
      await given.requireRoomBesideExamples(1);
      const draft = await given.newPet('sold');
      const body = writeAcrossChunks(draft);
      const { response } = await api.with({ headers: [['Transfer-Encoding', 'chunked']] }).createPet(body);
      if (response?.status !== 201) await api.createPet(body);
    },
  );

  test(
    'takes a body of each size, up to the largest that it takes, and a small one that comes in pieces',
    verifies.at('one-by-one', 'create-pet.answers-201'),
    async ({ api, given }) => {
      await given.requireRoomBesideExamples(SIZES.length + 1);
      const send = async (size: number) => {
        const json = writeJson(await given.newPet('sold'));
        if (size >= IN_PIECES) return api.createPet(padJson(json, size));
        const { name, ...others } = await given.newPet('sold');
        await api.with({ inPieces: true }).createPet({ name: `${name} Zoë`, ...others });
        return api.with({ inPieces: true }).createPet(json);
      };
      const isRefused = ({ response }: Exchange) => (response?.status ?? 0) >= 400;
      for (const size of SIZES) {
        const exchange = await send(size);
        if (isRefused(exchange)) await send(size + ODD_BYTES);
      }
    },
  );
});
