/** Writes completion scripts for shells. A script holds all words that it offers, so a key press starts no process. */
import type { SHELLS } from '../commands/completion.ts';
import type { Values, Words } from './words.ts';

export { listWords } from './words.ts';

/** Returns the completion script of a shell for the command with this name. */
export const SCRIPT_FOR: Record<
  (typeof SHELLS)[number],
  (name: string, commands: readonly Words[]) => string
> = { bash: writeBash, zsh: writeZsh, fish: writeFish, powershell: writePowerShell };

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const words = (list: readonly string[]) => quoted(list.join(' '));

/**
 * Writes branches of a `case` in bash or zsh, over the command and the word before the cursor. After an option with a value,
 * a branch offers the values; otherwise the options and arguments of the command.
 * @param offer writes the shell code that offers a list of words, or files
 */
function writeBranches(
  commands: readonly Words[],
  offer: { words: (list: readonly string[]) => string; files: string },
): string {
  const offered = (values: Values) => (values === 'files' ? offer.files : offer.words(values ?? []));
  // `targets run` comes before `targets`, because both match.
  const inner = commands.toSorted((left, right) => right.path.length - left.path.length);
  const lines = inner.flatMap(({ path, options, argument }) => {
    const name = path.join(' ');
    const valued = options.flatMap(({ flag, takes }) =>
      takes === 'nothing' ? [] : [`    ${quoted(`${name} ${flag}`)}) ${offered(takes)} ;;`],
    );
    const flags = options.map(({ flag }) => flag);
    return [
      ...valued,
      `    ${quoted(name)}\\ *) if [[ $current == -* ]]; then ${offer.words(flags)}; else ${offered(argument)}; fi ;;`,
    ];
  });
  return lines.join('\n');
}

/** Writes shell code that sets `command`: the command in the first word, with a subcommand in the second word. */
function writeFinding(commands: readonly Words[], word: (index: number) => string): string {
  const isInner = ({ path }: Words) => path.length > 1;
  const names = commands.filter((each) => !isInner(each)).map(({ path }) => path[0] ?? '');
  const inner = commands
    .filter(isInner)
    .map(({ path }) => `    ${quoted(path.join(' '))}) command=${quoted(path.join(' '))} ;;`);
  return `  local command=run
  case "${word(1)}" in ${names.join('|')}) command="${word(1)}" ;; esac
  case "${word(1)} ${word(2)}" in
${inner.join('\n')}
  esac`;
}

function writeBash(name: string, commands: readonly Words[]): string {
  const shell = {
    words: (list: readonly string[]) => `COMPREPLY=($(compgen -W ${words(list)} -- "$current"))`,
    files: 'compopt -o default',
  };
  const run = commands.find(({ path }) => path.join() === 'run')?.options.map(({ flag }) => flag) ?? [];
  const names = commands.flatMap(({ path }) => (path.length === 1 ? path : []));
  return `# bash completion of ${name}
_animal_store_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [[ $COMP_CWORD == 1 ]]; then
    if [[ $current == -* ]]; then ${shell.words([...run, '--version'])}; else ${shell.words([...names, 'help'])}; fi
    return
  fi
${writeFinding(commands, (index) => `\${COMP_WORDS[${index}]}`)}
  case "$command $previous" in
${writeBranches(commands, shell)}
  esac
}
complete -F _animal_store_conformance ${name}
`;
}

function writeZsh(name: string, commands: readonly Words[]): string {
  const shell = {
    words: (list: readonly string[]) => `compadd -- ${list.map(quoted).join(' ')}`,
    files: '_files',
  };
  const run = commands.find(({ path }) => path.join() === 'run')?.options.map(({ flag }) => flag) ?? [];
  const names = commands.flatMap(({ path, summary }) =>
    path.length === 1 ? [`${path[0] ?? ''}:${summary}`] : [],
  );
  return `#compdef ${name}
# zsh completion of ${name}
_animal_store_conformance() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  if [[ $CURRENT == 2 ]]; then
    if [[ $current == -* ]]; then ${shell.words([...run, '--version'])}; else local -a names=(${names.map(quoted).join(' ')}); _describe command names; fi
    return
  fi
${writeFinding(commands, (index) => `\${words[${index + 1}]}`)}
  case "$command $previous" in
${writeBranches(commands, shell)}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _animal_store_conformance "$@"; else compdef _animal_store_conformance ${name}; fi
`;
}

