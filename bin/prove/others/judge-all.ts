import { otherServices } from '../../../fixtures/implementations/others/service.ts';
import { installed } from './install.ts';
import { judgeOther, type JudgedOther } from './judge-other.ts';

/** Services under way together: a run takes a core. */
const TOGETHER = 2;

/** What came of all services: how many there were, and which of them a run did not report right. */
interface Others {
  others: number;
  failed: string[];
  /** The most rounds that it took to mend one; null if one was never whole. */
  rounds: number | null;
}

/** Judges every service of other make whose name contains `part`, and reports each in some lines. */
export async function judgeOthers(part: string, out: (text: string) => void): Promise<Others> {
  const folder = installed();
  const queue = otherServices().filter(({ name }) => name.includes(part));
  const judged: JudgedOther[] = [];
  const lane = async () => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const result = await judgeOther(each, folder);
      judged.push(result);
      out(told(result));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, lane));
  const rounds = judged.map(roundsOf).filter((each) => each !== undefined);
  return {
    others: judged.length,
    failed: judged.filter((each) => problemsOf(each).length > 0).map(({ service }) => service.name),
    rounds: rounds.includes(null) ? null : Math.max(0, ...rounds.map(Number)),
  };
}

/** Rounds of mending until a run found nothing: null if none did, undefined if nothing can be mended. */
function roundsOf({ empty, rounds }: JudgedOther): number | null | undefined {
  if (rounds === null) return undefined;
  return (rounds.at(-1) ?? empty).exitCode === 0 ? rounds.length : null;
}

function problemsOf(judged: JudgedOther): string[] {
  const { untrue, empty, shared, rounds, whole } = judged;
  const runs = { 'on an empty store': empty, 'beside animals of others': shared };
  return [
    ...untrue.map((name) => `${name} is not as the list has it`),
    ...Object.entries(runs).flatMap(([where, run]) => [
      ...run.missed.map((name) => `${name} is not named ${where}`),
      ...run.other.map((id) => `${id} fails ${where}, and no defect breaks it`),
    ]),
    ...(rounds ?? []).flatMap((run) =>
      run.other.map((id) => `${id} fails after mending, and no defect breaks it`),
    ),
    ...(roundsOf(judged) === null ? ['mending what was named does not lead to exit 0'] : []),
    ...(whole !== null && whole.exitCode !== 0
      ? [`without defects it ends with ${whole.exitCode}: ${[...whole.other, ...whole.undecided].join(', ')}`]
      : []),
  ];
}

function told(judged: JudgedOther): string {
  const { service, empty, shared, rounds } = judged;
  const all = service.defects.length;
  const overlooked = service.defects.filter((each) => each.overlooked).length;
  const row = (where: string, run: JudgedOther['empty']) =>
    `    ${where}: ${run.named.length} of ${all} named, ${run.other.length} false, ${run.undecided.length} undecided, ${run.requests} requests, ${run.animals} animals, exit ${run.exitCode}` +
    [
      ['not warned of', run.unwarned],
      ['other warnings', run.otherWarnings],
      ['undecided', run.undecided],
    ]
      .filter(([, names]) => names?.length)
      .map(([what, names]) => `\n        ${String(what)}: ${String(names)}`)
      .join('');
  const problems = problemsOf(judged);
  return [
    `${problems.length === 0 ? 'told' : 'FAILS'} ${service.name} (${service.title}): ${all} defects, ${overlooked} of them overlooked before, ${roundsOf(judged) ?? 'no'} rounds`,
    row('empty store', empty),
    row('three animals of others', shared),
    ...(rounds ?? []).map((run, index) => row(`round ${index + 1}`, run)),
    ...problems.map((problem) => `    ${problem}`),
  ].join('\n');
}
