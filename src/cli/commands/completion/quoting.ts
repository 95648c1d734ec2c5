import { scriptWord } from '../../../writers/shell.js';
import type { CompletedCommand } from './completed-commands.js';
import { valueCases } from './value-cases.js';

/** Returns the values of flags by patterns of `case "$command $flag"` in bash and zsh. */
export function valuePatterns(commands: readonly CompletedCommand[]): { readonly pattern: string; readonly values: string }[] {
  return valueCases(commands).map(({ values, flags }) => ({
    values,
    pattern: flags.map(flag => (flag.startsWith('* ') ? `*${scriptWord(flag.slice(1))}` : scriptWord(flag))).join('|'),
  }));
}

/** Returns the first part of a description, which is shown beside a flag. */
export function shortDescription(text: string): string {
  return text.split(/[;:\n]/, 1)[0] ?? '';
}
