import { stringAt, type ValueMap } from '../../go/value.js';
import { userInfo } from '../access/authentication.js';
import { askBackend } from './ask-backend.js';
import { pathOfApiService } from './backend-service.js';
import type { Passing } from './pass-on.js';
import { type VersionDiscovery, versionIn, versionOfResources } from './version-discovery.js';

const aggregator = 'system:kube-aggregator';

/** Media types of aggregated discovery; `v2beta1` is asked for up to v1.36. */
const aggregatedType = (version: string): string => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/**
 * Asks the service of an APIService for the resources of its version: by aggregated discovery, or by the version's own list. A version without an answer is stale.
 * Source: kube-aggregator pkg/apiserver/handler_discovery.go.
 */
export async function fetchDiscovery(apiService: ValueMap, passing: Passing): Promise<VersionDiscovery> {
  const [group, version] = [stringAt(apiService, 'spec', 'group'), stringAt(apiService, 'spec', 'version')];
  try {
    const accepted = passing.state().server.since('v1.37') ? ['v2'] : ['v2', 'v2beta1'];
    const user = userInfo(aggregator, ['system:masters']);
    const headers = [['accept', accepted.map(aggregatedType).join(',')] as const];
    const listed = await askBackend(apiService, { path: '/apis', user, headers }, passing);
    if (listed.status === 503) return { version, freshness: 'Stale' };
    if (listed.status === 200 && isAggregated(listed.header('content-type'), accepted))
      return versionIn(listed.body, group, version) ?? { version, freshness: 'Current' };
    const path = pathOfApiService(apiService);
    const own = await askBackend(apiService, { path, user: userInfo(aggregator, []), headers: [['accept', 'application/json']] }, passing);
    return own.status === 200 ? versionOfResources(own.body, version) : { version, freshness: 'Stale' };
  } catch {
    // The answer broke off, or is not what it says it is.
    return { version, freshness: 'Stale' };
  }
}

function isAggregated(contentType: string, versions: readonly string[]): boolean {
  const parts = contentType.split(';').map(part => part.trim());
  return versions.some(version =>
    aggregatedType(version)
      .split(';')
      .every(part => parts.includes(part)),
  );
}
