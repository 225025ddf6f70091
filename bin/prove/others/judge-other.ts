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

/** All that is found out about a service. */
export interface JudgedOther {
  service: OtherService;
  /** Defects that are not as the list says. */
  untrue: string[];
  empty: Outcome;
  shared: Outcome;
  /** The runs of each round after the first; null if nothing can be mended. */
  rounds: Outcome[] | null;
  /** The run on the service without any defect, or null. */
  whole: Outcome | null;
}

/** A round more than this is a vendor who has given up. */
const MOST_ROUNDS = 6;
/** What is no program of this project has no switches. */
const UNMENDABLE = ['prism'];

/** Judges the service as it is, and mends it as the runs say. */
export async function judgeOther(service: OtherService, folder: string): Promise<JudgedOther> {
  const { name, defects } = service;
  const outcomeOf = async (mended: readonly string[], isShared = false): Promise<Outcome> => {
    const report = await runOn(name, { folder, mended, isShared });
    return outcome(
      report,
      namedIn(
        report,
        defects.filter((each) => !mended.includes(each.name)),
      ),
    );
  };
  const untrue = await untrueOf(service, folder);
  const empty = await outcomeOf([]);
  const shared = await outcomeOf([], true);
  if (UNMENDABLE.includes(name)) return { service, untrue, empty, shared, rounds: null, whole: null };

  const rounds: Outcome[] = [];
  const mended = new Set(empty.named);
  for (let last = empty; last.exitCode !== 0 && last.named.length > 0 && rounds.length < MOST_ROUNDS;) {
    last = await outcomeOf([...mended]);
    rounds.push(last);
    for (const each of last.named) mended.add(each);
  }
  return { service, untrue, empty, shared, rounds, whole: await outcomeOf(defects.map((each) => each.name)) };
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
