import { serviceResolver } from '../../apiserver/webhooks/client-config.js';
import type { ServiceReference } from '../../apiserver/webhooks/webhook.js';
import { joinHostPort } from '../../go/net/host-port.js';
import { mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { BackendCall } from '../../kubernetes/backend-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { storageOf } from '../../kubernetes/storage.js';

/** What is needed to find the service of an APIService. */
export interface ResolverParts {
  readonly state: () => ClusterState;
  readonly effects: () => Pick<Effects, 'random' | 'serviceAddress'>;
}

/** Where an APIService is served. */
export interface Backend extends Pick<BackendCall, 'address' | 'serverName' | 'caBundle' | 'insecureSkipVerify'> {
  /** `10.0.0.7:443`, as URLs have it. */
  readonly host: string;
}

/** Returns the service of an APIService; undefined for one that this API server serves itself. */
export function serviceOf(apiService: ValueMap | undefined): ServiceReference | undefined {
  const service = mapAt(apiService, 'spec', 'service');
  if (service === undefined) return undefined;
  const port = valueAt(service, 'port');
  return {
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    path: '',
    port: typeof port === 'bigint' ? Number(port) : 443,
  };
}

/**
 * Returns where the service of an APIService listens: at the address to which the user mapped it, unless the spec of the Service does not let the API server
 * connect to it at all. A string is the API server's error. Source: kube-aggregator pkg/apiserver/resolvers.go.
 */
export function resolveBackend(apiService: ValueMap, service: ServiceReference, { state, effects }: ResolverParts): Backend | string {
  const { random, serviceAddress } = effects();
  const current = state();
  const found = serviceResolver(storageOf(current), current.options.routesToEndpoints, random)(service);
  const mapped = serviceAddress?.(service);
  const serverName = `${service.name}.${service.namespace}.svc`;
  if ('unresolvable' in found && (mapped === undefined || found.isOfSpec === true)) return found.unresolvable;
  const named = 'unresolvable' in found ? { host: serverName, port: service.port } : found;
  const caBundle = stringAt(apiService, 'spec', 'caBundle');
  return {
    host: joinHostPort(named.host, named.port),
    address: mapped ?? named,
    serverName,
    caBundle: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64'),
    insecureSkipVerify: valueAt(apiService, 'spec', 'insecureSkipTLSVerify') === true,
  };
}

/** Returns the path that an APIService serves: `/apis/GROUP/VERSION`, or that of the core group. */
export function pathOfApiService(apiService: ValueMap): string {
  const [group, version] = [stringAt(apiService, 'spec', 'group'), stringAt(apiService, 'spec', 'version')];
  return stringAt(apiService, 'metadata', 'name') === 'v1.' ? `/api/${version}` : `/apis/${group}/${version}`;
}
