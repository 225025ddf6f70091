/** Text of unknown origin made harmless, one function per place where it may end up. */

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spelled(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return SHORT[character] ?? `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/**
 * One line in which nothing hides: control characters, direction marks, invisible characters and lone surrogates
 * are spelled out, `\x1b` for the escape character.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, spelled);
}

/** As `visible`, but line breaks and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN, (each) => (each === '\n' || each === '\t' ? each : spelled(each)));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML and XML 1.0, as content or as a quoted attribute. Line breaks stay; what XML cannot carry is spelled out. */
export function html(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (each) => ENTITIES[each] ?? each);
}

/** One line of Markdown that shows the text and nothing else: no markup, link, mention or issue reference. */
export function markdown(text: string): string {
  return visible(text)
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')
    .replace(/[@#]/g, '$&<!-- -->');
}

/** A Markdown code span that holds the text as it is. Not for table cells. */
export function markdownCode(text: string): string {
  const line = visible(text) || ' ';
  const fence = fenceAround(line, 1);
  return `${fence} ${line} ${fence}`;
}

/** A fenced Markdown block that holds the text as it is, line breaks included. */
export function markdownBlock(text: string, language: string): string {
  const lines = visibleLines(text);
  const fence = fenceAround(lines, 3);
  return `${fence}${language}\n${lines}\n${fence}`;
}

function fenceAround(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Breaks up `##`: Azure's agent takes `##[` and `##vso[` for a command of its own anywhere in a line. */
export function withoutAzureCommands(text: string): string {
  return text.replaceAll('##', '#\\x23');
}

/**
 * One line for a terminal or a CI log. What CI systems take for a command of their own is broken up:
 * `##[` and `##vso[` anywhere, `::` at the beginning of a line.
 */
export function terminal(text: string): string {
  return withoutAzureCommands(visible(text)).replace(/^(\s*):/, '$1\\x3a');
}

/** As `terminal`, for several lines: line breaks and tabs stay. */
export function terminalLines(text: string): string {
  return withoutAzureCommands(visibleLines(text)).replace(/^([^\S\n]*):/gm, '$1\\x3a');
}

/** JSON text for a terminal or a CI log: the same value, in which nothing hides and nothing is a command. */
export function jsonLines(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text
    .replace(UNSEEN, (each) => (each === '\n' ? each : each.split('').map(escaped).join('')))
    .replaceAll('##', '#\\u0023');
}

/** The message of a GitHub workflow command: `::error::message`. */
export function workflowData(text: string): string {
  return visibleLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property of a GitHub workflow command: `::error title=property::`. */
export function workflowProperty(text: string): string {
  return workflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** One word of a PowerShell command, taken literally. Its curly quotation marks end a text as the straight one does. */
export function powerShellWord(text: string): string {
  return /^[\w%+=:./-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** One word of a POSIX shell command, taken literally. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
