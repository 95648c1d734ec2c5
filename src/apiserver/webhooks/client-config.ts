import { hostWithoutBrackets } from '../../go/net/host-port.js';
import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { WebhookAddress } from '../../kubernetes/webhook-call.js';
import { bundleError, bundleText } from '../../x509/bundle.js';
import type { ServiceReference, Webhook } from './webhook.js';

/** Destination of a webhook's request. */
export interface WebhookTarget {
  /** URL without the query: `https://svc.ns.svc:443/path`. */
  readonly url: string;
  readonly address: TargetAddress;
  readonly serverName: string;
}

/** Address of a webhook, or the error that a connection ends with. */
export type TargetAddress = Pick<WebhookAddress, 'host' | 'port'> | Unresolvable;

interface Unresolvable {
  readonly unresolvable: string;
  /** The cause is in the Service's spec, so that no server that listens somewhere changes it. */
  readonly isOfSpec?: true;
}

/**
 * Returns the target of a webhook's client configuration: a service takes precedence over a URL. A string is the API server's error.
 * Source: apiserver util/webhook/client.go, authentication ServiceResolver.
 */
export function targetOfWebhook(
  webhook: Pick<Webhook, 'name' | 'clientConfig'>,
  resolve: (service: ServiceReference) => TargetAddress,
): WebhookTarget | string {
  const { service, url } = webhook.clientConfig;
  if (service !== undefined) return serviceTarget(service, resolve);
  if (url === undefined) return `failed calling webhook "${webhook.name}": webhook configuration must have either service or URL`;
  return urlTarget(url) ?? `Unparsable URL: ${url}`;
}

/**
 * Returns where a target is called: at the address to which the user mapped its service, unless the spec of the Service does not let the API server connect to
 * it at all.
 */
export function addressOf(
  { address }: WebhookTarget,
  service: ServiceReference | undefined,
  { serviceAddress, ignoresServiceSpecs }: Pick<Effects, 'serviceAddress' | 'ignoresServiceSpecs'>,
): WebhookAddress | Unresolvable {
  const mapped = serviceAddress?.(service);
  return 'unresolvable' in address && address.isOfSpec === true && ignoresServiceSpecs !== true ? address : (mapped ?? address);
}

/** Returns the error of a client for a caBundle that has no certificate; undefined for a usable or absent one. */
export function unusableBundle(caBundle: Uint8Array | undefined): string | undefined {
  const why = caBundle === undefined ? undefined : bundleError(bundleText(caBundle));
  return why === undefined ? undefined : `unable to load root certificates: ${why}`;
}

/**
 * Resolves services of the state: to their cluster IP or an external name, or with `--enable-aggregator-routing` to a ready endpoint. Source:
 * apiserver util/proxy/proxy.go ResolveCluster, ResolveEndpoint.
 */
export function serviceResolver(
  storage: Storage,
  usesEndpoints: boolean,
  random: Effects['random'],
): (service: ServiceReference) => TargetAddress {
  return service => {
    const found = storage.find({ group: '', kind: 'Service' }, service.namespace, service.name);
    if (found === undefined) return { unresolvable: `service "${service.name}" not found` };
    if (!usesEndpoints) return clusterAddress(found, service);
    const slices = storage
      .list({ group: 'discovery.k8s.io', kind: 'EndpointSlice' }, service.namespace)
      .filter(slice => stringAt(slice, 'metadata', 'labels', 'kubernetes.io/service-name') === service.name);
    return endpointAddress(found, service, { slices, random });
  };
}

function serviceTarget(service: ServiceReference, resolve: (service: ServiceReference) => TargetAddress): WebhookTarget {
  const serverName = `${service.name}.${service.namespace}.svc`;
  return { url: `https://${serverName}:${service.port}${cleanPath(service.path)}`, address: resolve(service), serverName };
}

/** Every call of a webhook has the same. */
const urlTarget = memoizeStrings(1000, (url: string): WebhookTarget | undefined => {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/.exec(url);
  if (match === null) return undefined;
  const [, scheme = '', authority = '', path = ''] = match;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const named = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host);
  if (named === null) return undefined;
  const name = hostWithoutBrackets(named[1] ?? '');
  const port = named[2] === undefined || named[2] === '' ? (scheme === 'http' ? 80 : 443) : Number(named[2]);
  return { url: `${scheme}://${host}${cleanPath(unescapePath(path))}`, address: { host: name, port }, serverName: name };
});

/** Applies Go's path.Join("/", path), then escapes as Go prints URL paths: a trailing slash is removed, dots are resolved. */
function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.map(escapePath).join('/')}`;
}

/** Escapes a path as Go does, which keeps `$&+,/:;=@` and the unreserved characters. */
function escapePath(part: string): string {
  return encodeURIComponent(part)
    .replace(/%(24|26|2B|2C|3A|3B|3D|40)/g, sequence => decodeURIComponent(sequence))
    .replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function unescapePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function clusterAddress(object: ValueMap, service: ServiceReference): TargetAddress {
  const type = stringAt(object, 'spec', 'type') || 'ClusterIP';
  if (type === 'ExternalName') return { host: stringAt(object, 'spec', 'externalName'), port: service.port };
  const clusterIp = stringAt(object, 'spec', 'clusterIP');
  if (clusterIp === 'None') return ofSpec('cannot route to service with ClusterIP "None"');
  if (portOf(object, service) === undefined) return ofSpec(noSuchPort(service));
  return { host: clusterIp, port: service.port };
}

/** EndpointSlices of a service, and the randomness by which one of its ready endpoints is chosen. */
interface Endpoints {
  readonly slices: readonly ValueMap[];
  readonly random: Effects['random'];
}

function endpointAddress(object: ValueMap, service: ServiceReference, { slices, random }: Endpoints): TargetAddress {
  const type = stringAt(object, 'spec', 'type') || 'ClusterIP';
  if (type === 'ExternalName') return ofSpec('unsupported service type "ExternalName"');
  const port = portOf(object, service);
  if (port === undefined) return ofSpec(noSuchPort(service));
  const preferred = listAt(object, 'spec', 'ipFamilies')[0];
  const ordered = [...slices].sort((a, b) => Number(isOfFamily(b, preferred)) - Number(isOfFamily(a, preferred)));
  for (const slice of ordered) {
    const number = portNumber(slice, stringAt(port, 'name'));
    const ready = listAt(slice, 'endpoints').filter(endpoint => valueAt(endpoint, 'conditions', 'ready') !== false);
    const chosen = ready[Math.floor(random() * ready.length)];
    if (number !== undefined && chosen !== undefined) return { host: String(listAt(chosen, 'addresses')[0] ?? ''), port: number };
  }
  return { unresolvable: `no endpoints available for service "${service.name}"` };
}

function isOfFamily(slice: ValueMap, family: unknown): boolean {
  return stringAt(slice, 'addressType') === family;
}

function portNumber(slice: ValueMap, name: string): number | undefined {
  const found = listAt(slice, 'ports').find(port => stringAt(port, 'name') === name && typeof valueAt(port, 'port') === 'bigint');
  return found === undefined ? undefined : Number(valueAt(found, 'port'));
}

function portOf(object: ValueMap, service: ServiceReference): Value | undefined {
  return listAt(object, 'spec', 'ports').find(port => Number(valueAt(port, 'port')) === service.port);
}

function ofSpec(unresolvable: string): Unresolvable {
  return { unresolvable, isOfSpec: true };
}

function noSuchPort(service: ServiceReference): string {
  return `no service port ${service.port} found for service "${service.name}"`;
}
