import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { command } from '../samples/command.ts';

test('0: the embedded reference conforms, with nothing undecided', async () => {
  const { exitCode, out, report, folder } = await command('conformance', []);
  expect(out).toContain('Conforming');
  expect(exitCode).toBe(0);
  expect(reportMistakes(report)).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'conforming',
    exitCode: 0,
    target: { embedded: true },
    run: { complete: true, stopped: null },
  });
  expect(report?.counts.must).toMatchObject({ fail: 0, inconclusive: 0, 'not-applicable': 0 });
  expect(
    report?.observations.filter(({ observed }) => observed === 'not-observed').map(({ id }) => id),
  ).toEqual([]);
  expect(report?.run.requests).toBeLessThan(1_600);
  expect(statSync(join(folder, 'out', 'conformance.html')).size).toBeLessThan(300 * 1_024);
});
