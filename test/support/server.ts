import { apiServers } from '../../src/cli/api-servers.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import { featureGatesIn } from '../../src/kubernetes/feature-gates.js';

export { apiServers };

/** The API server of the default minor without feature gates. */
export const server = apiServers();

/** The one with the feature gates of these flags. */
export function serverWith(flags: readonly string[]): ApiServer {
  return apiServers({ featureGates: featureGatesIn(flags) });
}
