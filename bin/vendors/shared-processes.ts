/**
 * Starts the processes that judge vendors for `targets run`. One process judges several vendors, so tests, schemas and Allure
 * are loaded once for all of them.
 */
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

/** A process, and a callback for each vendor that it judges, by the number of the vendor. */
interface JudgingProcess {
  child: ChildProcess;
  /** The callback gets the result of the vendor's run; null if the process has died. */
  underWay: Map<number, (ended: EndedJudging | null) => void>;
}

/** All processes: at most one for each processor. Each is started when it is needed. */
export class SharedProcesses {
  private readonly most: number;
  private readonly judges = new Set<JudgingProcess>();
  /** The number of the last vendor. */
  private number = 0;

  /** @param together the most vendors that are judged at the same time */
  constructor(together: number) {
    this.most = Math.min(together, availableParallelism());
  }

  /** Judges a vendor in a shared process. If the process dies, each of its vendors is judged again alone. */
  async judge(order: JudgingOrder): Promise<EndedJudging> {
    const { target, folder, signal } = order;
    const judge = this.findLeastBusy();
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

  /** Ends all processes: they exit when they are disconnected. */
  close(): void {
    for (const { child } of this.judges) child.disconnect();
  }

  /** Returns a process without a vendor; else a new process, if one more may start; else the one with the fewest vendors. */
  private findLeastBusy(): JudgingProcess {
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
