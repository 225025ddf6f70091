/** Makes text of unknown origin harmless. There is a function for each place that shows it: a line, HTML, Markdown, a terminal, JSON, a shell. */

/** Characters that nobody sees, or that change how others look: control and format characters, half surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;
/** Escapes that are shorter than the number of the character. */
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spellEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return SHORT[character] ?? `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/**
 * Returns one line without hidden characters. Control characters, direction marks, invisible characters and lone surrogates are
 * written as escapes, for example `\x1b`.
 */
export function escapeLine(text: string): string {
  return text.replace(UNSEEN, spellEscape);
}

/** Escapes as `escapeLine` does, but keeps line breaks and tabs. */
export function escapeLines(text: string): string {
  return text.replace(UNSEEN, (each) => (each === '\n' || each === '\t' ? each : spellEscape(each)));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML and XML 1.0, as content or as a quoted attribute. Line breaks stay; characters that XML forbids become escapes. */
export function escapeHtml(text: string): string {
  return escapeLines(text).replace(/[&<>"']/g, (each) => ENTITIES[each] ?? each);
}

/**
 * Finds characters that Markdown may read as markup. Some are markup in some places only: `-` and `1.` begin a list, `://` and `www.` a
 * link, `:name:` is an emoji, and `GH-1` names an issue.
 */
const MARKDOWN =
  /[\\`*_{}[\]<>#|~@&$!%^]|^[-+=]|(?<=^\d+)[.)](?=\s|$)|:(?=\/\/|[a-z_+-][\w+-]*:)|(?<=www)\.|(?<=[a-z])-(?=\d)/gi;

/**
 * Returns one line of Markdown that shows the text literally: no markup, link, mention or issue reference. It stays readable
 * where nobody renders it, for example in the title of a bug. Services find `@name` and `#7` in escaped text too: a comment splits them.
 */
export function escapeMarkdown(text: string): string {
  return escapeLine(text).replace(MARKDOWN, '\\$&').replace(/[@#]/g, '$&<!-- -->');
}

/** Returns a Markdown code span that shows the text literally. It does not fit into a table cell. */
export function writeMarkdownCode(text: string): string {
  const line = escapeLine(text) || ' ';
  const fence = chooseFence(line, 1);
  // A reader takes one blank off each end if both ends have one.
  const blank = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

/** Returns a fenced Markdown block that shows the text literally, with its line breaks. */
export function writeMarkdownBlock(text: string, language: string): string {
  const lines = escapeLines(text);
  const fence = chooseFence(lines, 3);
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** Returns more backquotes than the text has in a row, so that none of these ends the code. */
function chooseFence(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Breaks up `##`: the agent of Azure reads `##[` and `##vso[` anywhere in a line as a command. */
export function breakAzureCommands(text: string): string {
  return text.replaceAll('##', '#\\x23');
}

/**
 * Returns one line for a terminal or a CI log. It breaks up commands of CI systems: `##[` and `##vso[` anywhere, and each colon at the
 * beginning of a line, e.g. of `::error`.
 */
export function escapeTerminal(text: string): string {
  return breakAzureCommands(escapeLine(text)).replace(/^(\s*):/, '$1\\x3a');
}

/** Escapes as `escapeTerminal` does, but for several lines: line breaks and tabs stay. */
export function escapeTerminalLines(text: string): string {
  return breakAzureCommands(escapeLines(text)).replace(/^([^\S\n]*):/gm, '$1\\x3a');
}

/** Escapes JSON text for a terminal or a CI log. The value stays the same; hidden characters and commands of CI systems become escapes. */
export function escapeJson(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text
    .replace(UNSEEN, (each) => (each === '\n' ? each : each.split('').map(escaped).join('')))
    .replaceAll('##', '#\\u0023');
}

/** Escapes the message of a GitHub workflow command: `::error::message`. */
export function escapeWorkflowData(text: string): string {
  return escapeLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

/** Escapes a property of a GitHub workflow command: `::error title=property::`. */
export function escapeWorkflowProperty(text: string): string {
  return escapeWorkflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Writes bytes as a format of POSIX printf: `\012` for a line break. */
export function spellOctal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Returns one literal word of a POSIX shell command. */
export function quoteShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
