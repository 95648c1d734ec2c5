import { scriptWord } from '../../../writers/shell.js';
import { type CompletedCommand, followingWords } from './completed-commands.js';
import { valuePatterns } from './quoting.js';

/** Returns the script of bash 3.2 and later. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const words = [...followingWords(commands)].map(
    ([before, following]) => `    ${scriptWord(before)}) REPLY=${scriptWord(following.map(({ word }) => word).join(' '))} ;;`,
  );
  const flags = commands.map(
    command => `    ${scriptWord(command.name)}) REPLY=${scriptWord(command.flags.map(({ name }) => name).join(' '))} ;;`,
  );
  return `# bash completion of webhook-cli, made by: webhook-cli completion bash
_webhook_cli_words() {
  REPLY=''
  case "$1" in
${words.join('\n')}
  esac
}
_webhook_cli_flags() {
  REPLY=''
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
${engine}complete -F _webhook_cli webhook-cli
`;
}

/**
 * The line is split at white space here: COMP_WORDS is also split at the characters of COMP_WORDBREAKS, such as = and :, and a reply
 * replaces only the part after the last of them.
 */
const engine = `_webhook_cli() {
  local line="\${COMP_LINE:0:$COMP_POINT}" command='' flag='' only='' word cur before REPLY
  local -a typed
  local -i i last
  read -r -a typed <<< "$line"
  [[ $line == *[[:space:]] ]] && typed+=('')
  last=$(( \${#typed[@]} - 1 ))
  cur="\${typed[$last]}"
  for (( i = 1; i < last; i++ )); do
    word="\${typed[$i]}"
    if [[ -n $flag ]]; then flag=''
    elif [[ $word == -- ]]; then only=files
    elif [[ $word == --*=* ]]; then :
    elif [[ $word == -* ]]; then _webhook_cli_values "$command $word" && flag="$word"
    else
      _webhook_cli_words "$command"
      [[ " $REPLY " == *" $word "* ]] && command="\${command:+$command }$word"
    fi
  done
  before=''
  if [[ -n $only ]]; then REPLY=files
  elif [[ -n $flag ]]; then _webhook_cli_values "$command $flag"
  elif [[ $cur == --*=* ]]; then
    before="\${cur%%=*}="
    _webhook_cli_values "$command \${cur%%=*}"
    cur="\${cur#*=}"
  elif [[ $cur == -* ]]; then
    _webhook_cli_flags "$command"
    REPLY="words $REPLY"
  else
    _webhook_cli_words "$command"
    if [[ -n $REPLY ]]; then REPLY="words $REPLY"; else _webhook_cli_values "$command ARGUMENT"; fi
  fi
  if [[ $REPLY == list\\ * && $cur == *,* ]]; then
    before="$before\${cur%,*},"
    cur="\${cur##*,}"
  fi
  COMPREPLY=()
  case "$REPLY" in
    words\\ *|list\\ *) while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen -W "\${REPLY#* }" -- "$cur") ;;
    contexts) while IFS= read -r word; do [[ $word == "$cur"* ]] && COMPREPLY+=("$before$word"); done < <(webhook-cli completion bash contexts 2> /dev/null) ;;
    files|folders)
      compopt -o filenames 2> /dev/null
      if [[ $REPLY == folders ]]; then word=-d; else word=-f; fi
      while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen "$word" -- "$cur")
      ;;
  esac
  word="\${COMP_WORDS[$COMP_CWORD]}"
  [[ $word == [=:] ]] && word=''
  line="\${typed[$last]}"
  before="\${line%"$word"}"
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[$i]="\${COMPREPLY[$i]#"$before"}"; done
}
`;
