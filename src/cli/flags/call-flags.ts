import { Flags } from '@oclif/core';
import { callOptions, inputOptions, serverOptions } from '../../client/options/call-options.js';
import { kustomizeFlag } from './kustomize-flag.js';
import { flagsOf } from './option-flags.js';

/** Flags that describe an API call, for all commands that make one. */
export const callFlags = {
  ...flagsOf({ ...inputOptions, ...callOptions, ...serverOptions }),
  kustomize: kustomizeFlag,
};

const { context, kubeconfig, 'cluster-timeout': clusterTimeout } = callFlags;

/** Flags that choose a cluster to read. */
export const clusterFlags = { context, kubeconfig, 'cluster-timeout': clusterTimeout };

/** For commands that build reviews. */
export const createdPodsFlag = Flags.boolean({
  helpGroup: callOptions.operation.group,
  description: 'instead of a workload, create the pods that its controller would create',
});
