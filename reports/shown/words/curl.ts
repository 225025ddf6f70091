/** Writes a recorded request as a curl command that sends it again. */
import type { Evidence, Header } from '../../../fixtures/exchange/exchange.ts';
import { quoteShell, escapeLine, escapeLines, spellOctal } from './escape.ts';
import { spellCredential } from './credential-in-shell.ts';
import { isMissingCoding } from './idle-headers.ts';

/** Headers that curl computes and sends by itself. */
const SET_BY_CURL = new Set(['host', 'content-length']);

/** A header value that is the real key, with or without a scheme: `Bearer [key]`. */
const KEY = /^([\w-]+ )?\[key\]$/;
/** Evidence has brackets in place of a secret, for example `[key]`. */
const BRACKETS = /\[.*\]/;
/** The end of a body that evidence has cut: `… (70000 in all)`. */
const CUT = /… \(\d+ in all\)$/;

/**
 * The role of a header in the command:
 * - `key`: the real key, which the command reads from `$API_KEY`. `plain`: any other header that the command has.
 * - `made from the key`: a changed key, which lines before the command compute.
 * - `not known`: evidence has `[...]` in place of another secret, so only a comment names the header.
 * - `own`: curl sends it by itself.
 */
type Role = 'key' | 'made from the key' | 'not known' | 'own' | 'plain';

/**
 * Returns a POSIX shell command that sends the request again. It takes the key from `$API_KEY`, and makes a changed key from it.
 * Reports before version 3 do not say how a key was changed: then a comment before the command shows the sent header.
 * @param baseUrl the target's base address, without a trailing slash
 * @param keyFile the file with the key; undefined if the run had its key from API_KEY
 */
export function spellCurl(exchange: Evidence, baseUrl: string, keyFile?: string): string {
  return addKeyLine(spellCommand(exchange, baseUrl).join(''), keyFile);
}

/** Adds a line that reads the key from its file, if the run had a key file: then the shell has no `API_KEY`. */
function addKeyLine(command: string, keyFile: string | undefined): string {
  return keyFile === undefined || !command.includes('$API_KEY')
    ? command
    : `API_KEY=$(cat ${quoteShell(escapeLine(keyFile))})\n${command}`;
}

/** Returns the lines that come before the command (empty: none), and the command. */
function spellCommand({ request }: Evidence, baseUrl: string): [before: string, command: string] {
  const { path, headers, body, credential = 'key' } = request;
  const { before: tokenLines, option } = spellCredential(credential);
  const url = quoteShell(escapeLine(baseUrl + path));
  const headersOf = (...roles: Role[]) =>
    headers.filter(
      (each) => !isMissingCoding(each) && roles.includes(classifyHeader(each, credential !== 'key')),
    );
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);

  const before = [
    ...headersOf('not known').map((each) => `# not known here: ${escapeLine(each.join(': '))}`),
    ...makeLineIf(CUT.test(body ?? ''), '# the body was longer: this is its beginning'),
    // Lines that make a wrong credential from the key.
    ...tokenLines,
  ];
  const options = [
    [
      // `--compressed` would add an Accept-Encoding, which the request lacked.
      headers.some(isMissingCoding) ? 'curl -i' : 'curl -i --compressed',
      ...chooseLineOptions(request, url),
      url,
    ].join(' '),
    // Without this header curl would send `Accept: */*`.
    ...makeLineIf(!has('accept'), "-H 'Accept: application/json'"),
    ...(option !== null && headersOf('made from the key').length > 0 ? [option] : []),
    ...headersOf('key', 'plain').map(spellHeader),
    // curl adds a Content-Type to every body, unless this header is empty.
    ...makeLineIf(body !== null && !has('content-type'), "-H 'Content-Type:'"),
  ];
  return [before.map((line) => `${line}\n`).join(''), spellBody(options, body?.replace(CUT, '') ?? null)];
}

function makeLineIf(isNeeded: boolean, line: string): string[] {
  return isNeeded ? [line] : [];
}

/**
 * Returns the role of a header in the command.
 * @param isKeyChanged true if the request carries another credential than the key
 */
