import { constants, type DefaultRules, isAbsent, setDefault, sizeOfValue } from '../../apiserver/objects/default-rules.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';

/** Defaults of the core group, except pods and services. Source: kubernetes pkg/apis/core/v1/defaults.go. */
export const coreDefaults: DefaultRules = {
  'core/v1.ConfigMap': map => setDefault(map, 'data', new Map()),
  'core/v1.Secret': constants({ type: 'Opaque' }),
  'core/v1.EndpointPort': constants({ protocol: 'TCP' }),
  'core/v1.PersistentVolume': volume => {
    setDefault(ensureMap(volume, 'status'), 'phase', 'Pending');
    const spec = ensureMap(volume, 'spec');
    setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    setDefault(spec, 'volumeMode', 'Filesystem');
  },
  'core/v1.PersistentVolumeClaim': claim => setDefault(ensureMap(claim, 'status'), 'phase', 'Pending'),
  'core/v1.Namespace': namespace => {
    const name = stringAt(namespace, 'metadata', 'name');
    if (name !== '') ensureMap(ensureMap(namespace, 'metadata'), 'labels').set('kubernetes.io/metadata.name', name);
  },
  'core/v1.NamespaceStatus': constants({ phase: 'Active' }),
  'core/v1.NodeStatus': status => {
    const capacity = status.get('capacity');
    if (isAbsent(status, 'allocatable') && isMap(capacity)) status.set('allocatable', copyOf(capacity));
  },
  'core/v1.LimitRangeItem': limitContainers,
  'core/v1.ReplicationController': controller => {
    const spec = ensureMap(controller, 'spec');
    const labels = mapAt(spec, 'template', 'metadata', 'labels');
    if (labels !== undefined && sizeOfValue(spec, 'selector') === 0) spec.set('selector', copyOf(labels));
    labelLikeTemplate(controller);
    setDefault(spec, 'replicas', 1n);
  },
};

/**
 * Copies the labels of the pod template to an object without labels: the same map, so that later additions to one appear in both, as in Go.
 */
export function labelLikeTemplate(object: ValueMap): void {
  const labels = mapAt(object, 'spec', 'template', 'metadata', 'labels');
  const metadata = ensureMap(object, 'metadata');
  if (labels !== undefined && sizeOfValue(metadata, 'labels') === 0) metadata.set('labels', labels);
}

/** Defaults of a container limit: defaults come from the maximum, default requests from the defaults, then from the minimum. */
function limitContainers(item: ValueMap): void {
  if (item.get('type') !== 'Container') return;
  const defaults = ensureMap(item, 'default');
  const requests = ensureMap(item, 'defaultRequest');
  addMissing(defaults, item.get('max'));
  addMissing(requests, defaults);
  addMissing(requests, item.get('min'));
}

function addMissing(list: ValueMap, from: Value | undefined): void {
  if (isMap(from)) for (const [name, quantity] of from) setDefault(list, name, quantity);
}

/** Defaults of services: the rules depend on one another, so their order matters. */
export const serviceDefaults: DefaultRules = {
  'core/v1.Service': service => {
    const spec = ensureMap(service, 'spec');
    defaultAffinity(spec);
    setDefault(spec, 'type', 'ClusterIP');
    for (const port of listAt(spec, 'ports').filter(isMap)) defaultPort(port);
    const type = stringAt(spec, 'type');
    const isLoadBalancer = type === 'LoadBalancer';
    const isOpen = isLoadBalancer || type === 'NodePort' || (type === 'ClusterIP' && sizeOfValue(spec, 'externalIPs') > 0);
    if (isOpen) setDefault(spec, 'externalTrafficPolicy', 'Cluster');
    if (isLoadBalancer || type === 'NodePort' || type === 'ClusterIP') setDefault(spec, 'internalTrafficPolicy', 'Cluster');
    if (!isLoadBalancer) return;
    setDefault(spec, 'allocateLoadBalancerNodePorts', true);
    for (const ingress of listAt(service, 'status', 'loadBalancer', 'ingress').filter(isMap)) {
      if (stringAt(ingress, 'ip') !== '') setDefault(ingress, 'ipMode', 'VIP');
    }
  },
  'core/v1.ServicePort': constants({ protocol: 'TCP' }),
};

function defaultAffinity(spec: ValueMap): void {
  setDefault(spec, 'sessionAffinity', 'None');
  const affinity = spec.get('sessionAffinity');
  if (affinity === 'None') spec.delete('sessionAffinityConfig');
  if (affinity !== 'ClientIP') return;
  const clientIp = mapAt(spec, 'sessionAffinityConfig', 'clientIP');
  if (clientIp !== undefined && !isAbsent(clientIp, 'timeoutSeconds')) return;
  spec.set('sessionAffinityConfig', new Map([['clientIP', new Map([['timeoutSeconds', 10800n]])]]));
}

function defaultPort(port: ValueMap): void {
  setDefault(port, 'protocol', 'TCP');
  const target = port.get('targetPort');
  if (!isAbsent(port, 'targetPort') && target !== 0n && target !== '') return;
  const number = port.get('port');
  if (number === undefined) port.delete('targetPort');
  else port.set('targetPort', number);
}
