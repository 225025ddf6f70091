/** Stories: exchanges that a test writes down, e.g. `0 +1; 20 []`. `judgeOf` lets the rules judge them, without a service. */
import { expect, test } from '@playwright/test';
import type { Ask, Credential } from '../../../fixtures/exchange/exchange.ts';
import type { ClientName } from '../../../fixtures/exchange/client-headers.ts';
import { findOperation } from '../../../fixtures/interface/operations.ts';
import { Judge } from '../../../fixtures/judgement/rules/judge-exchanges.ts';
import { exchangeWith } from '../samples/sample-exchanges.ts';

/** The consistency window of the stories, in milliseconds. */
export const WINDOW = 100;
const KEY = { length: 32, hasLetters: true, caseMayNotMatter: false, singleCase: false };
/** Milliseconds from the begin of an exchange to its end. */
const DURATION = 5;

/** An animal as an answer shows it. */
export interface ShownAnimal {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

/** One exchange of a story. */
export interface Entry {
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

export type Story = readonly Entry[];

/** Returns an ordinary animal: `rex(1)` has the name Rexa, the category 1 and no status. */
export const rex = (id: number, status?: string): ShownAnimal => ({
  id,
  name: `Rex${String.fromCharCode(96 + id)}`,
  categoryId: 1,
  ...(status === undefined ? {} : { status }),
});
/** A list, by default without a filter and with the longest limit. */
export const list = (at: number, rows: readonly ShownAnimal[], path = '/pets?limit=100'): Entry => ({
  at,
  path,
  body: rows,
});
/** A getPet that finds the animal. */
export const found = (at: number, row: ShownAnimal): Entry => ({ at, path: `/pets/${row.id}`, body: row });
/** The same request with another answer: an Error with this status. */
export const failsWith = (status: number, entry: Entry): Entry => ({
  ...entry,
  status,
  body: { code: 'failed', message: 'no', status },
});
/** A getPet that does not find the animal. */
export const missing = (at: number, row: ShownAnimal) => failsWith(404, found(at, row));
/** A read that gets 401. */
export const refused = (at: number, path: string) => failsWith(401, { at, path, body: null });
/** A createPet that gets 201. */
export const added = (at: number, row: ShownAnimal): Entry => {
  const { id: _, ...sent } = row;
  return { at, method: 'POST', path: '/pets', sent, status: 201, body: row };
};

/** A createPet that gets 400. */
const turnedDown = (at: number, row: ShownAnimal) => failsWith(400, added(at, row));

/** Reads an animal: `7`, `7:sold`, `7=Bella` (its name), `7#3` (its category). `s7` is an animal of others: its name is Stray 7. */
function readRow(text: string): ShownAnimal {
  const [, isStray, id, status, name, category] =
    /^(s?)(\d+)(?::(\w+))?(?:=(\w+))?(?:#(\d+))?$/.exec(text) ?? [];
  if (id === undefined) throw new Error(`${text} is no animal`);
  const row = rex(Number(id), status);
  return { ...row, name: name ?? (isStray ? `Stray ${id}` : row.name), categoryId: Number(category ?? 1) };
}

/**
 * Reads a story. Each exchange begins with its time in milliseconds: `0 +1; 5 400 +2; 20 [1 s11]/pets?limit=5; 30 get 1; 40 404 1`.
 * - `+1`: createPet adds animal 1. `400 +2`: it refuses animal 2.
 * - `[1 s11]/pets?limit=5`: this list shows two animals. A list without a path has the limit 100.
 * - `get 1`: getPet finds animal 1. `404 1`: it does not.
 * - `401 /pets`: this read gets 401 with the key. `keyless /pets`: it gets 401 without the key.
 */
export const readStory = (story: string): Entry[] =>
  story.split('; ').map((each) => {
    // Example: `20 [1 s11]/pets?limit=5` has the time 20, the kind `[`, the subject `1 s11` and the path
    const [, time, kind, subject = '', path] =
      /^(\d+) (\+|400 \+|\[|get |404 |401 |keyless )([^\]]*)\]?(.*)$/.exec(each) ?? [];
    const at = Number(time);
    if (kind === '401 ') return refused(at, subject);
    if (kind === 'keyless ') return { ...refused(at, subject), credential: 'none' };
    if (kind === '[') return list(at, subject.split(' ').filter(Boolean).map(readRow), path || undefined);
    const makeExchange = { '+': added, '400 +': turnedDown, 'get ': found, '404 ': missing }[kind ?? ''];
    if (makeExchange === undefined) throw new Error(`${each} is no exchange`);
    return makeExchange(at, readRow(subject));
  });

/** Returns a judge that has taken the exchanges in the order of their times. */
export function judgeOf(story: Story): Judge {
  const target = { baseUrl: 'http://here/v1' };
  const judge = new Judge({ mark: 'csmark', window: WINDOW, clock: 0, claimed: [], key: KEY, target });
  for (const [index, each] of story.toSorted((left, right) => left.at - right.at).entries()) {
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
    const operation = findOperation(method, path);
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

/** Makes a function that lists the promises that exchanges break, each once. `ids`: a pattern; other promises are left out. */
export const brokenOf =
  (ids: RegExp) =>
  (...story: Story): string[] => {
    const failed = judgeOf(story)
      .findings()
      .filter(({ verdict, requirement }) => verdict === 'fail' && ids.test(requirement));
    return [...new Set(failed.map(({ requirement }) => requirement))];
  };

/** Declares a test for each title. `titles` has the stories of each test, with what `judge` returns for each: `{ '0 +1; 20 []': 1 }`. */
export function testStories(
  subject: string,
  judge: (story: Story) => unknown,
  titles: Record<string, Record<string, unknown>>,
): void {
  test.describe(subject, () => {
    for (const [title, stories] of Object.entries(titles))
      test(title, () => {
        for (const [text, expected] of Object.entries(stories))
          expect(judge(readStory(text)), text).toEqual(expected);
      });
  });
}
