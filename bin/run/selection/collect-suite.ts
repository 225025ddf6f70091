/** Collects the tests of the suite: all spec files in `tests/` and `tests/properties/`. */
import { readdirSync } from 'node:fs';
import { collectFrom, type ReadTest } from '../../../fixtures/asking/lanes/collection.ts';

/** Reads every test of the suite from its file, in the order of the runner. Files `.opening.` come first: they ask while the run has no animals, or few. */
export async function collectSuite(): Promise<readonly ReadTest[]> {
  const [properties, examples] = [listFiles('../../../tests/properties/'), listFiles('../../../tests/')];
  const isOpening = ({ pathname }: URL) => pathname.includes('.opening.');
  return collectFrom([
    ...examples.filter(isOpening),
    ...properties,
    ...examples.filter((each) => !isOpening(each)),
  ]);
}

function listFiles(folder: string): URL[] {
  const url = new URL(folder, import.meta.url);
  return readdirSync(url)
    .filter((name) => /\.spec\.[jt]s$/.test(name))
    .sort()
    .map((name) => new URL(name, url));
}
