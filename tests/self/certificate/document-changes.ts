/** Changes a document in every place, and there in every way that the kind of the value allows, e.g. a number becomes 0. */

interface Place {
  pointer: string;
  value: unknown;
}

/** All places in a value, the outer ones first. */
export function placesIn(value: unknown, pointer = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const own = `${pointer}/${name}`;
    return [{ pointer: own, value: each as unknown }, ...placesIn(each, own)];
  });
}

/** The changes of a value of each kind, by their names. */
const CHANGES = {
  string: (value: string) => ({
    emptied: '',
    longer: `${value}x`,
    cut: value.slice(0, -1),
    'a number': value.length,
    'other letters': value.replace(/[a-z0-9]/g, (letter) => (letter === '7' ? '3' : '7')),
  }),
  number: (each: number) => ({ more: each + 1, less: each - 1, large: 1e12, none: 0, 'a text': `${each}` }),
  boolean: (value: boolean) => ({ turned: !value, 'a text': `${value}`, null: null }),
  null: () => ({ 'a text': 'x', 'a number': 7, 'an object': {} }),
  array: (value: unknown[]) => ({
    emptied: [],
    cut: value.slice(1),
    doubled: [...value, ...value.slice(0, 1)],
    'turned round': value.toReversed(),
  }),
  object: (value: object) => ({ emptied: {}, more: { ...value, more: 1 }, null: null }),
};
const findKind = (value: unknown) => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object');
};

interface ChangedDocument<T> {
  what: string;
  pointer: string;
  /** The document, made when it is needed: there are many. */
  make: () => T;
}

/** Yields every change of every place, and every place left out. Changes that change nothing are passed over. */
export function* changeEveryPlace<T>(document: T): Generator<ChangedDocument<T>> {
  for (const { pointer, value } of placesIn(document)) {
    const changes: Record<string, unknown> = CHANGES[findKind(value)](value as never);
    for (const [what, into] of Object.entries({ ...changes, 'left out': undefined }))
      if (JSON.stringify(into) !== JSON.stringify(value))
        yield { what, pointer, make: () => withPlace(document, pointer, into) };
  }
}

/** Returns a copy in which a place has another value; undefined: the place is left out. */
export function withPlace<T>(document: T, pointer: string, into: unknown): T {
  const copy: unknown = structuredClone(document);
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  const holder = names.reduce((value: unknown, name) => (value as Record<string, unknown>)[name], copy);
  const own = { value: into, enumerable: true, configurable: true, writable: true };
  // `defineProperty` also makes a member `__proto__`, which an assignment does not.
  if (into !== undefined) Object.defineProperty(holder, last, own);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string, unknown>)[last];
  return copy as T;
}

/** Takes `count` values at equal distances. */
export function takeEvenly<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}
