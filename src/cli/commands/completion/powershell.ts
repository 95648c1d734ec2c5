import { powershellText } from '../../../writers/shell.js';
import { type CompletedCommand, followingWords } from './completed-commands.js';
import { argumentWord, valueCases } from './value-cases.js';

/** Returns the script of PowerShell 5 and later. */
export function powershellScript(commands: readonly CompletedCommand[]): string {
  const words = [...followingWords(commands)].map(([before, following]) => entry(before, following.map(({ word }) => word).join(' ')));
  const flags = commands.map(command => entry(command.name, command.flags.map(({ name }) => name).join(' ')));
  const values = valueCases(commands).flatMap(each => each.flags.map(flag => entry(flag, each.values)));
  return `# PowerShell completion of webhook-cli, made by: webhook-cli completion powershell
Register-ArgumentCompleter -Native -CommandName webhook-cli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${words.join('\n')}
  }
  $flags = @{
${flags.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
${engine}}
`;
}

function entry(key: string, value: string): string {
  return `    ${powershellText(key)} = ${powershellText(value)}`;
}

const engine = `  function Find-Values($command, $flag) {
    if ($values.ContainsKey("$command $flag")) { return $values["$command $flag"] }
    return $values["* $flag"]
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $command = ''
  $flag = ''
  foreach ($word in $typed) {
    if ($flag -ne '') { $flag = '' }
    elseif ($word -like '--*=*') { }
    elseif ($word -like '-*') { if (Find-Values $command $word) { $flag = $word } }
    elseif (([string]$words[$command] -split ' ') -contains $word) { $command = ("$command $word").Trim() }
  }
  $before = ''
  $current = $wordToComplete
  if ($flag -ne '') { $spec = Find-Values $command $flag }
  elseif ($current -like '--*=*') {
    $before = $current.Substring(0, $current.IndexOf('=') + 1)
    $spec = Find-Values $command $before.TrimEnd('=')
    $current = $current.Substring($before.Length)
  }
  elseif ($current -like '-*') { $spec = "words $($flags[$command])" }
  elseif ($words.ContainsKey($command)) { $spec = "words $($words[$command])" }
  else { $spec = Find-Values $command '${argumentWord}' }
  $kind, $offered = [string]$spec -split ' '
  if ($kind -eq 'list' -and $current.Contains(',')) {
    $before += $current.Substring(0, $current.LastIndexOf(',') + 1)
    $current = $current.Substring($current.LastIndexOf(',') + 1)
  }
  if ($kind -eq 'contexts') { $offered = webhook-cli completion powershell contexts 2> $null }
  # Without results, PowerShell completes files.
  $offered | Where-Object { $_ -and $_.StartsWith($current) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_)
  }
`;
