import type { Evidence, Header } from '../../fixtures/exchange/exchange.ts';
import { CUT, lineOptions, roleOf } from './curl.ts';
import { powerShellWord, visible, visibleLines } from './escape.ts';

/**
 * Returns the request as a command of PowerShell with the key from `$env:API_KEY`.
 * Windows PowerShell 5.1 drops quotation marks in the arguments of programs, and it pipes text as ASCII. So a
 * header with quotation marks, and every body, goes through a file.
 * @param keyFile the file with the key; undefined if the run had its key from API_KEY
 * @returns null if a header is made from the key or unknown, or if the body has invisible characters: only the POSIX
 * command can send these
 */
export function curlInPowerShell(
  { request }: Evidence,
  baseUrl: string,
  keyFile: string | undefined,
): string | null {
  const { path, headers, body, credential = 'key' } = request;
  const own = headers.filter((each) => ['key', 'plain'].includes(roleOf(each, credential !== 'key')));
  const isKnown = headers.every(
    (each) => !['made from the key', 'not known'].includes(roleOf(each, credential !== 'key')),
  );
  if (!isKnown || (body !== null && body !== visibleLines(body))) return null;
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  const quoted = own.filter(([, value]) => value.includes('"'));
  const hasKey = own.some((each) => roleOf(each, false) === 'key');
  const options = [
    ...lineOptions(request),
    powerShellWord(visible(baseUrl + path)),
    ...(has('accept') ? [] : ["-H 'Accept: application/json'"]),
    ...own.filter((each) => !quoted.includes(each)).map(headerOption),
    ...(quoted.length === 0 ? [] : ['-H "@$headers"']),
    ...(body !== null && !has('content-type') ? ["-H 'Content-Type:'"] : []),
    ...(body === null ? [] : ['--data-binary "@$body"']),
  ];
  return [
    ...(hasKey && keyFile !== undefined
      ? [`$env:API_KEY = (Get-Content -Raw ${powerShellWord(visible(keyFile))}).Trim()`]
      : []),
    ...inFile(
      'headers',
      quoted.length === 0 ? null : quoted.map((each) => `${visible(each.join(': '))}\n`).join(''),
    ),
    ...inFile('body', body === null ? null : body.replace(CUT, '')),
    ['curl.exe -i', ...options].join(' `\n  '),
  ].join('\n');
}

/** Lines that write a text to a new file in UTF-8, without a line break at its end. */
function inFile(name: string, text: string | null): string[] {
  if (text === null) return [];
  return [`$${name} = New-TemporaryFile`, `[IO.File]::WriteAllText($${name}, ${powerShellWord(text)})`];
}

function headerOption(header: Header): string {
  const [name, value] = header;
  return roleOf(header, false) === 'key'
    ? `-H "${name}: ${value.replace('[key]', '$env:API_KEY')}"`
    : `-H ${powerShellWord(visible(`${name}: ${value}`))}`;
}
