/** Writes a recorded request as a curl command for PowerShell on Windows. `curl.ts` writes the one for POSIX shells. */
import type { Evidence, Header } from '../../../fixtures/exchange/exchange.ts';
import { CUT, chooseLineOptions, classifyHeader } from './curl.ts';
import { quotePowerShell, escapeLine, escapeLines } from './escape.ts';

/**
 * Returns the request as a command of PowerShell with the key from `$env:API_KEY`. Windows PowerShell 5.1 drops quotation marks
 * in the arguments of programs, and it pipes text as ASCII. So a header with quotation marks, and every body, goes through a
 * file.
 * @param keyFile the file with the key; undefined if the run had its key from API_KEY
 * @returns null if a header is made from the key or unknown, or if the body has invisible characters: only the POSIX
 * command can send these
 */
export function spellPowerShell(
  { request }: Evidence,
  baseUrl: string,
  keyFile: string | undefined,
): string | null {
  const { headers, body, credential = 'key' } = request;
  const roles = headers.map((each) => classifyHeader(each, credential !== 'key'));
  if (roles.some((role) => role === 'made from the key' || role === 'not known')) return null;
  if (body !== null && body !== escapeLines(body)) return null;
  const quoted = headers.filter(([, value], index) => roles[index] === 'plain' && value.includes('"'));
  // curl reads one header from each line of this file.
  const text = quoted.map((each) => `${escapeLine(each.join(': '))}\n`).join('');
  return [
    ...(roles.includes('key') && keyFile !== undefined
      ? [`$env:API_KEY = (Get-Content -Raw ${quotePowerShell(escapeLine(keyFile))}).Trim()`]
      : []),
    ...(text === '' ? [] : writeToFile('headers', text)),
    ...(body === null ? [] : writeToFile('body', body.replace(CUT, ''))),
    ['curl.exe -i', ...spellOptions(request, baseUrl, quoted)].join(' `\n  '),
  ].join('\n');
}

/** @param inFile the headers that go through a file */
function spellOptions(request: Evidence['request'], baseUrl: string, inFile: readonly Header[]): string[] {
  const { path, headers, body } = request;
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  const shown = headers.filter((each) => !inFile.includes(each) && classifyHeader(each, false) !== 'own');
  return [
    ...chooseLineOptions(request),
    quotePowerShell(escapeLine(baseUrl + path)),
    ...(has('accept') ? [] : ["-H 'Accept: application/json'"]),
    ...shown.map(spellHeader),
    ...(inFile.length === 0 ? [] : ['-H "@$headers"']),
    ...(body !== null && !has('content-type') ? ["-H 'Content-Type:'"] : []),
    ...(body === null ? [] : ['--data-binary "@$body"']),
  ];
}

/** Returns lines that write a text to a new file in UTF-8, without a line break at its end. */
function writeToFile(name: string, text: string): string[] {
  return [`$${name} = New-TemporaryFile`, `[IO.File]::WriteAllText($${name}, ${quotePowerShell(text)})`];
}

function spellHeader(header: Header): string {
  const [name, value] = header;
  return classifyHeader(header, false) === 'key'
    ? `-H "${name}: ${value.replace('[key]', '$env:API_KEY')}"`
    : `-H ${quotePowerShell(escapeLine(`${name}: ${value}`))}`;
}
