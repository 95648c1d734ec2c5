import { type CompletedCommand, followingWords } from './completed-commands.js';
import type { Values } from './flag-values.js';
import { shortDescription } from './quoting.js';

/** Returns the script of fish 3 and later. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const following = followingWords(commands);
  const topics = [...following.keys()].filter(before => before !== '');
  const lines = [
    ...[...following].flatMap(([before, words]) =>
      words.map(({ word, description }) => completion(before, ['-a', quoted(word), ...describedBy(description)])),
    ),
    ...commands.flatMap(command => [
      ...command.flags.map(({ name, short, description, values }) =>
        completion(command.name, [
          ...['-l', name.slice(2)],
          ...(short === undefined ? [] : ['-s', short.slice(1)]),
          ...(values === undefined ? [] : valueWords(values)),
          ...describedBy(shortDescription(description)),
        ]),
      ),
      ...(command.argument.from === 'nothing' ? [] : [completion(command.name, argumentWords(command.argument))]),
    ]),
  ];
  return `# fish completion of webhook-cli, made by: webhook-cli completion fish
function __webhook_cli_command
    set -l tokens (commandline -opc)
    set -l found
    for token in $tokens[2..-1]
        switch $token
            case '-*'
                continue
            case ${topics.join(' ')}
                if test (count $found) -eq 0
                    set found $token
                    continue
                end
        end
        set -a found $token
        break
    end
    echo "$found"
end
function __webhook_cli_is
    set -l command (__webhook_cli_command)
    test "$command" = "$argv"
end
function __webhook_cli_list
    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '')
    set -l before (string replace -r '[^,]*$' '' -- "$typed")
    for word in $argv
        echo "$before$word"
    end
end
complete -c webhook-cli -f
${lines.join('\n')}
`;
}

function completion(command: string, words: readonly string[]): string {
  return ['complete -c webhook-cli -n', quoted(`__webhook_cli_is ${command}`.trimEnd()), ...words].join(' ');
}

function describedBy(description: string): string[] {
  return description === '' ? [] : ['-d', quoted(description)];
}

function valueWords(values: Values): string[] {
  return values.from === 'files' ? ['-r', '-F'] : ['-x', ...offered(values)];
}

function argumentWords(values: Values): string[] {
  return values.from === 'files' ? ['-F'] : offered(values);
}

function offered(values: Values): string[] {
  if (values.from === 'words') return ['-a', quoted(values.choices.join(' '))];
  if (values.from === 'list') return ['-a', quoted(`(__webhook_cli_list ${values.choices.join(' ')})`)];
  if (values.from === 'contexts') return ['-a', quoted('(webhook-cli completion fish contexts 2>/dev/null)')];
  return values.from === 'folders' ? ['-a', quoted('(__fish_complete_directories)')] : [];
}

/** In single quotes, fish only recognizes `\\'` and `\\\\` alone. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
