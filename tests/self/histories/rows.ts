/** A story: exchanges as a test tells them, e.g. `0 +1; 20 []`. `judgeOf` lets the rules judge them, without a service. */
import { expect, test } from '@playwright/test';
import type { Ask, Credential, Operation } from '../../../fixtures/exchange/exchange.ts';
import type { ClientName } from '../../../fixtures/exchange/client-headers.ts';
import { Judge } from '../../../fixtures/judgement/rules/judge-exchanges.ts';
import { exchangeWith } from '../samples/sample-exchanges.ts';

/** The consistency window of the stories, in milliseconds. */
export const WINDOW = 100;
/** The traits of the key. */
const KEY = { length: 32, hasLetters: true, caseMayNotMatter: false, singleCase: false };
/** Milliseconds that an exchange takes. */
const DURATION = 5;

/** An animal as an answer shows it. */
export interface ShownAnimal {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

/** One exchange of a story. */
export interface Told {
  /** Its begin, in milliseconds on the clock of the run. */
  at: number;
  method?: 'GET' | 'HEAD' | 'POST';
  path: string;
  /** The body of the request. A text is sent as it is. */
  sent?: Omit<ShownAnimal, 'id'> | string;
  /** Absent: 200. */
  status?: number;
  /** The body of the answer. */
  body: unknown;
  /** Absent: the key. */
  credential?: Credential;
  /** Usual headers that are left out. */
  without?: NonNullable<Ask['without']>;
  client?: ClientName;
  /** In the place of the path prefix of the base address. */
  basePath?: string;
  /** Headers of the answer, beside its Content-Type. */
  headers?: [name: string, value: string][];
}

/** An ordinary animal, e.g. `rex(1)` has the name Rexa. */
export const rex = (id: number, status?: string): ShownAnimal => ({
  id,
  name: `Rex${String.fromCharCode(96 + id)}`,
  categoryId: 1,
  ...(status === undefined ? {} : { status }),
});
/** A list, by default without a filter and with the longest limit. */
export const list = (at: number, rows: readonly ShownAnimal[], path = '/pets?limit=100'): Told => ({
  at,
  path,
  body: rows,
});
/** A getPet that finds the animal. */
export const found = (at: number, row: ShownAnimal): Told => ({ at, path: `/pets/${row.id}`, body: row });
/** The same request, answered with an Error of this status. */
export const failsWith = (status: number, told: Told): Told => ({
  ...{ ...told, status },
  body: { code: 'failed', message: 'no', status },
});
/** A getPet that does not find the animal. */
export const missing = (at: number, row: ShownAnimal) => failsWith(404, found(at, row));
/** A read that gets 401. */
export const refused = (at: number, path: string) => failsWith(401, { at, path, body: null });
/** A createPet that gets 201. */
export const added = (at: number, row: ShownAnimal): Told => {
  const { id: _, ...sent } = row;
  return { at, method: 'POST', path: '/pets', sent, status: 201, body: row };
};

/** A createPet that gets 400. */
const turnedDown = (at: number, row: ShownAnimal) => failsWith(400, added(at, row));

/** Reads an animal: `7`, `7:sold`, `7=Bella`, `7#3` of the category 3; `s7` has a name that no run gives. */
function readRow(text: string): ShownAnimal {
  const [, stray, id, status, name, category] =
    /^(s?)(\d+)(?::(\w+))?(?:=(\w+))?(?:#(\d+))?$/.exec(text) ?? [];
  if (id === undefined) throw new Error(`${text} is no animal`);
  const row = rex(Number(id), status);
  return { ...row, name: name ?? (stray ? `Stray ${id}` : row.name), categoryId: Number(category ?? 1) };
}

/**
 * Reads a story: `0 +1; 20 [1 s11]/pets?limit=5; 30 get 1; 40 404 1; 50 401 /pets`. An exchange begins with its time. It is a
 * createPet (`400 +1`: refused), a list (by default the longest), a getPet that finds the animal or does not, or a refused read;
 * `keyless /pets` is one without the key.
 */
export const tell = (story: string): Told[] =>
  story.split('; ').map((each) => {
    const [, time, what, of = '', path] =
      /^(\d+) (\+|400 \+|\[|get |404 |401 |keyless )([^\]]*)\]?(.*)$/.exec(each) ?? [];
    const at = Number(time);
    if (what === '401 ') return refused(at, of);
    if (what === 'keyless ') return { ...refused(at, of), credential: 'none' };
    if (what === '[') return list(at, of.split(' ').filter(Boolean).map(readRow), path || undefined);
    const tellRow = { '+': added, '400 +': turnedDown, 'get ': found, '404 ': missing }[what ?? ''];
    if (tellRow === undefined) throw new Error(`${each} is no exchange`);
    return tellRow(at, readRow(of));
  });

function operationOf(method: string, path: string): Operation {
  if (method === 'HEAD') return 'other';
  if (method === 'POST') return 'createPet';
  if (path === '/store/orders') return 'storeOrders';
  if (/^\/pets\/[^/]+$/.test(path)) return 'getPet';
  return /^\/pets(\?|$)/.test(path) ? 'listPets' : 'other';
}

/** Returns a judge that has taken these exchanges in the order of their times. */
export function judgeOf(told: readonly Told[], mark = 'csmark'): Judge {
  const target = { baseUrl: 'http://here/v1' };
  const judge = new Judge({ mark, window: WINDOW, clock: 0, claimed: [], key: KEY, target });
  for (const [index, each] of told.toSorted((left, right) => left.at - right.at).entries()) {
    const {
      at,
      method = 'GET',
      path,
      sent,
      status = 200,
      body,
      headers = [],
      credential = 'key',
      ...how
    } = each;
    const operation = operationOf(method, path);
    const text = typeof sent === 'object' ? JSON.stringify(sent) : sent;
    const ask = { operation, method, path, credential, ...how, ...(text !== undefined && { body: text }) };
    const json = ['Content-Type', 'application/json'] as const;
    const answer = { status, headers: [json, ...headers], body: Buffer.from(JSON.stringify(body)) };
    judge.take(
      exchangeWith(answer, { id: `x${index + 1}`, startedAt: at, begun: at, durationMs: DURATION, ask }),
    );
  }
  return judge;
}

/** Returns the promises that exchanges break, each once, among the ids of a pattern. */
export const brokenOf =
  (ids: RegExp) =>
  (...told: readonly Told[]): string[] => {
    const failed = judgeOf(told)
      .findings()
      .filter(({ verdict, requirement }) => verdict === 'fail' && ids.test(requirement));
    return [...new Set(failed.map(({ requirement }) => requirement))];
  };

/** Declares a test for each title: `judge` says this of each of its stories. */
export function judgesStories(
  subject: string,
  judge: (told: readonly Told[]) => unknown,
  titles: Record<string, Record<string, unknown>>,
): void {
  test.describe(subject, () => {
    for (const [title, stories] of Object.entries(titles))
      test(title, () => {
        for (const [story, said] of Object.entries(stories)) expect(judge(tell(story)), story).toEqual(said);
      });
  });
}
