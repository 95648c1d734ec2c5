import { quote } from '../../go/quote.js';
import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { Store } from '../store/store.js';
import { serviceOf } from './backend-service.js';

export const backendServiceKind = { group: '', kind: 'Service' };
export const sliceKind = { group: 'discovery.k8s.io', kind: 'EndpointSlice' };

/** Why an APIService is not available. */
export interface Unavailable {
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns what is wrong with the Service of an APIService and its EndpointSlices; undefined if it can be called. A service that the user mapped to an address
 * needs neither. Source: kube-aggregator pkg/controllers/status/remote.
 */
export function serviceProblem(
  apiService: ValueMap,
  store: Pick<Store, 'find' | 'list'>,
  { serviceAddress }: Pick<Effects, 'serviceAddress'>,
): Unavailable | undefined {
  const reference = serviceOf(apiService);
  if (reference === undefined) return undefined;
  const { namespace, name, port } = reference;
  const isMapped = serviceAddress?.(reference) !== undefined;
  const named = `service/${name} in ${quote(namespace)}`;
  const service = store.find(backendServiceKind, namespace, name);
  if (service === undefined) return isMapped ? undefined : { reason: 'ServiceNotFound', message: `${named} is not present` };
  const type = stringAt(service, 'spec', 'type');
  if (type !== '' && type !== 'ClusterIP') return undefined;
  const found = listAt(service, 'spec', 'ports').find(entry => valueAt(entry, 'port') === BigInt(port));
  if (found === undefined) return { reason: 'ServicePortError', message: `${named} is not listening on port ${port}` };
  return isMapped ? undefined : endpointProblem(named, stringAt(found, 'name'), slicesOf(store, namespace, name));
}

function slicesOf(store: Pick<Store, 'list'>, namespace: string, name: string): ValueMap[] {
  return store.list(sliceKind, namespace).filter(slice => stringAt(slice, 'metadata', 'labels', 'kubernetes.io/service-name') === name);
}

function endpointProblem(named: string, portName: string, slices: readonly ValueMap[]): Unavailable | undefined {
  if (slices.length === 0) return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${named}` };
  if (slices.some(slice => isReady(slice, portName))) return undefined;
  return { reason: 'MissingEndpoints', message: `endpointslices for ${named} have no addresses with port name ${quote(portName)}` };
}

function isReady(slice: ValueMap, portName: string): boolean {
  const hasAddress = listAt(slice, 'endpoints').some(endpoint => valueAt(mapAt(endpoint, 'conditions'), 'ready') !== false);
  return hasAddress && listAt(slice, 'ports').some(port => stringAt(port, 'name') === portName && valueAt(port, 'port') !== null);
}
