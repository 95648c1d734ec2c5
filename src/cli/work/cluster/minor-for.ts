import { defaultMinor, type KubernetesMinor } from '../../../kubernetes/kubernetes-version.js';
import type { VersionFlags } from '../../options/server-version.js';
import { type ClusterFlags, choosesCluster } from './cluster-flags.js';
import type { ClusterSurroundings } from './open-cluster.js';

/** Returns the API server of the flags, that of their cluster, or the newest. Rejects with CliError. */
export async function askForMinor(flags: VersionFlags & ClusterFlags, surroundings: ClusterSurroundings): Promise<KubernetesMinor> {
  const given = flags.kubernetesVersion;
  if (!choosesCluster(flags)) return given ?? defaultMinor;
  const { openCluster } = await import('./open-cluster.js');
  return openCluster(flags, surroundings).minor(given);
}
