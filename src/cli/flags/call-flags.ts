import { callOptions, inputOptions, podOptions, serverOptions } from '../../client/options/call-options.js';
import { kustomizeFlag } from './kustomize-flag.js';
import { flagsOf } from './option-flags.js';

/** Flags that describe an API call, for all commands that make one. */
export const callFlags = {
  ...flagsOf({ ...inputOptions, ...callOptions, ...serverOptions }),
  kustomize: kustomizeFlag,
};

const { context, kubeconfig, clusterTimeout } = inputOptions;

/** Flags that choose a cluster to read. */
export const clusterFlags = flagsOf({ context, kubeconfig, clusterTimeout });

/** For commands that build reviews. */
export const podFlags = flagsOf(podOptions);
