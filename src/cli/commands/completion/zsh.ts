import { scriptWord } from '../../../writers/shell.js';
import { type CompletedCommand, followingWords } from './completed-commands.js';
import { shortDescription, valuePatterns } from './quoting.js';

/** Returns the script of zsh 5 and later, to be sourced or to be a file `_webhook-cli` in `$fpath`. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const words = [...followingWords(commands)].map(([before, following]) => {
    const described = following.map(({ word, description }) => scriptWord(`${word}:${description}`));
    return `    ${scriptWord(before)}) reply=(${described.join(' ')}) ;;`;
  });
  const flags = commands.map(command => {
    const described = command.flags.map(({ name, description }) => scriptWord(`${name}:${shortDescription(description)}`));
    return `    ${scriptWord(command.name)}) reply=(${described.join(' ')}) ;;`;
  });
  return `#compdef webhook-cli
# zsh completion of webhook-cli, made by: webhook-cli completion zsh
_webhook_cli_words() {
  reply=()
  case "$1" in
${words.join('\n')}
  esac
}
_webhook_cli_flags() {
  reply=()
  case "$1" in
${flags.join('\n')}
  esac
}
_webhook_cli_values() {
  REPLY=''
  case "$1" in
${valuePatterns(commands)
  .map(({ pattern, values }) => `    ${pattern}) REPLY=${scriptWord(values)} ;;`)
  .join('\n')}
    *) return 1 ;;
  esac
}
${engine}if [[ "\${funcstack[1]}" == _webhook-cli ]]; then _webhook_cli "$@"; else compdef _webhook_cli webhook-cli; fi
`;
}

const engine = `_webhook_cli_offer() {
  local -a spec
  spec=(\${=REPLY})
  case "\${spec[1]}" in
    words) compadd -- "\${(@)spec[2,-1]}" ;;
    list) compset -P '*,'; compadd -- "\${(@)spec[2,-1]}" ;;
    contexts) spec=("\${(@f)$(webhook-cli completion zsh contexts 2> /dev/null)}"); compadd -- "\${(@)spec}" ;;
    files) _files ;;
    folders) _files -/ ;;
  esac
}
_webhook_cli() {
  local command='' flag='' only='' word REPLY
  local -a reply
  local -i i
  for (( i = 2; i < CURRENT; i++ )); do
    word="\${words[i]}"
    if [[ -n $flag ]]; then flag=''
    elif [[ $word == -- ]]; then only=files
    elif [[ $word == --*=* ]]; then :
    elif [[ $word == -* ]]; then _webhook_cli_values "$command $word" && flag="$word"
    else
      _webhook_cli_words "$command"
      [[ -n \${(M)reply:#\${word}:*} ]] && command="\${command:+$command }$word"
    fi
  done
  if [[ -n $only ]]; then _files
  elif [[ -n $flag ]]; then
    _webhook_cli_values "$command $flag"
    _webhook_cli_offer
  elif [[ $PREFIX == --*=* ]]; then
    _webhook_cli_values "$command \${PREFIX%%=*}"
    compset -P 1 '*='
    _webhook_cli_offer
  elif [[ $PREFIX == -* ]]; then
    _webhook_cli_flags "$command"
    _describe -o flag reply
  else
    _webhook_cli_words "$command"
    if (( \${#reply} )); then
      _describe command reply
    else
      _webhook_cli_values "$command ARGUMENT"
      _webhook_cli_offer
    fi
  fi
}
`;
