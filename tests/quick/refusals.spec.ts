/** Tests of a quick run that send bodies with one mistake: each kind of mistake once, in turn with each Accept of a client. */
import { chooseHeaders, type Accept } from '../../fixtures/situations/credentials/pairwise/factors.ts';
import type { RequirementId } from '../../fixtures/interface/requirements.ts';
import { OF_EVERY_ERROR } from '../../fixtures/interface/blame.ts';
import { writeMarkAsDigits } from '../../fixtures/judgement/store/run-mark.ts';
import { test, verifies } from '../../fixtures/test.ts';
import {
  NOT_A_NUMBER,
  NOT_A_STATUS,
  NOT_A_STRING,
  OTHER_MEMBERS,
  WRONG_BESIDE_ANOTHER,
} from '../../fixtures/asking/vocabulary/value-classes.ts';

/** Values from which a row writes its wrong body. */
interface Parts {
  /** A right name, as text without quotation marks. */
  name: string;
  /** A right category, as JSON. */
  category: string;
  /** A number for a wrong name. The mark of the run can be read from it, so that a stored animal is found. */
  number: string;
}

/** The broken promise if the body is accepted, the mistake in words, and the body. */
type Row = readonly [RequirementId, title: string, write: (parts: Parts) => string];

/** Writes a NewPet. Each value is JSON text already. */
const writeMembers = (name: string, category: string, status = '') =>
  `{"name":${name},"categoryId":${category}${status === '' ? '' : `,"status":${status}`}}`;

const ROWS: readonly Row[] = [
  ['create-pet.name-missing', 'no name', ({ category }) => `{"categoryId":${category}}`],
  [
    'create-pet.name-missing',
    'no name and a status',
    ({ category }) => `{"categoryId":${category},"status":"sold"}`,
  ],
  ['create-pet.category-id-missing', 'no categoryId', ({ name }) => `{"name":"${name}"}`],
  [
    'create-pet.category-id-missing',
    'no categoryId and a status',
    ({ name }) => `{"name":"${name}","status":"pending"}`,
  ],
  ...NOT_A_STRING.map(([title, write]): Row => [
    'create-pet.name-type',
    `a name that is ${title}`,
    ({ name, category, number }) => writeMembers(write(name, number), category, '"pending"'),
  ]),
  ...NOT_A_NUMBER.map(([title, text]): Row => [
    'create-pet.category-id-type',
    `a categoryId that is ${title}`,
    ({ name }) => writeMembers(`"${name}"`, text, '"sold"'),
  ]),
  ...['1.5', '-2.5', '4503599627370495.5'].map((text): Row => [
    'create-pet.category-id-integer',
    `categoryId ${text}`,
    ({ name }) => writeMembers(`"${name}"`, text),
  ]),
  ...['9223372036854775808', '-9223372036854775809', '9999999999999999999', '9223372036854775808.0'].map(
    (text): Row => [
      'create-pet.category-id-range',
      `categoryId ${text}`,
      ({ name }) => writeMembers(`"${name}"`, text),
    ],
  ),
  ...NOT_A_STRING.map(([title, write]): Row => [
    'create-pet.status-type',
    `a status that is ${title}`,
    ({ name, category }) => writeMembers(`"${name}"`, category, write('sold', '1')),
  ]),
  ...NOT_A_STATUS.map((status): Row => [
    'create-pet.status-values',
    `the status ${JSON.stringify(status)}`,
    ({ name, category }) => writeMembers(`"${name}"`, category, JSON.stringify(status)),
  ]),
  ['create-pet.body-missing', 'no body', () => ''],
  ['create-pet.empty-object', 'an object without members', () => '{}'],
  ['create-pet.body-not-object', 'null', () => 'null'],
  [
    'create-pet.body-not-object',
    'an array of a NewPet',
    ({ name, category }) => `[${writeMembers(`"${name}"`, category)}]`,
  ],
  ['create-pet.body-not-object', 'an array of values', ({ name, category }) => `["${name}",${category}]`],
  ['create-pet.body-not-object', 'a string', ({ name }) => `"${name}"`],
  [
    'create-pet.body-not-object',
    'a NewPet within a string',
    ({ name, category }) => JSON.stringify(writeMembers(`"${name}"`, category)),
  ],
  [
    'create-pet.body-malformed',
    'an object cut off before its second member',
    ({ name }) => `{"name":"${name}",`,
  ],
  [
    'create-pet.body-malformed',
    'an object cut off behind a sign',
    ({ name }) => `{"name":"${name}","categoryId":-`,
  ],
  ['create-pet.body-malformed', 'a bare word', ({ name }) => name],
  ...WRONG_BESIDE_ANOTHER.map(([promise, title, write]): Row => [
    promise,
    `${title} beside another member`,
    ({ name, category }) => write(name, category),
  ]),
  ...OTHER_MEMBERS.map(([member, write]): Row => [
    'create-pet.other-members',
    `${member} for a member`,
    ({ name, category }) => write(name, category),
  ]),
];

const ACCEPTS: readonly Accept[] = ['usual', 'any', 'browser', 'absent'];
/**
 * The number of connections for the bodies. Two bodies may be under way: both may add an animal, and a quick run has room for two
 * such animals. With a third connection, a place never waits for a connection. Five rows in turn share one: of the rows that are
 * asked, each connection then has nearly as many as the others.
 */
const CONNECTIONS = 3;

test.describe('Quick: bodies with one thing wrong', () => {
  for (const [index, [promise, title, write]] of ROWS.entries()) {
    // The first body of each promise is sent while other tests add animals, and the others while other tests read.
    const isEarly = index === ROWS.findIndex(([each]) => each === promise);
    test(
      `refuses ${title}`,
      verifies.at(
        isEarly ? 'adds' : 'one-by-one',
        promise,
        'create-pet.refusal-adds-nothing',
        ...OF_EVERY_ERROR,
      ),
      async ({ api, facts, given }) => {
        const { name, categoryId } = await given.newPet();
        const accept = ACCEPTS[index % ACCEPTS.length] ?? 'usual';
        const body = write({ name, category: String(categoryId), number: writeMarkAsDigits(facts.runId) });
        const client = api.with(chooseHeaders({ accept, caching: 'no-cache' }));
        const call = client
          .with({ connection: `refused bodies ${Math.floor(index / 5) % CONNECTIONS}` })
          .createPet(body);
        // A service may refuse the other member for itself: then any 4xx is right.
        const isOpen = promise === 'create-pet.other-members' || title.endsWith('beside another member');
        await (isOpen ? call.expectRefusal() : call.answers(400, 'Error'));
      },
    );
  }
});