function writeFish(name: string, commands: readonly Words[]): string {
  const outer = commands.flatMap(({ path }) => (path.length === 1 ? path : []));
  const plain = (text: string) => quoted(text.replaceAll('\\', '\\\\'));
  const condition = ({ path: [first = '', second] }: Words) => {
    if (second !== undefined)
      return `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const isDefault =
      first === 'run'
        ? `not __fish_seen_subcommand_from ${outer.filter((each) => each !== 'run').join(' ')}`
        : `__fish_seen_subcommand_from ${first}`;
    const inner = commands
      .filter(({ path }) => path[0] === first && path.length > 1)
      .map(({ path }) => path[1] ?? '');
    return inner.length === 0
      ? isDefault
      : `${isDefault}; and not __fish_seen_subcommand_from ${inner.join(' ')}`;
  };
  const taking = (values: Values | 'nothing') => {
    if (values === 'nothing') return '';
    if (values === 'files') return ' -r -F';
    return values === null ? ' -x' : ` -x -a ${words(values)}`;
  };
  const offering = (values: Exclude<Values, null>) => (values === 'files' ? '-F' : `-a ${words(values)}`);
  const lines = commands.flatMap((each) => {
    const start = `complete -c ${name} -n ${quoted(condition(each))}`;
    return [
      ...(each.argument === null ? [] : [`${start} ${offering(each.argument)}`]),
      ...each.options.map(
        ({ flag, what, takes }) => `${start} -l ${flag.replace(/^--/, '')} -d ${plain(what)}${taking(takes)}`,
      ),
    ];
  });
  const named = commands.flatMap(({ path, summary }) =>
    path.length === 1
      ? [`complete -c ${name} -n __fish_use_subcommand -a ${path[0] ?? ''} -d ${plain(summary)}`]
      : [],
  );
  return `# fish completion of ${name}
complete -c ${name} -f
${[...named, ...lines].join('\n')}
`;
}

function writePowerShell(name: string, commands: readonly Words[]): string {
  const text = (each: string) => `'${each.replaceAll("'", "''")}'`;
  const list = (all: readonly string[]) => `@(${all.map(text).join(', ')})`;
  // If a script offers nothing, PowerShell offers files.
  const offered = (values: Values) => list(values === 'files' ? [] : (values ?? []));
  const entries = commands.map(({ path, options, argument }) => {
    const values = options.flatMap(({ flag, takes }) =>
      takes === 'nothing' ? [] : [`${text(flag)} = ${offered(takes)}`],
    );
    const flags = list(options.map(({ flag }) => flag));
    return `    ${text(path.join(' '))} = @{ options = ${flags}; values = @{ ${values.join('; ')} }; arguments = ${offered(argument)} }`;
  });
  const names = commands.flatMap(({ path }) => (path.length === 1 ? path : []));
  return `# PowerShell completion of ${name}
Register-ArgumentCompleter -Native -CommandName ${text(name)} -ScriptBlock {
  param($word, $line, $position)
  $known = @{
${entries.join('\n')}
  }
  $before = @($line.CommandElements | ? { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
  $command = 'run'
  foreach ($count in 1, 2) {
    $path = ($before | Select-Object -Skip 1 -First $count) -join ' '
    if ($known.ContainsKey($path)) { $command = $path }
  }
  $values = $known[$command].values
  if ($before.Count -gt 1 -and $values.ContainsKey($before[-1])) { $offered = $values[$before[-1]] }
  elseif ($word -like '-*') { $offered = $known[$command].options }
  elseif ($before.Count -le 1) { $offered = ${list([...names, 'help'])} }
  else { $offered = $known[$command].arguments }
  $offered | ? { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
