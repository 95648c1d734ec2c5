import { joinHostPort } from '../../go/net/host-port.js';
import { ownMember } from '../../go/own-members.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import {
  ageOf,
  conditionStatus,
  containerCells,
  count,
  labelsText,
  mapSize,
  nameCell,
  quantityCellText,
  shortList,
  since,
} from './cell-text.js';
import { podCells } from './pod-cells.js';

/** Returns the cells of a row, in the order of the columns. */
export type CellMaker = (object: ValueMap, now: Date, server: ApiServer) => Value[];

/** Rows of the core group. Source: kubernetes pkg/printers/internalversion/printers.go. */
export const coreCells: Readonly<Record<string, CellMaker>> = {
  pods: podCells,
  namespaces: (o, now) => [nameCell(o), stringAt(o, 'status', 'phase'), ageOf(o, now)],
  configmaps: (o, now) => [nameCell(o), mapSize(o, 'data') + mapSize(o, 'binaryData'), ageOf(o, now)],
  secrets: (o, now) => [nameCell(o), stringAt(o, 'type'), mapSize(o, 'data'), ageOf(o, now)],
  serviceaccounts: (o, now, server) => [
    nameCell(o),
    ...(server.until('v1.34') ? [BigInt(listAt(o, 'secrets').length)] : []),
    ageOf(o, now),
  ],
  services: (o, now) => [
    nameCell(o),
    stringAt(o, 'spec', 'type'),
    String(listAt(o, 'spec', 'clusterIPs')[0] ?? '<none>'),
    externalIps(o),
    listAt(o, 'spec', 'ports').map(portText).join(',') || '<none>',
    ageOf(o, now),
    labelsText(mapAt(o, 'spec', 'selector')),
  ],
  endpoints: (o, now) => [nameCell(o), endpointsText(o), ageOf(o, now)],
  nodes: nodeCells,
  events: eventCells,
  resourcequotas: (o, now) => [nameCell(o), quotaText(o, false), quotaText(o, true), ageOf(o, now)],
  replicationcontrollers: (o, now) => [
    nameCell(o),
    count(o, 'spec', 'replicas'),
    count(o, 'status', 'replicas'),
    count(o, 'status', 'readyReplicas'),
    ageOf(o, now),
    ...containerCells(valueAt(o, 'spec', 'template')),
    labelsText(mapAt(o, 'spec', 'selector')),
  ],
  podtemplates: o => [nameCell(o), ...containerCells(valueAt(o, 'template')), labelsText(mapAt(o, 'template', 'metadata', 'labels'))],
  componentstatuses: o => [nameCell(o), ...healthCells(o)],
  persistentvolumes: volumeCells,
  persistentvolumeclaims: claimCells,
};

function healthCells(component: ValueMap): string[] {
  const healthy = listAt(component, 'conditions')
    .filter(condition => stringAt(condition, 'type') === 'Healthy')
    .at(-1);
  const texts: Record<string, string> = { True: 'Healthy', False: 'Unhealthy' };
  return [ownMember(texts, stringAt(healthy, 'status')) ?? 'Unknown', stringAt(healthy, 'message'), stringAt(healthy, 'error')];
}

function portText(port: Value): string {
  const node = count(port, 'nodePort');
  return `${count(port, 'port')}${node > 0n ? `:${node}` : ''}/${stringAt(port, 'protocol')}`;
}

