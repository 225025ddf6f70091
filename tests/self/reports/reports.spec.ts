import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { validate as ctrfMistakes } from 'ctrf';
import fc from 'fast-check';
import { makeLeaves, VERDICT_LABEL, type AllureResult } from '../../../reports/shown/allure/leaves.ts';
import { renderAnnotations } from '../../../reports/shown/text/annotations.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { renderCtrf } from '../../../reports/shown/machine/ctrf.ts';
import { renderJunit } from '../../../reports/shown/machine/junit.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { groupBySection } from '../../../reports/document/group-by-section.ts';
import { renderSummary, renderTerminal } from '../../../reports/shown/text/run-text.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { layOutBody } from '../../../reports/shown/words/body-lines.ts';
import { spellCurl } from '../../../reports/shown/words/curl.ts';
import { escapeHtml, escapeLine, escapeMarkdown } from '../../../reports/shown/words/escape.ts';
import { escapeTerminal, escapeWorkflowData } from '../../../reports/shown/words/escape.ts';
import { escapeWorkflowProperty, quoteShell } from '../../../reports/shown/words/escape.ts';
import { writeMarkdownBlock, writeMarkdownCode } from '../../../reports/shown/words/escape.ts';
import { layOutJson } from '../../../reports/document/json-place.ts';
import { CONFORMING, HOSTILE_REPORT, HOSTILE_TEXT, INCONCLUSIVE } from '../samples/sample-reports.ts';
import { blockedBy, exchange, report } from '../samples/sample-reports.ts';

const REPORTS = { conforming: CONFORMING, nonconforming: HOSTILE_REPORT, inconclusive: INCONCLUSIVE };
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const COMMAND = /^\s*::|##\[|##vso/m;

test.describe('report.json', () => {
  test('a report is valid; a member too many, one too few and a wrong one are named', () => {
    for (const each of Object.values(REPORTS))
      expect(reportMistakes(JSON.parse(JSON.stringify(each)))).toEqual([]);
    const { verdict: _, ...rest } = CONFORMING;
    expect(reportMistakes(rest)).toEqual(['it lacks "verdict"']);
    expect(reportMistakes({ ...CONFORMING, key: 'secret' })).toEqual([
      'it has "key", which does not belong there',
    ]);
    expect(reportMistakes({ ...CONFORMING, exitCode: 4 })).toEqual(['/exitCode must be one of 0, 1, 2, 3']);
  });
  test('sections stand in the order of the document, and hold every requirement once', () => {
    const sections = groupBySection(HOSTILE_REPORT);
    expect(sections.slice(0, 3).map(({ title }) => title)).toEqual([
      'What the service does',
      'Pet',
      'NewPet',
    ]);
    expect(sections.flatMap(({ requirements }) => requirements)).toHaveLength(
      HOSTILE_REPORT.requirements.length,
    );
  });
});

