import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAllureEnvironment } from '../../../reports/shown/allure/config.ts';
import { makeAllureExchange } from '../../../reports/shown/allure/allure-exchange.ts';
import { makeLeaves } from '../../../reports/shown/allure/results.ts';
import type { Report } from '../../../reports/document/report-document.ts';

/**
 * The most characters of all attached exchanges in one Allure report. Exchanges that do not fit are not attached; the text
 * of their results stays.
 */
const MOST_CHARACTERS = 400_000;

/** Writes Allure's results of a run: one for each requirement, with the verdicts of the report. What was in the folder is removed. */
export function writeResults(folder: string, report: Report, redact: (text: string) => string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('environment.properties', redact(writeAllureEnvironment(report)));
  const written = new Set<string>();
  let room = MOST_CHARACTERS;
  for (const { result, exchanges } of makeLeaves(report)) {
    // Several results may show the same exchange, which is written once.
    for (const [name, exchange] of [...exchanges].filter(([each]) => !written.has(each))) {
      const text = redact(JSON.stringify(makeAllureExchange(exchange, report.target.baseUrl)));
      if (text.length > room) continue;
      room -= text.length;
      write(name, text);
      written.add(name);
    }
    const attachments = result.attachments.filter(({ source }) => written.has(source));
    write(`${result.uuid}-result.json`, redact(JSON.stringify({ ...result, attachments })));
  }
}
