/** Starts processes that judge several vendors each. Each process loads tests, schemas and Allure once. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { filterEnvironment } from '../run/passed-on.ts';
import {
  scheduleEnd,
  makeEnvironment,
  judgeAlone,
  killGroup,
  type EndedJudging,
  type JudgingOrder,
} from './judge-one.ts';
import type { FromProcess, ToProcess } from './shared-process.ts';

/** A process, and callbacks for the vendors that it judges, by their numbers. */
interface JudgingProcess {
  child: ChildProcess;
  /** Called when a vendor ends; with null if the process has died. */
  underWay: Map<number, (ended: EndedJudging | null) => void>;
}

/** Starts as many processes as there are processors, when they are needed. */
export class SharedProcesses {
  private readonly most: number;
  private readonly judges = new Set<JudgingProcess>();
  private number = 0;

  /** @param together the most vendors that are judged at the same time */
  constructor(together: number) {
    this.most = Math.min(together, availableParallelism());
  }

  /** Judges a vendor in a shared process. If the process dies, each of its vendors is judged again alone. */
  async judge(order: JudgingOrder): Promise<EndedJudging> {
    const { target, folder, signal } = order;
    const judge = this.least();
    const number = (this.number += 1);
    const send = (message: ToProcess) => judge.child.connected && judge.child.send(message);
    let isHung = false;
    const forget = scheduleEnd(
      order,
      () => void send({ kind: 'end', number }),
      () => ((isHung = true), killGroup(judge.child)),
    );
    const ended = await new Promise<EndedJudging | null>((done) => {
      judge.underWay.set(number, done);
      send({ kind: 'judge', number, folder, env: makeEnvironment(target, folder, process.env) });
    });
    forget();
    if (ended !== null) return ended;
    return isHung || signal.aborted ? { exitCode: 3, words: '', complaint: '' } : judgeAlone(order);
  }

  /** Ends all processes at once. */
  close(): void {
    for (const { child } of this.judges) child.disconnect();
  }

  /** Returns the process with the fewest vendors; a new process if each has some and more may start. */
  private least(): JudgingProcess {
    const [idlest] = [...this.judges].sort((one, other) => one.underWay.size - other.underWay.size);
    const isEnough = idlest !== undefined && (idlest.underWay.size === 0 || this.judges.size >= this.most);
    return isEnough ? idlest : this.start();
  }

  private start(): JudgingProcess {
    // The environment of the process holds no key: each key comes with the order of its vendor.
    const child = fork(fileURLToPath(new URL('./shared-process.js', import.meta.url)), {
      env: filterEnvironment(process.env),
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
