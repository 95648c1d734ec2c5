import type { CallContext } from '../../../apiserver/call/call-context.js';
import type { RestStorage } from '../../../apiserver/handlers/rest-storage.js';
import { parseInt64 } from '../../../go/parse-integer.js';
import { quote } from '../../../go/quote.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { notFound, serviceUnavailable } from '../../../kubernetes/status-errors.js';
import { addressesOfPod } from '../pod/storage/pod-proxy.js';
import { type Located, proxyTo, type SchemeNamePort } from '../proxies.js';

/** Proxy to a service. Source: kubernetes pkg/registry/core/service/proxy.go. */
export const serviceProxy: RestStorage = { connecter: proxyTo('service', locateService) };

/** A pod at which a service is reached. */
interface Endpoint {
  readonly address: string;
  readonly port: bigint;
  readonly pod: string;
}

/** Source: kubernetes pkg/registry/core/service/storage/storage.go ResourceLocation. */
function locateService(named: SchemeNamePort, context: CallContext): Located {
  const { scheme, name } = named;
  const portName = nameOfPort(named, context);
  const { server, info } = context;
  const endpoint = server.since('v1.37') ? sliceEndpoint(name, portName, context) : listedEndpoint(name, portName, context);
  if (endpoint === undefined) throw noEndpoints(server.since('v1.37') ? name : info.name);
  const { address, port, pod } = endpoint;
  return { scheme: scheme === 'https' ? 'https' : 'http', address, port: String(port), pod: `${info.namespace}/${pod}` };
}

function noEndpoints(name: string): Error {
  return serviceUnavailable(`no endpoints available for service ${quote(name)}`);
}

/** Returns the name of a port that is given as a number; other texts are names. */
function nameOfPort({ name, port }: SchemeNamePort, { storage, info, endpoint }: CallContext): string {
  const number = parseInt64(port);
  if (typeof number === 'object') return port;
  const service = storage.find({ group: '', kind: 'Service' }, info.namespace, name);
  if (service === undefined) throw notFound(endpoint.resource, name);
  const found = listAt(service, 'spec', 'ports').find(each => valueAt(each, 'port') === number);
  if (found === undefined) throw serviceUnavailable(`no service port ${number} found for service ${quote(name)}`);
  return stringAt(found, 'name');
}

/** Returns one of the endpoints in the object Endpoints; undefined if none of its addresses is that of a pod. */
function listedEndpoint(name: string, portName: string, context: CallContext): Endpoint | undefined {
  const { storage, info, endpoint } = context;
  const object = storage.find({ group: '', kind: 'Endpoints' }, info.namespace, name);
  if (object === undefined) throw notFound(endpoint.resource, name);
  const subsets = listAt(object, 'subsets');
  if (subsets.length === 0) throw noEndpoints(name);
  const found = fromRandomStart(subsets, context).flatMap(subset =>
    listAt(subset, 'ports')
      .filter(port => stringAt(port, 'name') === portName)
      .flatMap(port =>
        fromRandomStart(listAt(subset, 'addresses'), context).map(each => endpointAt(each, stringAt(each, 'ip'), { port, context })),
      ),
  );
  return found.find(each => each !== undefined);
}

/** Returns a ready endpoint of the service's slices, those of IPv4 first. Source: apiserver util/proxy RandomEndpoint. */
function sliceEndpoint(name: string, portName: string, context: CallContext): Endpoint | undefined {
  const { storage, info } = context;
  const slices = storage
    .list({ group: 'discovery.k8s.io', kind: 'EndpointSlice' }, info.namespace)
    .filter(slice => stringAt(slice, 'metadata', 'labels', 'kubernetes.io/service-name') === name);
  const isOfIpv4 = (slice: ValueMap): boolean => stringAt(slice, 'addressType') === 'IPv4';
  const mixed = fromRandomStart(slices, context);
  const found = [...mixed.filter(isOfIpv4), ...mixed.filter(slice => !isOfIpv4(slice))].flatMap(slice =>
    listAt(slice, 'ports')
      .filter(port => stringAt(port, 'name') === portName)
      .flatMap(port =>
        fromRandomStart(listAt(slice, 'endpoints'), context)
          .filter(each => valueAt(each, 'conditions', 'ready') !== false)
          .map(each => endpointAt(each, String(listAt(each, 'addresses')[0] ?? ''), { port, context })),
      ),
  );
  return found.find(each => each !== undefined);
}

/** Returns the endpoint at an address of a pod of the same namespace; undefined for other addresses. Source: isValidAddress. */
function endpointAt(
  each: Value,
  address: string,
  { port, context }: { readonly port: Value; readonly context: CallContext },
): Endpoint | undefined {
  const { storage, info } = context;
  const number = valueAt(port, 'port');
  const ref = mapAt(each, 'targetRef');
  if (typeof number !== 'bigint' || ref === undefined || stringAt(ref, 'namespace') !== info.namespace) return undefined;
  const name = stringAt(ref, 'name');
  const pod = storage.find({ group: '', kind: 'Pod' }, info.namespace, name);
  return pod !== undefined && addressesOfPod(pod).includes(address) ? { address, port: number, pod: name } : undefined;
}

/** Returns the items from a random one on, then those before it. */
function fromRandomStart<T>(items: readonly T[], { effects }: CallContext): readonly T[] {
  const start = Math.floor(effects.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
