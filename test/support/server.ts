import { apiServers as allServers } from '../../src/cli/api-servers.js';
import type { ApiServer, ApiServers } from '../../src/kubernetes/api-server.js';
import { featureGatesIn } from '../../src/kubernetes/feature-gates.js';

/** The API servers; v1.36 if no minor is given, because recordings and expected texts that name none are from v1.36. */
export const apiServers: ApiServers = selected => allServers({ ...selected, minor: selected?.minor ?? 'v1.36' });

/** The API server without feature gates. */
export const server = apiServers();

/** The one with the feature gates of these flags. */
export function serverWith(flags: readonly string[]): ApiServer {
  return apiServers({ featureGates: featureGatesIn(flags) });
}
