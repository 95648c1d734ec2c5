import { inputOptions, serverFlagOptions } from './call-options.js';
import type { OptionTable, OptionValues } from './option.js';
import { againstOptions } from './webhook-options.js';

const { state, recursive, context, kubeconfig, clusterTimeout } = inputOptions;

/** Where what exists is read from. */
export const clusterStateOptions = { state, context, kubeconfig, clusterTimeout } as const satisfies OptionTable;

/** Everything that decides what exists in the cluster of a call. */
export const stateOptions = {
  state,
  recursive,
  context,
  kubeconfig,
  clusterTimeout,
  ...serverFlagOptions,
  ...againstOptions,
} as const satisfies OptionTable;

/** What exists in the cluster of a call. */
export type StateFlagOptions = OptionValues<typeof stateOptions>;
