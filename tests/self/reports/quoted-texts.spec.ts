/** Reports quote any text that a target sends: they escape it, mark the place of a pointer in it, and write curl commands with it. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { layOutBody } from '../../../reports/shown/words/body-lines.ts';
import { spellCurl } from '../../../reports/shown/words/curl.ts';
import { escapeHtml, escapeLine, escapeMarkdown } from '../../../reports/shown/words/escape.ts';
import { escapeTerminal, escapeWorkflowData } from '../../../reports/shown/words/escape.ts';
import { escapeWorkflowProperty, quoteShell } from '../../../reports/shown/words/escape.ts';
import { writeMarkdownBlock, writeMarkdownCode } from '../../../reports/shown/words/escape.ts';
import { layOutJson } from '../../../reports/document/json-place.ts';
import { exchange } from '../samples/sample-reports.ts';
import { CI_COMMAND, HOSTILE_TEXT, HIDDEN } from '../samples/hostile-report.ts';

/** Any text, and texts that mean something to a page, a terminal or a CI system. */
const anyText = fc.oneof(
  // The unit 'binary' of fast-check takes a second to be set up
  fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...HOSTILE_TEXT, '\r', '\t', '\u2028', '\udfff', '`', '~', ':', '#'), {
      maxLength: 40,
    })
    .map((each) => each.join('')),
);
/** Fails unless the predicate holds for 500 texts. It returns a boolean, because `expect` would take most of the time. */
const holdsForAny = (holds: (text: string) => boolean) =>
  fc.assert(fc.property(anyText, holds), { numRuns: 500, seed: 6 });
/** Replaces each half of a surrogate pair, e.g. `\ud800`, by U+FFFD: UTF-8 cannot hold it. */
const wellFormed = (text: string) => Buffer.from(text).toString();

test.describe('escapes', () => {
  test('visible text is one line without hidden characters; ordinary text stays', () => {
    holdsForAny((text) => !HIDDEN.test(escapeLine(text)));
    expect(escapeLine('Zoë 犬 \x1b[31m\u202e\ud800\n')).toBe('Zoë 犬 \\x1b[31m\\u202e\\ud800\\n');
  });
  test('HTML and XML text holds no markup and no character that XML forbids', () => {
    holdsForAny((text) => /^[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(escapeHtml(text)));
    holdsForAny((text) => !/[<>"'&]/.test(escapeHtml(text).replaceAll(/&(amp|lt|gt|quot|#39);/g, '')));
  });
  test('Markdown text escapes what may be markup, cannot mention anybody, and is readable as it is', () => {
    // The escaped text, with `x` for each character that a backslash makes plain
    const bare = (text: string) =>
      escapeMarkdown(text)
        .replaceAll('<!-- -->', '')
        .replaceAll(/\\[!-/:-@[-`{-~]/g, 'x');
    holdsForAny((text) => !/[\\`*_{}[\]<>#|~@&$!%^]|\n|^[-+=]|^\d+[.)](?:\s|$)|:\/\/|www\./.test(bare(text)));
    holdsForAny((text) => !/[@#](?!<!-- -->)/.test(escapeMarkdown(text)));
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
    holdsForAny((text) => {
      // The fence is a row of backticks, and no row within the span is as long
      const [, fence, inside] = /^(`+)([^]*[^`])\1$/.exec(writeMarkdownCode(text)) ?? [];
      return fence !== undefined && inside !== undefined && !inside.split(/[^`]+/).includes(fence);
    });
    holdsForAny((text) => {
      const [fence = '', ...lines] = writeMarkdownBlock(text, '').split('\n');
      return lines.findIndex((line) => line.trimStart().startsWith(fence)) === lines.length - 1;
    });
  });
  test('terminal text starts no command of a CI system', () => {
    holdsForAny((text) => !CI_COMMAND.test(escapeTerminal(text)) && !HIDDEN.test(escapeTerminal(text)));
  });
  test('a workflow command takes any text as its message and its title', () => {
    const decode = (text: string) =>
      text.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%0A', '\n').replaceAll('%25', '%');
    holdsForAny(
      (text) => !/[\r\n]/.test(escapeWorkflowData(text)) && !/[\r\n:,]/.test(escapeWorkflowProperty(text)),
    );
    holdsForAny((text) => escapeLine(decode(escapeWorkflowProperty(text))) === escapeLine(text));
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
  /** Returns the part of the text that a report marks. */
  const findMarked = (text: string, pointer: string) => {
    const { place } = layOutJson(text, pointer);
    return place === null ? null : text.slice(place.start, place.end);
  };
  test('is found in whole, in cut-off and in no JSON', () => {
    expect(findMarked('[{"a":1},{"a":{"b/c":[7,"x"]}}]', '/1/a/b~1c/1')).toBe('"x"');
    expect(findMarked('{"a" : "\\"}" , "a":2}', '/a')).toBe('2');
    expect(findMarked('[{"id":1,"name":"cut o', '/0/name')).toBe('"cut o');
    expect(findMarked('{"id":1}', '/name')).toBe('{"id":1}');
    expect(findMarked('<html>', '/name')).toBe('<html>');
    expect(findMarked('', '/name')).toBeNull();
  });
  test('is found for every value of any JSON, and never fails on any text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        const readAt = (pointer: string) => JSON.stringify(JSON.parse(findMarked(text, pointer) ?? 'null'));
        return [...listPointers(JSON.parse(text))].every(
          ([pointer, value]) => readAt(pointer) === JSON.stringify(value),
        );
      }),
      { numRuns: 300, seed: 6 },
    );
    holdsForAny((text) =>
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

/** Yields each value in a JSON value, with its pointer. */
function* listPointers(value: unknown, pointer = ''): Generator<[string, unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    yield* listPointers(each, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

test.describe('curl', () => {
  /** Runs the printed command with a `curl` that is a function of the shell. Returns what it would have got. */
  const runCurl = (evidence: Evidence) => {
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
    expect(runCurl(post(body)).args).toEqual([
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
      const { args, stdin } = runCurl(post(body));
      expect(args.at(-1) === '@-' ? stdin : args.at(-1)).toBe(body);
    }
  });
  test('other schemes carry the key, a comment names other credentials', () => {
    const spellWith = (value: string) => {
      const request = {
        method: 'GET',
        path: '/pets',
        headers: [['Authorization', value] as const],
        body: null,
      };
      return spellCurl(exchange('x', { request }), 'https://h.example/v1');
    };
    expect(spellWith('Basic [key]')).toContain('-H "Authorization: Basic $API_KEY"');
    const part = spellWith('Bearer [the first 75 % of the key]');
    expect(part).toMatch(/^# not known here: Authorization: Bearer \[the first 75/);
    expect(part).not.toContain('API_KEY');
  });
});
