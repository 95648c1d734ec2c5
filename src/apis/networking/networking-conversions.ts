import { type ConversionRule, type ConversionRules, rename, renamed } from '../../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { ensureMap, isMap, mapAt, stringAt, type ValueMap } from '../../go/value.js';

const zoneLabel = 'topology.kubernetes.io/zone';
const hostLabel = 'kubernetes.io/hostname';

const backend: ConversionRule = { toInternal: backendToInternal, fromInternal: backendFromInternal };

/** Source: kubernetes pkg/apis/networking/v1beta1, extensions/v1beta1 and discovery/v1beta1 conversion.go. */
export const networkingConversions: ConversionRules = {
  'networking/v1beta1.IngressSpec': renamed({ backend: 'defaultBackend' }),
  'networking/v1beta1.IngressBackend': backend,
  'extensions/v1beta1.IngressSpec': renamed({ backend: 'defaultBackend' }),
  'extensions/v1beta1.IngressBackend': backend,
  'discovery/v1beta1.Endpoint': { toInternal: topologyToInternal, fromInternal: topologyFromInternal },
};

/** Converts a backend, whose port by number or name was one field. */
function backendToInternal(value: ValueMap): void {
  const name = stringAt(value, 'serviceName');
  const port = value.get('servicePort') ?? 0n;
  value.delete('serviceName');
  value.delete('servicePort');
  if (name === '' && port === 0n) return;
  const service = ensureMap(value, 'service');
  if (name !== '') service.set('name', name);
  if (port !== '' && port !== 0n) ensureMap(service, 'port').set(typeof port === 'string' ? 'name' : 'number', port);
}

function backendFromInternal(value: ValueMap): void {
  const service = value.get('service');
  value.delete('service');
  if (!isMap(service)) return;
  const portName = stringAt(service, 'port', 'name');
  const number = mapAt(service, 'port')?.get('number');
  if (stringAt(service, 'name') !== '') value.set('serviceName', stringAt(service, 'name'));
  if (portName !== '') value.set('servicePort', portName);
  else if (number !== undefined) value.set('servicePort', number);
}

/** Converts zone and node, which were labels of a topology. */
function topologyToInternal(endpoint: ValueMap): void {
  const topology = endpoint.get('topology');
  rename(endpoint, 'topology', 'deprecatedTopology');
  if (!isMap(topology)) return;
  const zone = topology.get(zoneLabel);
  if (zone !== undefined) endpoint.set('zone', zone);
  topology.delete(zoneLabel);
  if (topology.has(hostLabel) && topology.get(hostLabel) === endpoint.get('nodeName')) topology.delete(hostLabel);
  if (topology.size === 0) endpoint.delete('deprecatedTopology');
}

function topologyFromInternal(endpoint: ValueMap): void {
  const zone = endpoint.get('zone');
  const node = endpoint.get('nodeName');
  if (isAbsent(endpoint, 'deprecatedTopology') && isAbsent(endpoint, 'zone') && isAbsent(endpoint, 'nodeName')) return;
  rename(endpoint, 'deprecatedTopology', 'topology');
  endpoint.delete('zone');
  const topology = ensureMap(endpoint, 'topology');
  if (typeof zone === 'string') topology.set(zoneLabel, zone);
  if (typeof node === 'string' && stringAt(topology, hostLabel) === '') topology.set(hostLabel, node);
}
