/** `judge`: the evidence of a run is judged once more, offline. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { faults } from '../../../fixtures/implementations/faults/list-pets-limit.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { against, command, idsWith } from '../samples/command.ts';

const fault = faults.find(({ id }) => id === 'list-pets.limit-one-more');

test('the evidence of a run says again what the run said, and what another report next to it does not say', async () => {
  await against(fault?.vary ?? ((Base) => Base), async (target) => {
    const { folder, report } = await command('conformance', ['--quick'], target);
    const out = join(folder, 'out');
    const again = await command('judge', [out, '--json'], {}, folder);
    expect(again.exitCode).toBe(1);
    const { evidence, verdict, comparison } = JSON.parse(again.out) as Record<string, unknown>;
    expect({ evidence, verdict }).toEqual({
      evidence: join(out, 'evidence.jsonl'),
      verdict: 'nonconforming',
    });
    expect(comparison).toMatchObject({ verdicts: [] });
    expect((await command('judge', [out], {}, folder)).out).toContain(
      'Every verdict is as in the report next to the evidence.',
    );

    // as if an older version had let it pass
    const [id = ''] = idsWith(report, 'fail');
    writeFileSync(join(out, 'report.json'), JSON.stringify(withPass(report, id)));
    const stricter = await command('judge', [out], {}, folder);
    expect(stricter.exitCode).toBe(1);
    expect(stricter.out).toMatch(/Worse than before/);
    expect(stricter.out).toContain(`${id} pass → fail`);

    // without a report the evidence alone is judged
    rmSync(join(out, 'report.json'));
    const alone = await command('judge', [join(out, 'evidence.jsonl')], {}, folder);
    expect(alone.exitCode).toBe(1);
    expect(alone.out).not.toContain('report next to');

    const text = readFileSync(join(out, 'evidence.jsonl'), 'utf8');
    writeFileSync(join(out, 'evidence.jsonl'), text.slice(0, -100));
    const { exitCode, out: printed, err } = await command('judge', [out], {}, folder);
    expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: '' });
    expect(err).toMatch(/^[^\n]*its last line has no end[^\n]*\n$/);
  });
});

function withPass(report: Report | null, id: string): unknown {
  const requirements = report?.requirements.map((each) =>
    each.id === id ? { ...each, verdict: 'pass', expected: null, received: null } : each,
  );
  return { ...report, requirements };
}
