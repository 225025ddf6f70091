import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { against, command, plainly, makeFolder } from '../samples/command.ts';

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

test('2: bad configuration and a refused key, with no report', async () => {
  const mistaken = await command('conformance', [], { BASE_URL: 'ftp://127.0.0.1', API_KEY: '' });
  expect(mistaken).toMatchObject({ exitCode: 2, report: null });
  expect(mistaken.err).toContain('BASE_URL');
  expect(mistaken.err).toContain('API_KEY');
  const folder = makeFolder();
  writeFileSync(join(folder, 'waivers.json'), '[{"requirement":"list-pets.limit"}]');
  const waived = await command('conformance', [], { WAIVERS: 'waivers.json' }, folder);
  expect(waived).toMatchObject({ exitCode: 2, report: null });
  expect(waived.err).toContain('WAIVERS (waivers.json): waiver 1 (list-pets.limit) lacks "reason"\n');
  await against(plainly, async ({ BASE_URL }) => {
    const refused = await command('conformance', [], { BASE_URL, API_KEY: 'not-the-key-of-it' });
    expect(refused).toMatchObject({ exitCode: 2, report: null });
    expect(refused.err).toContain('API_KEY');
    expect(refused.err).not.toContain('not-the-key-of-it');
  });
});
