/** Judges all services that others wrote, and counts after how many rounds of mending each of them passes. */
import { listOtherServices } from '../../../fixtures/implementations/others/service.ts';
import { installServices } from './install-services.ts';
import { judgeOther, type JudgedOther, type OnStore } from './judge-other.ts';

/** Services that are judged at the same time: a run takes a core. */
const SERVICES_TOGETHER = 2;

/** The result of all services. */
interface ProvedOnOthers {
  others: number;
  /** The names of the services about which a run was wrong. */
  failed: string[];
  /**
   * A round mends all defects that the last run named, and runs again. This is the most rounds that a service needed until a
   * run found nothing; null if a service never passed.
   */
  rounds: number | null;
}

/** Judges every service that others wrote whose name contains `part`, and prints a few lines for each. */
export async function judgeOthers(part: string, out: (text: string) => void): Promise<ProvedOnOthers> {
  const folder = installServices();
  const queue = listOtherServices().filter(({ name }) => name.includes(part));
  const judged: JudgedOther[] = [];
  const lane = async () => {
    for (let service = queue.shift(); service !== undefined; service = queue.shift()) {
      const result = await judgeOther(service, folder);
      judged.push(result);
      out(describeResult(result));
    }
  };
  await Promise.all(Array.from({ length: SERVICES_TOGETHER }, lane));
  const rounds = judged
    .flatMap(({ empty, shared }) => [countRounds(empty), countRounds(shared)])
    .filter((each) => each !== undefined);
  return {
    others: judged.length,
    failed: judged.filter((each) => findProblems(each).length > 0).map(({ service }) => service.name),
    rounds: rounds.includes(null) ? null : Math.max(0, ...rounds.map(Number)),
  };
}

/**
 * Counts the rounds of mending until a run ended with exit code 0: 0 rounds if the first run did.
 * @returns null if no run ended with 0; undefined if the defects cannot be switched off
 */
function countRounds({ first, rounds }: OnStore): number | null | undefined {
  if (rounds === null) return undefined;
  const last = rounds.at(-1) ?? first;
  return last.exitCode === 0 ? rounds.length : null;
}

/** Returns the mistakes of the suite, and of the list of defects (`untrue`). `other` of a run: requirements that failed and that no defect breaks. */
function findProblems({ untrue, empty, shared }: JudgedOther): string[] {
  return [
    ...untrue.map((name) => `${name} is not as the list has it`),
    ...findProblemsOn(empty, 'on an empty store'),
    ...findProblemsOn(shared, 'beside animals of others'),
  ];
}

function findProblemsOn(store: OnStore, where: string): string[] {
  const { first, rounds, allMended } = store;
  return [
    ...first.missed.map((name) => `${name} is not named ${where}`),
    ...first.other.map((id) => `${id} fails ${where}, and no defect breaks it`),
    ...(rounds ?? []).flatMap((run) =>
      run.other.map((id) => `${id} fails after mending ${where}, and no defect breaks it`),
    ),
    ...(countRounds(store) === null ? [`mending what was named ${where} does not lead to exit 0`] : []),
    ...(allMended !== null && allMended.exitCode !== 0
      ? [
          `without defects it ends with ${allMended.exitCode} ${where}: ${[...allMended.other, ...allMended.undecided].join(', ')}`,
        ]
      : []),
  ];
}

/** Describes the result of one service: a headline, its runs, and the problems. `overlooked`: the list lacked the defect, and the suite found it. */
function describeResult(judged: JudgedOther): string {
  const { service } = judged;
  const overlooked = service.defects.filter((each) => each.overlooked).length;
  const problems = findProblems(judged);
  return [
    `${problems.length === 0 ? 'ok' : 'FAILS'} ${service.name} (${service.title}): ${service.defects.length} defects, of which ${overlooked} had been overlooked`,
    ...describeRuns(judged.empty, 'empty store', service),
    ...describeRuns(judged.shared, 'three animals of others', service),
    ...problems.map((problem) => `    ${problem}`),
  ].join('\n');
}

/**
 * Describes each run on one store: its counts, then a line for each list of names that is not empty. `missed`, `unwarned`: defects of a
 * `must`, and of a `should`, that the run did not name.
 */
function describeRuns(store: OnStore, where: string, { defects }: JudgedOther['service']): string[] {
  const { first, rounds, allMended } = store;
  const describeRun = (what: string, run: OnStore['first']) => {
    const counts = `    ${what}: ${run.named.length} named, ${run.other.length} false, ${run.undecided.length} undecided, ${run.requests} requests, ${run.animals} animals, exit ${run.exitCode}`;
    const lists: [title: string, names: readonly string[]][] = [
      ['not named', run.missed],
      ['not warned of', run.unwarned],
      ['other warnings', run.otherWarnings],
      ['undecided', run.undecided],
    ];
    const shown = lists.filter(([, names]) => names.length > 0);
    return [counts, ...shown.map(([title, names]) => `        ${title}: ${String(names)}`)].join('\n');
  };
  return [
    describeRun(`${where}, ${defects.length} defects, ${countRounds(store) ?? 'no'} rounds`, first),
    ...(rounds ?? []).map((run, index) => describeRun(`${where}, round ${index + 1}`, run)),
    ...(allMended === null ? [] : [describeRun(`${where}, without defects`, allMended)]),
  ];
}
