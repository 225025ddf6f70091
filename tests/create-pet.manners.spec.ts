/**
 * Tests of createPet: plain HTTP in the ways in which ordinary clients send it, such as chunked bodies and bodies of many sizes. The tests
 * only send: rules judge every answer of the run. `given.createOnce` returns the answer to a body, which the run sends once.
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for its animals.
 */
import { type Exchange, isSuccess, type Header } from '../fixtures/exchange/exchange.ts';
import { writeJson, isSameJson, readMembers } from '../fixtures/exchange/json.ts';
import { type NewPet, MEMBERS } from '../fixtures/interface/bodies.ts';
import { test, verifies } from '../fixtures/test.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { parseBody } from '../fixtures/exchange/read-body.ts';
import { escapeUnit } from '../fixtures/asking/arbitraries/spellings.ts';
import { spellCount } from '../fixtures/judgement/store/run-mark.ts';

/** Another way to write the same NewPet, or to send it. */
interface RequestVariant {
  title: string;
  /** A text that is added to the name. */
  addedText?: string;
  /** The spelling of `addedText` in JSON. Absent: the text itself. */
  addedJson?: string;
  /** The mark, a letter of the member `name` and a letter of the status are written as `\u` escapes. */
  isEscaped?: true;
  /** The name is the last member. */
  isNameLast?: true;
  /** White space stands between the tokens. */
  isSpaced?: true;
  contentType?: string;
  headers?: readonly Header[];
}

/** Groups of variants. One createPet combines all variants of a group. */
const VARIANT_GROUPS: readonly (readonly RequestVariant[])[] = [
  [
    { title: 'members in any order', isNameLast: true },
    { title: 'white space between tokens', isSpaced: true },
    {
      title: 'a charset beside the media type',
      // Java clients write it so, and a service may take it for another charset. The name has only characters of Windows-1252.
      addedText: 'Übel Žofie’s –',
      contentType: 'application/json;charset=UTF-8',
    },
  ],
  [
    { title: 'characters written as escapes', isEscaped: true },
    { title: 'two escapes for one character', addedText: '\u{1f408}', addedJson: '\\ud83d\\udc08' },
    { title: 'JSON as .NET writes it', addedText: 'Zoë+Max', addedJson: 'Zo\\u00EB\\u002BMax' },
    { title: 'JSON as Go writes it', addedText: '<Rex>', addedJson: '\\u003cRex\\u003e' },
    { title: 'JSON as Java writes it', addedText: 'Max/Rex', addedJson: 'Max\\/Rex' },
    {
      title: 'a chunked body',
      // A service that decodes each chunk separately loses the letter at the border. One that trims the name may lose its last character.
      addedText: 'Žofie ❤\ufe0f',
      headers: [['Transfer-Encoding', 'chunked']],
    },
    { title: 'the media type in another letter case', contentType: 'application/JSON' },
  ],
];

const REQUEST_VARIANTS: readonly RequestVariant[] = VARIANT_GROUPS.flat();

/** Sends the variants of a group in one NewPet. If the service refuses or changes it, sends each variant in a NewPet of its own. */
async function askVariants({ facts, given }: Args, group: readonly RequestVariant[]): Promise<void> {
  // On production, tests leave no strange names.
  const dropText = ({ addedText: _, addedJson: __, ...others }: RequestVariant) => others;
  const variants = facts.production ? group.map(dropText) : group;
  const sendCombined = async (chosen: readonly RequestVariant[]): Promise<'right' | 'wrong'> => {
    const { categoryId } = await given.newPet();
    // A service may keep large integers that it finds in the text by a pattern without white space, and round all others.
    const isLarge = chosen.length > 1 && chosen.some((each) => each.isSpaced === true);
    const name = writeName(`${facts.runId}r${spellVariants(chosen)}`, chosen);
    const sent: NewPet = { name, categoryId: isLarge ? 2n ** 53n + 1n : categoryId, status: 'sold' };
    const exchange = await given.createOnce(writeBody(sent, chosen), chooseHeaders(chosen));
    if (!isRefusedOrChanged({ sent, exchange })) return 'right';
    // The control: the same NewPet in usual JSON, with another name that ends alike. If it fails too, no variant is the cause.
    await given.createOnce(writeJson({ ...sent, name: `x${sent.name}` }));
    return 'wrong';
  };
  const found = await sendCombined(variants);
  if (found === 'wrong' && variants.length > 1) for (const each of variants) await sendCombined([each]);
}

/**
 * Returns a letter for each variant, e.g. `abc` for the first three, so that names differ. At most 4: an ordinary name has up to 12 letters,
 * and 7 letters of the mark and `r` come before.
 */
function spellVariants(variants: readonly RequestVariant[]): string {
  const places = variants.map(({ title }) => REQUEST_VARIANTS.findIndex((each) => each.title === title));
  return places.map(spellCount).join('').slice(0, 4);
}

