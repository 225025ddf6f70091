/**
 * Writes the credential of a request as shell commands, for the curl command that repeats it. Evidence has a wrong credential as edits of
 * the key (`KeyEdit`): each edit becomes a line that changes the variable `token`, e.g. `token='undefined'`. The lines need printf, cut and
 * tr of POSIX, and base64.
 */
import type { Credential, KeyEdit } from '../../../fixtures/exchange/exchange.ts';
import { UNSIGNED_HEAD } from '../../../fixtures/situations/credentials/token-edits.ts';
import { spellOctal } from './escape.ts';

interface InShell {
  /** Lines that come before the curl command. */
  before: string[];
  /** The option of curl that sends the credential; null if none is sent. */
  option: string | null;
}

/** Replaces each letter and digit by another one of its class, so that nothing of the key is left. */
const ANOTHER = `tr 'A-Za-z0-9' 'N-ZA-Mn-za-m5-90-4'`;
/** Replaces each character by the next one of its class. A hexadecimal digit stays a hexadecimal digit. */
const NEXT = `tr '0-9a-fg-zA-FG-Z._~+/=-' '1-90b-fah-zgB-FAH-ZGxxxxxxx'`;
/** Replaces each character by the one before it in its class. */
const BEFORE = `tr '0-9a-fg-zA-FG-Z._~+/=-' '90-8fa-ezg-yFA-EZG-Yxxxxxxx'`;
const OTHER_CASE = `tr 'A-Za-z' 'a-zA-Z'`;
/** Edits name a place in the key by a share of its length, e.g. 0.25. A shell computes with whole numbers only: it gets 250 thousandths. */
const THOUSANDTHS = 1_000;

/** Returns the Authorization header of a request. The commands read the key from the shell and never show it. */
export function spellCredential(credential: Credential): InShell {
  if (credential === 'none') return { before: [], option: null };
  if (credential === 'key') return { before: [], option: `-H "Authorization: Bearer $API_KEY"` };
  const { scheme, edits } = credential;
  // `-H 'Authorization;'` makes curl send the header without a value.
  const empty = scheme === null ? 'Authorization;' : `Authorization: ${scheme}`;
  if (edits.at(-1)?.edit === 'empty') return { before: [], option: `-H ${quoteWord(empty)}` };
  const token = edits.length === 0 ? '$API_KEY' : '$token';
  const before = edits.length === 0 ? [] : ['token=$API_KEY', ...edits.flatMap(spellEdit)];
  const name = quoteWord(`Authorization: ${scheme === null ? '' : `${scheme} `}`);
  return { before, option: `-H ${name}"${token}"` };
}

/** The text behind `printf %s` for the key as user name, or as password, of Basic authentication. */
const PART_OF_BASIC = { user: '"$token:"', password: '":$token"' } as const;

/** The lines that make each edit of `token`. */
const LINES: { readonly [Name in KeyEdit['edit']]: (edit: Extract<KeyEdit, { edit: Name }>) => string[] } = {
  other: () => [pipeThrough(ANOTHER)],
  'flip-case': () => [pipeThrough(OTHER_CASE)],
  rotate: () => ['token="${token#?}${token%"${token#?}"}"'],
  empty: () => [`token=''`],
  unsigned: () => [`token=${UNSIGNED_HEAD}.$(printf %s "$token" | cut -d . -f 2).`],
  add: (edit) => [`token=${spellAdded(edit)}`],
  keep: (edit) => [pipeThrough(`cut -c ${spellKept(edit)}`)],
  basic: ({ as }) => [`token=$(printf %s ${PART_OF_BASIC[as]} | base64 | tr -d '\\n')`],
  word: ({ word }) => [`token=${quoteWord(word)}`],
  wrap: ({ before, behind }) => [`token=${quoteWord(before)}"$token"${quoteWord(behind)}`],
  bytes: ({ latin1 }) => [`token=$(printf '${spellOctal(Buffer.from(latin1, 'latin1'))}')`],
  // `at` is a share of the length, e.g. 0.5. The lines change the character there as `changeToken` does. For a
  // token of at most 20 characters, `changeToken` may change one more, next to the end.
  // Example: token=abcd and at=3: head=xab, one=d (c is changed), tail=d. The new token is abdd.
  change: (edit) =>
    edit.at.flatMap((at, nth) => [
      `at=$(( \${#token} * ${Math.floor(at * THOUSANDTHS)} / ${THOUSANDTHS} + 1 ))`,
      // cut takes no empty range: the x before the token keeps `1-$at` valid if the first character changes. Then the x goes again.
      `head=$(printf %s "x$token" | cut -c "1-$at") one=$(printf %s "$token" | cut -c "$at" | ${nth % 2 === 0 ? NEXT : BEFORE}) tail=$(printf %s "$token" | cut -c "$((at + 1))-")`,
      'token="${head#x}$one$tail"',
    ]),
};

function spellEdit(edit: KeyEdit): string[] {
  return (LINES[edit.edit] as (edit: KeyEdit) => string[])(edit);
}

function spellAdded({ where, text }: Extract<KeyEdit, { edit: 'add' }>): string {
  return where === 'before' ? `${quoteWord(text)}"$token"` : `"$token"${quoteWord(text)}`;
}

/**
 * Returns the range of `cut -c` that keeps a part of the token. `from` and `to` are shares of its length: 0 and 0.5 keep the first half,
 * `1-4` of 8 characters. At most three quarters stay.
 */
function spellKept({ from, to }: Extract<KeyEdit, { edit: 'keep' }>): string {
  // Rounded up: at least as much is cut off as the edit says.
  const start =
    from === 0
      ? '1'
      : `$(( (\${#token} * ${Math.floor(from * THOUSANDTHS)} + ${THOUSANDTHS - 1}) / ${THOUSANDTHS} + 1 ))`;
  const end = Math.min(to, from + 0.75);
  return `"${start}-${end >= 1 ? '' : `$(( \${#token} * ${Math.floor(end * THOUSANDTHS)} / ${THOUSANDTHS} ))`}"`;
}

/** Returns a line that sends the token through a command. */
function pipeThrough(filter: string): string {
  return `token=$(printf %s "$token" | ${filter})`;
}

/** Puts a text in quotation marks, also a plain one (`quoteShell` does not): parts of the same word follow it. */
function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
