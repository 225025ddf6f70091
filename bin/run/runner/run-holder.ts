/** Holds the run in Playwright's main process. The global setup opens the holder, the reporter closes it. */
import { tmpdir } from 'node:os';
import { LANES } from '../../../fixtures/asking/lanes/environment.ts';
import { SESSION_SOCKET, share } from '../../../fixtures/session/remote.ts';
import type { Settings } from '../../../fixtures/settings/settings.ts';
import { ReportedRun, type EndedRun } from '../reported-run.ts';
import type { Selection } from '../selection/selection.ts';
import { removeSecretsFromEnvironment, stopOnSignals } from '../this-process.ts';
import type { Obstacle } from '../preflight/preflight.ts';
import { explainUnwritable } from '../../command-line/files/unwritable.ts';
import type { ProgressLine } from '../../command-line/output/progress-line.ts';
import type { Baseline } from '../configuration.ts';
import type { Stop } from '../../../fixtures/judgement/reason.ts';

/** The largest heap of a worker, in MiB. Answers have a limit of size, so this is enough. */
const WORKER_HEAP = 192;

/** The arguments of `RunHolder.open`. If the user starts another run in Playwright's UI, it uses them again. */
interface OpeningOptions {
  settings: Settings;
  baseline: Baseline;
  progress: ProgressLine;
  /** True if test bodies run in this process, several at a time ("lanes"). False if they run in Playwright's workers. */
  runsTestsInThisProcess: boolean;
}

/** Holds one run at a time. In Playwright's UI or an editor, each click on tests starts a new run, which takes the place of the last one. */
export class RunHolder {
  /** The reason why the target cannot be judged; null if the preflight found none. */
  obstacle: Obstacle | null = null;
  readonly options: OpeningOptions;
  /** The present run. */
  judging: ReportedRun;
  /** Resolves to the present run when it is open. Workers wait for it, because a click on tests opens a new run. */
  private ready: Promise<ReportedRun>;
  hasBegun = false;
  /** Closes the socket for the workers. */
  private unshare: () => void = () => undefined;

  private constructor(options: OpeningOptions, judging: ReportedRun) {
    this.options = options;
    this.judging = judging;
    this.ready = Promise.resolve(judging);
  }

  /**
   * Opens the connection to the target, and a socket over which workers reach the run and the endings of its tests. It removes
   * secrets from the environment, which workers inherit. Nothing is sent yet.
   * @throws Unwritable
   */
  static async open(options: OpeningOptions): Promise<RunHolder> {
    const holder = new RunHolder(
      options,
      await ReportedRun.open(options.settings, options.baseline, options.progress),
    );
    const shared = await share(async () => {
      const judging = await holder.ready;
      return { session: judging.run.engine, endings: judging.endings };
    }).catch(async (error: unknown) => {
      await holder.judging.close();
      throw explainUnwritable(`TMPDIR (${tmpdir()})`, error, ', or name another folder');
    });
    holder.unshare = shared.close;
    removeSecretsFromEnvironment(holder.judging.run.engine.redactor);
    process.env[SESSION_SOCKET] = shared.path;
    if (options.runsTestsInThisProcess) process.env[LANES] = '1';
    process.env.NODE_OPTIONS =
      `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${WORKER_HEAP} --max-semi-space-size=4`.trim();
    stopOnSignals((stop, atOnce) => holder.judging.stop(stop, atOnce));
    current = holder;
    return holder;
  }

  /** Sends the preflight requests. Returns and keeps the obstacle, or null. */
  async findObstacle(): Promise<Obstacle | null> {
    return (this.obstacle = await this.judging.run.findObstacle());
  }

  /** Starts the selected tests in the present run. A further call (another click in Playwright's UI) starts them in a new run. */
  begin(selection: Selection): void {
    if (!this.hasBegun) {
      this.hasBegun = true;
      return this.judging.begin(selection);
    }
    this.ready = this.beginAnew(selection);
    // `finish` and the workers wait for `ready` and report its error. Node must not report the error a second time.
    this.ready.catch(() => undefined);
  }

  /** Closes the present run, opens a new one, and starts the selected tests in it. @throws Error if it meets an obstacle */
  private async beginAnew(selection: Selection): Promise<ReportedRun> {
    const { settings, baseline, progress } = this.options;
    await this.judging.close();
    const judging = await ReportedRun.open(settings, baseline, progress);
    this.judging = judging;
    const obstacle = await this.findObstacle();
    if (obstacle !== null) throw new Error(obstacle.message);
    judging.begin(selection);
    return judging;
  }

  /**
   * Ends the present run and writes its reports.
   * @param interrupted the reason to stop the run now; null: the run goes on to its end
   */
  async finish(interrupted: Stop | null = null): Promise<EndedRun> {
    const judging = await this.ready;
    if (interrupted !== null) judging.stop(interrupted);
    return judging.finish();
  }

  async close(): Promise<void> {
    this.unshare();
    this.options.progress.end();
    await this.judging.close();
  }
}

let current: RunHolder | null = null;

/** Returns the holder of this process; null if the global setup has opened none. */
export function getRunHolder(): RunHolder | null {
  return current;
}
