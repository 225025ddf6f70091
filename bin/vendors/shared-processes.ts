/** Processes that judge vendors, several each: tests, schemas and Allure are loaded once in each of them. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { passedOn } from '../run/passed-on.ts';
import { endLater, environmentOf, judgeAlone, killGroup, type Ended, type Order } from './judge-one.ts';
import type { FromProcess, ToProcess } from './shared-process.ts';

/** A process, and how the vendors end that it is judging, by their numbers. */
interface JudgingProcess {
  child: ChildProcess;
  /** Called at the end of each; null: the process has died. */
  underWay: Map<number, (ended: Ended | null) => void>;
}

/** As many processes as there are processors, started when they are needed. */
export class SharedProcesses {
  private readonly most: number;
  private readonly judges = new Set<JudgingProcess>();
  private number = 0;

  /** @param together vendors that are judged together */
  constructor(together: number) {
    this.most = Math.min(together, availableParallelism());
  }

  /** Judges a vendor beside others. Where that process dies, whoever is to blame, each of them is judged again alone. */
  async judge(order: Order): Promise<Ended> {
    const { target, folder, signal } = order;
    const judge = this.least();
    const number = (this.number += 1);
    const send = (message: ToProcess) => judge.child.connected && judge.child.send(message);
    let isHung = false;
    const forget = endLater(
      order,
      () => void send({ kind: 'end', number }),
      () => ((isHung = true), killGroup(judge.child)),
    );
    const ended = await new Promise<Ended | null>((done) => {
      judge.underWay.set(number, done);
      send({ kind: 'judge', number, folder, env: environmentOf(target, folder, process.env) });
    });
    forget();
    if (ended !== null) return ended;
    return isHung || signal.aborted ? { exitCode: 3, words: '', complaint: '' } : judgeAlone(order);
  }

  /** Ends all processes, whatever they are doing. */
  close(): void {
    for (const { child } of this.judges) child.disconnect();
  }

  /** The process with the fewest vendors; a new one if each has some and there may be more. */
  private least(): JudgingProcess {
    const [idlest] = [...this.judges].sort((one, other) => one.underWay.size - other.underWay.size);
    const isEnough = idlest !== undefined && (idlest.underWay.size === 0 || this.judges.size >= this.most);
    return isEnough ? idlest : this.start();
  }

  private start(): JudgingProcess {
    // its environment holds no key: each comes with its vendor
    const child = fork(fileURLToPath(new URL('./shared-process.js', import.meta.url)), {
      env: passedOn(process.env),
      stdio: 'ignore',
      detached: process.platform !== 'win32',
    });
    const judge: JudgingProcess = { child, underWay: new Map() };
    this.judges.add(judge);
    child.on('message', ({ number, ...ended }: FromProcess) => {
      judge.underWay.get(number)?.(ended);
      judge.underWay.delete(number);
    });
    const died = () => {
      this.judges.delete(judge);
      for (const done of judge.underWay.values()) done(null);
      judge.underWay.clear();
    };
    child.on('exit', died).on('error', died);
    return judge;
  }
}
