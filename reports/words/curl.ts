import type { Evidence, Header } from '../../fixtures/exchange/exchange.ts';
import { shellWord, visible, visibleLines } from './escape.ts';
import { credentialInShell } from './credential-in-shell.ts';

/** Headers that curl sends by itself, or that are the suite's own affair. */
const OWN = new Set(['host', 'connection', 'content-length', 'user-agent', 'accept-encoding']);

/** The real key in the only header where it belongs, under whatever scheme. */
const KEY = /^([\w-]+ )?\[key\]$/;
/** What evidence says in brackets in the place of a secret. */
const BRACKETS = /\[.*\]/;
/** How evidence ends a body that it cut. */
export const CUT = /… \(\d+ in all\)$/;

/** What a header of the evidence is for the command: only the key and what is `plain` are written as they are. */
type Role = 'key' | 'made from the key' | 'not known' | 'own' | 'plain';

/**
 * A POSIX shell command that sends the request again, the key taken from `$API_KEY`. A credential that is not the key is made
 * from it; in reports before version 3 it is not known, and a comment in front says what was sent.
 * @param baseUrl the target's base address, without a trailing slash
 * @param keyFile where the run had its key from, if that was a file
 */
export function curlCommand(exchange: Evidence, baseUrl: string, keyFile?: string): string {
  return withKey(oneCommand(exchange, baseUrl), keyFile);
}

/** Whoever ran the suite with a key file has no `API_KEY` in the shell. */
function withKey(command: string, keyFile: string | undefined): string {
  return keyFile === undefined || !command.includes('$API_KEY')
    ? command
    : `API_KEY=$(cat ${shellWord(visible(keyFile))})\n${command}`;
}

function oneCommand({ request }: Evidence, baseUrl: string): string {
  const { path, headers, body, credential = 'key' } = request;
  const { before: steps, option } = credentialInShell(credential);
  const headersOf = (...roles: Role[]) =>
    headers.filter((each) => roles.includes(roleOf(each, credential !== 'key')));
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);

  const before = [
    ...headersOf('not known').map((each) => `# not known here: ${visible(each.join(': '))}`),
    ...lineIf(CUT.test(body ?? ''), '# the body was longer: this is its beginning'),
    ...steps,
  ];
  const options = [
    ...lineOptions(request),
    '--compressed',
    shellWord(visible(baseUrl + path)),
    ...lineIf(!has('accept'), "-H 'Accept: application/json'"),
    ...(option !== null && headersOf('made from the key').length > 0 ? [option] : []),
    ...headersOf('key', 'plain').map(headerOption),
    ...lineIf(body !== null && !has('content-type'), "-H 'Content-Type:'"),
  ];
  return before.map((line) => `${line}\n`).join('') + withBody(options, body?.replace(CUT, '') ?? null);
}

function lineIf(isNeeded: boolean, line: string): string[] {
  return isNeeded ? [line] : [];
}

/** What a header of the evidence is for a command. @param isKeyChanged the request carries another credential than the key */
export function roleOf([name, value]: Header, isKeyChanged: boolean): Role {
  const isCredential = name.toLowerCase() === 'authorization';
  if (isCredential && isKeyChanged && BRACKETS.test(value)) return 'made from the key';
  if (isCredential && KEY.test(value)) return 'key';
  if (BRACKETS.test(value)) return 'not known';
  return OWN.has(name.toLowerCase()) ? 'own' : 'plain';
}

function headerOption([name, value]: Header): string {
  // double quotes, in which the shell puts the key
  if (KEY.test(value)) return `-H "${name}: ${value.replace('[key]', '$API_KEY')}"`;
  return `-H ${shellWord(visible(`${name}: ${value}`))}`;
}

/** Options that let curl write the request line as it was: no shell takes a character of them for its own. */
export function lineOptions({ method, path, body, httpVersion }: Evidence['request']): string[] {
  const byItself = body === null ? 'GET' : 'POST';
  return [
    ...lineIf(method === 'HEAD', '--head'),
    ...lineIf(!['HEAD', byItself].includes(method), `-X ${shellWord(visible(method))}`),
    ...lineIf(httpVersion === '1.0', '--http1.0'),
    ...lineIf(/[[\]{}]/.test(path), '--globoff'),
    ...lineIf(/\/\.\.?([/?]|$)/.test(path), '--path-as-is'),
  ];
}

/** curl reads a file where data begins with @; what a terminal cannot show goes through printf. */
function withBody(options: string[], body: string | null): string {
  const lines = (data: string[]) => ['curl -i', ...options, ...data].join(' \\\n  ');
  if (body === null) return lines([]);
  if (body !== visibleLines(body)) return `printf -- ${octal(body)} | ${lines(['--data-binary @-'])}`;
  return lines([`${body.startsWith('@') ? '--data-raw' : '--data-binary'} ${shellWord(body)}`]);
}

/** The text as a format of POSIX printf, in which unseen characters are octal bytes. */
function octal(text: string): string {
  const bytes = (character: string) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const escaped = [...text.replaceAll(/[%\\]/g, '$&$&')].map((each) =>
    visible(each) === each ? each : bytes(each),
  );
  return shellWord(escaped.join(''));
}

/** Shell commands that send these requests at the same time, and wait for all answers. */
export function curlTogether(exchanges: readonly Evidence[], baseUrl: string, keyFile?: string): string {
  return withKey([...exchanges.map((each) => `${oneCommand(each, baseUrl)} &`), 'wait'].join('\n'), keyFile);
}
