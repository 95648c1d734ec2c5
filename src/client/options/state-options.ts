import { inputOptions, serverOptions } from './call-options.js';
import type { OptionTable, OptionValues } from './option.js';
import { againstOptions } from './webhook-options.js';

const { state, recursive, context, kubeconfig, clusterTimeout } = inputOptions;

/** Everything that decides what exists in the cluster of a call. */
export const stateOptions = {
  state,
  recursive,
  context,
  kubeconfig,
  clusterTimeout,
  ...serverOptions,
  ...againstOptions,
} as const satisfies OptionTable;

/** What exists in the cluster of a call. */
export type StateOptions = OptionValues<typeof stateOptions>;
