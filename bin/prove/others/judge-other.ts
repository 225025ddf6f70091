/**
 * Judges one service that others wrote. Its defects are known, and each can be switched off ("mended"). After a run, the
 * defects that it named are mended, and the service is judged again, until a run finds nothing.
 */
import { findNamed, type Named } from '../../../fixtures/implementations/others/named.ts';
import { startOther, type OtherService } from '../../../fixtures/implementations/others/service.ts';
import { isShown } from '../../../fixtures/implementations/others/shown.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { runOnService } from './run-on-service.ts';

/** The result of one run: which defects it named or missed (`Named`), and its figures. */
interface Outcome extends Named {
  exitCode: number;
  requests: number;
  animals: number;
}

/** The results of a service on one store. */
export interface OnStore {
  /** The run with all defects. */
  first: Outcome;
  /** Runs after mending the defects that earlier runs named; null if nothing can be mended. */
  rounds: Outcome[] | null;
  /** The run with all known defects mended; null if nothing can be mended. */
  allMended: Outcome | null;
}

export interface JudgedOther {
  service: OtherService;
  /** Defects that the list names wrongly: the service does not show them, or still shows them after mending. */
  untrue: string[];
  empty: OnStore;
  /** Results in a store with three animals of others. */
  shared: OnStore;
}

/** A service that still fails after this many rounds counts as never passing. */
const MOST_ROUNDS = 6;
/** Programs that other projects publish: their defects cannot be switched off. */
const UNMENDABLE = ['prism'];

/** Judges the service on an empty store, then on a store with animals of others. */
export async function judgeOther(service: OtherService, folder: string): Promise<JudgedOther> {
  const untrue = await findUntrueDefects(service, folder);
  const empty = await judgeOn(service, { folder, isShared: false });
  return { service, untrue, empty, shared: await judgeOn(service, { folder, isShared: true }) };
}

/** Judges the service on one store: with all its defects, in rounds that mend what the run before named, and without defects. */
async function judgeOn(
  { name, defects }: OtherService,
  place: { folder: string; isShared: boolean },
): Promise<OnStore> {
  const runWithMended = async (mended: readonly string[]): Promise<Outcome> => {
    const report = await runOnService(name, { ...place, mended });
    const remaining = defects.filter((each) => !mended.includes(each.name));
    return makeOutcome(report, findNamed(report, remaining));
  };
  const first = await runWithMended([]);
  if (UNMENDABLE.includes(name)) return { first, rounds: null, allMended: null };

  const rounds: Outcome[] = [];
  // The defects that all runs so far have named.
  const mended = new Set(first.named);
  let last = first;
  // A further round helps only if the last run failed and named a defect to mend.
  while (last.exitCode !== 0 && last.named.length > 0 && rounds.length < MOST_ROUNDS) {
    last = await runWithMended([...mended]);
    rounds.push(last);
    for (const each of last.named) mended.add(each);
  }
  return { first, rounds, allMended: await runWithMended(defects.map((each) => each.name)) };
}

function makeOutcome({ exitCode, run }: Report, named: Named): Outcome {
  return { ...named, exitCode, requests: run.requests, animals: run.animalsCreated };
}

/**
 * Finds the defects that the list names wrongly (`JudgedOther.untrue`), without the suite. `shown` of a defect lists requests, and
 * the last answer by which the defect is recognized, e.g. its status.
 */
async function findUntrueDefects({ name, defects }: OtherService, folder: string): Promise<string[]> {
  const isSeen = async (mended: readonly string[], shown: OtherService['defects'][number]['shown']) => {
    const key = drawKey();
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
