import { quote } from '../../go/quote.js';
import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { badRequest } from '../../kubernetes/status-errors.js';

/** Fields of a built-in kind that selectors may use, besides its name. Source: AddFieldLabelConversionFunc of the kind's versions. */
interface FieldLabels {
  readonly fields: readonly string[];
  readonly refusal?: (field: string, resource: Resource) => string;
}

const podFields = ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName', 'hostNetwork', 'host'].map(name => `spec.${name}`);
const references = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const namespace = 'metadata.namespace';

const tables: Readonly<Record<string, FieldLabels>> = {
  '/Pod': { fields: [namespace, ...podFields, 'status.phase', 'status.podIP', 'status.podIPs', 'status.nominatedNodeName'] },
  '/Node': { fields: ['spec.unschedulable'] },
  '/ReplicationController': { fields: [namespace, 'status.replicas'] },
  '/Event': {
    fields: [namespace, ...references.map(name => `involvedObject.${name}`), 'reason', 'reportingComponent', 'source', 'type'],
  },
  '/Namespace': { fields: ['status.phase'] },
  '/Secret': { fields: [namespace, 'type'] },
  '/Service': { fields: [namespace, 'spec.clusterIP', 'spec.type'] },
  'events.k8s.io/Event': { fields: [namespace, ...references.map(name => `regarding.${name}`), 'reason', 'reportingController', 'type'] },
  'batch/Job': { fields: [namespace, 'status.successful'], refusal: field => `field label "${field}" not supported for Job` },
  'certificates.k8s.io/CertificateSigningRequest': { fields: ['spec.signerName'] },
  'certificates.k8s.io/ClusterTrustBundle': { fields: ['spec.signerName'] },
  'certificates.k8s.io/PodCertificateRequest': { fields: ['spec.signerName', 'spec.podName', 'spec.nodeName'] },
  'resource.k8s.io/ResourceSlice': {
    fields: ['spec.nodeName', 'spec.driver'],
    refusal: (field, { kind }) => `field label not supported for ${apiVersionOf(kind)}, Kind=${kind.kind}: ${field}`,
  },
};

/** Throws a 400 for a field that selectors of a resource may not use. `definition`: of a custom resource. */
export function checkFieldLabel(field: string, resource: Resource, definition: ValueMap | undefined): void {
  const refusal = definition === undefined ? builtInRefusal(field, resource) : customRefusal(field, resource, definition);
  if (refusal !== undefined) throw badRequest(refusal);
}

function builtInRefusal(field: string, resource: Resource): string | undefined {
  const table = tables[`${resource.kind.group}/${resource.kind.kind}`];
  if (field === 'metadata.name') return undefined;
  if (table !== undefined) {
    if (table.fields.includes(field)) return undefined;
    return table.refusal?.(field, resource) ?? `field label not supported: ${field}`;
  }
  if (field === namespace) return undefined;
  return `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function customRefusal(field: string, { namespaced, version }: Resource, definition: ValueMap): string | undefined {
  if (field === 'metadata.name' || (field === namespace && namespaced)) return undefined;
  const entry = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === version);
  const selectable = listAt(entry, 'selectableFields').map(f => stringAt(f, 'jsonPath').replace(/^\./, ''));
  return selectable.includes(field) ? undefined : `field label not supported: ${field}`;
}

/** Returns the text of a field that a selector compares. Source: the kinds' ToSelectableFields. */
export function fieldText(object: ValueMap, field: string, resource: Resource): string {
  const derived = derivedFields[`${resource.kind.group}/${resource.kind.kind} ${field}`];
  const value = derived === undefined ? valueAt(object, ...field.split('.')) : derived(object);
  return value === undefined || value === null ? '' : String(value);
}

const derivedFields: Readonly<Record<string, (object: ValueMap) => Value | undefined>> = {
  '/Pod spec.host': pod => stringAt(pod, 'spec', 'nodeName'),
  '/Pod spec.hostNetwork': pod => valueAt(pod, 'spec', 'hostNetwork') === true,
  '/Pod status.podIP': pod => stringAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || stringAt(pod, 'status', 'podIP'),
  // Selectors may use it, but objects have no such field.
  '/Pod status.podIPs': () => '',
  '/Node spec.unschedulable': node => valueAt(node, 'spec', 'unschedulable') === true,
  '/ReplicationController status.replicas': controller => valueAt(controller, 'status', 'replicas') ?? 0n,
  '/Event source': event => stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent'),
  'batch/Job status.successful': job => valueAt(job, 'status', 'succeeded') ?? 0n,
};
