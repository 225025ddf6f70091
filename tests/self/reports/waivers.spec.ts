/** A waiver sets a known failure aside until a day: who may waive what, when it is stale, and what it never covers. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { applyWaivers, readWaivers, type Waiver } from '../../../reports/document/waivers.ts';
import { describeBroken } from '../../../reports/document/reasons/broken.ts';
import { shellIn, makeFolder } from '../samples/command.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { blockedBy, failureWith, report } from '../samples/sample-reports.ts';
import type { Report, RequirementResult } from '../../../reports/document/report-document.ts';

test.describe('waivers', () => {
  const today = new Date('2026-11-20T12:00:00Z');
  const waiver = (change: Partial<Waiver> = {}): Waiver => ({
    requirement: 'list-pets.limit',
    reason: 'known',
    owner: 'pets team',
    ticket: 'PET-1',
    expires: '2026-11-20',
    ...change,
  });
  const failed = report({ 'list-pets.limit': failureWith({ expected: 'at most 5', received: '6' }) });
  const applyToFailed = (waivers: Waiver[], accept = true) => applyWaivers(failed, waivers, { accept });

  test('all waivers of a file are read, or its mistakes are named', () => {
    expect(readWaivers(JSON.stringify([waiver()]), today)).toEqual({ waivers: [waiver()] });
    for (const [written, ...mistakes] of [
      ['{', 'it is not JSON'],
      [JSON.stringify(waiver()), 'it must be a list'],
      [
        waiver({ expires: '2026-11-19' }),
        'waiver 1 (list-pets.limit) ended on 2026-11-19: ask pets team (PET-1)',
      ],
      [waiver({ requirement: 'list-pets.limits' }), 'waiver 1 (list-pets.limits) names no requirement'],
      [{ ...waiver(), owner: undefined }, 'waiver 1 (list-pets.limit) lacks "owner"'],
      [
        waiver({ expires: '2026-13-01' }),
        'waiver 1 (list-pets.limit): "expires" must be a day, such as 2027-01-31',
      ],
      [
        { ...waiver(), requirement: 3, owner: ' ' },
        'waiver 1: "requirement" must be a text',
        'waiver 1: "owner" must not be empty',
      ],
      [
        JSON.stringify([waiver()]).replace('{', '{"owner":"a",'),
        'waiver 1 (list-pets.limit): "owner" is there twice',
      ],
    ] as const) {
      const text = typeof written === 'string' ? written : JSON.stringify([written]);
      expect(readWaivers(text, today)).toEqual({ mistakes });
    }
  });
  test('a waived failure stays a failure; the exit code is 0 only with --accept-waivers', () => {
    const accepted = applyToFailed([waiver()]);
    expect(accepted).toMatchObject({ verdict: 'nonconforming', exitCode: 0 });
    expect(accepted.reason).toContain('nonconforming, waived: 1 of 1 (list-pets.limit)');
    const result = accepted.requirements.find(({ id }) => id === 'list-pets.limit');
    expect(result).toMatchObject({ verdict: 'fail', waiver: { owner: 'pets team', ticket: 'PET-1' } });
    expect(applyToFailed([waiver()], false).exitCode).toBe(1);
    expect(checkReport(JSON.parse(JSON.stringify(accepted)))).toEqual([]);
  });
  const TWO = { 'list-pets.limit': failureWith(), 'list-pets.empty': failureWith() };
  /** A report with these results, after `--accept-waivers`. */
  const applyTo = (
    results: Parameters<typeof report>[0],
    waivers = [waiver()],
    change: Parameters<typeof report>[1] = {},
  ) => applyWaivers(report(results, change), waivers, { accept: true });

  test('a failure that is not waived, or not the one expected, blocks', () => {
    expect(applyToFailed([]).exitCode).toBe(1);
    expect(applyToFailed([waiver({ expected: '7' })]).exitCode).toBe(1);
    expect(applyToFailed([waiver({ expected: '6' })]).exitCode).toBe(0);
    expect(applyToFailed([waiver({ expected: 'at most 5' })]).exitCode).toBe(0);
    expect(applyTo(TWO).exitCode).toBe(1);
    for (const [requirement, id] of [
      ['list-pets.limit', 'list-pets.empty'],
      ['list-pets.empty', 'list-pets.limit'],
    ] as const)
      expect(applyTo(TWO, [waiver({ requirement })]).reason).toContain(
        `${describeBroken({ id, statement: '' })}, and 1 more failure; nonconforming, waived: 1 of 2`,
      );
  });
  test('a waiver is stale only if all that it is about was asked and passed; then the run fails', () => {
    const stale = applyTo({});
    expect(stale).toMatchObject({ verdict: 'conforming', exitCode: 1 });
    expect(stale.reason).toContain('a waiver is stale: list-pets.limit passes now');
    const acceptWith = (result: Partial<RequirementResult>) => applyTo({ 'list-pets.limit': result });
    const blocked = { kind: 'blocked-by', requirement: 'list-pets.empty' } as const;
    const partial = { reason: '1 case left out', needs: null };
    expect(acceptWith({ partial })).toMatchObject({ verdict: 'conforming', exitCode: 0 });
    expect(acceptWith({ verdict: 'not-applicable', cause: { kind: 'tact' } }).exitCode).toBe(0);
    expect(acceptWith({ cause: blocked }).staleWaivers).toBeUndefined();
    expect(acceptWith({}).staleWaivers).toEqual(['list-pets.limit']);
  });
  test('if all failures are waived, the last lines name a stale waiver', () => {
    const waivers = [waiver(), waiver({ requirement: 'list-pets.empty' })];
    const stale = applyWaivers(failed, waivers, { accept: true });
    expect(stale.exitCode).toBe(1);
    expect(checkReport(JSON.parse(JSON.stringify(stale)))).toEqual([]);
    const lines = renderPlain(stale).trimEnd().split('\n');
    expect(lines.at(-2)).toBe('✗ Nonconforming, waived, but a waiver is stale: list-pets.empty passes now');
  });
  test('a promise that only a waived failure blocks does not change the exit code', () => {
    const exitCodeOf = (result: Partial<RequirementResult>) =>
      applyTo({ ...TWO, 'list-pets.empty': result }).exitCode;
    const cause = { kind: 'unreachable' } as const;
    expect(exitCodeOf(blockedBy('list-pets.limit'))).toBe(0);
    // No waiver covers `list-pets.limits`, which is another id.
    expect(exitCodeOf(blockedBy('list-pets.limits'))).toBe(3);
    expect(exitCodeOf({ verdict: 'inconclusive', reason: 'blocked by list-pets.limit', cause })).toBe(3);
  });
  test('only in a quick run, a waiver also covers what its failure explains; no other defect hides behind it', () => {
    const failing = { 'list-pets.limit': failureWith(), 'list-pets.default-limit': failureWith() };
    const quick = { run: { profile: { name: 'quick' } as Report['run']['profile'] } };
    expect(applyTo(failing, [waiver()], quick).exitCode).toBe(0);
    expect(applyTo(failing).exitCode).toBe(1);
    expect(applyTo({ ...failing, ...TWO }, [waiver()], quick).exitCode).toBe(1);
  });
  test('in strict mode warnings can be waived too', () => {
    const warned = { 'authentication.challenge': { verdict: 'warn' } } as const;
    const strict = { run: { strict: true } };
    expect(report(warned, strict).exitCode).toBe(1);
    const waived = applyTo(warned, [waiver({ requirement: 'authentication.challenge' })], strict);
    expect(waived).toMatchObject({ verdict: 'conforming', exitCode: 0 });
  });
});

