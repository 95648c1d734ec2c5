import { apiServers as allServers } from '../../src/cli/work/api-servers/api-servers.js';
import type { ApiServer, ApiServers } from '../../src/kubernetes/api-server.js';
import { featureGatesIn } from '../../src/kubernetes/feature-gates.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { flagValues } from '../../src/kubernetes/server-options.js';

/** The minor of the API server that programs of test/differential ask. */
const asked = kubernetesMinors.find(minor => minor === process.env['KUBE_MINOR']);

/** The API servers; v1.36 if no minor is given, because recordings and expected texts that name none are from v1.36. */
export const apiServers: ApiServers = selected => allServers({ ...selected, minor: selected?.minor ?? asked ?? 'v1.36' });

/** The API server without feature gates. */
export const server = apiServers();

/** The one with the feature gates of these flags. */
export function serverWith(flags: readonly string[]): ApiServer {
  return apiServers({ featureGates: featureGatesIn(flagValues(flags)) });
}
