import type { CompletedCommand } from './completed-commands.js';
import type { Values } from './flag-values.js';

/** Flags that take the same values. */
export interface ValueCase {
  /** `words text json`, `list a b`, `files`, `folders`, `contexts`, `nothing` */
  readonly values: string;
  /** `review --output`; the command is `*` where the flag takes these values in every command that has it. */
  readonly flags: readonly string[];
}

/** Word for the arguments of a command, in place of a flag. */
export const argumentWord = 'ARGUMENT';

/** Returns the flags and arguments of all commands by their values; flags that take none are in no case. */
export function valueCases(commands: readonly CompletedCommand[]): ValueCase[] {
  const byFlag = new Map<string, { readonly command: string; readonly values: string | undefined }[]>();
  const add = (flag: string | undefined, command: string, values: Values | undefined): void => {
    if (flag === undefined) return;
    byFlag.set(flag, [...(byFlag.get(flag) ?? []), { command, values: values === undefined ? undefined : specOf(values) }]);
  };
  for (const { name, flags, argument } of commands) {
    add(argumentWord, name, argument);
    for (const flag of flags) {
      add(flag.name, name, flag.values);
      add(flag.short, name, flag.values);
    }
  }
  const cases = new Map<string, string[]>();
  for (const [flag, uses] of byFlag) {
    const isSame = uses.every(({ values }) => values === uses[0]?.values);
    for (const { command, values } of isSame ? uses.slice(0, 1) : uses) {
      if (values !== undefined) cases.set(values, [...(cases.get(values) ?? []), `${isSame ? '*' : command} ${flag}`]);
    }
  }
  return [...cases].map(([values, flags]) => ({ values, flags }));
}

function specOf(values: Values): string {
  return 'choices' in values ? [values.from, ...values.choices].join(' ') : values.from;
}