function externalIps(service: ValueMap): string {
  const own = listAt(service, 'spec', 'externalIPs').map(String);
  switch (stringAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancerAddresses(service), ...own].join(',') || '<pending>';
    case 'ExternalName':
      return stringAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

/** Returns the unique addresses of the load balancer in the status. */
export function balancerAddresses(object: ValueMap): string[] {
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress');
  return [...new Set(ingress.map(i => stringAt(i, 'ip') || stringAt(i, 'hostname')).filter(text => text !== ''))].sort();
}

function endpointsText(endpoints: ValueMap): string {
  const subsets = listAt(endpoints, 'subsets');
  if (subsets.length === 0) return '<none>';
  const addresses = subsets.flatMap(subset => {
    const ips = listAt(subset, 'addresses').map(address => stringAt(address, 'ip'));
    const ports = listAt(subset, 'ports');
    if (ports.length === 0) return ips;
    return ports.flatMap(port => ips.map(ip => joinHostPort(ip, count(port, 'port'))));
  });
  return shortList(addresses, 3);
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeCells(node: ValueMap, now: Date, server: ApiServer): Value[] {
  const ready = conditionStatus(node, 'Ready');
  const status = [ready === '' ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady'];
  if (valueAt(node, 'spec', 'unschedulable') === true) status.push('SchedulingDisabled');
  const labels = [...(mapAt(node, 'metadata', 'labels') ?? [])];
  const roles = labels.flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [String(value)] : [];
  });
  const address = (type: string): string =>
    stringAt(
      listAt(node, 'status', 'addresses').find(a => stringAt(a, 'type') === type),
      'address',
    ) || '<none>';
  const info = (key: string, none: string): string => stringAt(node, 'status', 'nodeInfo', key) || none;
  return [
    nameCell(node),
    status.join(','),
    [...new Set(roles)].sort().join(',') || '<none>',
    ageOf(node, now),
    info('kubeletVersion', ''),
    address('InternalIP'),
    address('ExternalIP'),
    info('osImage', '<unknown>'),
    kernelText(info('kernelVersion', '<unknown>'), server.since('v1.36') ? info('architecture', '') : ''),
    info('containerRuntimeVersion', '<unknown>'),
  ];
}

function kernelText(version: string, architecture: string): string {
  return architecture === '' ? version : `${version} (${architecture})`;
}

function eventCells(event: ValueMap, now: Date): Value[] {
  const firstTime = valueAt(event, 'firstTimestamp') ?? valueAt(event, 'eventTime');
  const series = mapAt(event, 'series');
  const lastTime = series === undefined ? (valueAt(event, 'lastTimestamp') ?? firstTime) : valueAt(series, 'lastObservedTime');
  const times = count(series ?? event, 'count');
  const kind = stringAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = stringAt(event, 'involvedObject', 'name');
  const component = stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent');
  const instance = stringAt(event, 'source', 'host') || stringAt(event, 'reportingInstance');
  return [
    since(lastTime ?? undefined, now),
    stringAt(event, 'type'),
    stringAt(event, 'reason'),
    name === '' ? kind : `${kind}/${name}`,
    stringAt(event, 'involvedObject', 'fieldPath'),
    instance === '' ? component : `${component}, ${instance}`,
    stringAt(event, 'message').trim(),
    since(firstTime ?? undefined, now),
    series === undefined && times === 0n ? 1n : times,
    nameCell(event),
  ];
}

function quotaText(quota: ValueMap, limits: boolean): string {
  const hard = mapAt(quota, 'status', 'hard');
  const used = mapAt(quota, 'status', 'used');
  const names = [...(hard?.keys() ?? [])].sort().filter(name => name.startsWith('limits') === limits);
  return names.map(name => `${name}: ${quantityCellText(used, name)}/${quantityCellText(hard, name)}`).join(', ');
}

const modeNames: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function accessModes(modes: readonly Value[]): string {
  const order = Object.keys(modeNames);
  return order
    .filter(mode => modes.includes(mode))
    .map(mode => ownMember(modeNames, mode))
    .join(',');
}

function phaseOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'deletionTimestamp') === '' ? stringAt(object, 'status', 'phase') : 'Terminating';
}

function volumeCells(volume: ValueMap, now: Date): Value[] {
  const claim = valueAt(volume, 'spec', 'claimRef');
  return [
    nameCell(volume),
    quantityCellText(mapAt(volume, 'spec', 'capacity'), 'storage'),
    accessModes(listAt(volume, 'spec', 'accessModes')),
    stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
    phaseOf(volume),
    isMap(claim) ? `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}` : '',
    stringAt(volume, 'spec', 'storageClassName'),
    stringAt(volume, 'spec', 'volumeAttributesClassName') || '<unset>',
    stringAt(volume, 'status', 'reason'),
    ageOf(volume, now),
    stringAt(volume, 'spec', 'volumeMode') || '<unset>',
  ];
}

function claimCells(claim: ValueMap, now: Date): Value[] {
  const isBound = stringAt(claim, 'spec', 'volumeName') !== '';
  return [
    nameCell(claim),
    phaseOf(claim),
    stringAt(claim, 'spec', 'volumeName'),
    isBound ? quantityCellText(mapAt(claim, 'status', 'capacity'), 'storage') : '',
    isBound ? accessModes(listAt(claim, 'status', 'accessModes')) : '',
    stringAt(claim, 'metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class') || stringAt(claim, 'spec', 'storageClassName'),
    stringAt(claim, 'spec', 'volumeAttributesClassName') || '<unset>',
    ageOf(claim, now),
    stringAt(claim, 'spec', 'volumeMode') || '<unset>',
  ];
}
