/** Deployments of the reference with one odd part: a wrong answer comes from that part only. */
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';

/** A deployment, and what its wrong answers share. */
interface Deployment {
  name: string;
  factor: string;
  /** Undefined: any value is right, for example a moment. */
  value?: string;
  vary: Vary;
}

/** The facts about a request when it is answered. `place`: which request of its connection it is; `after`: the answer before it there. */
interface Moment {
  call: Call;
  place: number;
  after: string;
  /** Milliseconds since the first request. */
  age: number;
}

/** Says which part answers, and adds the headers that show it. */
type Part = (moment: Moment) => { isOdd: boolean; headers?: [string, string][] };
/** Changes an answer as the odd part does. */
type Wrong = (reply: Reply, call: Call) => Reply;

const changed =
  (change: (body: string) => string): Wrong =>
  (reply) =>
    typeof reply.body === 'string' && reply.status < 300 ? { ...reply, body: change(reply.body) } : reply;
const idsAsStrings = changed((body) => body.replace(/"id":(\d+)/g, '"id":"$1"'));
const categoriesAsStrings = changed((body) => body.replace(/"categoryId":(-?\d+)/g, '"categoryId":"$1"'));
const withoutNames = changed((body) => body.replace(/"name":"(?:[^"\\]|\\.)*",/g, ''));
const failing: Wrong = (reply, { operation }) =>
  operation !== 'listPets' || reply.status !== 200
    ? reply
    : { ...reply, status: 500, body: '{"code":"E","message":"down","status":500}' };
const createdWith200: Wrong = (reply) => (reply.status === 201 ? { ...reply, status: 200 } : reply);

function deployment(
  name: string,
  [factor, value]: readonly [factor: string, value?: string],
  part: Part,
  wrong: Wrong,
): Deployment {
  const vary: Vary = (Base) =>
    class extends Base {
      readonly #places = new WeakMap<object, { place: number; after: string }>();
      #begun: number | undefined;

      override async answer(call: Call): Promise<Reply> {
        this.#begun ??= performance.now();
        const { place, after } = this.#places.get(call.connection) ?? { place: 0, after: '' };
        const moment = { call, place: place + 1, after, age: performance.now() - this.#begun };
        const { isOdd, headers = [] } = part(moment);
        const reply = await super.answer(call);
        const given = isOdd ? wrong(reply, call) : reply;
        this.#places.set(call.connection, {
          place: place + 1,
          after: `${call.operation} with ${given.status}`,
        });
        return { ...given, headers: [...given.headers, ...headers] };
      }
    };
  return { name, factor, ...(value === undefined ? {} : { value }), vary };
}

/** One of several parts answers each request in turn; the last of them is odd. */
function inTurn(header: string, ...values: string[]): Part {
  return ({ call }) => {
    const index = (call.count * 7 + (call.count >> 3)) % values.length;
    const value = values[index] ?? '';
    return { isOdd: index === values.length - 1, headers: value === '' ? [] : [[header, value]] };
  };
}

const served = ['x-served-by', 'node-3'] as const;
const place = 'place on its connection';

/** Twenty of them. */
export const DEPLOYMENTS: readonly Deployment[] = [
  deployment('one of three nodes', served, inTurn('X-Served-By', 'node-1', 'node-2', 'node-3'), idsAsStrings),
  deployment(
    'one of three nodes fails',
    served,
    inTurn('X-Served-By', 'node-1', 'node-2', 'node-3'),
    failing,
  ),
  deployment('one region', ['x-region', 'eu'], inTurn('X-Region', 'us', 'ap', 'eu'), categoriesAsStrings),
  deployment('an old proxy', ['via', '1.0 old'], inTurn('Via', '1.1 new', '1.0 old'), withoutNames),
  deployment(
    'another server',
    ['server', 'old/1'],
    inTurn('Server', 'new/2', 'new/2', 'old/1'),
    createdWith200,
  ),
  deployment('a cache', ['x-cache', 'HIT'], inTurn('X-Cache', 'MISS', 'MISS', 'HIT'), categoriesAsStrings),
  deployment('old answers of a cache', ['age', 'more than 0'], inTurn('Age', '0', '17'), withoutNames),
  deployment('one pod of eight', ['x-pod', 'h'], inTurn('X-Pod', ...'abcdefgh'), idsAsStrings),
  deployment('a canary', ['x-version', '2-rc'], inTurn('X-Version', '1', '1', '1', '1', '2-rc'), failing),
  deployment(
    'a part without a name',
    ['x-instance', '(none)'],
    inTurn('X-Instance', 'a', 'b', ''),
    idsAsStrings,
  ),
  deployment('one backend', ['x-backend', 'b2'], inTurn('X-Backend', 'b1', 'b2'), createdWith200),
  deployment(
    'one encoding',
    ['content-language', 'de'],
    inTurn('Content-Language', 'en', 'de'),
    withoutNames,
  ),
  deployment(
    'the first request of a connection',
    [place, '1'],
    ({ place: at }) => ({ isOdd: at === 1 }),
    failing,
  ),
  deployment(
    'the third request of a connection',
    [place, '3'],
    ({ place: at }) => ({ isOdd: at === 3 }),
    idsAsStrings,
  ),
  deployment(
    'after twenty requests of a connection',
    [place, 'beyond 20'],
    ({ place: at }) => ({ isOdd: at > 20 }),
    idsAsStrings,
  ),
  deployment(
    'after a list',
    ['after', 'listPets with 200'],
    ({ after }) => ({ isOdd: after === 'listPets with 200' }),
    idsAsStrings,
  ),
  deployment(
    'after a createPet',
    ['after', 'createPet with 201'],
    ({ after }) => ({ isOdd: after === 'createPet with 201' }),
    categoriesAsStrings,
  ),
  deployment('after a deploy', ['time of the run'], ({ age }) => ({ isOdd: age > 1_500 }), idsAsStrings),
  deployment(
    'before a deploy',
    ['time of the run'],
    ({ age }) => ({ isOdd: age < 1_000 }),
    categoriesAsStrings,
  ),
  deployment(
    'one client',
    ['client', 'curl'],
    ({ call }) => ({ isOdd: String(call.headers['user-agent']).startsWith('curl/') }),
    withoutNames,
  ),
];
