/** A process of its own, which makes one Allure page when it is told to. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AllureReport, resolveConfig } from '@allurereport/core';
import { sealedPage } from '../../reports/allure/sealed-page.ts';

/** What is to be made: of the results in one folder, by way of another, the page at `path`. */
export interface Order {
  config: object;
  results: string;
  work: string;
  path: string;
}

process.on('disconnect', () => process.exit());
process.once('message', ({ config, results, work, path }: Order) => {
  const tell = (problem: string | null, code?: string) =>
    process.send?.({ problem, code }, () => process.exit());
  generate(config, results, work)
    .then(() => writeFileSync(path, sealedPage(readFileSync(join(work, 'page', 'index.html'), 'utf8'))))
    .then(
      () => tell(null),
      (error: NodeJS.ErrnoException) => tell(error.message, error.code),
    );
});

async function generate(config: object, results: string, work: string): Promise<void> {
  process.chdir(work);
  const allure = new AllureReport(await resolveConfig(config, { output: join(work, 'page') }));
  await allure.restoreState([]);
  await allure.start();
  await allure.readDirectory(results);
  await allure.done();
}
