/** One service of other make: what a run names of its defects, and how many rounds of mending it takes until nothing is left. */
import { namedIn, type Named } from '../../../fixtures/implementations/others/named.ts';
import { startOther, type OtherService } from '../../../fixtures/implementations/others/service.ts';
import { isShown } from '../../../fixtures/implementations/others/shown.ts';
import { randomKey } from '../../../fixtures/reference/random-key.ts';
import type { Report } from '../../../reports/document/report.ts';
import { runOn } from './run-on.ts';

/** What a run came to. */
interface Outcome extends Named {
  exitCode: number;
  requests: number;
  animals: number;
}

/** What a service came to on one store. */
export interface OnStore {
  /** As it is. */
  first: Outcome;
  /** The runs after mending what those before them named; null if nothing can be mended. */
  rounds: Outcome[] | null;
  /** Without any defect, or null. */
  whole: Outcome | null;
}

/** All that is found out about a service. */
export interface JudgedOther {
  service: OtherService;
  /** Defects that are not as the list says. */
  untrue: string[];
  empty: OnStore;
  /** Beside three animals of others. */
  shared: OnStore;
}

/** A round more than this is a vendor who has given up. */
const MOST_ROUNDS = 6;
/** What is not a program of this project has no switches. */
const UNMENDABLE = ['prism'];

/** Judges the service as it is, and mends it as the runs say. */
export async function judgeOther(service: OtherService, folder: string): Promise<JudgedOther> {
  const untrue = await untrueOf(service, folder);
  const empty = await judgeOn(service, { folder, isShared: false });
  return { service, untrue, empty, shared: await judgeOn(service, { folder, isShared: true }) };
}

async function judgeOn(
  { name, defects }: OtherService,
  place: { folder: string; isShared: boolean },
): Promise<OnStore> {
  const outcomeOf = async (mended: readonly string[]): Promise<Outcome> => {
    const report = await runOn(name, { ...place, mended });
    return outcome(
      report,
      namedIn(
        report,
        defects.filter((each) => !mended.includes(each.name)),
      ),
    );
  };
  const first = await outcomeOf([]);
  if (UNMENDABLE.includes(name)) return { first, rounds: null, whole: null };

  const rounds: Outcome[] = [];
  const mended = new Set(first.named);
  for (let last = first; last.exitCode !== 0 && last.named.length > 0 && rounds.length < MOST_ROUNDS;) {
    last = await outcomeOf([...mended]);
    rounds.push(last);
    for (const each of last.named) mended.add(each);
  }
  return { first, rounds, whole: await outcomeOf(defects.map((each) => each.name)) };
}

function outcome({ exitCode, run }: Report, named: Named): Outcome {
  return { ...named, exitCode, requests: run.requests, animals: run.animalsCreated };
}

/** The defects that the service does not show, or shows although they are mended. */
async function untrueOf({ name, defects }: OtherService, folder: string): Promise<string[]> {
  const isSeen = async (mended: readonly string[], shown: OtherService['defects'][number]['shown']) => {
    const key = randomKey();
    const { baseUrl, close } = await startOther(name, { key, mended, folder });
    const seen = await isShown(shown, baseUrl, key);
    await close();
    return seen;
  };
  const untrue: string[] = [];
  for (const { name: defect, shown } of defects) {
    const isTrue = await isSeen([], shown);
    const stays = !UNMENDABLE.includes(name) && (await isSeen([defect], shown));
    if (!isTrue || stays) untrue.push(defect);
  }
  return untrue;
}
