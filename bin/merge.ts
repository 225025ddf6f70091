#!/usr/bin/env node
/**
 * `npm run merge -- DIR...`: makes one report of a run that several machines have shared (`run --shard 2/3`). Exit codes:
 * 0 conforming, 1 nonconforming, 2 the records are not of one run, 3 inconclusive.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { digestCatalogue } from '../reports/certificate/suite-digests.ts';
import { readShard } from '../reports/document/shard-schema.ts';
import type { Report } from '../reports/document/report-document.ts';
import {
  mergeShards,
  findMismatches,
  findMissingShards,
  type ShardRecord,
} from '../reports/document/shards.ts';
import { findStart, spellWholeCommand } from '../reports/shown/words/commands.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { endWithCode, Mistake, readFile } from './certificate/certificate-files.ts';
import { program } from './commands/merge.ts';
import { printError, printRefusal } from './command-line/output/print.ts';
import { PARTIAL, SHARD, writeReports } from './command-line/output/artifacts.ts';
import { isFolder, LARGEST } from './command-line/files/foreign-file.ts';
import { ReportFolder } from './command-line/output/report-folder.ts';
import { Unwritable } from './command-line/files/unwritable.ts';
import { collectSuite } from './run/selection/collect-suite.ts';
import { printOutcome } from './run/print-outcome.ts';

await endWithCode(async () => {
  const { out = process.env.REPORT_DIR ?? 'reports/out', json = false } = program
    .parse()
    .opts<{ out?: string; json?: boolean }>();
  const records = program.args.flatMap(findRecords).map(readRecord);
  const mistakes = findMismatches(records, digestCatalogue());
  if (mistakes.length > 0) return printRefusal(mistakes);
  const report = mergeShards(records, await collectSuite());
  const folder = resolve(out);
  try {
    const files = await ReportFolder.open(folder);
    try {
      writeReports(files.work, report, (text) => text);
      files.swapIn();
    } catch (error) {
      throw files.makeUnwritable(error);
    } finally {
      await files.close();
    }
  } catch (error) {
    throw error instanceof Unwritable ? new Mistake(error.message) : error;
  }
  for (const index of findMissingShards(records))
    printError(describeMissing(report, index, records[0]?.count ?? 0));
  return printOutcome(
    { report, isReplay: false, problem: null, unwritten: null },
    { folder, quiet: false, json, opens: false, redact: (text) => text },
  );
});

/** Returns a text about a missing shard, with the command that judges it. All machines of a run have the same RUN_ID. */
function describeMissing(report: Report, index: number, count: number): string {
  const { command, variables } = findStart(report);
  const again = spellWholeCommand({ command: `${command} --shard ${index}/${count}`, variables });
  return `Shard ${index}/${count} is missing. Judge it with the RUN_ID of the others, then merge again:\n  ${escapeTerminal(again)}\n`;
}

/** Returns the records (`shard.json`) in the folder that an argument names; if it has none, those in its inner folders. */
function findRecords(path: string): string[] {
  const folder = resolve(path);
  if (!isFolder(folder)) throw new Mistake(`${path} is not a folder`);
  const own = findRecord(folder);
  if (own !== null) return [own];
  const inside = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const found = inside.flatMap((name) => findRecord(join(folder, name)) ?? []);
  if (found.length === 0)
    throw new Mistake(`${path} holds nothing of a shard: ${SHARD} is missing there and in the folders below`);
  return found;
}

/** Returns the path of the record that a run has left in its folder, or null. */
function findRecord(folder: string): string | null {
  return [join(folder, PARTIAL, SHARD), join(folder, SHARD)].find((each) => existsSync(each)) ?? null;
}

function readRecord(path: string): ShardRecord {
  const checked = readShard(readFile(path, LARGEST.report));
  if ('mistakes' in checked) throw new Mistake(`${path}: ${checked.mistakes[0]}`);
  return checked.value;
}
