import { argumentOptions, callOptions, inputOptions, serverOptions } from '../client/options/call-options.js';
import type { Option, OptionTable } from '../client/options/option.js';
import { checkOptions, webhookOptions } from '../client/options/webhook-options.js';

/** An option of the library and the flag that it stands for: `asGroup` is `as-group`. */
export interface NamedOption {
  readonly flag: string;
  readonly option: Option;
}

/** Options by their names in the library: the flags in camel case. */
export type NamedOptions = Readonly<Record<string, NamedOption>>;

/** Options of the API call. */
export const callOptionsByName = byName({ ...callOptions, ...argumentOptions });

/** Options of the webhooks and how they are reached. */
export const webhookOptionsByName = byName({ ...webhookOptions, ...checkOptions });

/** Options of `loadState`. */
export const stateOptionsByName = byName({ recursive: inputOptions.recursive, ...serverOptions });

function byName(options: OptionTable): NamedOptions {
  return Object.fromEntries(Object.entries(options).map(([flag, option]) => [camelCase(flag), { flag, option }]));
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