test.describe('files that are made from the last report', () => {
  const failing = report(
    { 'list-pets.limit': { verdict: 'fail' }, 'errors.json': { verdict: 'warn' } },
    {
      footprint: [
        { id: '7', name: 'a' },
        { id: '', name: 'b' },
        { id: '9007199254740993', name: 'c' },
      ],
    },
  );

  test('the command prints identifiers, and writes waivers for each failure, but over no file', async () => {
    const folder = makeFolder();
    const writeReport = (strict: boolean, judged: Report = failing) => {
      mkdirSync(join(folder, 'out'), { recursive: true });
      const written = { ...judged, run: { ...judged.run, strict } };
      writeFileSync(join(folder, 'out', 'report.json'), JSON.stringify(written));
    };
    writeReport(false);
    const shell = shellIn(folder);
    await shell('report --footprint-ids', 0, /^7\n9007199254740993\n$/);
    const words = 'report --waivers-for-failures --owner a --ticket b';
    await shell(words, 2);
    for (const odd of ['2026-11-31', '2000-01-01', 'soon']) await shell(`${words} --until ${odd}`, 2);
    await shell(`${words} --until 2090-01-31`, 0, '1 waiver;');
    await shell(`${words} --until 2090-01-31`, 2, 'left as it is');
    const read = readWaivers(readFileSync(join(folder, 'waivers.json'), 'utf8'), new Date());
    expect(read).toMatchObject({ waivers: [{ requirement: 'list-pets.limit' }] });
    rmSync(join(folder, 'waivers.json'));
    writeReport(true);
    await shell(`${words} --until 2090-01-31`, 0, '2 waivers;');
    writeReport(false, report({}));
    await shell(`${words} --until 2090-01-31`, 0, 'nothing to waive');
  });
});