test.describe('JUnit', () => {
  test('counts failures, errors and skips; a warning passes unless strict', () => {
    const xml = renderJunit(HOSTILE_REPORT);
    expect(xml.match(/<testcase /g)).toHaveLength(HOSTILE_REPORT.requirements.length);
    expect(xml.match(/<failure /g)).toHaveLength(findFailures(HOSTILE_REPORT).length);
    expect(xml).not.toContain('<error ');
    expect(xml.match(/<skipped message="undecided: /g)).toHaveLength(1);
    const stopped = { ...HOSTILE_REPORT, run: { ...HOSTILE_REPORT.run, stopped: 'nobody listens there' } };
    expect(renderJunit(stopped).match(/<error [^>]*message="[^"]+"/g)).toHaveLength(1);
    expect(renderJunit(stopped)).toMatch(/<testsuites [^>]*errors="1"/);
    expect(xml.match(/<system-out>/g)).toHaveLength(1);
    const strict = renderJunit({ ...HOSTILE_REPORT, run: { ...HOSTILE_REPORT.run, strict: true } });
    expect(strict.match(/<failure /g)).toHaveLength(findFailures(HOSTILE_REPORT).length + 1);
  });
  test('failure text stands alone', () => {
    const [, text = ''] =
      /<failure [^>]*>(representation\.pet-status, list-pets\.status: [^]*?)<\/failure>/.exec(
        renderJunit(HOSTILE_REPORT),
      ) ?? [];
    const parts =
      'expected:  sold|received:  &quot;Sold&quot;|/17/status|GET /pets?status=sold&amp;limit=5|curl -i|--only representation.pet-status --only list-pets.status|--replay v1:42:0:1';
    for (const part of parts.split('|')) expect(text).toContain(part);
  });
});

test('CTRF follows its schema', () => {
  for (const each of Object.values(REPORTS)) {
    const document = JSON.parse(renderCtrf(each));
    expect(ctrfMistakes(document).errors).toEqual([]);
    const summary = { failed: findFailures(each).length, other: each.counts.must.inconclusive };
    expect(document.results.summary).toMatchObject(summary);
  }
});

test.describe('terminal and CI logs', () => {
  test('tells all of a failure, and nothing of the target is a control character or a command', () => {
    const text = renderTerminal(HOSTILE_REPORT, { colour: false, width: 80, reportDir: 'reports/out' });
    for (const part of [
      '   1  A Pet shows a status that does not exist; 2 requirements broken',
      '✗ A Pet shows a status that does not exist',
      'representation.pet-status, list-pets.status: ',
      '/17/status',
      'exit code 1 (fails)',
      'body      {"name":"Rex"',
      'GET /pets?status=sold&limit=5',
      '200 OK',
      '4bf92f3577b34da6a3ce929d0e0e4736',
      'reports/out/conformance.html',
      'SEED=20261120 npm run conformance -- --failed',
      'curl -i',
      '--replay v1:42:0:1',
    ])
      expect(text).toContain(part);
    expect(text.replaceAll('\n', '')).not.toMatch(UNSEEN);
    expect(text).not.toMatch(COMMAND);
  });
  test('colours only when told', () => {
    const coloured = renderTerminal(HOSTILE_REPORT, { colour: true, width: 80 });
    expect(coloured).toContain('\x1b[31m✗ A Pet shows a status that does not exist');
    expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(
      renderTerminal(HOSTILE_REPORT, { colour: false, width: 80 }),
    );
  });
  test('ten annotations at most, one line each', () => {
    const ids = CONFORMING.requirements.slice(0, 12).map(({ id }) => id);
    const broken = report(
      Object.fromEntries(
        ids.map((id) => [id, { verdict: 'fail' as const, expected: HOSTILE_TEXT, received: HOSTILE_TEXT }]),
      ),
    );
    const lines = renderAnnotations(broken).trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    for (const [index, line] of lines.entries())
      expect(line).toMatch(new RegExp(`^::error title=${index + 1} of 12%3A .*::${ids[index]}: `));
    expect(renderAnnotations(CONFORMING)).toBe('');
  });
  test('the summary has counts, failures with their commands, and a folded profile', () => {
    const text = renderSummary(HOSTILE_REPORT);
    const parts =
      '# ✗ Nonconforming|- must: `6 broken, |## 5 failures|--only list-pets.status|## Also|- ! |- ? 1 undecided|<summary>1 open question';
    for (const part of parts.split('|')) expect(text).toContain(part);
    // Removes the summary lines, the blocks of code, and the code within lines. A code ends with as many backticks as it begins.
    const outsideCode = text
      .replaceAll(/^<summary>.*<\/summary>$/gm, '')
      .replaceAll(/^(`{3,})[^]*?^\1$/gm, '')
      .replaceAll(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
    const ours = /<!-- -->|<\/?details(?: open)?>/g;
    // Removes our own tags, and each sign that a backslash makes plain.
    expect(outsideCode.replaceAll(ours, '').replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[<[\]@`]/);
  });
});

test.describe('one fault', () => {
  const [BROKEN, TWICE, BLOCKED, BOTH, OPEN, ADVISED] = [
    'create-pet.answers-201',
    'list-pets.status',
    'get-pet.answers-200',
    'list-pets.shows-added',
    'list-pets.limit',
    'authentication.challenge',
  ] as const;
  const sameAnswer = {
    verdict: 'fail' as const,
    expected: 'sold',
    received: '"Sold"',
    pointer: '/0/status',
    evidence: ['x2'],
  };
  const FAULTY = {
    [BROKEN]: { verdict: 'fail' as const, expected: '201', received: '200', evidence: ['x1'] },
    [TWICE]: sameAnswer,
    'representation.pet-status': sameAnswer,
    [BLOCKED]: blockedBy(BROKEN),
    [BOTH]: blockedBy(BROKEN, TWICE),
    [OPEN]: {
      verdict: 'inconclusive' as const,
      reason: `no answer; blocked by ${BROKEN}`,
      cause: { kind: 'unreachable' as const },
    },
    [ADVISED]: { verdict: 'warn' as const, expected: 'a challenge', received: 'none', evidence: ['x3'] },
    'list-pets.empty': blockedBy(ADVISED),
  };
  const reportOf = (strict: boolean) =>
    report(FAULTY, { run: { strict }, exchanges: ['x1', 'x2', 'x3'].map((id) => exchange(id)) });
  const withStatus = (results: readonly AllureResult[], status: AllureResult['status']) =>
    results.filter((each) => each.status === status);

  for (const strict of [false, true]) {
    test(`is one failure in every report, and what it blocks is skipped${strict ? ', in strict mode' : ''}`, () => {
      const told = reportOf(strict);
      const failures = strict ? 3 : 2;
      const xml = renderJunit(told);
      const { tests, summary: sums } = JSON.parse(renderCtrf(told)).results;
      const results = makeLeaves(told).map(({ result }) => result);
      const [, headed] = /^## (\d+) failures$/m.exec(renderSummary(told)) ?? [];
      expect(findFailures(told)).toHaveLength(failures);
      const counts = {
        junit: xml.match(/<failure /g)?.length,
        head: Number(/<testsuites [^>]*failures="(\d+)"/.exec(xml)?.[1]),
        ctrf: sums.failed as number,
        allure: withStatus(results, 'failed').length,
        summary: Number(headed),
        terminal: Number(/^(\d+) failures$/m.exec(renderTerminal(told, { colour: false, width: 80 }))?.[1]),
        page: renderConformancePage(told).match(/<details class="card (fail|warn)" open/g)?.length,
        annotations: renderAnnotations(told).trimEnd().split('\n').length,
      };
      for (const [name, count] of Object.entries(counts)) expect(count, name).toBe(failures);
      // what a mere warning blocks, and what has another reason too, stays undecided
      const open = strict ? 1 : 2;
      expect([xml.match(/message="undecided: /g)?.length, sums.other]).toEqual([open, open]);
      // Allure has no status for a warning, and nothing of the test is broken
      const warnings = strict ? 0 : 1;
      expect(withStatus(results, 'unknown')).toHaveLength(open + warnings);
      expect(withStatus(results, 'broken')).toEqual([]);
      for (const id of [BLOCKED, BOTH]) {
        const { reason } = FAULTY[id];
        expect(xml).toContain(`<skipped message="${reason}"/>`);
        const skipped = { testId: id, status: 'skipped', rawStatus: 'inconclusive', message: reason };
        expect(tests).toContainEqual(expect.objectContaining(skipped));
        expect(results).toContainEqual(
          expect.objectContaining({
            status: 'skipped',
            statusDetails: expect.objectContaining({ message: reason }),
            labels: expect.arrayContaining([{ name: VERDICT_LABEL, value: 'inconclusive' }]),
          }),
        );
      }
    });
  }
});

const anyText = fc.oneof(
  // the unit 'binary' of fast-check takes a second to be set up
  fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...HOSTILE_TEXT, '\r', '\t', '\u2028', '\udfff', '`', '~', ':', '#'), {
      maxLength: 40,
    })
    .map((each) => each.join('')),
);
/** A plain predicate: expect() costs more than all the rest. */
const always = (holds: (text: string) => boolean) =>
  fc.assert(fc.property(anyText, holds), { numRuns: 500, seed: 6 });
const wellFormed = (text: string) => Buffer.from(text).toString();

test.describe('escapes', () => {
  test('visible text is one line without hidden characters; ordinary text stays', () => {
    always((text) => !UNSEEN.test(escapeLine(text)));
    expect(escapeLine('Zoë 犬 \x1b[31m\u202e\ud800\n')).toBe('Zoë 犬 \\x1b[31m\\u202e\\ud800\\n');
  });
  test('HTML and XML text holds no markup and no character that XML forbids', () => {
    always((text) => /^[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(escapeHtml(text)));
    always((text) => !/[<>"'&]/.test(escapeHtml(text).replaceAll(/&(amp|lt|gt|quot|#39);/g, '')));
  });
  test('Markdown text escapes what may be markup, cannot mention anybody, and is readable as it is', () => {
    const left = (text: string) =>
      escapeMarkdown(text)
        .replaceAll('<!-- -->', '')
        .replaceAll(/\\[!-/:-@[-`{-~]/g, 'x');
    always((text) => !/[\\`*_{}[\]<>#|~@&$!%^]|\n|^[-+=]|^\d+[.)](?:\s|$)|:\/\/|www\./.test(left(text)));
    always((text) => !/[@#](?!<!-- -->)/.test(escapeMarkdown(text)));
    for (const plain of ['Errors are not declared as application/json', '2026-11-20T10:00:00.000Z, 1.0.0'])
      expect(escapeMarkdown(plain)).toBe(plain);
    expect(['- a', '1. a', 'http://a.b', ':tada:', 'see GH-1'].map(escapeMarkdown)).toEqual([
      '\\- a',
      '1\\. a',
      'http\\://a.b',
      '\\:tada:',
      'see GH\\-1',
    ]);
  });
  test('a Markdown code span or block ends only at its own fence', () => {
    always((text) => {
      const [, fence, inside] = /^(`+)([^]*[^`])\1$/.exec(writeMarkdownCode(text)) ?? [];
      return fence !== undefined && inside !== undefined && !inside.split(/[^`]+/).includes(fence);
    });
    always((text) => {
      const [fence = '', ...lines] = writeMarkdownBlock(text, '').split('\n');
      return lines.findIndex((line) => line.trimStart().startsWith(fence)) === lines.length - 1;
    });
  });
  test('terminal text starts no command of a CI system', () => {
    always((text) => !COMMAND.test(escapeTerminal(text)) && !UNSEEN.test(escapeTerminal(text)));
  });
  test('a workflow command takes any text as its message and its title', () => {
    const decode = (text: string) =>
      text.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%0A', '\n').replaceAll('%25', '%');
    always(
      (text) => !/[\r\n]/.test(escapeWorkflowData(text)) && !/[\r\n:,]/.test(escapeWorkflowProperty(text)),
    );
    always((text) => escapeLine(decode(escapeWorkflowProperty(text))) === escapeLine(text));
  });
  test('a shell word is read back by a shell as it was', () => {
    const texts = fc
      .sample(anyText, { numRuns: 200, seed: 6 })
      .map((text) => wellFormed(text.replaceAll('\0', '')));
    const output = execFileSync('sh', ['-c', `printf '%s\\0' ${texts.map(quoteShell).join(' ')}`], {
      encoding: 'utf8',
    });
    expect(output.split('\0').slice(0, -1)).toEqual(texts);
  });
});

test.describe('place of a pointer', () => {
  const marked = (text: string, pointer: string) => {
    const { place } = layOutJson(text, pointer);
    return place === null ? null : text.slice(place.start, place.end);
  };
  test('is found in whole, in cut-off and in no JSON', () => {
    expect(marked('[{"a":1},{"a":{"b/c":[7,"x"]}}]', '/1/a/b~1c/1')).toBe('"x"');
    expect(marked('{"a" : "\\"}" , "a":2}', '/a')).toBe('2');
    expect(marked('[{"id":1,"name":"cut o', '/0/name')).toBe('"cut o');
    expect(marked('{"id":1}', '/name')).toBe('{"id":1}');
    expect(marked('<html>', '/name')).toBe('<html>');
    expect(marked('', '/name')).toBeNull();
  });
  test('is found for every value of any JSON, and never fails on any text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        const finds = (pointer: string) => JSON.stringify(JSON.parse(marked(text, pointer) ?? 'null'));
        return [...pointersOf(JSON.parse(text))].every(
          ([pointer, value]) => finds(pointer) === JSON.stringify(value),
        );
      }),
      { numRuns: 300, seed: 6 },
    );
    always((text) =>
      layOutBody(text, '/0/name').every(
        (line) =>
          'gap' in line || [line.before.trim(), line.marked, line.after].every((part) => text.includes(part)),
      ),
    );
  });
  test('a long list shows the lines around it', () => {
    const list = `[${Array.from({ length: 100 }, (_, id) => `{"id":${id}}`).join(',')}]`;
    const lines = layOutBody(list, '/50/id');
    expect(
      lines.map((line) =>
        'gap' in line ? `… ${line.gap}` : [line.before, line.marked, line.after].join(''),
      ),
    ).toEqual(['[', '… 47', ...[47, 48, 49, 50, 51, 52, 53].map((id) => `  {"id":${id}},`), '… 46', ']']);
    expect(lines.flatMap((line) => ('gap' in line ? [] : line.marked))).toContain('50');
  });
});

function* pointersOf(value: unknown, pointer = ''): Generator<[string, unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    yield* pointersOf(each, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

test.describe('curl', () => {
  const run = (evidence: Evidence) => {
    // Prints how many arguments come, then each of them, all ended by NUL, and then the body if curl reads it from its input.
    const fake = `curl() { printf '%s\\0' "$#" "$@"; case "$*" in *@-*) cat;; esac; }`;
    const script = `${fake}\n${spellCurl(evidence, 'https://h.example/v1')}`;
    const [count = '', ...parts] = execFileSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, API_KEY: 'k$"1' },
    }).split('\0');
    return { args: parts.slice(0, Number(count)), stdin: parts.slice(Number(count)).join('\0') };
  };
  const post = (body: string) => {
    const headers: Evidence['request']['headers'] = [
      ['Authorization', 'Bearer [key]'],
      ['Content-Type', 'application/json'],
    ];
    return exchange('x', { request: { method: 'POST', path: '/pets', headers, body } });
  };

  test('sends the request again, the key from the environment', () => {
    const body = '{"name":"O\'Hara $HOME `id`"}';
    const headers = [
      'Accept: application/json',
      'Authorization: Bearer k$"1',
      'Content-Type: application/json',
    ];
    expect(run(post(body)).args).toEqual([
      '-i',
      '--compressed',
      'https://h.example/v1/pets',
      ...headers.flatMap((each) => ['-H', each]),
      '--data-binary',
      body,
    ]);
  });
  test('sends any body as it was, also one that curl or a terminal would take for something else', () => {
    for (const body of [
      '',
      '@/etc/passwd',
      '-n',
      HOSTILE_TEXT,
      ...fc.sample(anyText, { numRuns: 40, seed: 6 }),
    ].map(wellFormed)) {
      const { args, stdin } = run(post(body));
      expect(args.at(-1) === '@-' ? stdin : args.at(-1)).toBe(body);
    }
  });
  test('other schemes carry the key, other credentials are told in a comment', () => {
    const asked = (value: string) => {
      const request = {
        method: 'GET',
        path: '/pets',
        headers: [['Authorization', value] as const],
        body: null,
      };
      return spellCurl(exchange('x', { request }), 'https://h.example/v1');
    };
    expect(asked('Basic [key]')).toContain('-H "Authorization: Basic $API_KEY"');
    const cut = asked('Bearer [the part of the key from 0 % to 75 %]');
    expect(cut).toMatch(/^# not known here: Authorization: Bearer \[the part/);
    expect(cut).not.toContain('API_KEY');
  });
});
