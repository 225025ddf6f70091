/**
 * `prove --baseline FILE`: before a change of the suite, a proof writes the outcome of each variant into the file. After the change,
 * a proof compares with the file and names each difference.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';
import { keyTask } from './progress.ts';

/** The baseline compares these facts of one variant. It compares no texts, so a better sentence changes nothing. */
interface Row {
  /** Digest of the requests and answers in their order. */
  exchanges: string;
  /** `<requirement> <verdict>` of all requirements that did not pass, sorted. */
  verdicts: readonly string[];
  /** The requirement that the report names first; null if nothing failed or warned. */
  first: string | null;
  requests: number;
  /** Simulated milliseconds. */
  milliseconds: number;
  /** True if rules alone find the promise of the fault broken. Null: the variant is not a fault, or nothing names the fault. */
  byRules: boolean | null;
}

/** Each difference in these members is printed. */
const SHOWN = ['verdicts', 'first', 'byRules'] as const;
/** All compared members. Of the last three, only the number of differences is printed. */
const COMPARED = [...SHOWN, 'exchanges', 'requests', 'milliseconds'] as const;

/** If the file does not exist, it is written at the end. If it exists, the outcomes are compared with it. */
export class ProofBaseline {
  private readonly path: string;
  /** The rows of the earlier proof, by `keyTask`; null if the file did not exist. */
  private readonly before: ReadonlyMap<string, Row> | null;
  /** The rows of this proof, by `keyTask`. */
  private readonly rows = new Map<string, Row>();

  /** @throws Error if the file exists and holds no baseline */
  constructor(path: string) {
    this.path = path;
    this.before = existsSync(path) ? readRows(path) : null;
  }

  add(
    task: Task,
    { digest = '', byRules = null, verdicts, first = null, requests, milliseconds }: VariantOutcome,
  ): void {
    this.rows.set(keyTask(task), {
      exchanges: digest,
      verdicts: verdicts.map(({ id, verdict }) => `${id} ${verdict}`).toSorted(),
      first,
      requests,
      milliseconds,
      byRules,
    });
  }

  /**
   * Writes the file if it does not exist.
   * @returns lines that name the differences and the number of compared variants
   */
  conclude(): string[] {
    if (this.before === null) {
      const text = `${JSON.stringify(Object.fromEntries(this.rows), null, 1)}\n`;
      writeFileSync(this.path, text);
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
      return [`baseline of ${this.rows.size} variants written, sha256 ${hash}; ${this.namedByRules}`];
    }
    const { before } = this;
    // The variants that both proofs judged.
    const compared = [...this.rows].flatMap(([key, now]) => {
      const then = before.get(key);
      return then === undefined ? [] : [{ key, then, now }];
    });
    // A line for each change that is shown, and the number of changes of each member, e.g. `requests 3`.
    const [changes, counts]: [string[], string[]] = [[], []];
    for (const member of COMPARED) {
      const differing = compared.filter(
        ({ then, now }) => JSON.stringify(then[member]) !== JSON.stringify(now[member]),
      );
      counts.push(`${member} ${differing.length}`);
      if (!SHOWN.some((each) => each === member)) continue;
      for (const { key, then, now } of differing)
        changes.push(`${member} of ${key}: ${showChange(then[member], now[member])}`);
    }
    const end = `differing: ${counts.join(', ')}; ${this.namedByRules}`;
    return [...changes, `${compared.length} variants compared; ${end}`];
  }

  /** Says how many of the faults that are named at all are named without any test. */
  private get namedByRules(): string {
    const faults = [...this.rows.values()].filter(({ byRules }) => byRules !== null);
    const rules = faults.filter(({ byRules }) => byRules).length;
    return `rules alone name ${rules} of ${faults.length} faults that are named`;
  }
}

function readRows(path: string): ReadonlyMap<string, Row> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, Row>));
  } catch {
    throw new Error(`${path} holds no baseline; name a new file to write one`);
  }
}

/** Shows what changed. Lists: `-lost +added`. Single values: `old, now new`. */
function showChange(then: unknown, now: unknown): string {
  if (!Array.isArray(then) || !Array.isArray(now)) return `${String(then)}, now ${String(now)}`;
  const lost = then.filter((each) => !now.includes(each)).map((each) => `-${String(each)}`);
  return [...lost, ...now.filter((each) => !then.includes(each)).map((each) => `+${String(each)}`)].join(' ');
}
