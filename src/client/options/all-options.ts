import { argumentOptions, callOptions, inputOptions, serverFlagOptions } from './call-options.js';
import type { OptionTable } from './option.js';
import { checkOptions, compareOptions, webhookOptions } from './webhook-options.js';

const options: OptionTable = {
  ...inputOptions,
  ...callOptions,
  ...serverFlagOptions,
  ...argumentOptions,
  ...webhookOptions,
  ...checkOptions,
  ...compareOptions,
};

/** Options whose values are paths. */
export const pathOptions: readonly string[] = Object.entries(options).flatMap(([name, option]) => ('isPath' in option ? [name] : []));