/** Joins the first word and the texts of the variants with blanks: `cshcpsxrf <Rex>`. */
function writeName(firstWord: string, variants: readonly RequestVariant[]): string {
  return [firstWord, ...variants.flatMap(({ addedText }) => addedText ?? [])].join(' ');
}

/** Returns the media type and the headers with which the variants are sent. */
function chooseHeaders(variants: readonly RequestVariant[]): {
  contentType?: string;
  headers?: readonly Header[];
} {
  const contentType = variants.find((each) => each.contentType !== undefined)?.contentType;
  const headers = variants.flatMap((each) => each.headers ?? []);
  return {
    ...(contentType === undefined ? {} : { contentType }),
    ...(headers.length === 0 ? {} : { headers }),
  };
}

/** Writes the body in these variants: with `isSpaced`, `isEscaped` and so on. `writeName` has written the name. */
function writeBody({ name, categoryId, status }: NewPet, variants: readonly RequestVariant[]): string {
  const isEscaped = variants.some((each) => each.isEscaped === true);
  const [firstWord = ''] = name.split(' ');
  const spelled = [
    isEscaped ? [...firstWord].map((each) => escapeUnit(each)).join('') : firstWord,
    ...variants.flatMap(({ addedText, addedJson = addedText }) => addedJson ?? []),
  ].join(' ');
  const members = [
    [isEscaped ? '"n\\u0061me"' : '"name"', `"${spelled}"`],
    ['"categoryId"', categoryId],
    ['"status"', isEscaped ? '"\\u0073old"' : `"${status}"`],
  ];
  // Each kind of white space stands before a token and behind one.
  const isSpaced = variants.some((each) => each.isSpaced === true);
  const [open, colon, comma, close] = isSpaced
    ? [' \r\n{\t', '\t :\n', '\n,\r\n \t', '\t}\n ']
    : ['{', ':', ',', '}'];
  const [nameMember, ...others] = members.map((each) => each.join(colon));
  const isNameLast = variants.some((each) => each.isNameLast === true);
  return open + (isNameLast ? [...others, nameMember] : [nameMember, ...others]).join(comma) + close;
}

/** True if the NewPet was refused, or came back with other values. False if no answer came. */
function isRefusedOrChanged({ sent, exchange: { response } }: { sent: NewPet; exchange: Exchange }): boolean {
  if (response === null) return false;
  const pet = isSuccess(response) ? readMembers(parseBody(response)) : {};
  return MEMBERS.some((each) => !isSameJson(pet[each], sent[each]));
}

/** Sizes of bodies in bytes, around the usual sizes of buffers. A service may refuse a large body. */
const SIZES = [16_384, 8_193, 8_192, 8_191, 4_097, 4_096] as const;
/** Bytes that are added to a refused body: the longer body is not at the size of a buffer. */
const ODD_BYTES = 5;

/**
 * Writes the NewPet with blanks between its members. Byte 4,096 is inside its name, and byte 8,192 inside its status: chunks of 4,096
 * bytes cut both.
 */
function writeAcrossChunks({ name, categoryId, status }: NewPet): string {
  // Adds blanks and then the member, whose last five characters come behind the border.
  const addAcross = (border: number, text: string, member: string) =>
    text.padEnd(border + 5 - member.length) + member;
  const withName = addAcross(4_096, '{', `"name":${JSON.stringify(name)},`);
  return `${addAcross(8_192, withName, `"status":${JSON.stringify(status)},`)}"categoryId":${categoryId}}`;
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
    'takes a body that comes in pieces',
    verifies.at('one-by-one', 'create-pet.answers-201'),
    async ({ api, given }) => {
      await given.requireRoomBesideExamples(2);
      // The border in the first body is inside the letter `ë`. The second name begins the first one: an index of words may lose it.
      const sendInPieces = async () => {
        const { name, ...others } = await given.newPet('sold');
        await api.with({ inPieces: true }).createPet({ name: `${name} Zoë`, ...others });
        return api.with({ inPieces: true }).createPet({ name, ...others });
      };
      if (isRefused(await sendInPieces())) await sendInPieces();
    },
  );

  test(
    'takes a body of each size, up to the largest that it takes',
    verifies.at('own-animals-late', 'create-pet.answers-201'),
    async ({ api, given }) => {
      await given.requireRoomBesideExamples(SIZES.length);
      const sendOfSize = async (size: number) =>
        api.createPet(padJson(writeJson(await given.newPet('sold')), size));
      const sendAround = async (size: number) => {
        if (isRefused(await sendOfSize(size))) await sendOfSize(size + ODD_BYTES);
      };
      await Promise.all(SIZES.map(sendAround));
    },
  );
});

function isRefused({ response }: Exchange): boolean {
  return (response?.status ?? 0) >= 400;
}
