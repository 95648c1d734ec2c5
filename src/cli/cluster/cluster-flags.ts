import type { CallFlags } from '../../client/options/call-options.js';

/** Flags that choose a cluster. */
export type ClusterFlags = Pick<CallFlags, 'context' | 'kubeconfig' | 'cluster-timeout'> & {
  /** Comparing with the cluster implies using the current one. */
  readonly 'against-cluster'?: boolean | undefined;
};

/** Reports whether the flags select a live cluster. */
export function choosesCluster(flags: ClusterFlags): boolean {
  return flags.context !== undefined || flags.kubeconfig !== undefined || flags['against-cluster'] === true;
}
