import type { Resource } from '../kubernetes/resource-table.js';
import { badRequest } from '../kubernetes/status-errors.js';
import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../kubernetes/value.js';

/** Fields that a kind's objects can be selected by, besides name and namespace, with how the value is read. */
interface SelectableFields {
  readonly fields: Readonly<Record<string, (object: ValueMap) => string>>;
  readonly refusal: (field: string) => string;
}

const text =
  (...path: string[]) =>
  (object: ValueMap): string => {
    const value = valueAt(object, ...path);
    return value === undefined || value === null ? '' : String(value);
  };

const number =
  (...path: string[]) =>
  (object: ValueMap): string =>
    String(valueAt(object, ...path) ?? 0n);

const flag =
  (...path: string[]) =>
  (object: ValueMap): string =>
    String(valueAt(object, ...path) === true);

const plain = (field: string): string => `field label not supported: ${field}`;

const podFields = {
  'spec.nodeName': text('spec', 'nodeName'),
  'spec.host': text('spec', 'nodeName'),
  'spec.restartPolicy': text('spec', 'restartPolicy'),
  'spec.schedulerName': text('spec', 'schedulerName'),
  'spec.serviceAccountName': text('spec', 'serviceAccountName'),
  'spec.hostNetwork': flag('spec', 'hostNetwork'),
  'status.phase': text('status', 'phase'),
  'status.podIP': (pod: ValueMap) => stringAt(pod, 'status', 'podIP') || stringAt(listAt(pod, 'status', 'podIPs')[0], 'ip'),
  'status.podIPs': (pod: ValueMap) => stringAt(pod, 'status', 'podIP') || stringAt(listAt(pod, 'status', 'podIPs')[0], 'ip'),
  'status.nominatedNodeName': text('status', 'nominatedNodeName'),
};

const referenceParts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const eventFields = {
  ...Object.fromEntries(referenceParts.map(part => [`involvedObject.${part}`, text('involvedObject', part)])),
  reason: text('reason'),
  reportingComponent: text('reportingComponent'),
  source: (event: ValueMap) => stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent'),
  type: text('type'),
};

const newEventFields = {
  ...Object.fromEntries(referenceParts.map(part => [`regarding.${part}`, text('regarding', part)])),
  reason: text('reason'),
  reportingController: text('reportingController'),
  type: text('type'),
};

/** By resource and group. Source: kubernetes pkg/apis conversion.go, pkg/registry strategy.go. */
const selectable: Readonly<Record<string, SelectableFields>> = {
  'pods.': { fields: podFields, refusal: plain },
  'nodes.': { fields: { 'spec.unschedulable': flag('spec', 'unschedulable') }, refusal: plain },
  'replicationcontrollers.': { fields: { 'status.replicas': number('status', 'replicas') }, refusal: plain },
  'events.': { fields: eventFields, refusal: plain },
  'events.events.k8s.io': { fields: newEventFields, refusal: plain },
  'namespaces.': { fields: { 'status.phase': text('status', 'phase') }, refusal: plain },
  'secrets.': { fields: { type: text('type') }, refusal: plain },
  'services.': { fields: { 'spec.clusterIP': text('spec', 'clusterIP'), 'spec.type': text('spec', 'type') }, refusal: plain },
  'certificatesigningrequests.certificates.k8s.io': { fields: { 'spec.signerName': text('spec', 'signerName') }, refusal: plain },
  'clustertrustbundles.certificates.k8s.io': { fields: { 'spec.signerName': text('spec', 'signerName') }, refusal: plain },
  'jobs.batch': {
    fields: { 'status.successful': number('status', 'succeeded') },
    refusal: field => `field label ${JSON.stringify(field)} not supported for Job`,
  },
  'resourceslices.resource.k8s.io': {
    fields: { 'spec.nodeName': text('spec', 'nodeName'), 'spec.driver': text('spec', 'driver') },
    refusal: field => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  },
};

/** How the value of a field is read from an object. Throws the 400 for fields that the kind cannot be selected by. */
export function fieldReader(field: string, resource: Resource, definition: ValueMap | undefined): (object: ValueMap) => string {
  if (field === 'metadata.name') return text('metadata', 'name');
  if (definition !== undefined) return customField(field, resource, definition);
  if (field === 'metadata.namespace') return text('metadata', 'namespace');
  const own = selectable[`${resource.resource}.${resource.group}`];
  const found = own?.fields[field];
  if (found !== undefined) return found;
  throw badRequest(
    own?.refusal(field) ?? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

/** Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go, selectableFields. */
function customField(field: string, resource: Resource, definition: ValueMap): (object: ValueMap) => string {
  if (field === 'metadata.namespace' && resource.namespaced) return text('metadata', 'namespace');
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === resource.version);
  const paths = listAt(mapAt(version), 'selectableFields').map(f => stringAt(f, 'jsonPath').replace(/^\./, ''));
  if (!paths.includes(field)) throw badRequest(plain(field));
  return text(...field.split('.'));
}
