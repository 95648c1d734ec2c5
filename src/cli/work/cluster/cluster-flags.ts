import type { InputFlags } from '../../../client/options/call-options.js';

/** Flags that choose a cluster. */
export type ClusterFlags = Pick<InputFlags, 'context' | 'kubeconfig' | 'clusterTimeoutMs'> & {
  /** Comparing with the cluster implies using the current one. */
  readonly againstCluster?: boolean | undefined;
  /** Calls webhooks that run in the cluster. */
  readonly forward?: boolean | undefined;
};

/** Reports whether the flags select a live cluster. */
export function choosesCluster(flags: ClusterFlags): boolean {
  return flags.context !== undefined || flags.kubeconfig !== undefined || flags.againstCluster === true;
}
