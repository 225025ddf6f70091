import type { Evidence, Header } from '../../fixtures/exchange/exchange.ts';
import { shellWord, visible, visibleLines } from './escape.ts';
import { credentialInShell } from './credential-in-shell.ts';

/** Headers that curl sends by itself, or that are the suite's own affair. */
const OWN = new Set(['host', 'connection', 'content-length', 'user-agent', 'accept-encoding']);

/** The real key in the only header where it belongs, under whatever scheme. */
const KEY = /^([\w-]+ )?\[key\]$/;
/** How evidence ends a body that it cut. */
const CUT = /… \(\d+ in all\)$/;

/**
 * A POSIX shell command that sends the request again, the key taken from `$API_KEY`. A credential that is not the key is made
 * from it; in reports before version 3 it is not known, and a comment in front says what was sent.
 * @param baseUrl the target's base address, without a trailing slash
 */
export function curlCommand({ request }: Evidence, baseUrl: string): string {
  const { method, path, headers, body, credential } = request;
  const isKey = ([name, value]: Header) => name.toLowerCase() === 'authorization' && KEY.test(value);
  const made = credential === undefined || credential === 'key' ? null : credentialInShell(credential);
  const isMade = ([name, value]: Header) =>
    made !== null && name.toLowerCase() === 'authorization' && /\[.*\]/.test(value);
  const unknown = headers.filter((each) => !isKey(each) && !isMade(each) && /\[.*\]/.test(each[1]));
  const shown = headers.filter(
    (each) => !OWN.has(each[0].toLowerCase()) && !unknown.includes(each) && !isMade(each),
  );
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);

  const options = [
    ...(method === 'HEAD'
      ? ['--head']
      : method === (body === null ? 'GET' : 'POST')
        ? []
        : [`-X ${shellWord(visible(method))}`]),
    ...(/[[\]{}]/.test(path) ? ['--globoff'] : []),
    ...(/\/\.\.?([/?]|$)/.test(path) ? ['--path-as-is'] : []),
    '--compressed',
    shellWord(visible(baseUrl + path)),
    ...(has('accept') ? [] : ["-H 'Accept: application/json'"]),
    ...(made?.option == null || !headers.some(isMade) ? [] : [made.option]),
    ...shown.map(
      (each) =>
        `-H ${isKey(each) ? `"${each[0]}: ${each[1].replace('[key]', '$API_KEY')}"` : shellWord(visible(each.join(': ')))}`,
    ),
    ...(body !== null && !has('content-type') ? ["-H 'Content-Type:'"] : []),
  ];
  const comments = [
    ...unknown.map((each) => `# not known here: ${visible(each.join(': '))}\n`),
    ...(CUT.test(body ?? '') ? ['# the body was longer: this is its beginning\n'] : []),
  ];
  return (
    [...comments, ...(made?.before ?? []).map((line) => `${line}\n`)].join('') +
    withBody(options, body?.replace(CUT, '') ?? null)
  );
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
  const escaped = [...text].map((each) =>
    each === '%' ? '%%' : each === '\\' ? '\\\\' : visible(each) === each ? each : bytes(each),
  );
  return shellWord(escaped.join(''));
}

/** Shell commands that send these requests at the same time, and wait for all answers. */
export function curlTogether(exchanges: readonly Evidence[], baseUrl: string): string {
  return [...exchanges.map((each) => `${curlCommand(each, baseUrl)} &`), 'wait'].join('\n');
}
