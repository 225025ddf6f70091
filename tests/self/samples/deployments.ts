/** Deployments of the reference with one odd part: a wrong answer comes from that part only. */
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';

/** A deployment, and what its wrong answers share. */
interface Deployment {
  name: string;
  factor: string;
  value: string;
  vary: Vary;
}

/** Says which part answers, and adds the headers that show it. */
type Part = (call: Call) => { isOdd: boolean; headers?: [string, string][] };
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
  [factor, value]: readonly [factor: string, value: string],
  part: Part,
  wrong: Wrong,
): Deployment {
  const vary: Vary = (Base) =>
    class extends Base {
      override async answer(call: Call): Promise<Reply> {
        const { isOdd, headers = [] } = part(call);
        const reply = await super.answer(call);
        const given = isOdd ? wrong(reply, call) : reply;
        return { ...given, headers: [...given.headers, ...headers] };
      }
    };
  return { name, factor, value, vary };
}

/** One of several parts answers each request in turn; the last of them is odd. */
function inTurn(header: string, ...values: string[]): Part {
  return (call) => {
    const index = (call.count * 7 + (call.count >> 3)) % values.length;
    const value = values[index] ?? '';
    return { isOdd: index === values.length - 1, headers: [[header, value]] };
  };
}

const served = ['x-served-by', 'node-3'] as const;

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
  deployment('one pod of eight', ['x-pod', 'h'], inTurn('X-Pod', ...'abcdefgh'), idsAsStrings),
  deployment('a canary', ['x-version', '2-rc'], inTurn('X-Version', '1', '1', '1', '1', '2-rc'), failing),
  deployment(
    'one encoding',
    ['content-language', 'de'],
    inTurn('Content-Language', 'en', 'de'),
    withoutNames,
  ),
  deployment(
    'one client',
    ['client', 'curl'],
    (call) => ({ isOdd: String(call.headers['user-agent']).startsWith('curl/') }),
    withoutNames,
  ),
];