function classifyHeader([name, value]: Header, isKeyChanged: boolean): Role {
  const isCredential = name.toLowerCase() === 'authorization';
  if (isCredential && isKeyChanged && BRACKETS.test(value)) return 'made from the key';
  if (isCredential && KEY.test(value)) return 'key';
  if (BRACKETS.test(value)) return 'not known';
  return SET_BY_CURL.has(name.toLowerCase()) ? 'own' : 'plain';
}

function spellHeader([name, value]: Header): string {
  // In double quotation marks the shell replaces `$API_KEY` by the key.
  if (KEY.test(value)) return `-H "${name}: ${value.replace('[key]', '$API_KEY')}"`;
  // Without a value curl leaves its own header out.
  return `-H ${quoteShell(escapeLine(`${name}: ${value}`.trimEnd()))}`;
}

/**
 * Returns options with which curl writes the request line unchanged, for example `--path-as-is` for `/pets/../pets`.
 * @param url the whole address as a word of the shell
 */
function chooseLineOptions(
  { method, path, body, httpVersion, absolute }: Evidence['request'],
  url: string,
): string[] {
  // The method that curl chooses without `-X`.
  const byItself = body === null ? 'GET' : 'POST';
  return [
    ...makeLineIf(method === 'HEAD', '--head'),
    ...makeLineIf(!['HEAD', byItself].includes(method), `-X ${quoteShell(escapeLine(method))}`),
    ...makeLineIf(httpVersion === '1.0', '--http1.0'),
    // The request line has the whole address, as for a proxy: `GET http://h/v1/pets HTTP/1.1`.
    ...makeLineIf(absolute === true, `--request-target ${url}`),
    ...makeLineIf(/[[\]{}]/.test(path), '--globoff'),
    ...makeLineIf(/\/\.\.?([/?]|$)/.test(path), '--path-as-is'),
  ];
}

/** Adds the body. curl reads `@name` as a file, so such a body needs `--data-raw`. A body with invisible characters goes through printf. */
function spellBody(options: string[], body: string | null): string {
  const lines = (data: string[]) => [...options, ...data].join(' \\\n  ');
  if (body === null) return lines([]);
  if (body !== escapeLines(body)) return `printf -- ${escapeOctal(body)} | ${lines(['--data-binary @-'])}`;
  return lines([`${body.startsWith('@') ? '--data-raw' : '--data-binary'} ${quoteShell(body)}`]);
}

/** Returns the text as a format of POSIX printf, with invisible characters as octal bytes. */
function escapeOctal(text: string): string {
  // `%` and `\` have a meaning in a format, so each is doubled.
  const escaped = [...text.replaceAll(/[%\\]/g, '$&$&')].map((each) =>
    escapeLine(each) === each ? each : spellOctal(Buffer.from(each)),
  );
  return quoteShell(escaped.join(''));
}

/**
 * Returns one command that sends both requests, in turn, on one connection. There are two commands if a body comes from printf, or if each
 * request needs lines before it: two wrong keys are one variable of the shell.
 */
export function spellInTurn(exchanges: readonly Evidence[], baseUrl: string, keyFile?: string): string {
  const parts = exchanges.map((each) => spellCommand(each, baseUrl));
  const isOne =
    parts.every(([, command]) => command.startsWith('curl ')) &&
    parts.filter(([before]) => before !== '').length < 2;
  if (!isOne) return addKeyLine(parts.map((each) => each.join('')).join('\n'), keyFile);
  const commands = parts.map(([, command], nth) => (nth > 0 ? command.replace('curl', '--next') : command));
  return addKeyLine(parts.map(([before]) => before).join('') + commands.join(' \\\n  '), keyFile);
}

/** Returns shell commands that send these requests at the same time and wait for all answers. */
export function spellTogether(exchanges: readonly Evidence[], baseUrl: string, keyFile?: string): string {
  const commands = exchanges.map((each) => `${spellCommand(each, baseUrl).join('')} &`);
  return addKeyLine([...commands, 'wait'].join('\n'), keyFile);
}
