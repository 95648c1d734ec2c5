import type { CallFlags } from '../../client/options/call-options.js';

/** Flags that choose a cluster. */
export type ClusterFlags = Pick<CallFlags, 'context' | 'kubeconfig' | 'cluster-timeout'> & {
  /** Compares with the cluster, and so chooses the current one. */
  readonly 'against-cluster'?: boolean | undefined;
};

/** Do the flags ask for a live cluster? */
export function choosesCluster(flags: ClusterFlags): boolean {
  return flags.context !== undefined || flags.kubeconfig !== undefined || flags['against-cluster'] === true;
}
