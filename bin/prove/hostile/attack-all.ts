import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';
import { attack, type Attacked } from './attack.ts';

/** Runs at the same time: most of their time is waiting. */
const ATTACKS_TOGETHER = 2;

/**
 * The result of all attacks. `hostile`: the number of targets. `failed`: ids of targets on which the command made a mistake.
 * `seconds`, `mebibytes`: the largest values of one run.
 */
interface Battery {
  hostile: number;
  failed: string[];
  seconds: number;
  mebibytes: number;
}

/** Runs the command against every hostile target whose id contains `part`, and prints a few lines for each. */
export async function attackAll(part: string, out: (text: string) => void): Promise<Battery> {
  const queue = HOSTILE.filter(({ id }) => id.includes(part));
  const outcomes: Attacked[] = [];
  const lane = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      const outcome = await attack(target);
      const { id, exitCode, seconds, memory, problems, reason } = outcome;
      outcomes.push(outcome);
      out(
        [
          `${problems.length === 0 ? 'ends' : 'FAILS'} ${id}: ${exitCode}, ${seconds.toFixed(1)} s, ${memory} MiB: ${reason.slice(0, 160)}`,
          ...problems.map((problem) => `    ${problem}`),
        ].join('\n'),
      );
    }
  };
  await Promise.all(Array.from({ length: ATTACKS_TOGETHER }, lane));
  const most = (figure: (each: Attacked) => number) => Math.round(Math.max(0, ...outcomes.map(figure)));
  const failed = outcomes.filter(({ problems }) => problems.length > 0).map(({ id }) => id);
  return {
    hostile: outcomes.length,
    failed,
    seconds: most(({ seconds }) => seconds),
    mebibytes: most(({ memory }) => memory),
  };
}
